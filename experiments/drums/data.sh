#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# data.sh - the sounds of the drum experiments; to be sourced.
#   train        rendered drums with counts
#   music        the same, half of them with music behind the drums
#   held         other kits, other patterns, no music: for tests alone
#   held-three   the same without toms, cymbals and all else that no class counts
#   held-music   behind music
#   mdb, mdb-mix real recordings, where the user has them below LOCO_DATA: drums alone, and full mixes

# sound_sources BACKGROUND: fills `sources` with the options for what is installed; music comes from soundfonts alone.
sound_sources()
{
    local font list=''
    sources=()
    for font in "${fonts[@]}"; do
        [[ ! -f $font_folder/$font.sf2 ]] || list+=${list:+:}$font_folder/$font.sf2
    done
    [[ ! -d $kit_folder ]] || sources+=(--kits "$kit_folder")
    [[ -z $list ]] || sources+=(--soundfonts "$list" --background "$1")
    [[ ${#sources[@]} -gt 0 ]] || echo "no kits or soundfonts are installed: the drums are synthesised" >&2
}

# render RECORDINGS SECONDS SEED BACKGROUND WORDS... OUT
render()
{
    local sources
    sound_sources "$4"
    rm -rf "${!#}"
    "$loco" synth drums -o "${!#}" --recordings "$1" --seconds "$2" --seed "$3" "${sources[@]}" \
        "${@:5:$#-5}"
    if [[ ${sources[*]} == *drums_gmd_midi* ]]; then
        echo 'drums_gmd_midi is the Groove MIDI Dataset, Gillick et al. 2019, CC BY 4.0' >>"${!#}/sources.txt"
    fi
}

# import_set KIND FOLDER WORDS... OUT
import_set()
{
    rm -rf "${!#}"
    "$loco" import "${@:1:$#-1}" -o "${!#}"
}

plan_data()
{
    plan "$dir/train" render "$recordings" "$seconds" "$seed" 0 --distractors
    plan "$dir/music" render "$recordings" "$seconds" "$seed" "$background" --distractors
    plan "$dir/held" render "$held_recordings" "$held_seconds" $((seed + 100)) 0 --unseen --distractors
    plan "$dir/held-three" render "$held_recordings" "$held_seconds" $((seed + 100)) 0 --unseen
    plan "$dir/held-music" render "$held_recordings" "$held_seconds" $((seed + 100)) 1 --unseen --distractors
    tests=(held held-three held-music)
    if [[ -d ${LOCO_DATA:-}/drums_mdb ]]; then
        plan "$dir/mdb" import_set mdb "$LOCO_DATA/drums_mdb"
        plan "$dir/mdb-mix" import_set mdb "$LOCO_DATA/drums_mdb" --mix full
        tests+=(mdb mdb-mix)
    fi
}

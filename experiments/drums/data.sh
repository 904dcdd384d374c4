#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# data.sh - the sounds of the drum experiments; to be sourced.
#   kits         drum kits of single sounds, in links: see kits.sh
#   train-all    rendered drums with counts of every drum of the kit
#   music-all    the same, half of them with music behind the drums
#   train, music the same two with the columns kick, snare and hihat alone, put together as MDB Drums does
#                Where there are neither kits nor soundfonts, drums are synthesised, and have these three columns alone.
#   held         kits that training never has, in ordinary recordings of their own: for tests alone
#   held-hard    the same kits, as varied as in training: several at once, synthesised drums, damaged sound, percussion
#   held-music   ordinary recordings, behind music
#   mdb, mdb-mix real recordings, where the user has them below LOCO_DATA: drums alone, and full mixes

# sound_sources ORDINARY BACKGROUND: fills `sources` with the options for what is installed; music comes from soundfonts alone. Where
# all recordings are ordinary ones, as people make them, no drums are synthesised.
sound_sources()
{
    local font list=''
    sources=()
    for font in "${fonts[@]}"; do
        [[ ! -f $font_folder/$font.sf2 ]] || list+=${list:+:}$font_folder/$font.sf2
    done
    [[ ! -d $kit_folder ]] || sources+=(--kits "$kit_folder")
    [[ -z $(ls "$dir/kits") ]] || sources+=(--kits "$dir/kits")
    [[ ! -d ${LOCO_DATA:-}/$real_kits ]] || sources+=(--kits "$LOCO_DATA/$real_kits")
    [[ ${#sources[@]} == 0 || ! -d ${LOCO_DATA:-}/$drummers ]] || sources+=(--patterns "$LOCO_DATA/$drummers")
    [[ -z $list ]] || sources+=(--soundfonts "$list" --background "$2")
    [[ ${#sources[@]} == 0 ]] || sources+=(--ordinary "$1")
    if [[ ${#sources[@]} -gt 0 ]]; then
        [[ $1 == 1 ]] && sources+=(--synth 0) || sources+=(--synth "$synthesised")
    fi
    [[ ${#sources[@]} -gt 0 ]] || echo "no kits or soundfonts are installed: the drums are synthesised" >&2
}

# render RECORDINGS SECONDS SEED ORDINARY BACKGROUND WORDS... OUT
render()
{
    local sources
    sound_sources "$4" "$5"
    rm -rf "${!#}"
    "$loco" synth drums -o "${!#}" --recordings "$1" --seconds "$2" --seed "$3" "${sources[@]}" \
        "${@:6:$#-6}"
}

# render_all RECORDINGS ... OUT: the same, with columns for every drum of the kit, which sampled drums alone have.
render_all()
{
    local sources columns=(--distractors)
    sound_sources "$4" "$5"
    [[ ${#sources[@]} == 0 ]] || columns=(--whole-kit)
    render "${@:1:$#-1}" "${columns[@]}" "${!#}"
}

# three_of ALL OUT: the same recordings with the columns of kick, snare and hi-hat alone.
three_of()
{
    local file
    rm -rf "$2"
    mkdir -p "$2"
    for file in "$1"/*; do
        [[ $file == *.csv ]] || ln -s "$(realpath "$file")" "$2/"
    done
    awk -F, 'BEGIN { of["kick"] = "kick"; of["snare"] = "snare"
                     of["hihat"] = of["closed-hihat"] = of["open-hihat"] = of["pedal-hihat"] = "hihat" }
        NR == 1 { print "file,time,class"; next }
        $3 in of { print $1 "," $2 "," of[$3] }' "$1/events.csv" >"$2/events.csv"
    awk -F, 'NR == 1 { for (i = 4; i <= NF; i++) name[i] = $i; print "file,start,end,kick,snare,hihat"; next }
        { split("", n)
          for (i = 4; i <= NF; i++) n[name[i] ~ /hihat/ ? "hihat" : name[i]] += $i
          print $1 "," $2 "," $3 "," n["kick"] + 0 "," n["snare"] + 0 "," n["hihat"] + 0 }' "$1/counts.csv" >"$2/counts.csv"
}

# import_set KIND FOLDER WORDS... OUT
import_set()
{
    rm -rf "${!#}"
    "$loco" import "${@:1:$#-1}" -o "${!#}"
}

plan_data()
{
    plan "$dir/kits" make_kits
    plan "$dir/train-all" render_all "$recordings" "$seconds" "$seed" "$ordinary" 0
    plan "$dir/music-all" render_all "$music_recordings" "$seconds" "$seed" "$ordinary" "$background"
    plan "$dir/train" three_of "$dir/train-all"
    plan "$dir/music" three_of "$dir/music-all"
    local held=("$held_recordings" "$held_seconds" $((seed + 100)))
    plan "$dir/held" render_all "${held[@]}" 1 0 --unseen
    plan "$dir/held-hard" render_all "${held[@]}" 0 0 --unseen
    plan "$dir/held-music" render_all "${held[@]}" 1 1 --unseen
    tests=(held held-hard held-music)
    if [[ -d ${LOCO_DATA:-}/drums_mdb ]]; then
        plan "$dir/mdb" import_set mdb "$LOCO_DATA/drums_mdb" --labels kit
        plan "$dir/mdb-mix" import_set mdb "$LOCO_DATA/drums_mdb" --labels kit --mix full
        tests+=(mdb mdb-mix)
    fi
}

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# onsets.sh - any drum at all: our models beside classical onset detection, which knows no classes; to be sourced.
#   All classes become one, and strokes within 30 ms of the one before are one onset: what sounds together begins once.

onset_methods=(hfc specflux complex energy) # of aubio

# merged: rows file,time,class[,...] of standard input as rows file,time,any. A row without a time says that its file is
# there, be it without any onset.
merged()
{
    awk -F, 'NR > 1 { name = $1; sub(/.*\//, "", name); print name "," $2 }' | LC_ALL=C sort -t, -k1,1 -k2,2n |
        awk -F, 'BEGIN { print "file,time,class" }
            silent != "" && $1 != silent { print silent ",,"; silent = "" }
            $2 == "" { silent = $1; next }
            { silent = "" }
            $1 != file || $2 - last > 0.03 { print $1 "," $2 ",any"; last = $2; file = $1 }
            END { if (silent != "") print silent ",," }'
}

# sounds_of SET: its recordings.
sounds_of()
{
    find -L "$1" -maxdepth 1 -type f \( -name '*.wav' -o -name '*.flac' \) | LC_ALL=C sort
}

# score_onsets SET ESTIMATE OUT
score_onsets()
{
    merged <"$1/events.csv" >"$3.reference.csv"
    "$loco" eval --reference "$3.reference.csv" --estimate "$2" --tolerance 50ms,20ms,10ms --json >"$3"
    rm -f "$3.reference.csv" "$2"
}

# model_onsets MODEL SET OUT
model_onsets()
{
    "$loco" detect -m "$1" "$2" >"$3.found.csv"
    merged <"$3.found.csv" >"$3.any.csv"
    rm -f "$3.found.csv"
    score_onsets "$2" "$3.any.csv" "$3"
}

# aubio_onsets METHOD SET OUT
aubio_onsets()
{
    local sound
    while read -r sound; do
        echo "$sound,,"
        aubioonset -O "$1" -i "$sound" | awk -v name="$sound" 'NF > 0 { print name "," $1 ",any" }'
    done < <(sounds_of "$2") | { echo 'file,time,class'; cat; } | merged >"$3.any.csv"
    score_onsets "$2" "$3.any.csv" "$3"
}

plan_onsets()
{
    local set name
    for set in "${tests[@]}"; do
        for name in drums drums-hq; do
            beside "$dir/results/onset-$name-$set.json" model_onsets "$dir/$name.loco" "$dir/$set"
        done
        for name in "${onset_methods[@]}"; do
            command -v aubioonset >/dev/null || continue
            beside "$dir/results/onset-aubio-$name-$set.json" aubio_onsets "$name" "$dir/$set"
        done
    done
}

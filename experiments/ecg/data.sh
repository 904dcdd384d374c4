#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# data.sh - records and counts of the ECG experiment; to be sourced.
#   sets/all            all records, with the times of their beats, which score
#   sets/LABELS-FOLD    the records that a fold is trained on, with what training sees of them:
#       exact      counts of normal beats and of PVCs, every 10 s; and so of beats in all, which is a class of its own: a beat
#                  that is neither like the normal ones nor like the PVCs of other hearts is still a beat
#       range      the same, each count known to a fifth: 12 becomes 9..15, 1 becomes 0..2
#       some       normal beats as before; of PVCs only whether there is any: 0 or >=1
#       minutes    counts of both every 5 minutes
#       halfhour   one count of all beats of a record, half an hour: a number a record

# records_of FOLD: those that it is trained on.
records_of()
{
    local record
    for record in "${records[@]}"; do
        [[ " ${tested[$1]:-} " == *" $record "* ]] || echo "$record"
    done
}

# import_records SECONDS MAP RECORDS... OUT: a data set of these records alone.
import_records()
{
    local out=${!#} from=${!#}.from record file map=()
    [[ $2 == - ]] || map=(--map "$2")
    rm -rf "$from" "$out"
    mkdir -p "$from"
    for record in "${@:3:$#-3}"; do
        for file in "$data/$record".*; do
            ln -s "$(realpath "$file")" "$from/"
        done
    done
    "$loco" import ecg "$from" --clip "${1}s" "${map[@]}" -o "$out"
    rm -rf "$from"
}

# add_beats SET: the class `beat`, which holds both others, in counts and in times.
add_beats()
{
    awk -F, -v OFS=, '{ print $0, NR == 1 ? "beat" : $4 + $5 }' "$1/counts.csv" >"$1/counts.part"
    mv "$1/counts.part" "$1/counts.csv"
    awk -F, -v OFS=, '{ print } NR > 1 { $3 = "beat"; print }' "$1/events.csv" >"$1/events.part"
    mv "$1/events.part" "$1/events.csv"
}

# weaken LABELS FILE: counts.csv with less in it. The number of all beats must not reveal the number of PVCs.
weaken()
{
    awk -F, -v OFS=, -v how="$1" '
        function range(n,  low, high) {
            low = int(n * 0.8 + 1e-9); high = int(n * 1.2 - 1e-9) + 1
            return n > 0 ? low ".." high : 0
        }
        NR > 1 && how == "range" { for (i = 4; i <= NF; i++) $i = range($i) }
        NR > 1 && how == "some" { $6 = $5 > 0 ? ">=" $4 + 1 : $4; $5 = $5 > 0 ? ">=1" : 0 }
        { print }' "$2" >"$2.part"
    mv "$2.part" "$2"
}

# labels_of LABELS FOLD OUT
labels_of()
{
    local names seconds=$short rename=-
    case $1 in
        minutes) seconds=$middle ;;
        halfhour) seconds=$long rename=normal=beat,pvc=beat ;;
    esac
    mapfile -t names < <(records_of "$2")
    import_records "$seconds" "$rename" "${names[@]}" "$3"
    [[ $1 == halfhour ]] || add_beats "$3"
    weaken "$1" "$3/counts.csv"
}

# all_records OUT
all_records()
{
    import_records "$short" - "${records[@]}" "$1"
    add_beats "$1"
}

plan_data()
{
    local rung fold
    plan "$dir/sets/all" all_records
    for rung in "${rungs[@]}"; do
        for fold in "${folds[@]}" all; do
            plan "$dir/sets/$rung-$fold" labels_of "$rung" "$fold"
        done
    done
}

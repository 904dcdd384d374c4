#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# models.sh - models of the ECG experiment: trained, calibrated without times, and scored; to be sourced.
#   models/NAME-FOLD-SEED.loco   as `loco train` ends: offsets from the peaks of the series, thresholds from counts
#   found/NAME-FOLD-SEED.csv     its beats in all records
#   results/NAME-SEED-SET.json   scores of the beats that all folds found in the records of a SET
#       unseen, unseen-noisy     records that the fold was not trained on; the noisy one apart
#       seen, seen-noisy         records that it was trained on, by counts
#       all, all-noisy           trained on all eight records
#   NAME is a rung of the ladder; or `own`: the same network, taught by the times that the network of `exact` finds most likely
#   given the counts (loco enrich, sets/own-FOLD-SEED); or `times`: taught by the true time of every beat.

# words_of NAME: settings of its own.
words_of()
{
    case $1 in
        own | times) echo "${taught_words[*]}" ;;
        minutes) echo "${minutes_words[*]}" ;;
        halfhour) echo "${halfhour_words[*]}" ;;
    esac
}

# set_of NAME FOLD SEED: what it is trained on; the true times stand beside the counts of `exact`.
set_of()
{
    case $1 in
        own) echo "$dir/sets/own-$2-$3" ;;
        times) echo "$dir/sets/exact-$2" ;;
        *) echo "$dir/sets/$1-$2" ;;
    esac
}

# own_times SET MODEL OUT: the same records and counts, without the true times, and with those that the model reports.
own_times()
{
    local file
    rm -rf "$3"
    mkdir -p "$3"
    for file in "$1"/*; do
        [[ $file == */events.csv ]] || ln -s "$(realpath "$file")" "$3/"
    done
    "$loco" enrich -m "$2" "$3" --gap "${same}s" -o "$3/events.csv"
}

# plan_training NAME FOLD SEED
plan_training()
{
    local words
    read -ra words <<<"$(words_of "$1")"
    beside "$dir/models/$1-$2-$3.loco" train "$(set_of "$@")" "${recipe[@]}" "${words[@]}" "${small[@]}" \
        --seed "$3" --threads 1
}

# one_of_two: rows file,time,class,probability in order of time; of two beats of a record that are nearer than `same`
# seconds the less probable one is left out: a heart cannot beat again so soon, and a beat is normal or a PVC.
one_of_two()
{
    awk -F, -v same="$same" '
        function put() { if (held != "") print held; held = "" }
        NR == 1 { print; next }
        $1 != file || $2 - time >= same { put(); file = $1; time = $2; sure = $4; held = $0; next }
        $4 > sure { time = $2; sure = $4; held = $0 }
        END { put() }'
}

# find_beats MODEL OUT: in all records.
find_beats()
{
    local files
    mapfile -t files < <(find -L "$dir/sets/all" -maxdepth 1 \( -name '*.i16' -o -name '*.hea' \) | LC_ALL=C sort)
    "$loco" detect -m "$1" "${files[@]}" >"$2.raw"
    { head -n 1 "$2.raw"; tail -n +2 "$2.raw" | LC_ALL=C sort -t, -k1,1 -k2,2n; } >"$2.found"
    awk -F, 'NR == 1 || $3 == "beat"' "$2.found" | one_of_two >"$2"
    awk -F, 'NR == 1 || $3 != "beat"' "$2.found" | one_of_two | tail -n +2 >>"$2"
    rm -f "$2.raw" "$2.found"
}

# is_in SET FOLD RECORD
is_in()
{
    local noise=clean part=seen
    [[ $3 != "$noisy" ]] || noise=noisy
    [[ " ${tested[$2]:-} " != *" $3 "* ]] || part=unseen
    [[ $2 != all ]] || part=all
    case $1 in
        *-noisy) [[ $part == "${1%-noisy}" && $noise == noisy ]] ;;
        *) [[ $part == "$1" && $noise == clean ]] ;;
    esac
}

# chosen SET FOLD FILE: its rows of the records of a set, with the fold in front of their names.
chosen()
{
    local record names=
    for record in "${records[@]}"; do
        ! is_in "$1" "$2" "$record" || names+=" $record"
    done
    awk -F, -v names="$names " -v fold="$2" '
        NR > 1 {
            name = $1; sub(/.*\//, "", name); sub(/[.].*/, "", name)
            if (!index(names, " " name " ")) next
            print fold "-" name "," $2 "," ($3 == "beat" ? "any beat" : $3)
        }' "$3"
}

# score NAME SEED SET OUT
score()
{
    local fold from=("${folds[@]}")
    [[ $3 != all* ]] || from=(all)
    echo file,time,class | tee "$4.reference.csv" >"$4.estimate.csv"
    for fold in "${from[@]}"; do
        chosen "$3" "$fold" "$dir/sets/all/events.csv" >>"$4.reference.csv"
        chosen "$3" "$fold" "$dir/found/$1-$fold-$2.csv" >>"$4.estimate.csv"
    done
    "$loco" eval --reference "$4.reference.csv" --estimate "$4.estimate.csv" --tolerance 150ms,50ms --json >"$4"
    rm -f "$4.reference.csv" "$4.estimate.csv"
}

# plan_all NAMES...: training of these, all folds and seeds.
plan_all()
{
    local name fold seed
    for seed in "${runs[@]}"; do
        for name in "$@"; do
            for fold in "${folds[@]}" all; do
                plan_training "$name" "$fold" "$seed"
            done
        done
    done
}

plan_models()
{
    local name fold seed set
    plan_all exact
    barrier
    for seed in "${runs[@]}"; do
        for fold in "${folds[@]}" all; do
            beside "$dir/sets/own-$fold-$seed" own_times "$dir/sets/exact-$fold" "$dir/models/exact-$fold-$seed.loco"
        done
    done
    barrier
    plan_all "${trained[@]:1}"
    barrier
    for seed in "${runs[@]}"; do
        for name in "${trained[@]}"; do
            for fold in "${folds[@]}" all; do
                beside "$dir/found/$name-$fold-$seed.csv" find_beats "$dir/models/$name-$fold-$seed.loco"
            done
        done
    done
    barrier
    for seed in "${runs[@]}"; do
        for name in "${trained[@]}"; do
            for set in {unseen,seen,all}{,-noisy}; do
                beside "$dir/results/$name-$seed-$set.json" score "$name" "$seed" "$set"
            done
        done
    done
}

# page MODEL OUT: what it found, to look at.
page()
{
    "$loco" report -m "$1" "$dir/sets/all" -o "$2" --most 8 --title 'Heart beats, learned from counts'
}

# ladder OUT: the weaker the labels, the fewer events are found; the twin at the end.
ladder()
{
    local words=()
    results_of seen ' / records that were trained on'
    results_of unseen ' / other records'
    "$loco" plot scores "${words[@]}" -o "$1" --class "any beat" --title 'Heart beats: what training sees'
}

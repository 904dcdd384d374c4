#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# compare.sh - several runs of each method on the same data, network and steps; to be sourced.
#   What is compared is what training sees: counts with the exact loss, counts with two regressions, or all event times.
#   Each run is one core's work, and two run at once. The result of a run does not depend on that.

# settings_of METHOD: its settings, one a word.
settings_of()
{
    case $1 in
        exact | squared | poisson) echo "--set loss=$1" ;;
        times) echo '--set supervised=1' ;;
    esac
}

# one_run NAME SET SEED WORDS...: plans the training of runs/NAME-SEED.loco on a set.
one_run()
{
    beside "$dir/runs/$1-$3.loco" train "$2" "${compare_recipe[@]}" --set "steps=$compare_steps" --set "check=$compare_check" \
        "${small[@]}" --seed "$3" --threads 1 "${@:4}"
}

plan_methods()
{
    local method run settings
    for method in "${methods[@]}"; do
        read -ra settings <<<"$(settings_of "$method")"
        for run in "${runs[@]}"; do
            one_run "$method" "$dir/train" "$run" "${settings[@]}"
        done
    done
    barrier
    for method in "${methods[@]}"; do
        for run in "${runs[@]}"; do
            test_everywhere "$dir/runs/$method-$run.loco" "$method-$run"
        done
    done
    plan "$dir/figures/methods.svg" curves
}

# curves OUT: how the runs of each method learned.
curves()
{
    local method run words=()
    for method in "${methods[@]}"; do
        for run in "${runs[@]}"; do
            words+=("$method=$dir/curves/$method-$run.jsonl")
        done
    done
    "$loco" plot runs "${words[@]}" -o "$1"
}

# Is music in training what finds drums in mixes? The runs of `music` have it, those of `exact` have not.
plan_music()
{
    local run
    for run in "${mix_runs[@]}"; do
        one_run music "$dir/music" "$run"
    done
    barrier
    for run in "${mix_runs[@]}"; do
        test_everywhere "$dir/runs/music-$run.loco" "music-$run"
    done
}

# ---- the paper's protocols, on data that the user has ----

# split_set SET TEST SEED OUT
split_set()
{
    rm -rf "$4"
    "$loco" split "$1" --test "$2" --seed "$3" -o "$4"
}

# protocols NAME SET PATTERN...: Random, a shuffle for each run; Subset, each pattern in turn is the test set.
protocols()
{
    local run kind patterns=("${@:3}")
    for run in "${runs[@]}"; do
        plan "$dir/parts/$1-random-$run" split_set "$2" 0.15 "$run"
        plan "$dir/parts/$1-subset-$run" split_set "$2" "${patterns[(run - 1) % ${#patterns[@]}]}" "$run"
    done
    for run in "${runs[@]}"; do
        for kind in random subset; do
            one_run "$1-$kind" "$dir/parts/$1-$kind-$run/train" "$run"
        done
    done
    barrier
    for run in "${runs[@]}"; do
        for kind in random subset; do
            beside "$dir/results/$1-$kind-$run-own.json" test_model "$dir/runs/$1-$kind-$run.loco" \
                "$dir/parts/$1-$kind-$run/test"
        done
    done
}

plan_protocols()
{
    if [[ -d ${LOCO_IDMT:-} ]]; then
        plan "$dir/idmt" import_set idmt "$LOCO_IDMT"
        protocols idmt "$dir/idmt" 'RealDrum*' 'WaveDrum*' 'TechnoDrum*'
    fi
    if [[ -d ${LOCO_ENST:-} ]]; then
        plan "$dir/enst" import_set enst "$LOCO_ENST" --mix wet
        plan "$dir/enst-full" import_set enst "$LOCO_ENST" --mix full
        protocols enst "$dir/enst" 'drummer_1*' 'drummer_2*' 'drummer_3*'
        protocols enst-full "$dir/enst-full" 'drummer_1*' 'drummer_2*' 'drummer_3*'
    fi
}

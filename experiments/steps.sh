#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# steps.sh - an experiment as a list of steps, each of which makes one file or folder; to be sourced.
#
#   plan FILE FUNCTION WORDS...   a step: `FUNCTION WORDS... OUT` must make OUT, which then becomes FILE
#   beside FILE FUNCTION ...      the same, but such steps run at once, on a core each,
#   barrier                       up to here: the next one needs what those before it made
#   run_plan                      all steps in their order; one whose FILE is there is passed over
#
# OUT is FILE.part, and stays when a step is killed: training goes on from there. What a step prints goes to
# logs/NAME.txt, and its last lines are shown when it fails.

declare -a step_files=() step_calls=() step_kinds=()
next_kind=beside
cores=${EXPERIMENT_CORES:-2} # steps at once, of those that are planned with `beside`
running=0 earlier=0
declare -a groups=()

plan()
{
    step_files+=("$1")
    step_calls+=("$(printf '%q ' "${@:2}")")
    step_kinds+=(alone) # beside: with others; first: with others, but those that run now must end
}

beside()
{
    plan "$@"
    step_kinds[-1]=$next_kind
    next_kind=beside
}

barrier()
{
    next_kind=first
}

# announce NUMBER WORDS: which step this is, and how many minutes all has taken, earlier runs included.
announce()
{
    local seconds=$((SECONDS + earlier))
    printf '[%d/%d %d:%02d] %s\n' "$1" "${#step_files[@]}" $((seconds / 60)) $((seconds % 60)) "$2" >&2
}

# run_step NUMBER: from 1. Its exit status is that of the step.
run_step()
{
    local file=${step_files[$1 - 1]} name log status=0
    name=$(realpath -m --relative-to="$dir" "$file")
    log=$dir/logs/${name//\//-}.txt
    mkdir -p "$dir/logs" "$(dirname "$file")"
    # In a subshell of its own, so that `set -e` holds within the step.
    (
        set -e
        eval "${step_calls[$1 - 1]} $(printf '%q' "$file.part")"
    ) >"$log" 2>&1 </dev/null || status=$?
    if [[ $status != 0 ]]; then
        printf 'step %d failed with %d: %s\n' "$1" "$status" "$name" >&2
        tail -n 5 "$log" >&2
        echo "all that it said is in $log; the same command goes on from here" >&2
        return "$status"
    fi
    mv "$file.part" "$file"
}

# start NUMBER: in the background, with all its processes in a group of its own, so that they can be stopped together.
start()
{
    set -m
    run_step "$1" &
    set +m
    groups+=("$!")
    running=$((running + 1))
}

wait_for_one()
{
    wait -n || exit 3
    running=$((running - 1))
}

# Stops what runs, and adds the time of this run to that of earlier ones.
finish()
{
    local group
    for group in "${groups[@]}"; do
        kill -- "-$group" 2>/dev/null || true
    done
    echo "$SECONDS" >>"$dir/seconds.txt"
}

run_plan()
{
    local i
    [[ ! -f $dir/seconds.txt ]] || earlier=$(awk '{ s += $1 } END { print s }' "$dir/seconds.txt")
    trap finish EXIT
    trap 'exit 130' INT TERM
    for ((i = 1; i <= ${#step_files[@]}; i++)); do
        [[ ! -e ${step_files[i - 1]} ]] || continue
        while [[ $running -ge $cores || (${step_kinds[i - 1]} != beside && $running -gt 0) ]]; do
            wait_for_one
        done
        announce "$i" "$(realpath -m --relative-to="$dir" "${step_files[i - 1]}")"
        start "$i"
        [[ ${step_kinds[i - 1]} != alone ]] || wait_for_one
    done
    while [[ $running -gt 0 ]]; do
        wait_for_one
    done
    announce "${#step_files[@]}" "all steps are done"
}

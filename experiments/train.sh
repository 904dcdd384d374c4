#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# train.sh - one training as a step of an experiment (steps.sh); to be sourced.

# train_on SET RECIPE... OUT: goes on from a checkpoint that a killed run left; with other settings it begins anew.
train_on()
{
    local out=${!#} words=("${@:1:$#-1}")
    if [[ -f $out.checkpoint ]] && "$loco" train "${words[@]}" -o "$out" --log "$out.jsonl" --resume; then
        return
    fi
    rm -f "$out.checkpoint"
    "$loco" train "${words[@]}" -o "$out" --log "$out.jsonl"
}

# keep_curve OUT: how the run went, to curves/NAME.jsonl.
keep_curve()
{
    mkdir -p "$dir/curves"
    mv "$1.jsonl" "$dir/curves/$(basename "$1" .loco.part).jsonl"
}

# train SET RECIPE... OUT
train()
{
    train_on "$@"
    keep_curve "${!#}"
    rm -f "${!#}.checkpoint"
}

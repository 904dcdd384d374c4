#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# models.sh - the two models that are shipped: trained, calibrated without labels, tested; to be sourced.
#   raw/NAME.loco is as training leaves it, NAME.loco after `loco calibrate --blind`, timed/NAME.loco after a calibration
#   that looks at the times of the training recordings. All three are tested, which tells what labels are worth for it.

# train SET RECIPE... OUT: goes on from a checkpoint that a killed run left; with other settings it begins anew.
train()
{
    local out=${!#} words=("${@:1:$#-1}") go_on=()
    [[ ! -f $out.checkpoint ]] || go_on=(--resume)
    if ! "$loco" train "${words[@]}" -o "$out" --log "$out.jsonl" "${go_on[@]}"; then
        [[ ${#go_on[@]} -gt 0 ]] || return 1
        rm -f "$out.checkpoint"
        "$loco" train "${words[@]}" -o "$out" --log "$out.jsonl"
    fi
    mkdir -p "$dir/curves"
    mv "$out.jsonl" "$dir/curves/$(basename "$out" .loco.part).jsonl"
    rm -f "$out.checkpoint"
}

# calibrate MODEL SET WORDS... OUT: a copy of the model.
calibrate()
{
    cp "$1" "${!#}"
    "$loco" calibrate -m "${!#}" "$2" "${@:3:$#-3}"
}

# test_model MODEL SET WORDS... OUT: the scores as JSON.
test_model()
{
    "$loco" eval -m "$1" "$2" --json "${@:3:$#-3}" >"${!#}"
}

# test_everywhere MODEL NAME WORDS...: plans results/NAME-SET.json for every test set.
test_everywhere()
{
    local set
    for set in "${tests[@]}"; do
        beside "$dir/results/$2-$set.json" test_model "$1" "$dir/$set" "${@:3}"
    done
}

# figures MODEL SET OUT: scores over thresholds, and time errors, in a folder.
figures()
{
    "$loco" eval -m "$1" "$2" --figures "$3" >/dev/null
}

# clip_figure MODEL SOUND OUT: how the loss of a clip comes about.
clip_figure()
{
    "$loco" report -m "$1" "$2" --clip 1..2 -o "$3"
}

plan_models()
{
    local name
    plan "$dir/raw/drums.loco" train "$dir/train" "${drums_recipe[@]}" --seed "$seed" --set "steps=$steps" \
        --set "check=$check" "${small[@]}" --no-calibration --licence "$licence" \
        --about 'Kick, snare and hi-hat in drums and mixes, live: no look-ahead.'
    plan "$dir/raw/drums-hq.loco" train "$dir/train" "${hq_recipe[@]}" --seed "$seed" --set "steps=$hq_steps" \
        --set "check=$check" "${small[@]}" --no-calibration --licence "$licence" \
        --about 'Kick, snare and hi-hat in drums and mixes, for files: looks ahead.'
    for name in drums drums-hq; do
        plan "$dir/$name.loco" calibrate "$dir/raw/$name.loco" "$dir/train" --blind
        plan "$dir/timed/$name.loco" calibrate "$dir/raw/$name.loco" "$dir/train"
        test_everywhere "$dir/$name.loco" "$name"
        test_everywhere "$dir/raw/$name.loco" "raw-$name"
        test_everywhere "$dir/timed/$name.loco" "timed-$name"
        plan "$dir/figures/$name" figures "$dir/$name.loco" "$dir/held"
    done
    plan "$dir/figures/clip.svg" clip_figure "$dir/drums-hq.loco" "$dir/held/rec_000.wav"
}

# Versions of the sound at other sample rates that vote: with the model's own thresholds, and with a low one, where each
# version finds too much and only what most of them find is left. Without the vote the low threshold is tested alone.
plan_ensembles()
{
    test_everywhere "$dir/drums-hq.loco" low-alone --decoding threshold=0.2
    test_everywhere "$dir/drums-hq.loco" vote --ensemble "$versions"
    test_everywhere "$dir/drums-hq.loco" low-vote --ensemble "$versions" --decoding threshold=0.2
}

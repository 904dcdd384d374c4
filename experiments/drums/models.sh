#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# models.sh - the models that are shipped: trained, calibrated without labels, tested; to be sourced.
#   raw/NAME.loco is as training leaves it, NAME.loco calibrated from sound and counts as `loco train` ends, timed/NAME.loco
#   from the times of the training recordings. All three are tested, which shows what labels are worth for it.

# train_raw SET RECIPE... OUT: without calibration; its last state is kept.
train_raw()
{
    train_on "${@:1:$#-1}" --no-calibration "${!#}"
    keep_curve "${!#}"
    mv "${!#}.checkpoint" "$dir/raw/$(basename "${!#}" .loco.part).checkpoint"
}

# settle NAME SET RECIPE... OUT: the raw model as its training would have ended: nothing is left to train, only to
# calibrate.
settle()
{
    cp "$dir/raw/$1.loco" "${!#}"
    cp "$dir/raw/$1.checkpoint" "${!#}.checkpoint"
    "$loco" train "${@:2:$#-2}" -o "${!#}" --log "${!#}.jsonl" --resume
    rm -f "${!#}.checkpoint" "${!#}.jsonl"
}

# calibrate MODEL SET WORDS... OUT: a copy of the model.
calibrate()
{
    cp "$1" "${!#}"
    "$loco" calibrate -m "${!#}" "$2" "${@:3:$#-3}"
}

# test_model MODEL SET WORDS... OUT: the scores as JSON, of kick, snare and hi-hat.
test_model()
{
    "$loco" eval -m "$1" "$2" --classes kick,snare,hihat --tolerance 50ms,20ms,10ms --json "${@:3:$#-3}" >"${!#}"
}

# test_kit MODEL SET CLASSES OUT: of other classes; "": of every drum of the kit.
test_kit()
{
    local classes=()
    # synthesised drums have three classes
    [[ -z $3 || $(head -1 "$dir/train-all/counts.csv") != *percussion ]] || classes=(--classes "$3")
    "$loco" eval -m "$1" "$2" "${classes[@]}" --tolerance 50ms,20ms,10ms --json >"$4"
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
    "$loco" plot evaluation -m "$1" "$2" -o "$3"
}

# clip_figure MODEL SOUND OUT: how the loss of a clip comes about.
clip_figure()
{
    "$loco" plot clip -m "$1" "$2" --from 1s --to 2s -o "$3"
}

# plan_model NAME SET ABOUT RECIPE...: learns from SET-all; times to calibrate by are those of SET.
plan_model()
{
    local set words=("$2-all" "${@:4}" --seed "$seed" --set "check=$check" "${small[@]}" --licence "$licence" --about "$3")
    plan "$dir/raw/$1.loco" train_raw "${words[@]}"
    plan "$dir/$1.loco" settle "$1" "${words[@]}"
    plan "$dir/timed/$1.loco" calibrate "$dir/raw/$1.loco" "$2-all"
    test_everywhere "$dir/$1.loco" "$1"
    for set in "${tests[@]}"; do
        beside "$dir/results/five-$1-$set.json" test_kit "$dir/$1.loco" "$dir/$set" kick,snare,tom,hihat,cymbal
        beside "$dir/results/kit-$1-$set.json" test_kit "$dir/$1.loco" "$dir/$set" ''
    done
    plan "$dir/figures/$1" figures "$dir/$1.loco" "$dir/held"
}

# plan_offsets NAME: tests of the same model with other time offsets.
plan_offsets()
{
    test_everywhere "$dir/raw/$1.loco" "raw-$1"
    test_everywhere "$dir/timed/$1.loco" "timed-$1"
}

plan_models()
{
    plan_model drums "$dir/train" 'Every drum of a kit, drums alone, live: no look-ahead.' "${drums_recipe[@]}" \
        --set "steps=$steps"
    plan_model drums-hq "$dir/train" 'Every drum of a kit, drums alone, for files: reads all of it first.' \
        "${hq_recipe[@]}" --set "steps=$hq_steps"
    plan_model drums-mix "$dir/music" 'Every drum of a kit behind other instruments, for files: reads all of it first.' \
        "${hq_recipe[@]}" --set "steps=$mix_steps"
    plan_offsets drums
    plan_offsets drums-hq
    plan "$dir/figures/clip.svg" clip_figure "$dir/drums-hq.loco" "$dir/held/rec_000.wav"
}

# Versions of the sound at other sample rates that vote: none (as the model does), three, more, with a high threshold and with
# a low one, where each finds too much and only what most of them find is left; and events that stay where the network has
# them (snap=0). On two sets: they take long.
plan_ensembles()
{
    local tests=(held)
    [[ ! -d ${LOCO_DATA:-}/drums_mdb ]] || tests+=(mdb)
    voting bare 1 threshold=0.4 snap=0
    voting unsnapped 3 threshold=0.4 snap=0
    voting alone 1 threshold=0.4
    voting low-alone 1 threshold=0.2
    voting voted 3 threshold=0.4
    voting high-vote "$versions" threshold=0.4
    voting low-vote "$versions" threshold=0.2
}

# voting NAME VERSIONS DECODING...: plans its tests, whatever the model's own decoding is.
voting()
{
    test_everywhere "$dir/drums-hq.loco" "$1" --decoding "versions=$2 ${*:3}"
}

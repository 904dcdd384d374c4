#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# cases.sh - what tests/golden/write keeps and test_golden.sh repeats; to be sourced. All run in a folder of golden files, with
#   the command in $loco.

: "${loco:?}"

# The kinds of models, and what each reads.
declare -A input_of=([sound]=sound [pitch]=sound [series]=series [image]=image [windows]=image)

# shellcheck disable=SC2034 # used by both
checkpoint_options=(--set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm, gru 8' --set steps=40 --set check=10
                    --set batch=4 --no-calibration --threads 1)

# events NAME: what a model finds in the recordings of its data set
events()
{
    local file
    for file in "${input_of[$1]}"/*.{flac,png} "${input_of[$1]}"/s[0-9].csv; do
        [[ ! -f $file ]] || "$loco" detect -m "$1.loco" "$file"
    done
}

# complain INPUT ARGUMENTS...: the status and the sentence of a command that must fail; the folder of bad inputs is called BAD.
complain()
{
    local status=0 said
    said=$("$loco" "$@" 2>&1 >/dev/null </dev/null) || status=$?
    echo "$status: loco $*: $said" | sed "s|$bad|BAD|g"
}

# bad_inputs FOLDER: makes bad inputs there, one by one, and prints what is said to each.
bad_inputs()
{
    local bad=$1 model=sound.loco sound
    sound=$(printf '%s\n' sound/*.flac | head -n 1)
    mkdir -p "$bad"
    head -c 1000 "$model" >"$bad/short.loco"
    complain inspect "$bad/short.loco"
    { head -c 5000 "$model"; printf '\377'; tail -c +5002 "$model"; } >"$bad/flipped.loco"
    complain inspect "$bad/flipped.loco"
    printf 'not a model' >"$bad/text.loco"
    complain detect -m "$bad/text.loco" "$sound"
    complain detect -m "$bad/absent.loco" "$sound"
    complain detect -m "$model" "$bad/absent.flac"
    : >"$bad/empty.wav"
    complain detect -m "$model" "$bad/empty.wav"
    head -c 20000 "$sound" >"$bad/short.flac"
    complain detect -m "$model" "$bad/short.flac"
    printf 'time,value\n0,1\n0.02,x\n' >"$bad/word.csv"
    complain detect -m series.loco "$bad/word.csv"
    complain detect -m series.loco "$sound"
    head -c 300 "$(printf '%s\n' image/*.png | head -n 1)" >"$bad/short.png"
    complain detect -m image.loco "$bad/short.png"
    complain detect -m "$model" "$sound" --decoding 'mass treshold=0.3'
    cp -r sound "$bad/set"
    sed -i '2s/[^,]*$/-1/' "$bad/set/counts.csv"
    complain enrich -m "$model" "$bad/set"
    sed -i '2s/-1$/5..2/' "$bad/set/counts.csv"
    complain enrich -m "$model" "$bad/set"
    sed -i '2s/^[^,]*/gone.flac/; 2s/5[.][.]2$/1/' "$bad/set/counts.csv"
    complain enrich -m "$model" "$bad/set"
    complain train "$bad/nowhere" -o "$bad/new.loco"
    complain train sound -o "$bad/new.loco" --set stepps=5
    complain train sound -o "$bad/new.loco" --set 'network=conv 3x3'
}

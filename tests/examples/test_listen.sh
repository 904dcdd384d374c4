#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_listen.sh - examples/listen.c, blocks of 64 samples from a pipe, prints the events that `loco detect` finds in the file.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"
listen=$LOCO_BUILD/examples/listen
export LOCO_MODELS=$LOCO_SOURCE/models

if ! command -v python3 >/dev/null; then
    echo 'skipped: no python3, which makes raw samples of a sound file'
    exit 77
fi
"$loco" synth drums -o set -n 1 --seconds 6 2>err || fail "no sound: $(cat err)"
rate=$(python3 -c '
import array, sys, wave
sound = wave.open("set/rec_000.wav")
samples = array.array("h", sound.readframes(sound.getnframes()))
array.array("f", (x / 32768 for x in samples)).tofile(open("raw.f32", "wb"))
print(sound.getframerate())')
run 0 detect -m drums set/rec_000.wav
cut -d, -f2- out | tail -n +2 | sort >detected # live, they are in order of time within a class
[[ $(wc -l <detected) -gt 10 ]] || fail "few events: $(cat detected)"
checks=$((checks + 3))
"$listen" drums "$rate" <raw.f32 2>err | sort >listened || fail "the example fails: $(cat err)"
cmp -s detected listened || fail "other events: $(diff detected listened | head -5)"
"$listen" 2>err </dev/null && fail 'no arguments, and no error'
says err 'usage: listen MODEL RATE'
done_checking

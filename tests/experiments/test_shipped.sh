#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_shipped.sh - what is promised of the models in models/: each says where it comes from, and finds drums in made-up
#   recordings that it was never trained on, `piano` keys of a SoundFont; `drums` reports a stroke within 40 ms
#   and `piano-live` a key within 100 ms, measured live.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ ${LOCO_SANITIZE:-} == *thread* ]]; then
    echo "skipped: test_cli_output.sh runs the same code under the thread sanitizer"
    exit 77
fi
if [[ ! -f $LOCO_SOURCE/models/drums.loco ]]; then
    echo "skipped: there is no models/drums.loco"
    exit 77
fi
unset LOCO_MODELS
"$loco" synth drums -o set -n 2 --seconds 10 --seed 11 --unseen 2>err || fail "no data set: $(cat err)"

run 0 models
cp out list
for model in "$LOCO_SOURCE"/models/*.loco; do
    name=$(basename "$model" .loco)
    says list "$name "
    "$loco" inspect "$name" | tail -n +2 >about
    for fact in about licence trained_on version command scores; do
        checks=$((checks + 1))
        grep -qE "^  $fact +[^ ]" about || fail "$name does not say: $fact"
    done
    checks=$((checks + 1))
    ! grep -qE '(^|[^a-z])/(home|tmp|work|root)/' about || fail "$name holds a path of the machine that made it"
    case $name in
        drums) # takes half of the synthesised hi-hats of this set for other metal
            run 0 eval -m "$name" set --require precision=0.8
            checks=$((checks + 1))
            awk '($1 == "kick" || $1 == "snare") && !seen[$1]++ { n += $7 >= 0.7 } END { exit n != 2 }' out || fail "$name: $(cat out)"
            ;;
        drums*) run 0 eval -m "$name" set --require f1=0.6 ;;
        *) ;;
    esac
done
"$loco" synth piano -o keys -n 2 --seconds 10 --seed 11 --unseen 2>err || fail "no data set: $(cat err)"
for name in piano piano-live; do
    run 0 eval -m "$name" keys
    checks=$((checks + 1))
    awk '/^all, pooled/ && !n++ { exit !($8 >= 0.75) }' out || fail "$name finds few keys: $(head -8 out)"
done
run 0 detect -m drums set/rec_000.wav -o song.mid
[[ $(head -c 4 song.mid) == MThd ]] || fail "no MIDI file"

# ---- live: how much sound after an event must have come before it is reported ----
# within MODEL SOUND RATE MS: at that sample rate, so many milliseconds are enough.
within()
{
    local needed
    checks=$((checks + 1))
    python3 "$LOCO_SOURCE/tests/live_feed.py" "$loco" "$LOCO_SOURCE/models/$1.loco" "$2" "$3" \
        >live 2>err || fail "$1 live at $3 Hz: $(cat err)"
    cat err
    needed=$(sed -n 's/.* needed \([0-9]*\)\..*/\1/p' err)
    [[ ${needed:-999} -lt $4 ]] || fail "$1 reports an event after $needed ms of sound, not $4, at $3 Hz"
}
if command -v python3 >/dev/null && [[ -r /proc/self/stat ]]; then
    within drums set/rec_000.wav 22050 50
    within drums set/rec_000.wav 44100 60 # resampling hands out its sound in blocks
    within piano-live keys/rec_000.wav 22050 100
else
    echo "not measured live: needs python3 and /proc"
fi

done_checking

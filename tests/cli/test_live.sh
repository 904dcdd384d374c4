#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_live.sh - events while the sound is still coming: the same as from a file, and none later than is stated. Sound
#   is fed by a pipe, a millisecond at a time, and the next one only when loco has taken the last and waits: so the
#   amount of sound that each event needed is known exactly, however slow the machine is.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ ${LOCO_SANITIZE:-} == *thread* ]]; then
    echo "skipped: a minute under the thread sanitizer, and test_cli_output.sh runs the same code there"
    exit 77
fi

if ! command -v python3 >/dev/null || [[ ! -r /proc/self/stat ]]; then
    echo "skipped: needs python3 and /proc"
    exit 77
fi

"$loco" synth drums -o set -n 4 --seconds 5 2>err || fail "no data set: $(cat err)"
train_small set m.loco 150
take=set/rec_000.wav

# at RATE OPTIONS...: fed live, the events are those of the same samples in a file of that rate.
at()
{
    local rate=$1
    shift
    checks=$((checks + 2))
    python3 - "$take" "$rate" <<'END' || fail "cannot write a file"
import sys, wave
with wave.open(sys.argv[1]) as sound, wave.open("same.wav", "wb") as same:
    same.setparams((1, 2, int(sys.argv[2]), 0, "NONE", ""))
    same.writeframes(sound.readframes(sound.getnframes()))
END
    python3 "$LOCO_SOURCE/tests/live_feed.py" "$loco" m.loco "$take" "$rate" "$@" >live 2>err || fail "$rate Hz, $*: $(cat err)"
    cat err
    "$loco" detect -m m.loco same.wav "$@" 2>err | tail -n +2 >file
    cmp -s <(cut -d, -f2- live | sort) <(cut -d, -f2- file | sort) || fail "$rate Hz, $*: a file gives other events"
}

at 22050
for decoding in 'mass window=0.01 threshold=0.1 gap=0.04' 'peak threshold=0.02' count; do
    at 22050 --decoding "$decoding"
    at 44100 --decoding "$decoding"
done
at 48000 --decoding count
at 16000 --decoding count

# ---- formats of samples, and the end ----
tail -c +45 $take >take.raw
"$loco" detect -m m.loco - --raw s16le,1,22050 <take.raw >live 2>err || fail "a file as standard input: $(cat err)"
says err 'listening; events are reported within'
"$loco" detect -m m.loco $take 2>err | tail -n +2 | cut -d, -f2- | sort >file
cmp -s <(tail -n +2 live | cut -d, -f2- | sort) file || fail "standard input gives other events"
"$loco" detect -m m.loco - --raw s16le,1,22050 --format jsonl <take.raw >live 2>err || fail "JSON lines: $(cat err)"
[[ $(wc -l <live) == $(wc -l <file) ]] || fail "JSON lines: $(wc -l <live), not $(wc -l <file)"
"$loco" detect -m m.loco - --raw s16le,1,22050 -o live.mid <take.raw 2>err || fail "MIDI of standard input: $(cat err)"
[[ $(head -c 4 live.mid) == MThd ]] || fail "no MIDI file"
"$loco" detect -m m.loco - --raw s16le,1,22050 --counts 3,2,1 <take.raw >live 2>err || fail "counts: $(cat err)"
says err 'events are reported at the end'
[[ $(wc -l <live) == 7 ]] || fail "six events are known, $(wc -l <live) lines"

# ---- a reader that goes away ends an endless stream ----
checks=$((checks + 1))
{ while cat take.raw; do :; done 2>/dev/null | timeout 20 "$loco" detect -m m.loco - --raw s16le,1,22050 2>err
    echo "${PIPESTATUS[1]}" >status; } | head -3 >out
[[ $(cat status) == 4 ]] || fail "a closed pipe gives $(cat status): $(cat err)"

done_checking

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

# ---- WAV states its own format: from a file, through a pipe, without a length, with other bytes behind the samples ----
wav()
{
    checks=$((checks + 2))
    "$loco" detect -m m.loco - >live 2>err || fail "$1: $(cat err)"
    says err 'listening; events are reported within'
    cmp -s <(tail -n +2 live | cut -d, -f2- | sort) file || fail "$1 gives other events: $(diff live file | head -3)"
}

wav 'WAV on standard input' <$take
wav 'WAV through a pipe' < <(cat $take)
python3 - $take <<'END' || fail "no WAV streams"
import struct, sys, wave
with wave.open(sys.argv[1]) as sound:
    samples = sound.readframes(sound.getnframes())
rate = 22050
numbers = struct.unpack("<%dh" % (len(samples) // 2), samples)
def write(name, code, size, data, length, after=b""):
    head = struct.pack("<IHHIIHH", 16, code, 1, rate, rate * size, size, 8 * size)
    open(name, "wb").write(b"RIFF" + struct.pack("<I", length) + b"WAVEfmt " + head + b"data" + struct.pack("<I", length) + data + after)
write("open.wav", 1, 2, samples, 0xffffffff)
write("zero.wav", 1, 2, samples, 0)
write("list.wav", 1, 2, samples, len(samples), b"LIST\x05\0\0\0abcde")
write("s24.wav", 1, 3, b"".join(b"\0" + struct.pack("<h", n) for n in numbers), 3 * len(numbers))
write("s32.wav", 1, 4, struct.pack("<%di" % len(numbers), *(n << 16 for n in numbers)), 4 * len(numbers))
write("float.wav", 3, 4, struct.pack("<%df" % len(numbers), *(n / 32768 for n in numbers)), 4 * len(numbers))
END
for kind in open zero list s24 s32 float; do
    wav "$kind.wav" < <(cat $kind.wav)
done
"$loco" count -m m.loco - <$take 2>err | cut -d, -f4-7 >live
"$loco" count -m m.loco $take 2>err | cut -d, -f4-7 >file
cmp -s live file || fail "counts of WAV on standard input: $(cat live err)"
checks=$((checks + 1))
head -c 20000 $take | "$loco" detect -m m.loco - >live 2>err && fail "a WAV that is cut short is taken"
says err 'it is cut short of 5.000 s'

# ---- a reader that goes away ends an endless stream ----
checks=$((checks + 1))
{ while cat take.raw; do :; done 2>/dev/null | timeout 20 "$loco" detect -m m.loco - --raw s16le,1,22050 2>err
    echo "${PIPESTATUS[1]}" >status; } | head -3 >out
[[ $(cat status) == 4 ]] || fail "a closed pipe gives $(cat status): $(cat err)"

done_checking

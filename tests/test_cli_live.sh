#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_cli_live.sh - events while the sound is still coming: the same as from a file, and none later than is stated. Sound
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

cat >feed.py <<'END'
"""feed.py LOCO MODEL WAV RATE OPTIONS...: plays the samples as if they had that rate, and prints the live events."""
import fcntl, os, re, struct, subprocess, sys, termios, wave

loco, model, path, rate = sys.argv[1:4] + [int(sys.argv[4])]
with wave.open(path) as sound:
    samples = sound.readframes(sound.getnframes())
here, there = os.pipe()
command = [loco, "detect", "-m", model, "-", "--raw", "s16le,1,%d" % rate] + sys.argv[5:]
child = subprocess.Popen(command, stdin=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
os.set_blocking(child.stdout.fileno(), False)
step = rate // 1000 * 2
text, needed = b"", []


def waits():
    """All bytes are taken, and the process sleeps: it can only wait for more."""
    if struct.unpack("i", fcntl.ioctl(here, termios.FIONREAD, bytes(4)))[0] > 0:
        return False
    with open("/proc/%d/stat" % child.pid) as state:
        return state.read().rsplit(")", 1)[1].split()[0] in "SZ"


for at in range(0, len(samples), step):
    os.write(there, samples[at:at + step])
    while not waits():
        pass
    try:
        text += os.read(child.stdout.fileno(), 1 << 20)
    except BlockingIOError:
        pass
    needed += [(at + step) / 2 / rate] * (text.count(b"\n") - len(needed))
os.close(there)
os.close(here)
os.set_blocking(child.stdout.fileno(), True)
text += child.stdout.read()
said = child.stderr.read().decode()
if child.wait() != 0:
    sys.exit("exit status %d: %s" % (child.returncode, said))
stated = int(re.search(r"within (\d+) ms", said)[1]) / 1000
lines = text.decode().splitlines()
late = [heard - float(line.split(",")[1]) for heard, line in list(zip(needed, lines))[1:]]
print("\n".join(lines[1:]))
worst = max(late, default=0)
print("%d Hz: %d events live, %d at the end; needed %.1f ms, stated %.0f ms" %
      (rate, len(late), len(lines) - 1 - len(late), 1000 * worst, 1000 * stated), file=sys.stderr)
if worst > stated + 0.001 + 1e-6:  # the piece that was written last may hold more than was needed
    sys.exit("an event is later than stated")
if len(late) < 5:
    sys.exit("too few events to tell")
if worst < stated - 0.03:
    sys.exit("the statement is too careful")
END

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
    python3 feed.py "$loco" m.loco "$take" "$rate" "$@" >live 2>err || fail "$rate Hz, $*: $(cat err)"
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
says err 'listening; an event is told within'
"$loco" detect -m m.loco $take 2>err | tail -n +2 | cut -d, -f2- | sort >file
cmp -s <(tail -n +2 live | cut -d, -f2- | sort) file || fail "standard input gives other events"
"$loco" detect -m m.loco - --raw s16le,1,22050 --format jsonl <take.raw >live 2>err || fail "JSON lines: $(cat err)"
[[ $(wc -l <live) == $(wc -l <file) ]] || fail "JSON lines: $(wc -l <live), not $(wc -l <file)"
"$loco" detect -m m.loco - --raw s16le,1,22050 -o live.mid <take.raw 2>err || fail "MIDI of standard input: $(cat err)"
[[ $(head -c 4 live.mid) == MThd ]] || fail "no MIDI file"
"$loco" detect -m m.loco - --raw s16le,1,22050 --counts 3,2,1 <take.raw >live 2>err || fail "counts: $(cat err)"
says err 'events are told at the end'
[[ $(wc -l <live) == 7 ]] || fail "six events are known, $(wc -l <live) lines"

# ---- a reader that goes away ends an endless stream ----
checks=$((checks + 1))
{ while cat take.raw; do :; done 2>/dev/null | timeout 20 "$loco" detect -m m.loco - --raw s16le,1,22050 2>err
    echo "${PIPESTATUS[1]}" >status; } | head -3 >out
[[ $(cat status) == 4 ]] || fail "a closed pipe gives $(cat status): $(cat err)"

done_checking

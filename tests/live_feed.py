# SPDX-License-Identifier: MIT
"""live_feed.py LOCO MODEL WAV RATE OPTIONS...: plays the samples as if they had that rate, and prints the live events.

Sound goes in by a pipe, a millisecond at a time, and the next one only when loco has taken the last and waits: so the amount
of sound that each event needed is known exactly, however slow the machine is. Fails when it is more than loco states.
"""
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
import wave

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
late = [read - float(line.split(",")[1]) for read, line in list(zip(needed, lines))[1:]]
print("\n".join(lines[1:]))
worst = max(late, default=0)
print("%d Hz: %d events live, %d at the end; needed %.1f ms, stated %.0f ms" %
      (rate, len(late), len(lines) - 1 - len(late), 1000 * worst, 1000 * stated), file=sys.stderr)
if worst > stated + 0.001 + 1e-6:  # the piece that was written last may hold more than was needed
    sys.exit("an event is later than stated")
if len(late) < 5:
    sys.exit("too few events to measure")
if worst < stated - 0.03:
    sys.exit("the statement is too careful")

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_threads.sh - `loco detect` and `loco count` on many files, `loco train` on a long clip: the same bytes for any number
#   of threads, in the order of the files; a bad file among good ones; folders in folders; the progress line; Ctrl-C.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 7 --seconds 2 2>err || fail "no data set: $(cat err)"
train_small set m.loco 60
mkdir -p tree/b/deep tree/a tree/.hidden
mv set/rec_000.wav set/rec_006.wav tree/
mv set/rec_001.wav set/rec_002.wav tree/b/deep/
mv set/rec_003.wav tree/a/
cp set/rec_004.wav tree/.hidden/
cp set/rec_004.wav tree/a/.rec_009.wav
ln -s ../b tree/a/loop
printf 'no sound\n' >tree/notes.txt
ordered='tree/a/rec_003.wav tree/b/deep/rec_001.wav tree/b/deep/rec_002.wav tree/rec_000.wav tree/rec_006.wav '
low=(--decoding threshold=0.001)

# ---- the same bytes ----
run 0 detect -m m.loco tree --threads 1 "${low[@]}"
cp out one
[[ $(wc -l <one) -gt 10 ]] || fail "few events: $(cat one)"
[[ $(tail -n +2 one | cut -d, -f1 | uniq | tr '\n' ' ') == "$ordered" ]] || fail "not in order: $(cut -d, -f1 one | uniq)"
[[ $(cat err) == '5 files found' ]] || fail "the number of files is not stated: $(cat err)"
run 0 count -m m.loco tree --every 500ms --threads 1
cp out one.counts
[[ $(tail -n +2 one.counts | cut -d, -f1 | uniq | tr '\n' ' ') == "$ordered" ]] || fail "not in order: $(cut -d, -f1 out | uniq)"
mkdir f1 f2 f5
run 0 detect -m m.loco tree -o f1 --format midi --threads 1
for threads in 2 5; do
    checks=$((checks + 4))
    run 0 detect -m m.loco tree --threads $threads "${low[@]}"
    cmp -s out one || fail "$threads threads give other events"
    run 0 detect -m m.loco tree --threads $threads "${low[@]}" -o all.csv
    cmp -s all.csv one || fail "$threads threads give another file"
    run 0 count -m m.loco tree --every 500ms -t $threads
    cmp -s out one.counts || fail "$threads threads give other counts"
    run 0 detect -m m.loco tree -o f$threads --format midi -t$threads
    diff -r f1 f$threads >/dev/null || fail "$threads threads give other files"
done
run 0 detect -m m.loco tree "${low[@]}" # all cores
cmp -s out one || fail "all cores give other events"
read -ra words <<<"$ordered"
run 0 detect -m m.loco "${words[@]}" "${low[@]}"
cmp -s out one || fail "the files by name give other events"
silent err
refused 2 '1 or above, not "0"' detect -m m.loco tree --threads 0
refused 2 '--threads takes 1 to 1024' detect -m m.loco tree --threads 1025
refused 2 '--threads takes 1 to 1024' count -m m.loco tree --threads 1025

# ---- training ----
# one count for twelve minutes, and a network so wide that they run in chunks: the same model on any number of threads
mkdir long
awk 'BEGIN {
    srand(9)
    print "time,x,y"
    for (i = 0; i < 36000; i++) {
        if (i % 60 == 0) at = i + 5 + int(40 * rand())
        v = (i - at) ^ 2 < 60 ? exp(-(i - at) ^ 2 / 8) : 0
        printf "%.2f,%.4f,%.4f\n", i / 50, v + 0.05 * rand(), 0.05 * rand()
    }
}' >long/l.csv
printf 'file,start,end,pulse\nl.csv,,,600\n' >long/counts.csv
# a race would show on a narrow network, too, which the thread sanitizer runs in a twentieth of the time
width=$([[ ${LOCO_SANITIZE:-} == thread ]] && echo 50 || echo 1000)
wide=(--set steps=2 --set check=2 --set batch=1 --set speed=0 --set "network=conv 9x1 $width")
run 0 train long -o one.loco "${wide[@]}" --threads 1 --no-calibration
run 0 train long -o two.loco "${wide[@]}" --threads 2 --no-calibration
checks=$((checks + 1))
cmp -s one.loco two.loco || fail 'long clips: one thread and two give different models'
wrong 2 'gru 1500 both reads a clip from its end, too, and takes clips of up to' train long -o x.loco \
    --set 'network=gru 1500 both'

# ---- a bad file among good ones ----
echo 'dear diary' >tree/b/text.wav
: >tree/a/empty.wav
for threads in 1 3; do
    run 3 detect -m m.loco tree "${low[@]}" -t $threads
    cmp -s out one || fail "a bad file changes the others"
    says err 'loco: tree/b/text.wav: '
    says err '2 of 7 files failed:'
    [[ $(tail -3 err | head -1) == '2 of 7 files failed:' ]] || fail "no summary: $(cat err)"
    tail -2 err | head -1 | grep -q '^  tree/a/empty.wav: is empty' || fail "no reason: $(cat err)"
    tail -1 err | grep -q '^  tree/b/text.wav: no sound' || fail "no reason: $(cat err)"
    run 3 count -m m.loco tree --every 500ms -t $threads
    cmp -s out one.counts || fail "a bad file changes the other counts"
    says err '2 of 7 files failed:'
done
run 3 detect -m m.loco tree "${low[@]}" -o rest.csv
cmp -s rest.csv one || fail "the events of the good files are not written"
mkdir found
run 3 detect -m m.loco tree -o found -f csv
[[ $(cd found && echo *) == 'rec_000.csv rec_001.csv rec_002.csv rec_003.csv rec_006.csv' ]] || fail "found: $(ls found)"
run 3 detect -m m.loco tree/a/empty.wav tree/b/text.wav -o none.csv
absent none.csv
refused 2 'would both become' detect -m m.loco tree set tree/rec_000.wav -o found

# ---- a reader that goes away, a full disk ----
if [[ -w /dev/full ]]; then
    checks=$((checks + 1))
    "$loco" detect -m m.loco set >/dev/full 2>err
    [[ $? == 4 ]] || fail "a full standard output is not noticed"
fi

# ---- Ctrl-C: what is printed is whole, and the status is 130 ----
for i in {1..400}; do ln -s ../set/rec_005.wav "found/x$i.wav"; done
"$loco" detect -m m.loco found -t 2 "${low[@]}" >out 2>err &
running=$!
for ((i = 0; i < 300; i++)); do
    [[ $(wc -c <out) -gt 0 ]] && break
    sleep 0.02
done
checks=$((checks + 2))
kill -INT $running
wait $running
[[ $? == 130 ]] || fail "interrupted: another status: $(tail -3 err)"
says err 'interrupted after '
[[ $(tail -c 1 out | wc -l) == 1 ]] || fail "half a line is left: $(tail -1 out)"

# ---- the progress line, on a terminal alone ----
if command -v python3 >/dev/null; then
    checks=$((checks + 1))
    python3 - "$loco" detect -m m.loco found -t 2 -o progress.csv <<'END' >said 2>&1 || fail "$(cat said)"
import os, pty, re, sys

child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
status = os.waitpid(child, 0)[1]
text = text.decode()
if status != 0 or not re.search(r"\d+ of 400 files", text):
    sys.exit("status %d, no progress line: %r" % (status, text))
if not re.search(r"\d+ of 400 files  \d+:\d\d left  [0-9.e+]+ files/s", text):
    sys.exit("no speed: %r" % text)
if re.search(r"of 400 files[^\r]*\r\n", text):
    sys.exit("the line is left behind: %r" % text)
END
fi

done_checking

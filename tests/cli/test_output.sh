#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_output.sh - what the commands for sound write: every format, folders, several files, known counts, ensembles,
#   scores; interrupted training that goes on; calibration, inspection, the page; the progress line on a terminal.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# json FILE: every line of FILE is JSON
json()
{
    checks=$((checks + 1))
    ! command -v python3 >/dev/null ||
        python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]' "$1" ||
        fail "$1 is no JSON"
}

# counted FILE LINES
counted()
{
    checks=$((checks + 1))
    [[ $(wc -l <"$1") == "$2" ]] || fail "$1 has $(wc -l <"$1") lines, not $2"
}

"$loco" synth drums -o set -n 4 --seconds 5 2>err || fail "no data set: $(cat err)"
train_small set m.loco 150
take=set/rec_000.wav

# ---- formats ----
run 0 detect -m m.loco $take
silent err
cp out take.csv
events=$(($(wc -l <take.csv) - 1))
[[ $events -ge 5 ]] || fail "only $events events: the rest of this test says little"
head -1 take.csv | grep -qx 'file,time,class,probability' || fail "no heading"
awk -F, 'NR > 1 && ($1 != "set/rec_000.wav" || $2 < 0 || $2 > 5 || $4 <= 0 || $4 > 1) {bad = 1} END {exit bad}' take.csv ||
    fail "odd events: $(cat take.csv)"
for ending in csv jsonl txt mid wav; do
    run 0 detect -m m.loco $take -o "rec_000.$ending"
    silent out
    silent err
    [[ -s rec_000.$ending ]] || fail "rec_000.$ending is empty"
done
cmp -s rec_000.csv take.csv || fail "-o x.csv is not what stdout gets"
json rec_000.jsonl
counted rec_000.jsonl "$events"
counted rec_000.txt "$events"
run 0 detect -m m.loco $take -o - # a dash is standard output
cmp -s out take.csv || fail "-o - is not standard output"
[[ $(head -c 4 rec_000.mid) == MThd ]] || fail "no MIDI file"
[[ $(wc -c <rec_000.wav) == $(wc -c <$take) ]] || fail "clicks change the length of the sound"
run 0 detect -m m.loco $take --format jsonl
cmp -s out rec_000.jsonl || fail "--format jsonl is not -o x.jsonl"
run 0 detect -m m.loco $take --tempo 97 -o slow.mid
cmp -s slow.mid rec_000.mid && fail "--tempo does nothing"
run 0 eval --reference take.csv --estimate slow.mid --tolerance 1ms --require f1=1
refused 2 '--tempo is for MIDI files' detect -m m.loco $take --tempo 97
refused 2 '--tempo takes 10 to 1000' detect -m m.loco $take --tempo 5 -o slow.mid
run 0 detect -m m.loco $take --format labels -o odd.name
cmp -s odd.name rec_000.txt || fail "--format does not win over the ending"
run 0 detect -m m.loco rec_000.wav # its own clicks are a sound, too

# ---- several files, folders ----
run 0 detect -m m.loco set/rec_00[01].wav set/rec_002.wav -o three.csv
[[ $(cut -d, -f1 three.csv | sort -u | wc -l) == 4 ]] || fail "three files and a heading: $(cut -d, -f1 three.csv | sort -u)"
run 0 detect -m m.loco set
[[ $(grep -c 'file,time' out) == 1 ]] || fail "several headings"
cp out all.csv
mkdir found
for format in csv jsonl labels midi click; do
    run 0 detect -m m.loco set -o found --format $format
done
[[ $(cd found && echo *.mid) == 'rec_000.mid rec_001.mid rec_002.mid rec_003.mid' ]] || fail "found: $(ls found)"
[[ $(find found -type f | wc -l) == 20 ]] || fail "5 formats, 4 sounds: $(ls found)"
cmp -s found/rec_000.csv take.csv || fail "a folder's file is not a file's"
run 0 detect -m m.loco $take -o made/here/ # a slash means a folder, which is made
cmp -s made/here/rec_000.csv take.csv || fail "a folder that was made: $(ls -R made)"
run 0 detect -m m.loco set/rec_00[01].wav -o several
[[ $(ls several) == $'rec_000.csv\nrec_001.csv' ]] || fail "several files and a name without ending: $(ls -R several)"
run 0 detect -m m.loco set -o notes --format midi
cmp -s notes/rec_003.mid found/rec_003.mid || fail "MIDI in a folder that was made: $(ls -R notes)"
run 0 detect -m m.loco set/rec_00[01].wav -o one --format jsonl
[[ -f one ]] || fail "a format for several files needs no folder"
refused 4 'cannot make the folder take.csv/in: Not a directory' detect -m m.loco $take -o take.csv/in/

# ---- from a model: other classes, and what is refused ----
mkdir other
ln -s ../set/rec_000.wav ../set/rec_001.wav ../set/rec_002.wav other/
awk -F, -v OFS=, 'NR == 1 { print $1, $2, $3, $5, "clap" } NR > 1 && $1 < "rec_003" { print $1, $2, $3, $5, 0 }' \
    set/counts.csv >other/counts.csv
run 0 train other -o from.loco --from m.loco --set steps=5 --set check=5
says err 'starts from m.loco, which knows 1 of 2 classes'
cp from.loco first.loco
run 0 train other -o from.loco --from m.loco --set steps=5 --set check=5 --threads 1
cmp -s from.loco first.loco || fail "another model on another number of threads"
run 0 inspect from.loco
says out 'm.loco; no licence stated'
says out '--from m.loco'
refused 2 'network=dense 3: front end and network are those of m.loco' train set -o x.loco --from m.loco \
    --set 'network=dense 3'
refused 3 'none.loco' train set -o x.loco --from none.loco

# ---- a run that localises nothing says so ----
run 0 train set -o early.loco --set steps=2 --set check=2 --set batch=2
says err 'warning: kick is not localised: '
says err 'early.loco is written, with a warning above'

# ---- decoding, counts, ensembles ----
for decoding in 'mass window=0.02 threshold=0.3 gap=0.05' 'peak threshold=0.02 gap=0.03' 'count reset=0.3 quiet=0.02' \
    threshold=0.9 'threshold=0.05 gap=0.1'; do
    run 0 detect -m m.loco $take --decoding "$decoding"
done
run 0 detect -m m.loco $take --decoding threshold=0.000001
many=$(wc -l <out)
run 0 detect -m m.loco $take --decoding threshold=1
[[ $many -gt $(wc -l <out) ]] || fail "the threshold does nothing"
run 0 detect -m m.loco $take --counts '5,2..3,?'
[[ $(grep -c ',kick,' out) == 5 ]] || fail "5 kicks are known, $(grep -c ',kick,' out) reported"
[[ $(grep -c ',snare,' out) =~ ^[23]$ ]] || fail "2..3 snares are known, $(grep -c ',snare,' out) reported"
run 0 detect -m m.loco $take --counts 0,0,0
counted out 1
run 0 detect -m m.loco $take --ensemble 3
cp out voted
run 0 detect -m m.loco $take -e3
cmp -s out voted || fail "an ensemble is not the same twice"

# ---- scores ----
rm found/*.txt # a recording has its events once
for estimate in three.csv all.csv found; do
    run 0 eval --reference set/events.csv --estimate "$estimate"
    says out 'all, pooled'
done
grep '^file\|^rec_000' set/events.csv >truth.csv
for estimate in csv txt mid; do # there and back: the same scores
    run 0 eval --reference take.csv --estimate "rec_000.$estimate" --tolerance 1ms --require f1=1
    run 0 eval --reference truth.csv --estimate "rec_000.$estimate"
    tail -n +3 out | cut -c1-66 >"score.$estimate"
done
cmp -s score.csv score.mid || fail "MIDI scores differently: $(diff score.csv score.mid)"
cmp -s score.csv score.txt || fail "a label track scores differently"
run 0 eval -m m.loco set
says out 'mean over 3 classes'
says out 'counts'
run 0 eval -m m.loco set --json --tolerance 100ms,50ms
json out
says out '"per_recording": [{"file": "rec_000.wav", "reference": '
run 0 eval -m m.loco set --per-recording
[[ $(grep -c '^rec_00[0-3].wav ' out) == 4 ]] || fail "not a row for each recording: $(cat out)"
says out 'mean over 3 classes'
run 0 eval -m m.loco set --require f1=0,count=0
run 1 eval -m m.loco set --require f1=1
says out 'f1'
run 1 eval -m m.loco set --require f1=1 --json
json out
says err 'not all requirements are met'
run 0 eval -m m.loco set --ensemble 3 --decoding 'peak threshold=0.05'

mkdir beside # MIDI beside the sounds stands for events.csv
cp set/*.wav found/*.mid beside/
run 0 eval -m m.loco beside --tolerance 1ms --require f1=1

# ---- calibrate, inspect, report ----
run 0 inspect m.loco
for text in classes offsets thresholds 'front end' network parameters decoding latency recipe data; do
    says out "  $text "
done
cp m.loco calibrated.loco
run 0 calibrate -m calibrated.loco set --blind
counted out 6
run 0 calibrate -m calibrated.loco set
says out 'kick: offset '
cmp -s m.loco calibrated.loco && fail "calibration from times changed nothing"
run 0 detect -m calibrated.loco $take
run 0 inspect m.loco calibrated.loco
run 0 report -m m.loco set -o page.html --title 'My <drums>' --most 2
says err 'page.html is ready'
silent out
says page.html 'My &lt;drums&gt;'
[[ $(tail -c 8 page.html | tr -d '\n') == '</html>' ]] || fail "the page has no end"
refused 3 'one-more.wav: No such file' report -m m.loco $take one-more.wav -o none.html
absent none.html
cp -r set sounds
rm sounds/*.csv
run 0 report -m m.loco sounds -o sounds.html # sounds alone are no data set, and are shown all the same

# ---- training that is interrupted goes on ----
mkdir 'my set'
cp set/* 'my set/'
steps=${LOCO_SANITIZE:+24} # a sanitizer takes ten times as long
steps=${steps:-120}
settings=(--set "steps=$steps" --set "check=$((steps / 4))" --set frontend.bands=24 --set 'network=conv 3x3 8 stride 4 norm, gru 16')
checks=$((checks + 4))
"$loco" train 'my set' -o 'my model.loco' "${settings[@]}" --seed 3 >out 2>err &
training=$!
for ((i = 0; i < 600; i++)); do
    ! grep -q "step $((steps / 4))/" err || break
    sleep 0.05
done
kill -INT $training # a shell without job control would hand on an ignored SIGINT, but loco sets its own
wait $training
[[ $? == 1 ]] || fail "interrupted training gives another status: $(cat err)"
[[ -s 'my model.loco.checkpoint' ]] || fail "no state was saved"
again=$(tail -1 err)
[[ $again == *--resume* ]] || fail "no command that continues: $(cat err)"
(eval "$again" >out 2>err) || fail "cannot go on: $again: $(cat err)"
says err "step $steps/$steps"
says err 'my model.loco is '
grep -q "step $((steps / 4))/$steps" err && fail "it started again"
"$loco" train 'my set' -o straight.loco "${settings[@]}" --seed 3 >out 2>err || fail "straight: $(cat err)"
cmp -s 'my model.loco' straight.loco || fail "interrupted and resumed is not the same as straight through"

# ---- the progress line: plain lines in a file, one line that renews itself on a terminal ----
grep -q $'\r\|\033' err && fail "control codes in a file"
[[ $(grep -c '^step' err) == 4 ]] || fail "four validations: $(cat err)"
if command -v python3 >/dev/null; then
    checks=$((checks + 1))
    cat >terminal.py <<'END'
import fcntl, os, pty, re, struct, sys, termios

columns = int(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = sys.argv[2]
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execv(sys.argv[3], sys.argv[3:])
text = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
if os.waitpid(child, 0)[1] != 0:
    sys.exit("it failed: %r" % text)
drawn = [line for line in re.split(r"\r\n|\r\x1b\[K", text.decode()) if line.startswith("step")]
if sys.argv[2] == "dumb":
    sys.exit("control codes" if "\x1b" in text.decode() else 0)
if len(drawn) < 4 or text.decode().count("\r\x1b[K") < 3:
    sys.exit("the line is not renewed: %r" % text)
if max(len(line) for line in drawn) >= columns:
    sys.exit("a line of %d columns on a terminal of %d" % (max(len(line) for line in drawn), columns))
if len([line for line in text.decode().split("\r\n") if line.startswith("step")]) != 1:
    sys.exit("more than one line is left: %r" % text)
END
    for columns in 40 80 200; do
        python3 terminal.py $columns xterm "$loco" train set -o t.loco --set steps=40 --set check=8 \
            --set frontend.bands=24 --set 'network=dense 4' >out 2>&1 || fail "terminal of $columns columns: $(cat out)"
    done
    python3 terminal.py 80 dumb "$loco" train set -o t.loco --set steps=8 --set check=8 --set frontend.bands=24 \
        --set 'network=dense 4' >out 2>&1 || fail "a dumb terminal: $(cat out)"
    # events are not appended to the line that is drawn: it is erased first
    cat >rows.py <<'END'
import os, pty, sys
with open("long.wav", "wb") as file: # 10 minutes of silence, which keep one thread busy while the line is drawn
    size = 10 * 60 * 22050 * 2
    file.write(b"RIFF" + (size + 36).to_bytes(4, "little") + b"WAVEfmt " + bytes.fromhex("10000000010001002256000044ac000002001000"))
    file.write(b"data" + size.to_bytes(4, "little"))
    file.truncate(44 + size)
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
try:
    while piece := os.read(terminal, 4096):
        text += piece
except OSError:
    pass
if os.waitpid(child, 0)[1] != 0 or b"files" not in text or b"file,time" not in text:
    sys.exit("no line and no events: %r" % text)
drawn = text[:text.index(b"file,time")]
if b"files" in drawn and not drawn.endswith(b"\r\x1b[K"):
    sys.exit("events are appended to the line: %r" % text)
END
    python3 rows.py "$loco" detect -m drums --threads 1 long.wav $take >out 2>&1 || fail "events on a terminal: $(cat out)"
    rm -f long.wav
fi

# ---- each line in one write, so that processes which share a terminal or a launcher mix lines and never letters ----
if command -v python3 >/dev/null; then
    checks=$((checks + 1))
    cat >writes.py <<'END'
import os, subprocess, sys
end, begin = os.pipe2(os.O_DIRECT) # a read takes what one write gave
command = subprocess.Popen(sys.argv[1:], stderr=begin, stdout=subprocess.DEVNULL)
os.close(begin)
writes = list(iter(lambda: os.read(end, 4096), b""))
command.wait()
if len(writes) == 0 or not all(text.endswith(b"\n") for text in writes):
    sys.exit("parts of lines: %r" % writes)
END
    python3 writes.py "$loco" detect -m missing.loco $take >out 2>&1 || fail "an error: $(cat out)"
    python3 writes.py "$loco" train set -o t.loco --set steps=8 --set check=8 --set frontend.bands=24 \
        --set 'network=dense 4' >out 2>&1 || fail "progress: $(cat out)"
fi

done_checking

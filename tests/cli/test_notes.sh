#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_notes.sh - what a model of pitches writes: MIDI in one track, velocities and ends of notes, who else may not have
#   them; its page, its scores and its calibration. The model is hardly trained: that it finds anything is up to a low threshold.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 2 --seconds 4 2>err || fail "no data set: $(cat err)"
keys='60,61,62,63,64,65,66,67,68,69,70,71'
{
    echo "file,start,end,$keys"
    for file in rec_000.wav rec_001.wav; do echo "$file,,,3,0,0,0,0,0,0,0,0,0,0,2"; done
} >set/counts.csv
rm -f set/events.csv
train_small set piano.loco 3
low='peak threshold=0.0001 gap=0.3'

run 0 detect -m piano.loco set/rec_000.wav -d "$low" -o song.mid
[[ $(head -c 12 song.mid | od -An -tx1 | tr -d ' \n') == 4d546864000000060000""0001 ]] || fail "MIDI of pitches has other tracks"
run 0 detect -m piano.loco set/rec_000.wav -d "$low" -o plain.csv
head -1 plain.csv | grep -qx 'file,time,class,probability' || fail "columns that nobody asked for"
run 0 detect -m piano.loco set/rec_000.wav set/rec_001.wav -d "$low" -o song.csv --notes
head -1 song.csv | grep -qx 'file,time,class,probability,end,velocity' || fail "no columns of notes: $(head -1 song.csv)"
[[ $(wc -l <song.csv) -gt 4 ]] || fail "hardly any notes: the rest of this test says little"
awk -F, 'NR > 1 && ($5 < $2 || $5 > 13 || $6 < 1 || $6 > 127) {bad = 1} END {exit bad}' song.csv || fail "odd notes: $(head -5 song.csv)"
run 0 eval --reference plain.csv --estimate song.mid --tolerance 1ms --require f1=1
run 0 detect -m piano.loco set/rec_000.wav -d "$low" -o song.jsonl --notes
grep -q '"end":.*"velocity":' song.jsonl || fail "no notes in JSON"
"$loco" detect -m piano.loco - -d "$low" -o live.mid <set/rec_000.wav 2>err || fail "no MIDI from standard input: $(cat err)"

# the page is a piano roll, and its table has octaves; so has that of scores
{ echo file,time,class; for second in 1 2 3; do echo "rec_000.wav,$second,60"; done; } >set/events.csv
run 0 report -m piano.loco set -o page.html
says page.html '"rows":12,"pitched":1'
says page.html '<th scope='"'col'"'>octave</th>'
says page.html 'C4 to B4'
{ echo time,class; for ((k = 30; k < 60; k++)); do echo "$((k - 20)),$k"; done; } >many.csv
run 0 eval --reference many.csv --estimate many.csv
says out 'C2 to B2'
says out 'loco eval --all has a row for each of 30 classes.'
[[ $(wc -l <out) -lt 15 ]] || fail "a row for each of many classes: $(wc -l <out)"
run 0 eval --reference many.csv --estimate many.csv --all
[[ $(wc -l <out) -gt 30 ]] || fail "--all has no row for each class: $(wc -l <out)"
refused 2 '--pool takes all or none' calibrate -m piano.loco set --pool some
run 0 calibrate -m piano.loco set --blind
says out 'all 12 classes: '
run 0 calibrate -m piano.loco set --blind --pool none
says out '60 ... 71 (12 in all): offset'

refused 2 '--notes needs a file' detect -m piano.loco set/rec_000.wav --notes
refused 2 '--notes needs a file' detect -m piano.loco set/rec_000.wav --notes -o x.wav
"$loco" synth drums -o drums -n 2 --seconds 3 2>err || fail "no data set: $(cat err)"
train_small drums drums.loco 2
run 0 detect -m drums.loco drums/rec_000.wav --notes -o strokes.csv --decoding threshold=0.01
says strokes.csv 'file,time,class,probability,end,velocity'
run 0 detect -m drums.loco drums/rec_000.wav --classes snare,any=kick+hihat --decoding threshold=0.01
says out ',any,'
run 0 eval -m drums.loco drums --classes snare,any=kick+hihat
says out 'mean over 2 classes'
run 2 detect -m drums.loco drums/rec_000.wav --classes kick,cymbal
says err 'no class "cymbal"'
refused 2 '--classes needs a model' eval --reference many.csv --estimate many.csv --classes kick
sed -i 's/kick/robin/' drums/*.csv
train_small drums birds.loco 2
run 2 detect -m birds.loco set/rec_000.wav --notes -o x.csv
says err '--notes is for drums and for models of pitches'
absent x.csv x.wav
done_checking

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_piano.sh - `loco synth piano` on a piano of one sample: what it writes, and what it refuses.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 1 --seconds 2 2>err || fail "no sound: $(cat err)"
mkdir one midi
cp set/rec_000.wav one/a.wav
printf '<region> sample=a.wav\n' >one/one.sfz

run 0 synth piano -o made --samples one -n 2 --seconds 3 --rate 8000
silent out
says err '2 recordings of 3 s are in made, with counts.csv and events.csv and sources.txt'
says made/sources.txt 'one	author and licence not stated	1 sounds'
says made/events.csv file,time,class,velocity
[[ $(head -1 made/counts.csv | tr ',' '\n' | tail -n +4 | paste -sd ' ') == "$(seq -s ' ' 21 108)" ]] || fail "not 88 keys"
train_small made m.loco 2

run 0 train made -o moved.loco --preset piano --set steps=2 --set batch=2 --set held=0 --set transpose=2 --no-calibration
wrong 2 'transpose=2: classes must be numbers of notes' train set -o x --set frontend=pitch --set 'network=dense 4' --set transpose=2

# ---- recordings of any kind, through the model that ships ----
piano=$LOCO_SOURCE/models/piano.loco
run 0 synth piano -o fine --samples one -n 1 --seconds 3 --rate 192000
run 0 detect -m "$piano" fine/rec_000.wav -o fine.csv
silent err
says fine.csv 'file,time,class,probability'
run 0 detect -m "$piano" made/rec_000.wav -o dull.csv
says err 'made/rec_000.wav: 8000 samples a second hold nothing above 4000 Hz, and the model reads up to 7978 Hz; the highest notes may be missed'
[[ $(wc -l <err) == 1 ]] || fail "several notices: $(cat err)"
says dull.csv 'file,time,class,probability'
checks=$((checks + 1))
tail -c +45 set/rec_000.wav | "$loco" detect -m "$piano" - --raw s16le,2,22050 -o both.csv 2>err || fail "no stereo: $(cat err)"
says both.csv 'file,time,class,probability'
wrong 2 'front end: low=0 is out of range; write a number from 0.001 to' train fine -o x --preset piano --set frontend.low=0

# ---- what is wrong ----
refused 2 '--kits is for drums' synth piano -o x --kits one
refused 2 '--midi is for pianos' synth drums -o x --midi midi
refused 2 '--tuning takes 380 to 480 Hz, not 0' synth piano -o x --samples one --tuning 0
refused 2 'such as 21-108' synth piano -o x --samples one --classes c4
refused 3 'midi holds no MIDI file' synth piano -o x --samples one --midi midi
printf 'MThd\0\0\0\6\0\0\0\1\0\1MTrk\0\0\0\4\0\377\057\0' >midi/mute.mid
printf 'train mute\n' >rules
refused 3 'mute.mid: a MIDI file without notes' synth piano -o x --samples one --midi midi --held-out rules
printf '<region> sample=lost.wav\n' >one/one.sfz
refused 3 'one.sfz: its sample lost.wav is missing' synth piano -o x --samples one
printf '#include "two.sfz"\n' >one/one.sfz
printf '#include "one.sfz"\n' >one/two.sfz
refused 3 'which includes it again' synth piano -o x --samples one
printf x >x.sf2
refused 3 'x.sf2 is not a SoundFont' synth piano -o y --soundfonts x.sf2
absent x y

done_checking

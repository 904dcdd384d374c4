#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_import.sh - `loco import` on tiny sets in the layouts of public ones; and events beyond the end of a
#   recording, which `loco eval` and `loco train` refuse.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 3 --seconds 2 2>err || fail "no drums: $(cat err)"
sound=$(find set -name '*.wav' | sort | head -1)

# ---- three layouts ----
mkdir -p mdb/audio mdb/class enst/drummer_1/audio/wet_mix enst/drummer_1/audio/accompaniment enst/drummer_1/annotation \
    idmt/audio idmt/annotation_xml
cp "$sound" mdb/audio/A_Drum.wav
cp "$sound" enst/drummer_1/audio/wet_mix/001_a.wav
cp "$sound" enst/drummer_1/audio/accompaniment/001_a.wav
cp "$sound" 'idmt/audio/RealDrum01_00#MIX.wav'
printf '0.1 \t KD \n0.2\tTT\n' >mdb/class/A_class.txt
printf '0.1 bd\n0.2 rc2\n' >enst/drummer_1/annotation/001_a.txt
printf '%s\n' '<instrumentRecording><transcription>' \
    '<event><onsetSec>0.1</onsetSec><instrument>KD</instrument></event>' \
    '</transcription></instrumentRecording>' >'idmt/annotation_xml/RealDrum01_00#MIX.xml'
for kind in mdb enst idmt; do
    run 0 import "$kind" "$kind" -o "$kind-set"
    silent out
    says err "$kind-set: 1 recordings, 1 events"
    says "$kind-set/events.csv" ,0.100000,kick
    [[ -L $(find "$kind-set" -name '*.wav') ]] || fail "$kind: no link"
done
says enst-set/events.csv drummer_1_001_a.wav
says idmt-set/events.csv 'RealDrum01_00#MIX.wav'
run 0 import enst enst -o sum --mix full --map all
[[ -f sum/drummer_1_001_a.wav && ! -L sum/drummer_1_001_a.wav ]] || fail "no sum"
says sum/events.csv ,0.200000,rc

# ---- a piano ----
mkdir -p maps/flac maps/tsv
cp "$sound" maps/flac/a.wav
printf '# onset,offset,note,velocity\n0.1\t0.2\t60.0\t64.0\n' >maps/tsv/a.tsv
run 0 import maps maps -o maps-set --clip 1s
says err "maps-set: 1 recordings, 1 events"
says maps-set/events.csv a.wav,0.100000,60
[[ $(head -1 maps-set/counts.csv | tr ',' '\n' | tail -n +4 | paste -sd ' ') == "$(seq -s ' ' 21 108)" ]] || fail "not 88 keys"
refused 2 'such as 21-108' import maps maps -o x --classes 108-21
printf '0.2\t0.1\t60\n' >maps/tsv/a.tsv
refused 3 'a.tsv:1: a note that begins at "0.2" and ends before' import maps maps -o x

# ---- what is wrong ----
refused 2 'name the kind' import mdb -o x
refused 2 'name the kind' import mdb mdb
refused 2 'mdb, enst, idmt, ecg, maps, maestro' import quux mdb -o x
refused 2 'is it "full"' import mdb mdb -o x --mix ful
refused 2 'no choice of labels' import idmt idmt -o x --labels class
refused 2 'KD, SD, HH' import mdb mdb -o x --map kd=kick
refused 3 'nowhere is not a folder that can be read' import mdb nowhere -o x
refused 3 'this folder holds annotation_xml, audio' import mdb idmt -o x
refused 4 'not an empty folder' import mdb mdb -o mdb-set
cp "$sound" mdb/audio/B_Drum.wav
run 0 import mdb mdb -o partly
says err '1 recordings without annotation are left out, the first is B_Drum.wav'
printf '0.1\tKD\n9\tSD\n' >mdb/class/B_class.txt
refused 3 'B_class.txt:2: a stroke at 9.000 s, but "B_Drum.wav" lasts' import mdb mdb -o x
printf '0.1\tKD\n0,9\tSD\n' >mdb/class/B_class.txt
refused 3 'B_class.txt:2: "0,9" is not a time' import mdb mdb -o x
absent x

# ---- events beyond the end ----
train_small set m.loco 2
run 0 eval -m m.loco set
rows=$(wc -l <set/events.csv)
printf '%s,2.05,kick\n%s,2.2,kick\n' "$(basename "$sound")" "$(basename "$sound")" >>set/events.csv
refused 3 "events.csv:$((rows + 2)): an event at 2.200 s, but \"$(basename "$sound")\" lasts 2.000 s" eval -m m.loco set
wrong 3 "events.csv:$((rows + 2)): an event at 2.200 s" train set -o n.loco --set steps=2
absent n.loco

done_checking

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_drums.sh - the drum experiments run from nothing to the tables, in a size at which the numbers mean nothing; a
#   second run makes nothing anew; one that was killed goes on; a step that fails says so.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi

export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/drums
unset LOCO_DATA

# ---- what a user may have, made up: three parts of IDMT-SMT-Drums, three drummers of ENST-Drums ----
"$loco" synth drums -o made -n 6 --seconds 4 2>err || fail "no data set: $(cat err)"
export LOCO_IDMT=$work/idmt LOCO_ENST=$work/enst
mkdir -p idmt/audio idmt/annotation_xml
number=0
for part in Real Real Wave Wave Techno Techno; do
    name=${part}Drum01_0$number#MIX
    cp "made/rec_00$number.wav" "idmt/audio/$name.wav"
    drummer=enst/drummer_$((number / 2 + 1))
    mkdir -p "$drummer"/audio/{wet_mix,accompaniment} "$drummer/annotation"
    cp "made/rec_00$number.wav" "$drummer/audio/wet_mix/00$number.wav"
    cp "made/rec_00$number.wav" "$drummer/audio/accompaniment/00$number.wav"
    grep "^rec_00$number" made/events.csv >rows
    awk -F, 'BEGIN { of["kick"] = "bd"; of["snare"] = "sd"; of["hihat"] = "chh" } $2 != "" { print $2, of[$3] }' \
        rows >"$drummer/annotation/00$number.txt"
    awk -F, 'BEGIN { of["kick"] = "KD"; of["snare"] = "SD"; of["hihat"] = "HH"; print "<instrumentRecording><transcription>" }
        $2 != "" { print "<event><onsetSec>" $2 "</onsetSec><instrument>" of[$3] "</instrument></event>" }
        END { print "</transcription></instrumentRecording>" }' rows >"idmt/annotation_xml/$name.xml"
    number=$((number + 1))
done

run_it()
{
    checks=$((checks + 1))
    "$LOCO_SOURCE/experiments/drums/run" >out 2>err </dev/null || fail "the experiment failed: $(tail -5 err)"
}

# ---- killed, and gone on ----
"$LOCO_SOURCE/experiments/drums/run" >out 2>err </dev/null &
child=$!
for ((i = 0; i < 600; i++)); do
    [[ ! -f drums/facts.txt ]] || break
    sleep 0.1
done
kill "$child" 2>/dev/null
wait "$child" 2>/dev/null
run_it
says err 'all steps are done'
for heading in 'The models' 'What training sees' 'Time offsets' 'Versions that vote' 'Music in training' 'Any drum'; do
    says out "## $heading"
done
for row in IDMT 'ENST wet' 'ENST full'; do
    says out "| $row, Random | 2 |"
    says out "| $row, Subset | 2 |"
done
says out '| drums-hq | 1 |'
says out '| counts, exact | 2 |'
says out '| drums, no labels | 1 |'
for figure in drums/precision-recall drums/errors drums-hq/errors methods clip; do
    checks=$((checks + 1))
    grep -q '<svg' "drums/figures/$figure.svg" || fail "no figure $figure"
done
[[ -s drums/drums.loco && -s drums/drums-hq.loco && -s drums/tables.md ]] || fail "something is missing: $(ls drums)"
[[ $(wc -l <drums/results.jsonl) -ge 40 ]] || fail "few results: $(wc -l <drums/results.jsonl)"
run 0 inspect drums/drums.loco
says out 'licence     MIT'
says out 'about       Every drum of a kit'
says out 'trained_on  '

# ---- nothing is made twice, and what is missing is ----
run_it
[[ $(grep -c '^\[' err) == 1 ]] || fail "made again: $(head -3 err)"
rm drums/results/drums-held.json
run_it
[[ $(grep -c '^\[' err) == 2 ]] || fail "not made again, or too much: $(head -3 err)"
says err 'results/drums-held.json'

# ---- a step that fails ----
rm drums/results/drums-held.json
echo nonsense >drums/drums.loco
checks=$((checks + 1))
"$LOCO_SOURCE/experiments/drums/run" >out 2>err </dev/null
[[ $? == 3 ]] || fail "a failed step goes unnoticed"
says err 'results/drums-held.json'
says err 'the same command goes on from here'

done_checking

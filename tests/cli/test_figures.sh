#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_figures.sh - what compares runs: pictures of an evaluation, of a clip and of several logs, and tables of scores.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# picture FILE: well-formed XML that begins as SVG
picture()
{
    checks=$((checks + 1))
    ! command -v python3 >/dev/null ||
        python3 -c 'import sys, xml.etree.ElementTree as tree
sys.exit(not tree.parse(sys.argv[1]).getroot().tag.endswith("svg"))' "$1" || fail "$1 is no picture"
}

"$loco" synth drums -o set -n 3 --seconds 4 2>err || fail "no data set: $(cat err)"
train_small set m.loco 60
"$loco" train set -o s.loco --set steps=4 --set check=2 --set batch=4 --set frontend.bands=24 --set loss=squared \
    --set 'network=conv 3x3 8 stride 4 norm, gru 16' >out 2>err || fail "training failed: $(cat err)"

# ---- an evaluation ----
run 0 eval -m m.loco set
says out 'all, pooled'
run 0 plot evaluation -m m.loco set -o pictures
silent out
says err 'pictures/errors.svg are ready'
picture pictures/precision-recall.svg
picture pictures/errors.svg
run 0 plot evaluation -m m.loco set -o pictures --tolerance 30ms # a folder that is there
says pictures/errors.svg 'within 30 ms'
picture pictures/reliability.svg
run 0 plot evaluation --reference set/events.csv --estimate set/events.csv -o lists
says err 'lists/reliability.svg and lists/errors.svg are ready'
picture lists/reliability.svg
picture lists/errors.svg
absent lists/precision-recall.svg
says lists/reliability.svg 'expected calibration error 0.0000' # the truth is right with probability 1
wrong 2 'no option -e' plot evaluation -m m.loco set -o x -e 3
wrong 2 'give a model and one data set' plot evaluation -m m.loco -o x
wrong 2 'write the unit: 30ms or 30s' plot evaluation -m m.loco set -o x --tolerance 30
wrong 2 'does not take --from' plot evaluation -m m.loco set -o x --from 1s
absent x
run 4 plot evaluation -m m.loco set -o m.loco/x
says err 'cannot make m.loco/x'

# ---- several runs ----
run 0 eval -m m.loco set --json
cp out m.json
run 0 eval -m s.loco set --json
cp out s.json
cat m.json s.json >both.json
run 0 table exact=m.json squared=s.json
says out 'within 20 ms, per cent'
says out 'counts of clips'
silent err
run 0 table any=both.json --markdown
says out '| any    |    2 |'
says out '±'
wrong 2 'name runs' table
wrong 2 '"m.json" is not NAME=FILE' table m.json
wrong 3 'missing.json' table a=missing.json
wrong 3 'set/counts.csv' table a=set/counts.csv

run 0 plot runs exact=m.loco.jsonl squared=s.loco.jsonl squared=s.loco.jsonl --title 'a & b'
picture curves.svg
says curves.svg 'a &amp; b'
wrong 2 'name runs' plot runs
wrong 2 'is not NAME=FILE' plot runs m.loco.jsonl
wrong 3 'missing' plot runs a=missing
wrong 4 'missing' plot runs a=m.loco.jsonl -o missing/c.svg

# ---- a clip ----
run 0 plot clip -m m.loco set/rec_001.wav --from 1.5s --to 3s
says err 'clip.svg is ready'
picture clip.svg
says clip.svg 'rec_001.wav, 1.5 to 3 s'
for part in '--from 3s --to 1s' '--from 1.5s' '--to 0s' '--from 2s --to 2s' ''; do
    read -ra part <<<"$part"
    wrong 2 'such as --from 1s --to 2.5s' plot clip -m m.loco set/rec_001.wav "${part[@]}"
done
for word in a -1s ..2; do
    wrong 2 "--from $word: not a time" plot clip -m m.loco set/rec_001.wav "--from=$word" --to 2s
done
wrong 2 '--from 1: write the unit: 1ms or 1s' plot clip -m m.loco set/rec_001.wav --from 1 --to 2s
wrong 2 '--to 0.5: write the unit: 500ms or 0.5s' plot clip -m m.loco set/rec_001.wav --to 0.5
wrong 2 'one recording' plot clip -m m.loco set --from 1s --to 2s
wrong 2 'one recording' plot clip -m m.loco set/rec_001.wav set/rec_002.wav --from 1s --to 2s
wrong 3 'missing.wav' plot clip -m m.loco missing.wav --from 1s --to 2s
wrong 2 'ends before' plot clip -m m.loco set/rec_001.wav --from 7s --to 8s
wrong 2 'no model given' plot clip set/rec_001.wav --from 1s --to 2s
wrong 2 'does not take --label' plot clip -m m.loco set/rec_001.wav --from 1s --to 2s --label 2

# ---- one run, and scores of several ----
run 0 plot training m.loco.jsonl --title 'a & b'
picture training.svg
says training.svg 'a &amp; b'
says training.svg '>stands out<'
# the mark is at the model that was kept, whatever its loss
printf '{"step":100,"loss":2,"held_loss":1,"kept":1}\n{"step":200,"loss":2,"held_loss":3,"sharp":0.5,"kept":1}\n' >kept.jsonl
sed 's/,"kept":1//' kept.jsonl >unsaid.jsonl
run 0 plot training kept.jsonl -o kept.svg
run 0 plot training unsaid.jsonl -o unsaid.svg
checks=$((checks + 1))
! cmp -s kept.svg unsaid.svg || fail 'the model that was kept is not marked'
wrong 2 'takes one log' plot training
wrong 3 'missing' plot training missing
wrong 4 'missing/t.svg' plot training m.loco.jsonl -o missing/t.svg
run 0 plot scores 'exact / seen=m.json' 'squared / seen=s.json' --class kick
picture scores.svg
wrong 2 'name runs' plot scores
wrong 3 'missing.json' plot scores a=missing.json

# ---- which picture ----
wrong 2 'say which picture' plot
wrong 2 'did you mean loco plot scores?' plot score a=m.json
wrong 2 'there are clip, count' plot xyzzy
wrong 2 'not to standard output' plot runs a=m.loco.jsonl -o -

done_checking

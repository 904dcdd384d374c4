#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_cli_figures.sh - what compares runs: pictures of an evaluation, of a clip and of several logs, and tables of scores.
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
run 0 eval -m m.loco set --figures pictures
says out 'all, pooled'
says err 'pictures/errors.svg are ready'
picture pictures/precision-recall.svg
picture pictures/errors.svg
run 0 eval -m m.loco set --figures pictures --json -t 30 # a folder that is there
says pictures/errors.svg 'within 30 ms'
picture pictures/reliability.svg
run 0 eval --reference set/events.csv --estimate set/events.csv --figures lists
says err 'lists/reliability.svg and lists/errors.svg are ready'
picture lists/reliability.svg
picture lists/errors.svg
absent lists/precision-recall.svg
says lists/reliability.svg 'expected calibration error 0.0000' # the truth is right with probability 1
wrong 2 'no --ensemble' eval -m m.loco set --figures x -e 3
absent x
run 4 eval -m m.loco set --figures m.loco/x
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

run 0 report --logs exact=m.loco.jsonl squared=s.loco.jsonl squared=s.loco.jsonl --title 'a & b'
picture curves.svg
says curves.svg 'a &amp; b'
wrong 2 'name runs' report --logs
wrong 2 'is not NAME=FILE' report --logs m.loco.jsonl
wrong 3 'missing' report --logs a=missing
wrong 4 'missing' report --logs a=m.loco.jsonl -o missing/c.svg

# ---- a clip ----
run 0 report -m m.loco set/rec_001.wav --clip 1.5..3
picture clip.svg
says clip.svg 'rec_001.wav, 1.5 to 3 s'
for clip in 3..1 1.5 a..b ..2 1.. 1..2..3; do
    wrong 2 'such as 3.2..4.7' report -m m.loco set/rec_001.wav --clip $clip
done
wrong 2 'one sound file' report -m m.loco set --clip 1..2
wrong 3 'missing.wav' report -m m.loco missing.wav --clip 1..2
wrong 2 'ends before' report -m m.loco set/rec_001.wav --clip 7..8

done_checking

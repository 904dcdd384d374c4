#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_sums.sh - counts of several classes together: mistakes, what is said about classes that no label distinguishes, and
#   that such sets train, score, calibrate and split.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 8 --seconds 4 2>err || fail "no data set: $(cat err)"
# columns FILE HEADING EXPRESSION: a counts file of set with other columns; $4 kick, $5 snare, $6 hihat
columns()
{
    awk -F, -v OFS=, "NR == 1 {print \"file,start,end,$2\"} NR > 1 {print \$1, \$2, \$3, $3}" set/counts.csv >"set/$1"
}
columns known.csv 'kick,kick+snare,hihat' '(NR % 2 ? $4 : "?"), $4 + $5, $6'
columns only.csv 'kick+snare,hihat' '$4 + $5, $6'
columns wrong.csv 'kick,snare,kick+snare' '$4, $5, (NR == 5 ? $4 + $5 + 1 : "?")'
columns range.csv 'kick,snare,kick+snare' '">=1", "?", (NR == 3 ? 0 : "?")'
columns loose.csv 'kick+snare,hihat' '">=1", $6'
mkdir parts

# ---- mistakes ----
refused 3 'wrong.csv:5: kick+snare is ' train set/wrong.csv -o x.loco
says err 'make at most'
refused 3 'range.csv:3: kick+snare is 0, but kick >=1, snare ? make at least 1' train set/range.csv -o x.loco
run 3 train set/loose.csv -o x.loco --set loss=squared
says err '>=1 of kick+snare is not an exact count; only loss=exact learns from ranges'
absent x.loco

# ---- what is said ----
small=(--set 'network=conv 3x5 4 stride 4 norm, gru 8' --set frontend.bands=24 --set steps=6 --set check=3 --set batch=4)
run 0 train set/only.csv -o only.loco "${small[@]}"
says err 'classes "kick" and "snare" are only ever counted together, in kick+snare: no label distinguishes them'
run 0 train set/known.csv -o known.loco "${small[@]}" --set mix=0.5
checks=$((checks + 1))
! grep -q 'counted together' err || fail "these can be distinguished: $(cat err)"
! grep -q 'is unknown' err || fail "snare is counted in sums: $(cat err)"
run 0 inspect known.loco
says out 'kick, snare, hihat'

# ---- what is done ----
run 0 eval -m known.loco set/known.csv
says out 'sums '
says out 'kick+snare '
run 0 eval -m known.loco set/known.csv --json
says out '"sums": [{"name": "kick+snare", "counts": {"clips": '
python3 -m json.tool out >/dev/null || fail "no JSON: $(cat out)"
run 0 calibrate -m known.loco set/known.csv --blind
cp set/known.csv parts/counts.csv
cp set/*.wav parts/
run 0 split parts --test 0.5 -o halves
says halves/train/counts.csv 'file,start,end,kick,snare,hihat,kick+snare'
[[ $(cat halves/*/counts.csv | wc -l) == $(($(wc -l <parts/counts.csv) + 1)) ]] || fail "rows were lost"
done_checking

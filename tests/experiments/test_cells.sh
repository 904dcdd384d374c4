#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_cells.sh - the experiment with cells runs from images with one count each to its table and its picture, in a size at which
#   numbers mean nothing; a second run trains nothing again.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi
mkdir data
run 0 synth spots -o data/cells -n 8 --size 48 --spots 3..9
sed -i s/spot/cell/ data/cells/*.csv
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/cells LOCO_DATA=$work/data
checks=$((checks + 7))
"$LOCO_SOURCE/experiments/cells/run" >table 2>err </dev/null || fail "it fails: $(cat err)"
cell='-?[0-9.]+ \([0-9.]+\)'
[[ $(grep -cE "^\| [42] (counts|images)[a-z, ]* \| 1 \| $cell \| $cell \| $cell \| [0-9.]+ \|" table) == 6 ]] || fail "rows: $(cat table)"
grep -qE "^\| rendered spots alone \| 1 \| $cell" table || fail "no row of spots: $(cat table)"
[[ $(tail -n +2 cells/test/counts.csv | cut -d, -f1 | paste -sd ' ') == '000004.png 000005.png 000006.png 000007.png' ]] || fail "$(cat cells/test/counts.csv)"
[[ $(wc -l <cells/train-2-1/counts.csv) == 3 ]] || fail "$(cat cells/train-2-1/counts.csv)"
grep -q '<image ' cells/cells.svg || fail 'no picture'
touch cells/mark
"$LOCO_SOURCE/experiments/cells/run" >again 2>err </dev/null || fail "it fails again: $(cat err)"
cmp -s table again || fail "another table: $(diff table again)"
[[ -z $(find cells -name '*.loco' -newer cells/mark) ]] || fail "it trained again"
unset LOCO_DATA
"$LOCO_SOURCE/experiments/cells/run" >again 2>err </dev/null && fail "it runs without cells"
says err 'set LOCO_DATA to a folder with cells/'
done_checking

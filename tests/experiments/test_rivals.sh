#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_rivals.sh - the experiment with networks of others runs from renders to its table, in a size at which numbers mean
#   nothing; a second run trains nothing again, and what is missing is made.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/rivals
unset LOCO_DATA
checks=$((checks + 7))
"$LOCO_SOURCE/experiments/rivals/run" >table 2>err </dev/null || fail "it fails: $(cat err)"
cell='[0-9.]+ ± [0-9.]+'
[[ $(grep -cE "^\| (rnn|tanhb|reluts|lstmpb|gruts) \| $cell \| $cell \| [-+][0-9.]+ \|\$" table) == 5 ]] || fail "rows: $(cat table)"
[[ $(grep -cE "^\| [a-z]+, (times|counts) +\| +2 \|" table) == 10 ]] || fail "rows of classes: $(cat table)"
run 0 inspect rivals/lstmpb-times-1.loco
says out 'lstmp 50 both, lstmp 50 both, attend 2 50, dense 3'
run 0 detect -m rivals/gruts-counts-1.loco rivals/held/rec_000.wav
rm rivals/results/rnn-times-1-held.json
touch rivals/mark
"$LOCO_SOURCE/experiments/rivals/run" >again 2>err </dev/null || fail "it fails again: $(cat err)"
cmp -s table again || fail "another table: $(diff table again)"
[[ -z $(find rivals -name '*.loco' -newer rivals/mark) ]] || fail "it trained again"
[[ rivals/results/rnn-times-1-held.json -nt rivals/mark ]] || fail "a missing result is not made"
done_checking

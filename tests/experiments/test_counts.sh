#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_counts.sh - the experiment of large counts runs from walks to its table, in a size at which numbers mean nothing; a
#   second run trains nothing again.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/counts
unset LOCO_DATA
checks=$((checks + 4))
"$LOCO_SOURCE/experiments/counts/run" >table 2>err </dev/null || fail "it fails: $(cat err)"
[[ $(grep -cE '^\| (walks of 20|hits in 4)' table) == 5 ]] || fail "not five rows: $(cat table)"
awk -F'|' '/^\| walks/ && ($3 + 0 <= 0 || $3 + 0 > 1) {bad = 1} END {exit bad}' table || fail "odd scores: $(cat table)"
touch counts/mark
"$LOCO_SOURCE/experiments/counts/run" >again 2>err </dev/null || fail "it fails again: $(cat err)"
cmp -s table again || fail "another table: $(diff table again)"
[[ -z $(find counts -name '*.loco' -newer counts/mark) ]] || fail "it trained again"
done_checking

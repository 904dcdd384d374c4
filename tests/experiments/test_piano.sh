#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_piano.sh - the piano experiment runs from renders to its table, in a size at which numbers mean nothing; a second run
#   trains nothing again. With LOCO_DATA models go on with MAPS and with counts of real recordings.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/piano
unset LOCO_DATA
checks=$((checks + 7))
"$LOCO_SOURCE/experiments/piano/run" >table 2>err </dev/null || fail "it fails: $(cat err)"
[[ $(grep -cE '^\| piano \| [01]\.[0-9]+ / [01]\.[0-9]+ / [01]\.[0-9]+ \|' table) == 1 ]] || fail "not a row: $(cat table)"
[[ $(grep -cE '^\| (piano-live|counts, seed 1|times, seed 1|taught, seed 1) \| [01]\.[0-9]+ /' table) == 4 ]] || fail "not all rows: $(cat table)"
[[ $(grep -cE '^\| all notes \| [0-9]+ \| [01]\.[0-9]+ \|' table) == 2 ]] || fail "no recalls: $(cat table)"
run 0 inspect piano/piano.loco
says out 'The 88 keys of a piano'
[[ $(head -1 piano/renders/counts.csv) == file,21,22,*,108 ]] || fail "columns: $(head -1 piano/renders/counts.csv)"
touch piano/mark
"$LOCO_SOURCE/experiments/piano/run" >again 2>err </dev/null || fail "it fails again: $(cat err)"
cmp -s table again || fail "another table: $(diff table again)"
[[ -z $(find piano -name '*.loco' -newer piano/mark) ]] || fail "it trained again"
done_checking

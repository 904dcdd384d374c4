#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_voices.sh - the experiment of spoken digits runs from voices to its table, in a size at which numbers mean nothing; a
#   second run trains nothing again.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]] || ! command -v espeak-ng >/dev/null; then
    echo "skipped: no espeak-ng, or a sanitizer, under which other tests run the same code"
    exit 77
fi
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/voices
checks=$((checks + 4))
"$LOCO_SOURCE/experiments/voices/run" >table 2>err </dev/null || fail "it fails: $(cat err)"
[[ $(grep -cE '^\| (sound|voice) \|( [01]\.[0-9]{3} \|){6}$' table) == 2 ]] || fail "not two rows: $(cat table)"
touch voices/mark
"$LOCO_SOURCE/experiments/voices/run" >again 2>err </dev/null || fail "it fails again: $(cat err)"
cmp -s table again || fail "another table: $(diff table again)"
[[ -z $(find voices -name '*.loco' -newer voices/mark) ]] || fail "it trained again"
done_checking

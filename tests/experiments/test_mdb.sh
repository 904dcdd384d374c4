#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_mdb.sh - MDB Drums, where the user has it below LOCO_DATA/drums_mdb: imported whole, and a model scored on it.
set -euo pipefail
if [[ ! -d ${LOCO_DATA:-}/drums_mdb ]]; then
    echo "skipped: LOCO_DATA/drums_mdb is not there"
    exit 77
fi
loco=${LOCO_BUILD:?}/loco
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$loco" import mdb "$LOCO_DATA/drums_mdb" -o mdb 2>&1 | tee said
grep -qE 'mdb: [1-9][0-9]* recordings, [1-9][0-9]* events' said
"$loco" import mdb "$LOCO_DATA/drums_mdb" -o full --mix full
"$loco" import mdb "$LOCO_DATA/drums_mdb" -o sub --labels subclass
kicks() { grep -c ,kick$ "$1/events.csv"; }
[[ $(kicks mdb) == "$(kicks sub)" && $(kicks full) -le $(kicks mdb) ]]
"$loco" synth drums -o set -n 4 --seconds 5 2>/dev/null
"$loco" train set -o m.loco --set steps=4 --set frontend.bands=24 --set 'network=conv 3x5 4 stride 4 norm, gru 8' 2>/dev/null
"$loco" eval -m m.loco mdb | tee table
"$loco" eval -m m.loco full >/dev/null
grep -q '^hihat ' table
grep -q 'mean over 3 classes' table

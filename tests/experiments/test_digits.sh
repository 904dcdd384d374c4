#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_digits.sh - the experiment with digits runs from files like those of MNIST to its table and its pictures, in a size at which
#   numbers mean nothing; a second run trains nothing again.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi
/usr/bin/python3 -c 'import numpy' 2>/dev/null || { echo "skipped: no numpy"; exit 77; }

# Digits are bars whose place says which they are.
mkdir -p data/mnist
/usr/bin/python3 - <<'PYTHON'
import gzip, struct
for name, n in (("train", 40), ("t10k", 20)):
    images = bytearray()
    for i in range(n):
        images += bytes(200 if 4 <= y < 24 and x // 2 - 2 == i % 10 else 0 for y in range(28) for x in range(28))
    with gzip.open(f"data/mnist/{name}-images-idx3-ubyte.gz", "wb") as file:
        file.write(struct.pack(">4B3I", 0, 0, 8, 3, n, 28, 28) + images)
    with gzip.open(f"data/mnist/{name}-labels-idx1-ubyte.gz", "wb") as file:
        file.write(struct.pack(">4BI", 0, 0, 8, 1, n) + bytes(i % 10 for i in range(n)))
PYTHON
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/digits LOCO_DATA=$work/data
checks=$((checks + 8))
"$LOCO_SOURCE/experiments/digits/run" >table 2>err </dev/null || fail "it fails: $(cat err)"
cell='-?[0-9.]+ \([0-9.]+\)'
grep -qE "^\| counts alone \| 2 \| $cell \| $cell \| $cell \| $cell \| $cell \| [0-9.]+ \|" table || fail "no row of counts: $(cat table)"
grep -qE '^\| all positions \| 1 \| ' table || fail "no row of the twin: $(cat table)"
grep -qE '^\| counts alone \| [0-9.]+ \| [0-9.]+ \|' table || fail "no row of features: $(cat table)"
grep -q '<image ' digits/digits.svg || fail 'no picture'
run 0 inspect digits/twin.loco
says out 'supervised=1'
[[ $(wc -l <digits/lone/events.csv) == 7 ]] || fail "lone digits: $(cat digits/lone/events.csv)"
touch digits/mark
"$LOCO_SOURCE/experiments/digits/run" >again 2>err </dev/null || fail "it fails again: $(cat err)"
cmp -s table again || fail "another table: $(diff table again)"
[[ -z $(find digits -name '*.loco' -newer digits/mark) ]] || fail "it trained again"
unset LOCO_DATA
rm -rf "$LOCO_EXPERIMENTS"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/npm
chmod +x bin/npm
PATH=$work/bin:$PATH "$LOCO_SOURCE/experiments/digits/run" >again 2>err </dev/null && fail "it runs without digits"
says err 'no MNIST; set LOCO_DATA'
done_checking

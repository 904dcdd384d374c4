#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_bench.sh - the benchmark's recursion and the library agree on small cases, the other programs run, and wrong names are
#   refused.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# shows PATTERN COMMAND...: what it prints has such a line.
shows()
{
    local pattern=$1
    shift
    "$@" >lines 2>message || { echo "$* ended with $?: $(cat message)"; exit 1; }
    grep -q "$pattern" lines || { echo "$* printed: $(cat lines message)"; exit 1; }
}

# lines_like N PATTERN: N of the lines.
lines_like()
{
    [[ $(grep -c "$2" lines) == "$1" ]] || { echo "not $1 lines like $2: $(cat lines)"; exit 1; }
}

for case in '1 1' '7 4' '500 0' '501 23' '3000 60' '20000 300'; do
    read -r length count <<<"$case"
    "$LOCO_BUILD/bench/long" 0 "$length" "$count" >lines
    lines_like 2 "^{\"name\":\"count/$length\",\"threads\":[12],\"ours_ms\":.*,\"other\":\"recursion\",.*,\"ours_mb\":.*}\$"
done

result='^{"ms":[0-9.]*,"mb":[0-9.]*[,}]'
shows "$result" "$LOCO_BUILD/bench/step" drums 1 2 20 0
for network in conv gru lstm; do
    shows "$result" "$LOCO_BUILD/bench/clip" $network 3000 2 0 64
done
shows "$result" "$LOCO_BUILD/bench/clip" conv 3000 1 0
if "$LOCO_BUILD/bench/clip" dense 3000 1 0 2>message; then
    echo "bench/clip timed a network that does not exist"
    exit 1
fi
shows "$result" "$LOCO_BUILD/bench/layer" 'bias, conv 3x4 8, pool 2' 12 2 1 2 9 0
shows "$result" "$LOCO_BUILD/bench/layer" 'image 8x8 3 9, pool 2x2' 64 1 0 1 5 0
if "$LOCO_BUILD/bench/layer" 'dense 3' 4 1 1 1 5 0 2>message; then
    echo "bench/layer timed a layer that does not exist"
    exit 1
fi
shows '^{"rows": 4000, "recordings": 2000, "file_mb": 0.1, "seconds": [0-9.]*, .*"peak_mb": [0-9.]*}$' "$LOCO_BUILD/bench/counts" 4000
"$LOCO_BUILD/bench/frontend" 0 >lines
lines_like 8 '^{"name":"frontend/[0-9x]*\(-live\)\?","threads":1,"ours_ms":[0-9.e+-]*,"ours_x":[0-9]*[,}]'
for numbers in 'conv 0 2 9 12 3 8 2 0' 'lstm 0 2 9 4 8' 'gru 0 2 9 4 8' 'dense 0 2 9 4 8'; do
    # shellcheck disable=SC2086
    if "$LOCO_BUILD/bench/onednn" $numbers >lines 2>message; then
        grep -q "$result" lines
    else
        grep -q 'built without oneDNN' message
    fi
done

# the interpreter is not sanitised, and cannot load the library of a sanitised build
if [[ -z ${LOCO_SANITIZE:-} ]] && /usr/bin/python3 -c 'import torch' 2>/dev/null; then
    "$LOCO_SOURCE/bench/run" count/32 --quick --json >lines
    grep -c '"name":"count/32x400x31.*"ours_ms":.*"ratio":' lines | grep -qvx 0
fi

if "$LOCO_SOURCE/bench/run" nothing 2>message; then
    echo "bench/run accepted a name that does not exist"
    exit 1
fi
grep -q 'no benchmark is called nothing; there are count/32x400x31' message

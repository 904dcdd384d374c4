#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_bench.sh - the benchmark's recursion and the library agree on small cases, and wrong names are refused.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

for case in '1 1' '7 4' '500 0' '501 23' '3000 60' '20000 300'; do
    read -r length count <<<"$case"
    "$LOCO_BUILD/bench/long" 0 "$length" "$count" >lines
    grep -c "^{\"name\":\"count/$length\",\"threads\":[12],\"ours_ms\":.*,\"other\":\"recursion\",.*,\"ours_mb\":.*}\$" lines |
        grep -qx 2
done

if "$LOCO_SOURCE/bench/run" nothing 2>message; then
    echo "bench/run accepted a name that does not exist"
    exit 1
fi
grep -q 'no benchmark is called nothing; there are count/32x400x31' message

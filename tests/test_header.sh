#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_header.sh - loco.h stands alone, in C and in C++, and the program in its opening comment does what it says.
#   The numbers that the program prints are compared with a sum over all sets of events.
set -euo pipefail

if [[ -n $LOCO_SANITIZE ]]; then
    echo "skipped: the program is built without the sanitizers of this build"
    exit 77
fi

warnings=(-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror)
include=$LOCO_SOURCE/include
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '#include "loco.h"\n#include "loco.h"\nint unit_is_not_empty;\n' >"$scratch/alone.c"
cc -std=c11 "${warnings[@]}" -I "$include" -c "$scratch/alone.c" -o "$scratch/alone.o"
if command -v g++ >/dev/null; then
    cp "$scratch/alone.c" "$scratch/alone.cpp"
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$include" -c "$scratch/alone.cpp" -o "$scratch/alone.o"
else
    echo "no g++: C++ left out"
fi

# The program runs from its first #include to its last brace, five characters into the comment.
sed -n '/^ \*     #include/,/^ \*     }$/p' "$include/loco.h" | sed -E 's/^ \*( {5})?//' >"$scratch/example.c"
cc -std=c11 "${warnings[@]}" -I "$include" "$scratch/example.c" "$LOCO_BUILD/libloco.a" -lm -lpthread \
   -o "$scratch/example"
output=$("$scratch/example")
echo "$output"

logits=$(sed -nE 's/.*logits\[\] = \{([^}]*)\}.*/\1/p' "$scratch/example.c")
expected=$(awk -v list="$logits" 'BEGIN {
    T = split(list, z, ",")
    for (set = 0; set < 2 ^ T; set++) {
        p = 1; count = 0
        for (t = 1; t <= T; t++) {
            event = int(set / 2 ^ (t - 1)) % 2
            count += event
            p *= 1 / (1 + exp(event ? -z[t] : z[t]))
            in_second[set] = t == 2 ? event : in_second[set]
        }
        if (count == 2) { all += p; second += in_second[set] * p }
    }
    printf "-log P(count = 2) = %.4f, event in frame 1 with probability %.3f\n", -log(all), second / all
}')
if [[ $output != "$expected" ]]; then
    echo "expected: $expected" >&2
    exit 1
fi

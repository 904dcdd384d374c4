#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_header.sh - loco.h stands alone, in C and in C++; its version is that of the library and of the project; and the
#   program in its opening comment does what it says. The example of the count loss prints what a sum over all sets of
#   events gives.
set -euo pipefail

if [[ -n $LOCO_SANITIZE ]]; then
    echo "skipped: the program is built without the sanitizers of this build"
    exit 77
fi

warnings=(-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror)
include=$LOCO_SOURCE/include
library=("$LOCO_BUILD/libloco.so" "-Wl,-rpath,$LOCO_BUILD" -lm)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "$1" >&2; exit 1; }

# ---- alone ----
printf '#include "loco.h"\n#include "loco.h"\nint unit_is_not_empty;\n' >"$scratch/alone.c"
cc -std=c11 "${warnings[@]}" -I "$include" -c "$scratch/alone.c" -o "$scratch/alone.o"
if command -v g++ >/dev/null; then
    cp "$scratch/alone.c" "$scratch/alone.cpp"
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$include" -c "$scratch/alone.cpp" -o "$scratch/alone.o"
else
    echo "no g++: C++ left out"
fi

# ---- version ----
cat >"$scratch/version.c" <<'END'
#include <loco.h>
#include <stdio.h>

#if LOCO_VERSION_NUMBER < 200
#error "the number must serve in a condition"
#endif

int main(void)
{
    printf("%d.%d.%d %d %s\n", LOCO_VERSION_MAJOR, LOCO_VERSION_MINOR, LOCO_VERSION_PATCH, LOCO_VERSION_NUMBER,
           loco_version());
}
END
cc -std=c11 "${warnings[@]}" -I "$include" "$scratch/version.c" "${library[@]}" -o "$scratch/version"
version=$(sed -nE 's/^project\(Loco VERSION ([0-9.]+).*/\1/p' "$LOCO_SOURCE/CMakeLists.txt")
IFS=. read -r major minor patch <<<"$version"
said=$("$scratch/version")
[[ $said == "$version $((10000 * major + 100 * minor + patch)) $version" ]] ||
    fail "loco.h and the library say $said, and CMakeLists.txt $version"
name=$(readelf -d "$LOCO_BUILD/libloco.so" | sed -nE 's/.*SONAME.*\[(.*)\]/\1/p')
[[ $name == "libloco.so.$major.$minor" ]] || fail "the library is called $name; while the major version is 0, each minor one breaks"
echo "version $version, $name"

# ---- the opening program ----
# It runs from its first #include to its last brace, five characters into the comment.
sed -n '/^ \*     #include/,/^ \*     }$/p' "$include/loco.h" | sed -E 's/^ \*( {5})?//' >"$scratch/example.c"
cc -std=c11 "${warnings[@]}" -I "$include" "$scratch/example.c" "${library[@]}" -o "$scratch/example"
export LOCO_MODELS=$LOCO_SOURCE/models
[[ -z $("$scratch/example" 2>&1) ]] || fail "the program finds events in silence"

# The same with a sound: a click of decaying noise half a second in.
cat >"$scratch/click.c" <<'END'
#define main example
#include "example.c"
#undef main

int main(void)
{
    unsigned chance = 1;
    for (int i = 0; i < 4410; i++) {
        chance = chance * 1664525u + 1013904223u;
        samples[22050 + i] = ((float)(chance >> 8) / 8388608 - 1) * 0.8f / (float)(1 + i / 50);
    }
    return example();
}
END
cc -std=c11 -w -I "$include" "$scratch/click.c" "${library[@]}" -o "$scratch/click"
output=$("$scratch/click")
echo "$output"
[[ -n $output ]] || fail "the program finds no event in a click"
awk '!/^0\.[0-9][0-9][0-9] s  [a-z-]+$/ || $1 < 0.45 || $1 > 0.55 { exit 1 }' <<<"$output" ||
    fail "the click is at 0.5 s"

# ---- the count loss ----
cc -std=c11 "${warnings[@]}" -I "$include" "$LOCO_SOURCE/examples/count_posterior.c" "${library[@]}" -o "$scratch/count"
logits=$(sed -nE 's/.*logits\[T\] = \{([^}]*)\}.*/\1/p' "$LOCO_SOURCE/examples/count_posterior.c")
expected=$(awk -v list="$logits" '
function given(name, lo, hi,   set, t, p, count, event, all, in_frame, line)
{
    for (set = 0; set < 2 ^ T; set++) {
        p = 1; count = 0
        for (t = 1; t <= T; t++) {
            event[t] = int(set / 2 ^ (t - 1)) % 2
            count += event[t]
            p *= 1 / (1 + exp(event[t] ? -z[t] : z[t]))
        }
        if (count < lo || count > hi)
            continue
        all += p
        for (t = 1; t <= T; t++)
            in_frame[t] += event[t] * p
    }
    line = sprintf("count %-4s loss %.4f   p:", name, all < 1 - 1e-12 ? -log(all) : 0)
    for (t = 1; t <= T; t++)
        line = line sprintf(" %.3f", in_frame[t] / all)
    print line
}
BEGIN { T = split(list, z, ","); given("?", 0, T); given("2", 2, 2); given("3", 3, 3); given(">=2", 2, T) }')
output=$("$scratch/count")
echo "$output"
[[ $output == "$expected" ]] || fail "expected: $expected"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_types.sh - no two types have the same name, wherever they stand: include/, src/, studio/ and cli/ are read as one
#   program. And no two headers include each other, over any number of others. First the rules are tried on made-up trees.
set -euo pipefail

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: reads sources alone, as in the plain build"
    exit 77
fi

# awk_on ROOT PATTERN PROGRAM: runs it once over all files whose name fits.
awk_on()
{
    (cd "$1" && { find include src studio cli -name "$2" 2>/dev/null || true; } | sort | xargs -r awk "$3")
}

# repeated_types ROOT: names of structs, enums and unions with a body, and of typedefs of them, that two files define.
repeated_types()
{
    awk_on "$1" '*.[ch]' '
        match($0, /^(typedef |static )?(const )?(struct|enum|union) [A-Za-z_][A-Za-z_0-9]* \{/) {
            n = split(substr($0, 1, RLENGTH - 2), word, " ")
            print word[n], FILENAME
        }
        match($0, /^\} [A-Za-z_][A-Za-z_0-9]*;/) { print substr($0, 3, RLENGTH - 3), FILENAME }' |
        sort -u | awk '$1 == last {print $1 ": " where " and " $2} {last = $1; where = $2}'
}

# cycles ROOT: what tsort finds among the includes of headers.
cycles()
{
    awk_on "$1" '*.h' '
        match($0, /^#include "[^"]*\/[^"]*"/) {
            file = FILENAME
            sub(/^src\//, "", file)
            print file, substr($0, 11, RLENGTH - 11)
        }' | { tsort >/dev/null; } 2>&1 || true
}

# expect GOOD|BAD HEADER_A HEADER_B: a tree with these two in src/base.
expect()
{
    local tree verdict=GOOD
    tree=$(mktemp -d -p "$scratch")
    mkdir -p "$tree/src/base"
    printf '%s\n' "$2" >"$tree/src/base/a.h"
    printf '%s\n' "$3" >"$tree/src/base/b.h"
    [[ -z $(repeated_types "$tree")$(cycles "$tree") ]] || verdict=BAD
    if [[ $verdict != "$1" ]]; then
        echo "the rules found $2 and $3 $verdict, and it is $1" >&2
        exit 1
    fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expect GOOD 'typedef struct lc_a {' 'typedef struct lc_b {'
expect BAD 'typedef struct lc_a {' 'typedef enum lc_a {'
expect BAD '} lc_a;' 'struct lc_a {'
expect GOOD '#include "base/b.h"' 'int x;'
expect BAD '#include "base/b.h"' '#include "base/a.h"'

offences=$(repeated_types "$LOCO_SOURCE" && cycles "$LOCO_SOURCE")
if [[ -n $offences ]]; then
    echo "$offences" >&2
    exit 1
fi
echo "every type has a name of its own, and no headers include each other"

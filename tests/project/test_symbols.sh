#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_symbols.sh - what the library defines and what it asks for.
#   libloco.so exports loco_* alone; libloco.a defines loco_* and lc_* alone, and refers to nothing that prints, ends the
#   process or draws on hidden random state. First the rules are tried on a made-up library.
set -euo pipefail

if [[ -n $LOCO_SANITIZE ]]; then
    echo "skipped: a sanitised library carries the sanitizer's symbols"
    exit 77
fi

banned='exit|_exit|_Exit|quick_exit|abort|raise|__assert_fail|__assert'
banned+='|v?f?printf|v?dprintf|puts|putchar|putchar_unlocked|perror|psignal|error|v?errx?|v?warnx?|v?syslog'
banned+='|__v?f?printf_chk|__v?dprintf_chk|__v?syslog_chk'
banned+='|stdin|stdout|stderr|getchar|gets|scanf|s?rand|s?random|[dlm]rand48'

exported() { nm -D --defined-only "$1" | awk '{print $NF}'; }
defined() { nm -g --defined-only "$1" | awk 'NF == 3 {print $3}'; }
undefined() { nm -u "$1" | awk '$1 == "U" {print $2}' | sed 's/@.*//' | sort -u; }

# check_library FILE.a FILE.so: prints every symbol that should not be there.
check_library()
{
    { exported "$2" | grep -Ev '^loco_' || true; } | sed 's/^/exported by the shared library: /'
    { defined "$1" | grep -Ev '^(loco_|lc_)' || true; } | sed 's/^/global in the archive: /'
    { undefined "$1" | grep -Ex "$banned" || true; } | sed 's/^/used by the archive: /'
}

# offences_of SOURCE: how many the rules find in a library made of it.
offences_of()
{
    printf '%s\n' "$1" >"$scratch/a.c"
    cc -O1 -w -fPIC -c "$scratch/a.c" -o "$scratch/a.o"
    rm -f "$scratch/a.a"
    ar rc "$scratch/a.a" "$scratch/a.o"
    cc -shared "$scratch/a.o" -o "$scratch/a.so"
    check_library "$scratch/a.a" "$scratch/a.so" | wc -l
}

# expect COUNT SOURCE
expect()
{
    local found
    found=$(offences_of "$2")
    if [[ $found -ne $1 ]]; then
        echo "the rules found $found offences where there are $1: $2" >&2
        exit 1
    fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expect 0 'int loco_f(void) { return 0; } __attribute__((visibility("hidden"))) int lc_g(void) { return 0; }'
expect 0 '#include <stdio.h>
int loco_f(char *s, int n) { return snprintf(s, 9, "%d", n); }'
expect 1 'int lc_exported(void) { return 0; }'
expect 2 'int helper(void) { return 0; }'
expect 1 '__attribute__((visibility("hidden"))) int table[3] = {1, 2, 3};'
expect 1 '#include <stdio.h>
int loco_f(int n) { return printf("%d", n); }'
expect 2 '#include <stdio.h>
int loco_f(int n) { return fprintf(stderr, "%d", n); }'
expect 1 '#include <stdlib.h>
void loco_f(void) { abort(); }'
expect 1 '#define _FORTIFY_SOURCE 2
#include <stdio.h>
int loco_f(int n) { return printf("%d", n); }'

exports=$(exported "$LOCO_BUILD/libloco.so" | wc -l)
offences=$(check_library "$LOCO_BUILD/libloco.a" "$LOCO_BUILD/libloco.so")
if [[ -n $offences || $exports -eq 0 ]]; then
    echo "${offences:-the shared library exports nothing}" >&2
    exit 1
fi
echo "$exports functions are exported, and nothing else"

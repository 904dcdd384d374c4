#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_abi.sh - a program that was built against the stored interface, tests/data/loco.abi, still runs with this library: no
#   public function is gone, none has other arguments, and no type of loco.h has another layout. First the comparison is
#   tried on changed copies. `scripts/abi --update` stores a change that is meant.
set -euo pipefail

skip() { echo "skipped: $1"; exit 77; }

[[ -z ${LOCO_SANITIZE:-} ]] || skip "the interface is that of the plain build"
command -v abidw >/dev/null || skip "abigail-tools is not installed"
[[ $(uname -m) == x86_64 ]] || skip "the stored interface is that of x86-64"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
abi=$LOCO_SOURCE/scripts/abi
"$abi" --dump "$scratch/now.abi" "$LOCO_BUILD"

# expect SAME|CHANGED WHAT SED_SCRIPT: the verdict on this library, had the stored one been so.
expect()
{
    local verdict=SAME
    sed -E "$3" "$scratch/now.abi" >"$scratch/then.abi"
    "$abi" --compare "$scratch/then.abi" "$scratch/now.abi" >/dev/null 2>&1 || verdict=CHANGED
    if [[ $verdict != "$1" ]]; then
        echo "$2: found $verdict, and it is $1" >&2
        exit 1
    fi
}

expect SAME 'the same library' ''
expect SAME 'a function more than then' "/elf-symbol name='loco_version'/d; /<function-decl name='loco_version'/,/<\/function-decl>/d"
expect CHANGED 'a function less than then' "s/'loco_version'/'loco_gone'/g"
expect CHANGED 'an argument less than then' "/<function-decl name='loco_status_name'/,/<\/function-decl>/s/<parameter .*//"
expect CHANGED 'a longer struct' "s/(<class-decl name='loco_err' size-in-bits=')[0-9]+/\164/"

"$abi" --compare "$LOCO_SOURCE/tests/data/loco.abi" "$scratch/now.abi"
echo "the interface is the stored one"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_layers.sh - each folder of src/ is a layer and includes only itself and the folders above it in this list; cli/ and
#   examples/ see the public header, their own headers and the system's. First the rules are tried on made-up trees.
set -euo pipefail

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: reads sources alone, as in the plain build"
    exit 77
fi

layers=(base count nn signal data model detect eval report train)

# rank LAYER: its place in the list; fails for a folder that is not in it.
rank()
{
    local i
    for i in "${!layers[@]}"; do
        if [[ ${layers[i]} == "$1" ]]; then
            echo "$i"
            return 0
        fi
    done
    return 1
}

# includes FILE: what it includes, one per line, as <x> or "x".
includes()
{
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]*[>"]).*/\1/p' "$1"
}

# Each of the two below prints what is wrong with one include of a file; nothing when it is allowed.
wrong_in_layer() # ROOT LAYER INCLUDE
{
    local name=${3:1:-1} folder
    folder=${name%%/*}
    if [[ $name == loco.h ]]; then
        return
    elif [[ $name == *..* ]]; then
        echo "a path that climbs"
    elif [[ $name != */* ]]; then
        [[ $3 == \<* || -f $1/src/$2/$name ]] || echo "not in src/$2"
    elif [[ -d $1/src/$folder ]]; then
        rank "$folder" >/dev/null && [[ $(rank "$folder") -le $(rank "$2") ]] || echo "$folder is not above $2"
    elif [[ $3 != \<* ]]; then
        echo "no such layer"
    fi
}

wrong_outside() # ROOT FOLDER INCLUDE
{
    local name=${3:1:-1}
    if [[ $name == loco.h ]]; then
        return
    elif [[ $name == *..* || -f $1/src/$name ]]; then
        echo "inside the library"
    elif [[ $3 == \"* && ! -f $1/$2/$name ]]; then
        echo "not in $2"
    fi
}

# check_tree ROOT: prints every offence, one per line.
check_tree()
{
    local file folder what why
    while read -r file; do
        folder=$(cut -d/ -f2 <<<"$file")
        if ! rank "$folder" >/dev/null; then
            echo "$file: src/$folder is not in the list of layers"
            continue
        fi
        while read -r what; do
            why=$(wrong_in_layer "$1" "$folder" "$what")
            [[ -z $why ]] || echo "$file: $what: $why"
        done < <(includes "$1/$file")
    done < <(cd "$1" && find src -type f | sort)
    while read -r file; do
        while read -r what; do
            why=$(wrong_outside "$1" "${file%/*}" "$what")
            [[ -z $why ]] || echo "$file: $what: $why"
        done < <(includes "$1/$file")
    done < <(cd "$1" && find cli examples -name '*.[ch]' 2>/dev/null | sort)
}

# expect GOOD|BAD FILE LINE: a tree in which FILE consists of LINE must be passed or refused.
expect()
{
    local tree verdict=GOOD
    tree=$(mktemp -d -p "$scratch")
    mkdir -p "$tree"/{src/base,src/count,src/report,cli,examples} "$tree/$(dirname "$2")"
    touch "$tree"/src/{base/status.h,count/tilt.h,report/svg.h} "$tree/cli/args.h"
    printf '%s\n' "$3" >"$tree/$2"
    [[ -z $(check_tree "$tree") ]] || verdict=BAD
    if [[ $verdict != "$1" ]]; then
        echo "the rules found $2 with $3 $verdict, and it is $1" >&2
        exit 1
    fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expect GOOD src/count/a.c '#include "base/status.h"'
expect GOOD src/count/a.c '#include "count/tilt.h"'
expect GOOD src/count/a.c '#include "tilt.h"'
expect GOOD src/count/a.c '#include <loco.h>'
expect GOOD src/base/a.c '#include <sys/stat.h>'
expect BAD src/base/a.c '#include "count/tilt.h"'
expect BAD src/base/a.c '  # include <count/tilt.h>'
expect BAD src/count/a.c '#include "report/svg.h"'
expect BAD src/base/a.c '#include "../count/tilt.h"'
expect BAD src/base/a.c '#include "tilt.h"'
expect BAD src/base/a.c '#include "nowhere/tilt.h"'
expect BAD src/extra/a.c '#include <stdio.h>'
expect GOOD cli/a.c '#include "loco.h"'
expect GOOD cli/a.c '#include "args.h"'
expect BAD cli/a.c '#include "base/status.h"'
expect BAD cli/a.c '#include <base/status.h>'
expect BAD cli/a.c '#include "../src/base/status.h"'
expect BAD examples/a.c '#include "args.h"'

offences=$(check_tree "$LOCO_SOURCE")
files=$(cd "$LOCO_SOURCE" && find src -name '*.c' | wc -l)
if [[ -n $offences || $files -eq 0 ]]; then
    echo "${offences:-no source file found}" >&2
    exit 1
fi
echo "$files source files keep to their layers"

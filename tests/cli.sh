#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# cli.sh - what the tests of the loco command share; to be sourced. Runs in a scratch folder, counts checks, and gives the
#   verdict in `done_checking`.

loco=${LOCO_BUILD:?}/loco
PATH=$LOCO_BUILD:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0
failures=0

fail()
{
    echo "$(basename "$0"):${BASH_LINENO[-2]}: $1" >&2
    failures=$((failures + 1))
}

# run STATUS ARGUMENTS...: runs loco, keeps stdout in out and stderr in err, compares the exit status.
run()
{
    local want=$1 got
    shift
    checks=$((checks + 1))
    "$loco" "$@" >out 2>err </dev/null
    got=$?
    [[ $got == "$want" ]] || fail "loco $* gave $got, not $want: $(head -3 err)"
}

# says FILE TEXT: FILE (out or err) holds TEXT.
says()
{
    checks=$((checks + 1))
    grep -qF -- "$2" "$1" || fail "$1 lacks '$2': $(head -3 "$1")"
}

# silent FILE
silent()
{
    checks=$((checks + 1))
    [[ ! -s $1 ]] || fail "$1 should be empty: $(head -3 "$1")"
}

# absent FILE...
absent()
{
    local file
    for file; do
        checks=$((checks + 1))
        [[ ! -e $file ]] || fail "$file should not be there"
    done
}

# wrong STATUS TEXT ARGUMENTS...: fails with STATUS, says TEXT on stderr and nothing on stdout.
wrong()
{
    local status=$1 text=$2
    shift 2
    run "$status" "$@"
    says err "$text"
    silent out
}

# refused STATUS TEXT ARGUMENTS...: the same, and stderr holds one sentence, or two lines with a hint to --help.
refused()
{
    local lines
    wrong "$@"
    checks=$((checks + 1))
    lines=$(grep -cv "^Try 'loco" err)
    [[ $lines == 1 ]] || fail "$lines lines instead of one sentence: $(cat err)"
}

# temp_of PATH PROCESS [N]: the name of a temporary file that this process would write on this machine (src/base/temp.h).
temp_of()
{
    local name hash=2166136261 i byte
    name=$(uname -n)
    for ((i = 0; i < ${#name}; i++)); do
        printf -v byte '%d' "'${name:i:1}"
        hash=$((((hash ^ byte) * 16777619) & 0xffffffff))
    done
    printf '%s.%08x-%s-%s.loco-tmp' "$1" "$hash" "$2" "${3:-0}"
}

# train_small DATA MODEL STEPS: a network that is small enough for a test; from 150 steps on it finds some events.
train_small()
{
    "$loco" train "$1" -o "$2" --set "steps=$3" --set "check=$3" --set frontend.bands=24 --set rate=0.02 \
        --set warm_up=10 --set average=0.9 --set 'network=conv 3x3 8 stride 4 norm, gru 16' >out 2>err ||
        fail "training failed: $(cat err)"
}

done_checking()
{
    echo "$checks checks, $failures failed"
    [[ $failures == 0 ]]
}

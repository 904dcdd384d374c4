#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_golden.sh - the files that earlier versions wrote (tests/golden/VERSION/) are read by this one: models find the same
#   events, a data set is read, a checkpoint is resumed and ends as it did then, and bad inputs get the same sentences.
#   Times may differ by 10 us, probabilities and pixels by 0.001: compilers and processors add in different orders.
#   After a change on purpose: tests/golden/write makes a folder for a new version.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"
here=$LOCO_SOURCE/tests/golden
# shellcheck source=tests/golden/cases.sh
source "$here/cases.sh"

# near NAME THEN NOW: the same lines, but for numbers: by 1e-5 where six digits are printed, by 1e-3 otherwise
near()
{
    checks=$((checks + 1))
    awk -F , -v name="$1" '
        function wrong(text) { print name ": line " FNR ": " text; bad = 1; exit 1 }
        function apart(a, b) { return a > b ? a - b : b - a }
        function most(text) { return length(text) - index(text, ".") > 4 ? 1.0001e-5 : 1.0001e-3 }
        NR == FNR { then[FNR] = $0; lines = FNR; next }
        {
            n = split(then[FNR], old)
            if (FNR > lines || n != NF) wrong("\"" $0 "\", and not \"" then[FNR] "\"")
            for (i = 1; i <= NF; i++)
                if ($i != old[i] && (old[i] !~ /^[0-9.]+$/ || apart($i, old[i]) > most(old[i])))
                    wrong($i ", and not " old[i])
        }
        END { if (!bad && FNR != lines) { print name ": " FNR " lines, and not " lines; exit 1 } }' "$2" "$3" >differs ||
        fail "$(cat differs)"
}

# resume: the checkpoint goes on to the same last validation, but for its time
resume()
{
    local key='s/.*"loss":([0-9.]*).*"held_loss":([0-9.]*).*/\1,\2/'
    cp half.loco.checkpoint "$work/half.loco.checkpoint"
    LOCO_KERNELS=ref run_here 0 train sound -o "$work/half.loco" --resume "${checkpoint_options[@]}"
    tail -n 1 "$work/half.loco.jsonl" | sed -E "$key" >"$work/now"
    sed -E "$key" half.jsonl >"$work/then"
    checks=$((checks + 1))
    [[ -s $work/half.loco ]] || fail "no model of the resumed training"
    paste -d , "$work/then" "$work/now" | awk -F , '{ for (i = 1; i < 3; i++) { d = ($i - $(i + 2)) / $i; if (d * d > 1e-6) exit 1 } }' ||
        fail "the resumed training ended with $(cat "$work/now"), and not $(cat "$work/then")"
}

# run_here STATUS ARGUMENTS...: as run, with its files in the scratch folder
run_here()
{
    local want=$1 got
    shift
    checks=$((checks + 1))
    "$loco" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [[ $got == "$want" ]] || fail "loco $* gave $got, not $want: $(head -3 "$work/err")"
}

for version in "$here"/[0-9]*/; do
    cp -r "$version" "$work/golden"
    cd "$work/golden" || exit 1
    for name in "${!input_of[@]}"; do
        events "$name" >"$work/events" 2>&1
        near "$name.loco" "$name.csv" "$work/events"
        run_here 0 inspect "$name.loco"
        checks=$((checks + 1))
        diff "$name.txt" "$work/out" >"$work/differs" || fail "inspect $name.loco: $(cat "$work/differs")"
    done
    resume
    bad_inputs "$work/bad" >"$work/said" 2>&1
    checks=$((checks + 1))
    diff errors.txt "$work/said" >"$work/differs" || fail "other sentences than then: $(cat "$work/differs")"
    cd "$work" && rm -rf golden bad half.loco*
    echo "$(basename "$version"): read"
done
[[ $checks -gt 10 ]] || fail "no golden files in $here"
done_checking

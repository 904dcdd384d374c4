#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_split.sh - one data set into several: what the command takes, and that the parts can be trained on and tested with.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 8 --seconds 3 2>err || fail "no data set: $(cat err)"

# ---- mistakes ----
refused 2 'name one data set' split --test 0.5 -o x
refused 2 'say where the parts go' split set --test 0.5
refused 2 'say what the test set is' split set -o x
refused 2 'say what the test set is' split set -o x --test ''
for share in 0 1 1.5 . 0.5.5; do
    refused 2 "--test takes a share between 0 and 1, or a pattern of names, not \"$share\"" split set --test "$share" -o x
done
refused 2 '--valid takes a share' split set --test 0.5 --valid 1 -o x
refused 3 'none of the 8 recordings fits "take*"' split set --test 'take*' -o x
refused 3 'No such file' split nothing --test 0.5 -o x
refused 3 'is a sound' split set/rec_000.wav --test 0.5 -o x
refused 4 'cannot be made' split set --test 0.5 -o no/where
absent x

# ---- parts ----
run 0 split set --test 0.25 --valid 0.25 -o parts
says err 'parts: 4 recordings in train, 2 in test, 2 in valid'
silent out
refused 4 'it is there already' split set --test 0.25 -o parts
run 0 split set --test 'rec_00[01]' -o named
[[ $(cd named/test && echo *) == "counts.csv events.csv rec_000.wav rec_001.wav" ]] || fail "not what fits: $(ls named/test)"
train_small named/train m.loco 4
run 0 eval -m m.loco named/test
says out 'kick'
# rows FILE...: their rows in order, times without zeros at the end
rows()
{
    grep -hv '^file,' "$@" | sed -E 's/(\.[0-9]*[1-9])0+,/\1,/g; s/\.0+,/,/g' | sort
}
for table in events counts; do
    cmp -s <(rows parts/{train,test,valid}/$table.csv) <(rows set/$table.csv) || fail "the parts do not have all $table"
done
[[ $(cat parts/*/rec_003.wav | sha256sum) == $(sha256sum <set/rec_003.wav) ]] || fail "a sound is not the one it was"

done_checking

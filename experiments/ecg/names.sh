#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# names.sh - what the rows of tables and pictures are called; to be sourced.

names=('counts of 10 s=exact' 'counts of 10 s, and then its own times=own' 'counts of 10 s, to a fifth=range' 'PVCs of 10 s: none or some=some' 'counts of 5 min=minutes'
    'one count of 30 min, all beats=halfhour' 'all times: the twin=times')

# results_of SET SUFFIX: adds NAME SUFFIX=FILE to `words` for the results that are there.
results_of()
{
    local word file
    for word in "${names[@]}"; do
        for file in "$dir/results/${word##*=}"-[0-9]*-"$1".json; do
            [[ ! -f $file ]] || words+=("${word%=*}$2=$file")
        done
    done
}

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_words.sh - words and phrases that made readers stop are found in no source, script or document but the changelog.
#   CONTRIBUTING.md has what to write instead. First the rule is tried on made sentences.
set -uo pipefail

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: reads sources alone, as in the plain build"
    exit 77
fi

words='hears?|heard|tells?|told|the way (back|there)|is no (number|label|count|sound|velocity|time)|is none|would be right'
words+='|where chance starts|mends?|mended|as the model says|as usual|(in|at) one go|a look|in view|by hand|these are of'

# offences: reads lines, prints those with such a word; look-ahead is a term, and None a word of Python.
offences()
{
    grep -iwE "$words" | grep -vE 'a look-(ahead|alike)|there is none|is None'
}

# expect STATUS SENTENCE: 0 where the rule must find it.
expect()
{
    offences <<<"$2" >/dev/null
    local got=$?
    if [[ $got -ne $1 ]]; then
        echo "the rule gave $got, not $1: $2" >&2
        exit 1
    fi
}

expect 0 'an event is told 35 ms late'
expect 0 '"x" is no number'
expect 0 'As usual, the gradient goes the way back.'
expect 1 'the backward pass, with a look-ahead of 3 frames'
expect 1 'an event is reported 35 ms late; a telling name'

cd "${LOCO_SOURCE:?}" || exit 1
mapfile -t files < <(find . \( -name build -o -name .git -o -name '*.seeds' -o -name results -o -name node_modules \) -prune -o -type f \
    \( -name '*.[ch1]' -o -name '*.md' -o -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.css' -o -name '*.txt' \
    -o -path './completions/*' -o -path './scripts/*' -o -path './experiments/*' -o -path './bench/*' -o -name Makefile \) \
    -not -name CHANGELOG.md -not -name test_words.sh -print | sort)
found=$(grep -inHE '[a-z]' "${files[@]}" /dev/null | offences)
if [[ -n $found || ${#files[@]} -lt 100 ]]; then
    printf '%s\n' "${found:-only ${#files[@]} files found}" >&2
    exit 1
fi
echo "${#files[@]} files, none with a word of the list"

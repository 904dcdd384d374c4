#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_walkthrough.sh - the commands under "Your own recordings" in the README, run as they stand there, in an empty folder
#   with loco in PATH: each must succeed, say what the README shows where that is no measurement, and leave its files.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE-} ]]; then
    echo "skipped: takes minutes under a sanitizer, and other tests run the same commands there"
    exit 77
fi

# The console blocks of the section, a command a line.
awk '/^## /{here = $0 == "## Your own recordings"} /^```/{block = here && $0 == "```console"; next} block' \
    "$LOCO_SOURCE/README.md" >blocks
grep '^\$ ' blocks | cut -c3- >commands
[[ $(wc -l <commands) -ge 5 ]] || fail "the README's section has $(wc -l <commands) commands"

mkdir empty
cd empty || exit 1
while IFS= read -r command; do
    checks=$((checks + 1))
    bash -e -c "$command" >>../said 2>&1 </dev/null || fail "the README's '$command' fails: $(tail -3 ../said)"
    # what follows -o must be there
    read -ra words <<<"$command"
    for ((i = 0; i + 1 < ${#words[@]}; i++)); do
        [[ ${words[i]} != -o || -e ${words[i + 1]} ]] || fail "'$command' leaves no ${words[i + 1]}"
    done
done <../commands

# Lines of output without measurements are the real ones: those that hold no number with a point, and the table's rows.
grep -v '^\$ \|^\.\.\.$\|^$\|[0-9]\.[0-9]\|^rec_' ../blocks | while IFS= read -r line; do
    grep -qFx -- "$line" ../said || echo "$line"
done >../unsaid
[[ ! -s ../unsaid ]] || fail "the README shows what is not said: $(cat ../unsaid)"
while IFS= read -r line; do
    grep -qFx -- "$line" ../said || fail "the counts are others than in the README: $line"
done < <(grep '^rec_' ../blocks)
[[ $(head -c 4 rec_000.mid) == MThd ]] || fail "rec_000.mid is no MIDI file"
[[ $(tail -c 8 my.html | tr -d '\n') == '</html>' ]] || fail "my.html is no page"

done_checking

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_walkthrough_series.sh - docs/walkthrough-accelerometer.md, run as it stands, in an empty folder with loco in PATH:
#   the script that makes the recordings, then each command. Each must succeed, say what is shown where that is no
#   measurement, and leave its files; and events must be found where they are.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE-} ]]; then
    echo "skipped: takes minutes under a sanitizer, and test_cli_series.sh runs the same commands there"
    exit 77
fi

page=$LOCO_SOURCE/docs/walkthrough-accelerometer.md
awk '/^```/{block = $0 == "```sh"; next} block' "$page" >make.sh
awk '/^```/{block = $0 == "```console"; next} block' "$page" >blocks
grep '^\$ ' blocks | cut -c3- >commands
checks=$((checks + 1))
[[ $(wc -l <commands) -ge 9 ]] || fail "the page has $(wc -l <commands) commands"

mkdir empty
cd empty || exit 1
bash -e -u ../make.sh >../said 2>&1 || fail "the recordings are not made: $(tail -3 ../said)"
[[ ! -s ../said && ! -e jumps/events.csv && $(wc -l <jumps/counts.csv) == 13 ]] || fail "jumps is not as described"

number=0
while IFS= read -r command; do
    checks=$((checks + 2))
    number=$((number + 1))
    bash -e -o pipefail -c "$command" >../said 2>&1 </dev/null || fail "'$command' fails: $(tail -3 ../said)"
    # what follows -o must be there
    read -ra words <<<"$command"
    for ((i = 0; i + 1 < ${#words[@]}; i++)); do
        [[ ${words[i]} != -o || -s ${words[i + 1]} ]] || fail "'$command' leaves no ${words[i + 1]}"
    done
    # what is shown below it, up to the next one; of loco, lines without measurements, of the recordings all
    awk -v n="$number" '/^\$ /{k++; next} k == n && $0 != "" && $0 != "..."' ../blocks >../shown
    while IFS= read -r line; do
        [[ $command == *person21.csv && $command == head* ]] && [[ $line =~ [0-9]\.[0-9] ]] && continue
        [[ $command == loco* ]] && [[ $line =~ [0-9]\.[0-9]|\ ms\  ]] && continue
        grep -qFx -- "$line" ../said || fail "'$command' does not say: $line"
    done <../shown
done <../commands

# the score that the page shows, but for some chance
run 0 eval -m jumps.loco new --require f1@50=0.95,f1@20=0.9
checks=$((checks + 3))
[[ $(cut -f3 person21.txt | sort -u) == jump ]] || fail "person21.txt is not a label track of jumps"
[[ $(wc -l <person21.txt) == $(($(wc -l <person21.csv) - 1)) ]] || fail 'the label track has other events'
[[ $(tail -c 8 jumps.html | tr -d '\n') == '</html>' ]] || fail "jumps.html is no page"

done_checking

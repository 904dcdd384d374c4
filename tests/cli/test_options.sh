#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_options.sh - one letter stands for one long option in all commands; every command has one usage line, an example
#   and suggestions for typos; spellings of the last release say the new ones, with exit status 2.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# ---- letters: lines "letter long-option command" of all help texts ----
"$loco" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
[[ $(wc -l <commands) -ge 16 ]] || fail "few commands: $(cat commands)"
while read -r command; do
    checks=$((checks + 3))
    "$loco" "$command" --help >help || fail "$command has no help"
    [[ $(grep -c '^usage: loco ' help) == 1 && $(sed -n 2p help) == '' ]] || fail "$command: not one usage line"
    [[ $(tail -2 help | head -1) == 'example:' && $(tail -1 help) == *"loco $command"* ]] || fail "$command: no example"
    sed -nE "s/^  -([a-zA-Z]), --([a-z-]+).*/\1 \2 $command/p" help >>letters
    awk 'length > 122 {exit 1}' help || fail "$command: a line of help is longer than 122 characters"
done <commands
[[ $(cut -d' ' -f1 letters | sort -u | wc -l) -ge 10 ]] || fail "few letters: $(cat letters)"
checks=$((checks + 1))
twice=$(cut -d' ' -f1,2 letters | sort -u | cut -d' ' -f1 | uniq -d)
for letter in $twice; do
    fail "-$letter stands for: $(grep "^$letter " letters | sed 's/. \(.*\) \(.*\)/--\1 (\2)/' | tr '\n' ' ')"
done
for known in 'm model' 'o output' 't threads' 'f format' 'p preset' 's seed' 'n recordings'; do
    checks=$((checks + 1))
    grep -q "^$known " letters || fail "-${known/ / is no longer --}"
done

# ---- typos ----
while read -r command; do
    grep -v '^h help' letters | awk -v name="$command" '$3 == name {print $2; exit}' >option
    [[ ! -s option ]] || refused 2 "did you mean --$(cat option)?" "$command" "--$(cat option)x"
    refused 2 'did you mean --help?' "$command" --hepl
done <commands

# ---- what moved ----
refused 2 'loco detect --count is now: loco count -m MODEL FILES' detect -m m.loco --count take.wav
refused 2 'loco detect --clips is now: loco count -m MODEL DATA --clips' detect -m m.loco --clips set
refused 2 'loco detect --count is now: loco count' detect -m m.loco -n take.wav
refused 2 'loco detect --label is now: loco count' detect -m m.loco -l 3 take.wav
refused 2 'loco detect --interval is now: loco count' detect -m m.loco -i 0.8 take.wav
printf '%s\n' -4 3 -4 >clip.txt
refused 2 'loco count of logits is now: loco loss FILES; to count events in recordings, add -m MODEL' count clip.txt
refused 2 'is now: loco loss' count --label 2 clip.txt
refused 2 'is now: loco loss' count -
for option in '--rate 100' --events --posterior '--sample 3' '--seed 3' --json; do
    read -ra words <<<"$option"
    refused 2 "loco count ${words[0]} is now: loco loss FILES" count clip.txt "${words[@]}"
done
refused 2 'loco count --svg is now: loco plot count FILE' count clip.txt --svg clip.svg
refused 2 'loco loss --svg is now: loco plot count FILE' loss clip.txt --svg clip.svg
refused 2 'for a picture: loco plot count FILE -o FILE.svg' loss clip.txt -o clip.svg
refused 2 'loco report --clip is now: loco plot clip -m MODEL FILE --from 1s --to 2.5s' report -m m.loco take.wav --clip 1..2
refused 2 'loco report --clip is now: loco plot clip' report -m m.loco take.wav --clip=1..2
refused 2 'loco report --logs is now: loco plot runs NAME=LOG' report --logs a=b
refused 2 'loco eval --figures is now: loco plot evaluation -m MODEL DATA -o FOLDER' eval -m m.loco set --figures x
refused 2 'loco train --curve is now: loco plot training LOG' train set -o m.loco --curve x.svg
for option in figure class title; do
    refused 2 "loco table --$option is now: loco plot scores NAME=FILE.json..." table a=b.json --$option x
done

# ---- letters that lost a meaning ----
for command in eval enrich; do
    refused 2 '-t is --threads; for tolerances write --tolerance 50ms' $command -m m.loco set -t 50
    refused 2 '-t is --threads; for tolerances write --tolerance 50ms' $command -m m.loco set -t50
done
refused 2 '-n is --recordings; write --most N' report -m m.loco set -n 3
refused 2 '-r is --rate; write --resume' train set -o m.loco -r
refused 2 '-p is --preset; write --posterior FILE' enrich -m m.loco set -p x.csv
refused 2 '-p is --preset; write --posterior' loss clip.txt -p
refused 2 '-e is --ensemble; write --events' loss clip.txt -je
refused 2 '-f is --format; write --soundfonts PATH' synth drums -o set -f x.sf2
refused 2 '-p is --preset; write --patterns FOLDER' synth drums -o set -p x
refused 2 '-b is --blind; write --background SHARE' synth drums -o set -b 0.5

# ---- units ----
refused 2 '--clip 10: write the unit: 10ms or 10s' import ecg from -o to --clip 10
refused 2 '--seconds 3x: "x" is not a unit of time' synth drums -o set --seconds 3x
run 0 synth drums -o a --recordings 1 --seconds 2
run 0 synth drums -o b --recordings 1 --seconds 2000ms
cmp -s a/rec_000.wav b/rec_000.wav || fail '2 seconds are not 2000 ms'
absent m.loco x.csv clip.svg set

done_checking

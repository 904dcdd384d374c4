#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_cli.sh - the loco command as a user meets it: every command and option, every wrong input with its exit status
#   and a sentence that names it, nothing on the wrong stream, and outputs that cannot be written.
set -uo pipefail

# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

printf '%s\n' -4 3 -4 -1 -4 2 -4 >seven.txt
printf '# two certain events\ninf, -inf, inf\n-inf\n' >certain.txt

# ---- the command itself ----
wrong 2 'usage: loco <command>'
run 0 --help
says out 'usage: loco <command>'
silent err
run 0 -h
run 0 help
run 0 help loss
says out 'usage: loco loss'
run 0 --version
grep -qE '^loco [0-9]+\.[0-9]+\.[0-9]+ \(kernels: (ref|avx2|avx512)\)$' out || fail "odd version: $(cat out)"
LOCO_KERNELS=ref run 0 --version
says out 'kernels: ref'
wrong 2 "did you mean 'loco count'" conut seven.txt
wrong 2 "did you mean 'loco loss'" lsos seven.txt
wrong 2 "did you mean 'loco demo'" dmeo
wrong 2 "did you mean 'loco count'" --count
wrong 2 "no command 'xyzzy'" xyzzy
wrong 2 "no command ''" ''
wrong 2 "no command" help xyzzy

# ---- help, with examples that work ----
for command in demo loss train synth calibrate detect count eval report plot inspect; do
    run 0 "$command" --help
    says out "usage: loco $command"
    silent err
    cp out help
    run 0 "$command" -h
    cmp -s out help || fail "-h and --help differ"
    example=$(sed -n '/^example:/,$p' help | sed -n 2p)
    # the whole demo takes a minute, and has a test of its own
    [[ $command != demo ]] || example+=' --steps 4 --recordings 3'
    example=${example/steps=60/steps=4}
    (PATH=$LOCO_BUILD:$PATH && eval "$example" >example.out 2>&1) || fail "example of $command fails: $example"
    [[ -s example.out ]] || fail "example of $command says nothing"
done

run 0 loss --help
for text in rate 'frame,' time posterior 1e9 '10 million' '256 MB' 'exit status: 0'; do
    says out "$text"
done
run 0 plot --help
says out 1,000,000

# ---- demo, as short as can be ----
run 0 demo -o demo --steps 4 --recordings 3
says out 'demo/report.html'
says out 'mean over 3 classes'
says err 'step 4/4'
[[ -s demo/report.html && -s demo/training.jsonl && -s demo/drums.loco ]] || fail "the demo left something out"
cp demo/drums.loco first.loco
run 0 demo -o demo --steps 4 --recordings 3
cmp -s demo/drums.loco first.loco || fail "demo is not the same twice"
wrong 2 'takes no files' demo file
wrong 2 'whole number' demo --seed x
wrong 2 'whole number' demo --seed -1
wrong 2 'whole number' demo --seed 18446744073709551616
run 4 demo -o missing/x --steps 4 --recordings 3
says err 'missing/x'

# ---- loss: for people ----
run 0 loss seven.txt
says out 'seven.txt: 7 frames'
says out 'expected'
silent err
run 0 loss seven.txt --label 2 --rate 100
says out 'label   2: P '
says out '0.010 s'
"$loco" loss - --label 2 <seven.txt >out 2>err || fail "standard input"
says out 'standard input: 7 frames'
for label in 2 '1..3' '>=1' '<=4' '?' ' 2 .. 3 '; do
    run 0 loss --label "$label" seven.txt
done
run 0 loss -- seven.txt
run 0 loss certain.txt --label 2
says out 'loss 0'
run 1 loss certain.txt --label 3
says out 'loss inf'
says err 'certain.txt: P(label) is 0'
run 1 loss certain.txt --label 3 --events
silent out
says err 'certain.txt: P(label) is 0'
echo '1e308 1e308' | "$loco" loss - -l 0 >out 2>err
[[ $? == 1 ]] || fail "huge logits do not contradict the label"
says err 'standard input: P(label) is 0'

# ---- loss: for programs ----
run 0 loss seven.txt --label 2 --events
[[ $(cut -f1 out | tr '\n' ' ') == '1 5 ' ]] || fail "events: $(cat out)"
run 0 loss --events -l2 -r 100 seven.txt
[[ $(cut -f1 out | tr '\n' ' ') == '0.01 0.05 ' ]] || fail "times: $(cat out)"
run 0 loss -jl2 -r100 --events seven.txt # two letters in a word, and a value
says out '"time":0.01'
run 0 loss --events -l2 -r 100 seven.txt
[[ $(cut -f1 out | tr '\n' ' ') == '0.01 0.05 ' ]] || fail "times: $(cat out)"
run 0 loss seven.txt --label 2 --posterior
[[ $(wc -l <out) == 7 ]] || fail "posterior has $(wc -l <out) lines"
awk '{s += $1} END {exit !(s > 1.999999 && s < 2.000001)}' out || fail "posteriors do not sum to the count"
run 0 loss seven.txt --label 2 --sample 50 --seed 3
[[ $(wc -l <out) == 50 ]] || fail "50 samples, $(wc -l <out) lines"
awk 'NF != 2 {bad = 1} END {exit bad}' out || fail "a sample without 2 events"
cp out samples
run 0 loss seven.txt --label 2 --sample 50 --seed 3
cmp -s out samples || fail "the same seed, other samples"
run 0 loss seven.txt --label 2 --sample 50 --seed 4
cmp -s out samples && fail "another seed, the same samples"
run 0 loss seven.txt certain.txt --label '<=2' --events
says out '# seven.txt'
says out '# certain.txt'
run 0 loss seven.txt certain.txt --label 2 --rate 100 --posterior --events --sample 2 --json
[[ $(wc -l <out) == 2 ]] || fail "two files, $(wc -l <out) JSON lines"
says out '"frames":7'
says out '"label":"2"'
cp out two.json
[[ $(grep -c '"samples":\[\[0.0[0-9,.]*\],\[0.0[0-9,.]*\]\]' out) == 2 ]] || fail "samples are no times: $(cat out)"
run 0 loss certain.txt --label 2 --sample 2 --json
says out '"samples":[[0,2],[0,2]]'
run 0 loss certain.txt --label 2 --sample 2 --json --rate 10
says out '"samples":[[0,0.2],[0,0.2]]'
cp seven.txt $'odd "\\\t\xff.txt'
run 0 loss --json $'odd "\\\t\xff.txt'
says out '"odd \"\\\u0009\ufffd.txt"'
cat out >>two.json
run 1 loss --json --label 1 certain.txt
says out '"loss":null,"p_label":0'
cat out >>two.json
if command -v python3 >/dev/null; then
    python3 -c 'import json; [json.loads(line) for line in open("two.json", encoding="utf-8")]' || fail "no JSON"
fi
run 0 plot count seven.txt --label 2 --rate 100 -o seven.svg
[[ $(tail -1 seven.svg) == '</svg>' ]] || fail "seven.svg is no picture"

# ---- loss: wrong command lines ----
wrong 2 'give a file' loss
wrong 2 'did you mean --label' loss seven.txt --lable 2
wrong 2 'did you mean --posterior' loss seven.txt --posteriors
wrong 2 'no option --zzzzzz' loss seven.txt --zzzzzz=1
wrong 2 'no option -z' loss seven.txt -z
wrong 2 'needs a value' loss seven.txt --label
wrong 2 'needs a value' loss seven.txt --label --json
wrong 2 'takes no value' loss seven.txt --json=1
wrong 2 '--label' loss seven.txt --label two
wrong 2 '--label' loss seven.txt --label -1
wrong 2 '--label' loss seven.txt --label 5..2
wrong 2 '--label' loss seven.txt --label ''
wrong 2 'a number' loss seven.txt --rate fast
wrong 2 'a number' loss seven.txt --rate inf
wrong 2 'frames per second' loss seven.txt --rate=-1
wrong 2 'choose one of' loss seven.txt --label 2 --events --posterior
wrong 2 'draws one file' plot count seven.txt certain.txt -o x.svg
wrong 2 'at most' loss seven.txt --label 2 --sample 999999999999
wrong 2 '--sample takes a whole number, 1 or above, not "0"' loss seven.txt --label 2 --sample 0
wrong 2 'not to standard output' plot count seven.txt --label 2 -o -
wrong 2 '--output names a folder' demo -o -
[[ ! -e ./- ]] || fail "a file named -"

# ---- loss: wrong inputs ----
: >empty.txt
printf '1\n2\nthree\n' >letters.txt
printf '1 2\nnan\n' >nan.txt
printf '1,,2\n' >hole.txt
printf '\377\000\001PNG\r\n1 2 3' >bytes.bin
wrong 3 'missing.txt' loss missing.txt
wrong 3 'empty.txt: no numbers' loss empty.txt
wrong 3 'directory' loss .
wrong 3 'letters.txt:3: "three" is not a number' loss letters.txt
wrong 3 'nan.txt:2: "nan"' loss nan.txt
wrong 3 'hole.txt:1: a number is missing' loss hole.txt
wrong 3 'bytes.bin' loss bytes.bin
wrong 3 'seven.txt: ' loss seven.txt --label 8
wrong 3 'standard input: no numbers' loss -
run 3 loss missing.txt seven.txt
says out 'seven.txt: 7 frames'
says err 'missing.txt'
if [[ $(id -u) != 0 ]]; then
    cp seven.txt secret.txt
    chmod 0 secret.txt
    wrong 3 'secret.txt' loss secret.txt
fi

# ---- outputs that cannot be written ----
wrong 4 'missing/x.svg' plot count seven.txt -o missing/x.svg
wrong 3 'missing.txt' plot count missing.txt
wrong 2 '--label' plot count seven.txt --label two
wrong 2 'frames per second' plot count seven.txt --rate=-1
if [[ -w /dev/full ]]; then
    checks=$((checks + 3))
    "$loco" loss seven.txt >/dev/full 2>err
    [[ $? == 4 ]] || fail "a full disk is not noticed"
    says err 'cannot write to standard output'
    "$loco" --help >/dev/full 2>err
    [[ $? == 4 ]] || fail "a full disk is not noticed by --help"
fi
checks=$((checks + 2)) # a limit on file sizes, since a picture must never be aimed at a device of this machine
(trap '' XFSZ && ulimit -f 2 && exec "$loco" plot count seven.txt -o large.svg >out 2>err)
[[ $? == 4 && ! -e large.svg ]] || fail "a picture that does not fit is not noticed"
says err 'large.svg'
checks=$((checks + 2))
"$loco" loss seven.txt >&- 2>err
[[ $? == 4 ]] || fail "a closed standard output is not noticed"
seq 200000 >long.txt
{ "$loco" loss long.txt --posterior; echo $? >status; } 2>err | head -1 >/dev/null
[[ $(cat status) == 4 ]] || fail "a closed pipe gives $(cat status)"

done_checking

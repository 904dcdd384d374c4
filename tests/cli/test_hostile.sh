#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_hostile.sh - texts of strangers: what a model file says of itself, names of classes and of files. No escape sequence
#   and no forged line reaches the terminal, a cell of CSV is not computed by a spreadsheet, a page runs no script.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# Writes hostile.loco with classes $1 $2 $3, and every text about the model an attack.
hostile_model()
{
    python3 - "$LOCO_SOURCE/models/drums-three.loco" "$@" <<'EOF' || fail 'no hostile model'
import json, struct, sys
content = open(sys.argv[1], "rb").read()
(length,) = struct.unpack("<Q", content[:8])
header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
texts = header["__metadata__"]
texts.pop("checksum", None)
description = json.loads(texts["loco"])
description["classes"] = [word.encode().decode("unicode_escape") for word in sys.argv[2:]]
texts["loco"] = json.dumps(description)
attack = "\x1b[31mred\x9b2J\rforged<script>alert(1)</script>"
for key in ("about", "licence", "trained_on", "version", "command", "data", "scores"):
    texts[key] = attack
texts["evil\x1b[2J\nforged"] = attack
header = json.dumps(header).encode()
header += b" " * (-len(header) % 8)
open("hostile.loco", "wb").write(struct.pack("<Q", len(header)) + header + data)
EOF
}

# clean FILE...: no control character but line feeds and tabs, and nothing that reorders a line.
clean()
{
    local file
    for file in "$@"; do
        LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' "$file" >found &&
            fail "$file: $(cat -v found)"
    done
}

# harmless FILE...: clean, and no line begins as the attacks do behind a line feed.
harmless()
{
    local file
    clean "$@"
    for file in "$@"; do
        grep -n '^forged' "$file" >found && fail "$file has a forged line: $(cat -v "$file")"
    done
}

"$loco" synth drums -o set -n 1 --seconds 3 2>err || fail "no data set: $(cat err)"
take=set/rec_000.wav

# ---- models ----
for name in '\x1b[31m' 'new\nline' 'c1\x9b'; do
    hostile_model kick "$name" hihat
    refused 3 'no control characters' inspect hostile.loco
    harmless err
done
hostile_model '=cmd|x' '@sum' '<script>"&'
run 0 inspect hostile.loco
harmless out err
says out 'licence     ?[31mred?2J?forged'
mkdir shelf
cp hostile.loco shelf/
LOCO_MODELS=$work/shelf run 0 models
harmless out err
LOCO_MODELS=$work/shelf run 0 models --json
harmless out

# ---- cells ----
run 0 detect -m hostile.loco $take
harmless out
grep -q ",[=@]" out && fail "a cell that is computed: $(cat out)"
says out ",'=cmd|x,"
cp out events.csv
run 0 count -m hostile.loco $take
grep -q ",[=@]" out && fail "a cell that is computed: $(cat out)"
run 0 eval --reference events.csv --estimate events.csv # the same classes when they are read back
says out '=cmd|x'
grep -q "'=" out && fail "an apostrophe was read as part of a class: $(cat out)"
run 0 detect -m hostile.loco -f jsonl $take
harmless out

# ---- pages ----
run 0 report -m hostile.loco $take -o page.html
grep -q '<script>"&\|<script>alert' page.html && fail 'the page has a script of the model'

# ---- names of files ----
evil=$'set/evil\x1b[31m\nforged.wav'
cp $take "$evil"
run 0 detect -m drums "$evil"
clean out # a cell in quotes may hold a line feed
run 0 detect -m drums -f jsonl "$evil"
harmless out
wrong 3 'set/no?such' detect -m drums $'set/no\x1bsuch'
harmless err
wrong 2 'no option --x?y' detect $'--x\x1by'
harmless err
cp $take set/=cmd.wav
(cd set && run 0 detect -m drums =cmd.wav && says out "'=cmd.wav,")
script -qec "'$loco' detect -m drums '$evil'" /dev/null >screen </dev/null 2>&1 &&
    grep -q '^forged' screen && fail "a forged line on a terminal: $(cat -v screen)"


# screen_of ARGUMENTS...: what loco prints on a terminal, in `screen`; in `lines` without line clearings.
screen_of()
{
    local words
    printf -v words '%q ' "$loco" "$@"
    script -qec "$words" /dev/null >screen </dev/null 2>&1
    sed 's/.*\r\x1b\[K//' screen | tr -d '\r' >lines
}
screen_of count -m drums "$evil" $take
harmless lines
grep -q forged lines || fail "no count of the file: $(cat -v screen)"
grep -qP 'files/s(?!\r\x1b\[K)' screen && fail "the progress line is not cleared before the rows: $(cat -v screen)"

# ---- one hostile name, for every input and output ----
unset LOCO_MODELS
name=$'e\x1b[31m\nforged\xe2\x80\xae\xc2\x9b'
"$loco" synth drums -o many -n 4 --seconds 1 2>err || fail "no data set: $(cat err)"
cp "$LOCO_SOURCE/models/drums-three.loco" "$name.loco"
printf '0 1 2\n' >"$name.txt"
# said STATUS ARGUMENTS...: a run that names the hostile file, and is harmless.
said()
{
    run "$@"
    harmless out err
    checks=$((checks + 1))
    grep -qaF 'e?[31m?forged' out err || fail "loco $2 names no file: $(cat -v out err)"
}
said 0 inspect "$name.loco"
said 0 loss "$name.txt"
said 0 loss --label 1 "$name.txt"
said 0 loss --posterior --label 1 "$name.txt" "$name.txt"
[[ $(grep -c '^#' out) == 2 ]] || fail "a name spoils lists: $(cat -v out)"
said 0 report -m drums-three $take -o "$name.html"
said 0 plot clip -m drums-three $take --from 0s --to 1s -o "$name.svg"
said 0 plot evaluation -m drums-three many -o "$name.plots"
said 0 split many -o "$name.parts" --test 0.5
said 0 synth drums -o "$name.synth" -n 1 --seconds 1
said 0 synth spots -o "$name.spots" -n 1
said 0 enrich -m drums-three many -o "$name.enriched" -f set
said 0 train many -o "$name.trained.loco" --set steps=2 --set 'network=gru 4'
"$loco" train many -o "$name.long.loco" --set steps=10000000 --set check=5 --set 'network=gru 4' >out 2>err </dev/null &
training=$!
for ((i = 0; i < 600; i++)); do
    ! grep -q 'step 5/' err || break
    sleep 0.05
done
kill -INT $training
wait $training
harmless out err
says err 'stopped; the state is in e?[31m?forged'
words=()
eval "words=($(sed -n 's/^  loco //p' err))" # the command that goes on, as a shell reads it
[[ ${words[*]:0:4} == "train many -o $name.long.loco" ]] || fail "a command that names another file: $(cat -v err)"
said 0 demo -o "$name.demo" --recordings 4 --steps 2
for command in inspect 'detect -m' 'count -m' 'eval -m' 'enrich -m' 'calibrate -m' 'report -m' 'plot clip -m' split train \
    import loss; do
    # shellcheck disable=SC2086
    "$loco" $command "$name.none" "$name.none" -o "$name.out" >out 2>err </dev/null && fail "$command of no file"
    harmless out err
done

done_checking

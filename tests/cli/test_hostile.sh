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
texts["evil\x1b[2J\nkey"] = attack
header = json.dumps(header).encode()
header += b" " * (-len(header) % 8)
open("hostile.loco", "wb").write(struct.pack("<Q", len(header)) + header + data)
EOF
}

# harmless FILE...: no control character but line feeds and tabs.
harmless()
{
    for file in "$@"; do
        LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$file" >found && fail "$file: $(cat -v found)"
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
harmless out
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

done_checking

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_flac.sh - damaged FLAC files: every command that reads sound refuses them with one sentence, and leaves nothing.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if ! command -v flac >/dev/null; then
    echo 'skipped: there is no program flac'
    exit 77
fi

tiny=(--set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm' --set batch=4 --set steps=2)
"$loco" synth drums -o set -n 2 --seconds 3 2>err || fail "no data set: $(cat err)"
for n in 0 1; do
    flac -s --delete-input-file set/rec_00$n.wav || fail 'flac failed'
    sed -i "s/rec_00$n.wav/rec_00$n.flac/" set/counts.csv set/events.csv
done
take=set/rec_000.flac
cp $take whole.flac
run 0 train set -o m.loco "${tiny[@]}"

# spoil KIND: sum flips a bit of the MD5 sum, frame leaves out the third block, joined has the file twice.
spoil()
{
    python3 - "$1" whole.flac $take <<'EOF' || fail "$1: the file cannot be changed"
import sys
kind, whole, path = sys.argv[1:]
content = bytearray(open(whole, "rb").read())
if kind == "sum":
    content[30] ^= 1
elif kind == "joined":
    content += bytes(content)
else:
    at, last = 4, False
    while not last: # the blocks before the sound
        last, at = content[at] >= 128, at + 4 + int.from_bytes(content[at + 1 : at + 4], "big")
    starts = [at]
    while len(starts) < 4: # a block begins with ff f8, the same sizes, and its number
        starts.append(content.index(content[at : at + 2] + content[at + 2 : at + 4] + bytes([len(starts)]), starts[-1] + 1))
    del content[starts[2] : starts[3]]
open(path, "wb").write(content)
EOF
    checks=$((checks + 1))
    ! flac -ts $take 2>/dev/null || fail "$1: flac accepts it"
}

for kind in sum frame joined; do
    case $kind in
        sum) why='the samples are not those of the MD5 sum in its header' ;;
        frame) why='the file is damaged: a block of samples is missing' ;;
        *) why='the file goes on, where its header says that it ends' ;;
    esac
    spoil $kind
    refused 3 "rec_000.flac: at" detect -m drums $take
    says err "$why"
    refused 3 "$why" count -m drums $take
    refused 3 "$why" plot clip -m drums $take --from 0s --to 3s -o clip.svg
    refused 3 "$why" report -m drums $take -o page.html
    refused 3 "$why" report -m drums set -o page.html
    wrong 3 "$why" train set -o x.loco "${tiny[@]}"
    wrong 3 "$why" calibrate -m m.loco set
    wrong 3 "$why" eval -m m.loco set
    absent clip.svg page.html x.loco x.loco.checkpoint
done
done_checking

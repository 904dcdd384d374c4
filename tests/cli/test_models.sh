#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_models.sh - models by name, in every command that takes one; `loco models`; and what training writes into the
#   file about where the model comes from.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 4 --seconds 3 2>err || fail "no data set: $(cat err)"
printf 'made-up drums, public domain\nsecond line\n' >set/sources.txt
mkdir shelf
run 0 train set/ -o shelf/tiny.loco --set steps=4 --set check=4 --set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm' \
    --about 'a toy: it finds nothing' --licence CC0-1.0
take=set/rec_000.wav

# ---- what the file says ----
run 0 inspect shelf/tiny.loco
for line in 'about       a toy: it finds nothing' 'licence     CC0-1.0' 'trained_on  made-up drums, public domain' \
    '            second line' 'version     loco ' 'command     loco train set/ --set steps=4' \
    "--set 'network=conv 3x3 4 stride 4 norm'" 'scores      held-out clips: loss '; do
    says out "$line"
done
refused 2 'about must be one line' train set -o x.loco --set steps=2 --about $'two\nlines'
refused 2 'licence must be one line' train set -o x.loco --set steps=2 --licence ''
refused 2 'licence must be one line' train set -o x.loco --set steps=2 --licence $'\xff'
printf '\xff' >set/sources.txt
wrong 3 'sources.txt is not a text' train set -o x.loco --set steps=2
rm set/sources.txt
absent x.loco
run 0 train set -o plain.loco --set steps=2 --set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm'
run 0 inspect plain.loco
says out 'trained_on  4 recordings, '

# ---- names ----
export LOCO_MODELS=$work/nowhere:$work/shelf
run 0 detect -m tiny $take
says out 'file,time,class'
run 0 eval -m tiny set
run 0 report -m tiny $take -o page.html
grep -F '<title>tiny.loco</title>' page.html >/dev/null || fail 'the page is not called by its model'
run 0 inspect tiny
says out "$work/shelf/tiny.loco"
refused 2 'calibrate a copy of your own' calibrate -m tiny set
run 0 calibrate -m shelf/tiny.loco set
for words in 'detect set/rec_000.wav' 'eval set' 'report set' 'calibrate set' inspect; do
    read -ra words <<<"$words"
    model=(-m tyny)
    [[ ${words[0]} != inspect ]] || model=(tyny)
    refused 3 'there is no model "tyny"; the nearest name is tiny; there are: ' "${words[@]}" "${model[@]}"
done
mkdir tiny # a folder of that name, such as that of the data, is no model
run 0 inspect tiny
cp plain.loco plain
run 0 inspect plain # a file is one, whatever its ending
says out '4 recordings'
refused 3 'the model that LoCo finds by name is "tiny"' inspect tiny.loco
wrong 2 'finds kick, snare, side-stick, closed-hihat and 12 others; loco models lists' detect $take
wrong 2 'finds kick, snare, side-stick, closed-hihat and 12 others; loco models lists' report $take

# ---- the list ----
run 0 models
says out 'name       classes'
says out 'tiny       kick, snare, hihat'
says out 'CC0-1.0'
says out '           trained on: 2 sources, named by loco inspect, among them made-up drums, public domain'
silent err
run 0 models --json
if command -v python3 >/dev/null; then
    checks=$((checks + 1))
    python3 - <<'END' || fail "not the JSON that is expected: $(cat out)"
import json
tiny = [m for m in json.load(open("out")) if m["name"] == "tiny"][0]
assert tiny["classes"] == ["kick", "snare", "hihat"] and tiny["licence"] == "CC0-1.0", tiny
assert tiny["parameters"] > 100 and 0 < tiny["latency"] < 1 and tiny["look_ahead"] >= 0 and tiny["bytes"] > 1000, tiny
assert tiny["trained_on"].endswith("second line\n") and tiny["command"].startswith("loco train"), tiny
END
fi
echo nonsense >shelf/broken.loco
run 3 models
says out 'tiny       kick'
says err 'broken.loco'
rm shelf/broken.loco
refused 2 'takes no file' models tiny

# ---- found beside a program that was moved ----
mkdir -p tree/bin tree/share/loco/models
cp "$loco" tree/bin/loco
cp shelf/tiny.loco tree/share/loco/models/brought.loco
checks=$((checks + 1))
env -u LOCO_MODELS tree/bin/loco inspect brought >out 2>err || fail "not found beside the program: $(cat err)"
says out "$(realpath tree)/share/loco/models/brought.loco"

done_checking

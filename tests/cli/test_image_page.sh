#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_image_page.sh - a model of images: the page of `loco report`, images with marks by `loco detect`, and what `loco plot`
#   draws or refuses.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth spots -o set -n 8 --size 32x24 --spots 1..3 2>/dev/null || fail 'no images'
"$loco" train set --preset spots -o m.loco --set steps=4 --set check=2 2>/dev/null || fail 'no model'

# ---- report ----
run 0 report -m m.loco set -o page.html --title 'My <spots>' --most 2 --tolerance 4px
says err 'page.html is ready'
says page.html 'My &lt;spots&gt;'
says page.html 'F1 within 4 px'
says page.html "id='image1'"
checks=$((checks + 1))
! grep -q "id='image2'" page.html || fail 'more than two images'
run 0 report -m m.loco set/000000.png -o one.html
says one.html '<h3 id='"'name0'"'>000000.png</h3>'
mkdir bare
cp set/00000[12].png bare/
run 0 report -m m.loco bare -o bare.html
says bare.html '000002.png</a>'
wrong 2 '--tolerance 50ms: it is for images, in pixels' report -m m.loco set -o x.html --tolerance 50ms
wrong 2 '--tolerance 4px,5px' report -m m.loco set -o x.html --tolerance 4px,5px
printf 'no image' >bad.png
run 3 report -m m.loco bad.png -o x.html
says err 'bad.png'
absent x.html

# ---- detect ----
run 0 detect -m m.loco set/000000.png -o marked.png --decoding threshold=0.000001
silent out
checks=$((checks + 1))
[[ $(head -c 8 marked.png | od -An -tx1 | tr -d ' \n') == 89504e470d0a1a0a ]] || fail 'marked.png is not PNG'
run 0 detect -m m.loco bare -o marked/ --format marks
checks=$((checks + 1))
[[ $(ls marked) == $'000001.png\n000002.png' ]] || fail "files: $(ls marked)"
wrong 2 'set/000000.png is the image itself' detect -m m.loco set/000000.png -o set/000000.png
wrong 2 'would hold one recording, not 2' detect -m m.loco bare -o both.png
wrong 2 '--format marks needs a file: -o FILE.png' detect -m m.loco set/000000.png --format marks
refused 2 'midi holds times' detect -m m.loco set/000000.png -o x.mid
refused 2 'marks are drawn on an image, and this model has times' detect -m "$LOCO_SOURCE/models/drums.loco" set/000000.png -o y.png
absent both.png x.mid y.png

# ---- plot ----
run 0 plot training m.loco.jsonl -o training.svg
says training.svg '<svg'
run 0 eval -m m.loco set --json
cp out scores.json
run 0 plot scores spots=scores.json -o scores.svg
says scores.svg '<svg'
refused 2 'this model reads images; loco report shows them' plot clip -m m.loco set/000000.png --from 0s --to 9s -o clip.svg
refused 2 'these are places in images; loco eval prints' plot evaluation -m m.loco set -o pictures
refused 2 'these are places in images' plot evaluation --reference set/events.csv --estimate set/events.csv -o pictures
absent clip.svg pictures
done_checking

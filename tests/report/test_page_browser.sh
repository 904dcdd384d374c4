#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_page_browser.sh - the report in a real browser: nothing on the console, sound that loads, pictures that are
#   drawn, a switch and keys that work, no sideways scrolling and whole captions at the width of a phone, one lane for
#   many classes, a piano roll for pitches; images with their marks and map, enlarged. Skipped without Chromium.
set -euo pipefail

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z $browser ]]; then
    echo "skipped: no Chromium"
    exit 77
fi

if [[ $LOCO_SANITIZE == thread ]]; then # it builds only what starts threads
    echo "skipped: no test of the page to make one"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch" 2>/dev/null || true' EXIT
"$LOCO_BUILD/tests/run_report" page "$scratch/page.html"
"$LOCO_BUILD/tests/run_report" page "$scratch/many.html" many
"$LOCO_BUILD/tests/run_report" page "$scratch/piano.html" piano
"$LOCO_BUILD/tests/run_report" page_image "$scratch/images.html"

# A frame as wide as a phone, and a script that looks into it and says on the console what it found.
cat >"$scratch/phone.html" <<'HTML'
<!DOCTYPE html><title>phone</title>
<iframe src="page.html" width="390" height="800" style="border:0"></iframe>
<script>
const pause = ms => new Promise(done => setTimeout(done, ms));
const coloured = canvas => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 0) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
};
// A copy of a canvas that may be read point by point, in pixels of its image, which is 96 wide: [red, green, blue].
const copy = canvas => {
  const c = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  c.canvas.width = canvas.width;
  c.canvas.height = canvas.height;
  c.drawImage(canvas, 0, 0);
  const data = c.getImageData(0, 0, canvas.width, canvas.height).data, at = v => Math.round((v + 0.5) * canvas.width / 96);
  return (x, y) => [...data.slice(4 * (at(y) * canvas.width + at(x)), 4 * (at(y) * canvas.width + at(x)) + 3)];
};
const apart = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
// How many points around a mark have a colour, #rrggbb.
const around = (shade, mark, colour) => {
  const wanted = [1, 3, 5].map(i => parseInt(colour.substr(i, 2), 16));
  let n = 0;
  for (let dx = -3; dx <= 3; dx += 0.25) for (let dy = -3; dy <= 3; dy += 0.25)
    n += apart(shade(mark[0] + dx, mark[1] + dy), wanted) < 8;
  return n;
};
async function images(frame, width, check) {
  frame.width = width;
  frame.src = 'about:blank';
  await pause(100);
  frame.src = 'images.html';
  for (let i = 0; i < 50 && !frame.contentDocument.querySelector('#image1 canvas'); i++) await pause(100);
  await pause(400);
  const page = frame.contentDocument, first = page.querySelector('#image0'), canvas = first.querySelector('canvas');
  const named = name => name + ' at ' + width, fits = () => page.documentElement.scrollWidth <= width;
  check(named('two images'), page.querySelectorAll('.picture').length === 2);
  check(named('no overflow of images'), fits());
  const marks = JSON.parse(first.querySelector('script').textContent).marks;
  const colour = name => getComputedStyle(page.documentElement).getPropertyValue('--on-' + name).trim();
  const colours = [null, colour('hit'), colour('miss'), colour('false')];
  check(named('marks of all verdicts'), [1, 2, 3].every(v => marks.some(m => m[4] === v)));
  const drawn = copy(canvas), none = copy(page.querySelector('#image1 canvas'));
  check(named('marks are drawn'), marks.every(m => around(drawn, m, colours[m[4]]) > 6));
  check(named('an image without marks'), around(none, marks[0], colours[1]) === 0);
  const found = marks.find(m => m[4] === 1), changed = () => apart(copy(canvas)(found[0], found[1]), drawn(found[0], found[1]));
  first.querySelector('.heat').click();
  check(named('a probability map'), changed() > 60);
  const of = first.querySelector('.of');
  of.value = String((found[2] + 1) % 3);
  of.dispatchEvent(new Event('change'));
  check(named('the map of another class'), changed() < 20);
  const box = canvas.getBoundingClientRect(), scale = box.width / 96, tip = first.querySelector('.tip');
  const at = { clientX: box.left + (found[0] + 0.5) * scale, clientY: box.top + (found[1] + 0.5) * scale, bubbles: true };
  canvas.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', ...at }));
  check(named('a mark under the pointer'), /(round cell|long cell|speck): hit, probability 0.90, 1.5 px off/.test(tip.textContent));
  canvas.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', ...at }));
  canvas.dispatchEvent(new MouseEvent('click', at));
  check(named('a tap on a mark reads it'), !page.querySelector('dialog[open]') && !tip.hidden);
  first.querySelector('.enlarge').click();
  await pause(200);
  const dialog = page.querySelector('dialog[open]'), large = dialog.querySelector('canvas');
  check(named('enlarged'), large.clientWidth >= width - 20 && coloured(large) > 20 && fits());
  dialog.querySelector('.in').click();
  await pause(200);
  check(named('zoom of an image'), dialog.querySelector('.space').offsetWidth > 1.3 * dialog.querySelector('.scroller').clientWidth ||
    dialog.querySelector('.space').offsetHeight > 1.3 * dialog.querySelector('.scroller').clientHeight);
  dialog.querySelector('.bar > button:last-child').click();
  check(named('closed'), !page.querySelector('dialog[open]'));
}
document.querySelector('iframe').onload = async function () {
  const page = this.contentDocument, said = [], articles = page.querySelectorAll('.recording');
  const check = (name, holds) => { if (!holds) said.push(name); };
  try {
    for (let i = 0; i < 50 && ![...page.querySelectorAll('audio')].every(a => a.readyState >= 1); i++) await pause(100);
    const sounds = [...page.querySelectorAll('audio')];
    check('three recordings', articles.length === 3);
    const lasts = (sound, seconds) => Math.abs(sound.duration - seconds) < 0.01;
    check('two sounds', sounds.length === 2 && lasts(sounds[0], 12) && lasts(sounds[1], 30));
    check('no overflow', page.documentElement.scrollWidth <= 390);
    check('drawn', [...page.querySelectorAll('canvas')].every(c => coloured(c) > 20));
    const first = articles[0], canvas = first.querySelector('canvas'), sound = first.querySelector('audio');
    const key = name => canvas.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    key('PageUp');
    check('keys move', first.querySelector('.now').textContent === '0:05.0' && Math.abs(sound.currentTime - 5) < 0.01);
    key('Home');
    first.querySelector('.next').click();
    const mistake = first.querySelector('.now').textContent;
    check('next mistake', mistake !== '0:00.0');
    const before = sound.src;
    first.querySelector('.clicks').click();
    for (let i = 0; i < 50 && (sound.src === before || sound.readyState < 1); i++) await pause(100);
    check('clicks', sound.src !== before && lasts(sound, 12));
    const width = first.querySelector('.track').offsetWidth;
    first.querySelector('.in').click();
    check('zoom', first.querySelector('.track').offsetWidth > 1.5 * width);
    check('no overflow after zoom', page.documentElement.scrollWidth <= 390);
    const high = articles[0].querySelector('canvas').clientHeight;
    this.width = 1280;
    await pause(300);
    check('captions wrap', high > canvas.clientHeight + 30);
    check('wide', canvas.clientWidth > 900 && page.documentElement.scrollWidth <= 1280);
    this.onload = null;
    this.width = 360;
    this.src = 'many.html';
    for (let i = 0; i < 50 && !this.contentDocument.querySelector('.lanes li:nth-child(40)'); i++) await pause(100);
    await pause(300);
    const many = this.contentDocument, lane = many.querySelector('canvas');
    check('one lane of many classes', lane.clientHeight > 200 && lane.clientHeight < 600 && coloured(lane) > 10);
    check('no overflow with many classes', many.documentElement.scrollWidth <= 360);
    this.width = 390;
    this.src = 'piano.html';
    for (let i = 0; i < 50 && !this.contentDocument.querySelector('.lanes li:nth-child(88)'); i++) await pause(100);
    await pause(300);
    const piano = this.contentDocument, roll = piano.querySelector('canvas');
    check('a piano roll', roll.clientHeight > 300 && roll.clientHeight < 640 && coloured(roll) > 40);
    check('no overflow of a piano roll', piano.documentElement.scrollWidth <= 390);
    const tip = piano.querySelector('.tip'), box = roll.getBoundingClientRect();
    let notes = '';
    for (let y = 100; y < box.height - 30; y += 3) {
      roll.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', clientX: box.left + 70, clientY: box.top + y }));
      notes += tip.textContent;
    }
    check('a note under the pointer', /C2, note 36.*(hit|missed|false alarm)[^]*velocity [0-9]+, 1.80 s/.test(notes.replace(/\n/g, ' ')));
    await images(this, 390, check);
    await images(this, 1280, check);
  } catch (e) { said.push(String(e)); }
  console.log('verdict: ' + (said.length ? said.join('; ') + ' failed' : 'all is well'));
};
</script>
HTML

# Waits in real time, for media do not load any faster in the browser's virtual time. `timeout` ends the browser's
# helpers along with it.
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$scratch/profile" \
    --allow-file-access-from-files --enable-logging=stderr --v=0 --window-size=1280,1600 \
    "file://$scratch/phone.html" >/dev/null 2>"$scratch/log" &
pid=$!
for ((i = 0; i < 450; i++)); do
    if grep -q 'CONSOLE.*verdict: ' "$scratch/log" || ! kill -0 "$pid" 2>/dev/null; then
        break
    fi
    sleep 0.2
done
kill "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true

if ! grep -q 'CONSOLE.*verdict: all is well' "$scratch/log"; then
    grep CONSOLE "$scratch/log" >&2 || tail -5 "$scratch/log" >&2
    exit 1
fi
if grep CONSOLE "$scratch/log" | grep -v 'verdict: ' >&2; then
    echo "the page wrote to the console" >&2
    exit 1
fi
echo "the report works in $("$browser" --version 2>/dev/null)"

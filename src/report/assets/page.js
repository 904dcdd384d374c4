/* Draws and plays the recordings of a report. Numbers come from the JSON in each article, names from its elements.
 *
 * The canvas is as wide as what can be seen of it and stays in place while the track below it scrolls, so that any zoom
 * costs the same memory. A playing recording moves one line over it and redraws nothing. */
(function () {
'use strict';

var FOUND = 0, HIT = 1, MISS = 2, FALSE_ALARM = 3;
var WORDS = ['found', 'hit', 'missed', 'false alarm'];
var FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
var BOLD = '600 13' + FONT.slice(2), SMALL = '11' + FONT.slice(2);
var AXIS = 26, RIGHT = 10;
var root = document.documentElement, all = [];
root.classList.add('js');

/* ---- numbers and colours ---- */

function bytes(text) {
  var raw = atob(text || ''), out = new Uint8Array(raw.length);
  for (var i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

function clamp(x, lo, hi) { return x < lo ? lo : x > hi ? hi : x; }

/* 1, 2 or 5 times a power of ten that cuts span into at most `pieces` parts. */
function niceStep(span, pieces) {
  var power = Math.pow(10, Math.floor(Math.log10(span / pieces) + 1e-9));
  return [1, 2, 5, 10].map(function (f) { return f * power; }).find(function (s) { return span / s <= pieces + 1e-9; });
}

function clock(seconds) {
  var tenths = Math.round(seconds * 10);
  return Math.floor(tenths / 600) + ':' + String(Math.floor(tenths / 10) % 60).padStart(2, '0') + '.' + tenths % 10;
}

/* 256 colours between the stops of a custom property, as RGBA. */
function ramp(stops) {
  var list = stops.trim().split(/\s+/).map(function (hex) {
    return [1, 3, 5, 7].map(function (i) { return hex.length > i ? parseInt(hex.substr(i, 2), 16) : 255; });
  });
  var out = new Uint8ClampedArray(1024);
  for (var i = 0; i < 256; i++) {
    var at = i / 255 * (list.length - 1), k = Math.min(list.length - 2, Math.floor(at));
    for (var c = 0; c < 4; c++) out[4 * i + c] = list[k][c] + (at - k) * (list[k + 1][c] - list[k][c]);
  }
  return out;
}

function readColours() {
  var style = getComputedStyle(root), out = {};
  ['ink', 'soft', 'mute', 'rule', 'line', 'sunk', 'p', 'p-fill', 'wave', 'known', 'hit', 'miss', 'false', 'panel']
    .forEach(function (name) { out[name] = style.getPropertyValue('--' + name).trim(); });
  out.spec = ramp(style.getPropertyValue('--spec'));
  out.heat = ramp(style.getPropertyValue('--heat'));
  return out;
}

var colours = readColours();

/* Cells (columns, rows), lowest row first, as a canvas of as many pixels. */
function image(cells, columns, rows, palette) {
  var canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = rows;
  var context = canvas.getContext('2d'), pixels = context.createImageData(columns, rows);
  for (var c = 0; c < columns; c++)
    for (var r = 0; r < rows; r++) {
      var from = 4 * cells[c * rows + r], to = 4 * ((rows - 1 - r) * columns + c);
      for (var k = 0; k < 4; k++) pixels.data[to + k] = palette[from + k];
    }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/* ---- one recording ---- */

function Recording(article) {
  var find = function (name) { return article.querySelector(name); };
  this.article = article;
  this.view = find('.view');
  this.track = find('.track');
  this.canvas = find('canvas');
  this.head = find('.head');
  this.tip = find('.tip');
  this.audio = find('audio');
  this.now = find('.now');
  this.data = JSON.parse(find('script').textContent);
  this.names = Array.from(article.querySelectorAll('.lanes li'), function (li) {
    return [li.querySelector('b').textContent, li.querySelector('span').textContent.replace('; ', ' \u00b7 ')];
  });
  this.prepare();
  this.zoom = this.view.clientWidth < 520 && this.seconds > 4 ? 2 : 1;
  if (this.keys) while (this.zoom < 8 && (this.view.clientWidth - 60) * this.zoom / this.seconds < 45) this.zoom *= 2;
  this.time = 0;
  this.listen(find);
}

Recording.prototype.prepare = function () {
  var d = this.data;
  this.seconds = d.seconds;
  this.wave = d.wave ? new Int8Array(bytes(d.wave).buffer) : null;
  this.spec = d.spec ? { cells: bytes(d.spec.data), columns: d.spec.columns, bands: d.spec.bands, from: d.spec.from,
                         step: d.spec.step } : null;
  this.marks = d.marks.slice().sort(function (a, b) { return a[0] - b[0]; });
  this.lanes = d.lanes.map(function (lane, i) {
    return { p: bytes(lane.p), from: lane.from, step: lane.step, cells: bytes(lane.heat), columns: lane.columns,
             rows: lane.rows, per: lane.per, begin: lane.begin, end: lane.end, known: lane.known,
             marks: this.marks.filter(function (m) { return m[1] === i; }) };
  }, this);
  this.roll = d.roll ? { cells: bytes(d.roll.data), columns: d.roll.columns, rows: d.roll.rows, begin: d.roll.begin,
                         end: d.roll.end } : null;
  if (d.roll && d.roll.pitched) this.prepareKeys();
  this.mistakes = this.marks.filter(function (m) { return m[3] >= MISS; });
};

/* A piano roll: rows by pitch, from the lowest note to the highest and a little beyond, two octaves at least. */
Recording.prototype.prepareKeys = function () {
  var pitches = this.names.map(function (name) { return Number(name[0]); });
  var used = this.marks.map(function (m) { return pitches[m[1]]; });
  var low = Math.min.apply(null, used.length ? used : pitches) - 2, high = Math.max.apply(null, used.length ? used : pitches) + 2;
  while (high - low < 24) { low--; high++; }
  this.keys = { pitches: pitches, low: Math.max(0, low), high: Math.min(127, high) };
  this.marks.forEach(function (m) { if (m.length < 7) m.push(m[0] + 0.1, 64); });
};

var SHARP = [1, 3, 6, 8, 10], LETTERS = ['C', 'C\u266f', 'D', 'D\u266f', 'E', 'F', 'F\u266f', 'G', 'G\u266f', 'A', 'A\u266f', 'B'];

function pitchName(pitch) { return LETTERS[pitch % 12] + (Math.floor(pitch / 12) - 1); }

/* Captions beside the name where there is room, or else in lines below it. */
Recording.prototype.caption = function (c, lane, name, words) {
  c.font = BOLD;
  lane.name = fit(c, name, this.plot - 7);
  var used = c.measureText(lane.name).width;
  c.font = FONT;
  lane.beside = used + 19 + c.measureText(words).width <= this.plot;
  lane.indent = lane.beside ? used + 19 : 7;
  lane.words = lane.beside ? [words] : words.split(' \u00b7 ').reduce(function (lines, part) {
    return lines.concat(wrap(c, part, this.plot - 7));
  }.bind(this), []);
  return lane.beside ? 0 : 16 * lane.words.length;
};

/* Where each strip lies, from top to bottom. */
Recording.prototype.plan = function (c) {
  var y = 0;
  if (this.spec) { this.specTop = y; this.specHeight = 116; y += 116 + 4; }
  if (this.wave) { this.waveTop = y; this.waveHeight = 46; y += 46 + 4; }
  y += 8;
  if (this.roll) {
    this.roll.title = y + 14;
    var rows = this.keys ? this.keys.high - this.keys.low + 1 : this.roll.rows;
    y += 24 + (this.keys ? this.caption(c, this.roll, 'Notes', pitchName(this.keys.low + 2) + ' to ' + pitchName(this.keys.high - 2))
                         : this.caption(c, this.roll, this.names.length + ' classes', 'a row for each, with its probability'));
    this.roll.top = y;
    this.roll.row = this.keys ? clamp(Math.floor(420 / rows), 5, 12) : clamp(Math.floor(384 / rows), 4, 16);
    this.roll.bottom = y + this.roll.row * rows;
    y = this.roll.bottom + 18;
  }
  this.lanes.forEach(function (lane, i) {
    lane.title = y + 14;
    y += this.caption(c, lane, this.names[i][0], this.names[i][1]);
    lane.marksAt = y + 32;
    lane.top = y + 44;
    lane.bottom = lane.top + 54;
    lane.heatTop = lane.bottom + 5;
    lane.heatHeight = clamp(lane.rows * 6, 30, 84);
    lane.heatBottom = lane.heatTop + lane.heatHeight;
    y = lane.heatBottom + 18;
  }, this);
  this.plotBottom = y - 10;
  this.height = this.plotBottom + AXIS;
};

/* Times to pixels of the canvas, and back. */
Recording.prototype.x = function (time) {
  return this.left + (time / this.seconds * this.plot * this.zoom) - this.view.scrollLeft;
};
Recording.prototype.timeAt = function (x) {
  return clamp((x - this.left + this.view.scrollLeft) / (this.plot * this.zoom), 0, 1) * this.seconds;
};

Recording.prototype.draw = function () {
  var width = this.view.clientWidth, ratio = Math.min(3, window.devicePixelRatio || 1);
  if (width < 10) return;
  var c = this.canvas.getContext('2d');
  if (this.width !== width) {
    this.width = width;
    this.left = this.margin(c, width);
    this.plot = width - this.left - RIGHT;
    this.plan(c);
  }
  this.track.style.width = (width + this.plot * (this.zoom - 1)) + 'px';
  if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = width + 'px';
    this.canvas.style.height = this.height + 'px';
  }
  this.from = this.timeAt(this.left);
  this.to = this.timeAt(this.left + this.plot);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, this.height);
  this.drawGrid(c);
  if (this.spec) this.drawSpectrogram(c);
  if (this.wave) this.drawWave(c);
  if (this.keys) this.drawKeys(c);
  else if (this.roll) this.drawRoll(c);
  this.lanes.forEach(function (lane) { this.drawLane(c, lane); }, this);
  this.moveHead();
};

/* Left of the plot: numbers, or the names of the rows, which may take a quarter of the width. */
Recording.prototype.margin = function (c, width) {
  var least = width < 520 ? 26 : 34;
  if (!this.roll) return least;
  if (this.keys) return 46;
  c.font = SMALL;
  var widest = this.names.reduce(function (most, name) { return Math.max(most, c.measureText(name[0]).width); }, 0);
  return Math.ceil(clamp(widest + 12, least, width / 4));
};

/* Ticks stand at round times of the recording, of which the picture may show a later piece. */
Recording.prototype.drawGrid = function (c) {
  var start = this.data.start, step = niceStep(this.to - this.from, Math.max(2, this.plot / 80));
  var decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0, right = this.left + this.plot, unit = ' s';
  c.font = SMALL;
  c.lineWidth = 1;
  for (var i = Math.ceil((start + this.from) / step - 1e-9); i * step <= start + this.to + 1e-9; i++) {
    var x = Math.round(this.x(i * step - start)) + 0.5, label = (i * step).toFixed(decimals) + unit;
    c.strokeStyle = colours.rule;
    c.beginPath();
    this.lanes.forEach(function (lane) { c.moveTo(x, lane.top); c.lineTo(x, lane.bottom); });
    if (this.roll) { c.moveTo(x, this.roll.bottom); c.lineTo(x, this.plotBottom); }
    c.moveTo(x, this.plotBottom);
    c.lineTo(x, this.plotBottom + 5);
    c.stroke();
    c.fillStyle = colours.mute;
    c.textAlign = x > right - 12 ? 'right' : 'center';
    c.fillText(label, x > right - 12 ? right + RIGHT - 2 : x, this.plotBottom + 19);
    unit = '';
  }
};

/* Draws the part of an image that is visible: its columns cover begin..end seconds. */
Recording.prototype.drawImage = function (c, picture, begin, end, top, height, smooth) {
  var per = picture.width / (end - begin);
  var from = clamp((this.from - begin) * per, 0, picture.width), to = clamp((this.to - begin) * per, 0, picture.width);
  if (to - from < 1e-6) return;
  var x = this.x(begin + from / per);
  c.imageSmoothingEnabled = smooth;
  c.drawImage(picture, from, 0, to - from, picture.height, x, top, this.x(begin + to / per) - x, height);
};

Recording.prototype.drawSpectrogram = function (c) {
  var s = this.spec;
  s.image = s.image || image(s.cells, s.columns, s.bands, colours.spec);
  c.save();
  c.beginPath();
  c.roundRect(this.left, this.specTop, this.plot, this.specHeight, 6);
  c.clip();
  c.fillStyle = colours.sunk;
  c.fillRect(this.left, this.specTop, this.plot, this.specHeight);
  this.drawImage(c, s.image, s.from - s.step / 2, s.from + (s.columns - 0.5) * s.step, this.specTop, this.specHeight, true);
  c.restore();
};

Recording.prototype.drawWave = function (c) {
  var columns = this.wave.length / 2, middle = this.waveTop + this.waveHeight / 2, reach = this.waveHeight / 2 - 1;
  c.fillStyle = colours.wave;
  for (var x = 0; x < this.plot; x++) {
    var a = this.timeAt(this.left + x) / this.seconds * columns, b = this.timeAt(this.left + x + 1) / this.seconds * columns;
    var lo = 0, hi = 0;
    for (var i = Math.floor(a); i < Math.max(b, Math.floor(a) + 1) && i < columns; i++) {
      lo = Math.min(lo, this.wave[2 * i]);
      hi = Math.max(hi, this.wave[2 * i + 1]);
    }
    c.fillRect(this.left + x, middle - hi / 127 * reach - 0.4, 1, (hi - lo) / 127 * reach + 0.8);
  }
};

/* text cut to width, with an ellipsis. */
function fit(c, text, width) {
  if (c.measureText(text).width <= width) return text;
  while (text.length > 1 && c.measureText(text + '\u2026').width > width) text = text.slice(0, -1);
  return text + '\u2026';
}

/* text in lines of at most width, broken between words. */
function wrap(c, text, width) {
  return text.split(' ').reduce(function (lines, word) {
    var longer = lines.length ? lines[lines.length - 1] + ' ' + word : word;
    if (lines.length && c.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
    return lines;
  }, []);
}

Recording.prototype.drawCaption = function (c, lane) {
  c.textAlign = 'left';
  c.font = BOLD;
  c.fillStyle = colours.ink;
  c.fillText(lane.name, this.left + 7, lane.title);
  c.font = FONT;
  c.fillStyle = colours.mute;
  lane.words.forEach(function (line, i) {
    c.fillText(line, this.left + lane.indent, lane.title + (lane.beside ? 0 : 16 * (i + 1)));
  }, this);
};

/* ---- a piano roll ---- */

/* The top of the row of a pitch. */
Recording.prototype.keyTop = function (pitch) {
  return this.roll.top + (this.keys.high - pitch) * this.roll.row;
};

/* Rows of black keys are darker, a line is below each C, and the keys themselves stand at the left. */
Recording.prototype.drawKeyboard = function (c) {
  var r = this.roll, k = this.keys, right = this.left + this.plot, pitch, y;
  c.fillStyle = '#eef1f4'; /* keys are black and white on dark screens, too */
  c.fillRect(this.left - 18, r.top, 18, r.bottom - r.top);
  c.fillStyle = colours.panel;
  c.fillRect(this.left, r.top, this.plot, r.bottom - r.top);
  for (pitch = k.low; pitch <= k.high; pitch++) {
    y = this.keyTop(pitch);
    var black = SHARP.indexOf(pitch % 12) >= 0;
    if (black) {
      c.fillStyle = colours.sunk;
      c.fillRect(this.left, y, this.plot, r.row);
      c.fillStyle = '#2a333d';
      c.fillRect(this.left - 18, y + 0.5, 10, r.row - 1);
    }
    c.fillStyle = pitch % 12 === 0 ? colours.line : colours.rule;
    if (pitch % 12 === 0 || pitch % 12 === 5) c.fillRect(this.left - 18, y + r.row - 0.5, right - this.left + 18, 1);
  }
  c.strokeStyle = colours.line;
  c.lineWidth = 1;
  c.strokeRect(this.left - 18.5, r.top - 0.5, this.plot + 19, r.bottom - r.top + 1);
  c.fillRect(this.left - 1, r.top, 1, r.bottom - r.top);
  c.font = SMALL;
  c.textAlign = 'right';
  c.fillStyle = colours.mute;
  for (pitch = k.low; pitch <= k.high; pitch++)
    if (pitch % 12 === 0) c.fillText(pitchName(pitch), this.left - 22, this.keyTop(pitch) + r.row / 2 + 4);
};

/* A note is a bar, of a stronger colour where it is louder. What was missed is a dashed frame; a false alarm a frame with a cross. */
Recording.prototype.drawNote = function (c, m) {
  var r = this.roll, x = this.x(m[0]), y = this.keyTop(this.keys.pitches[m[1]]) + 0.5, high = r.row - 1;
  var wide = Math.max(4, this.x(m[5]) - x - 1), shade = 4 * Math.round(80 + 175 * clamp((m[6] - 36) / 56, 0, 1));
  if (m[3] === FOUND || m[3] === HIT) {
    c.fillStyle = 'rgb(' + colours.heat[shade] + ',' + colours.heat[shade + 1] + ',' + colours.heat[shade + 2] + ')';
    c.beginPath();
    c.roundRect(x, y, wide, high, Math.min(2.5, high / 2));
    c.fill();
    return;
  }
  c.strokeStyle = colours[m[3] === MISS ? 'miss' : 'false'];
  c.fillStyle = colours.panel;
  c.lineWidth = 1.5;
  c.setLineDash(m[3] === MISS ? [4, 2.5] : []);
  c.beginPath();
  c.roundRect(x + 0.75, y + 0.25, wide, Math.max(3, high - 0.5), 1.5);
  c.fill();
  c.stroke();
  c.setLineDash([]);
  if (m[3] === MISS) return;
  c.beginPath();
  c.moveTo(x + 1.5, y + 1); c.lineTo(x + high + 0.5, y + high - 0.5);
  c.moveTo(x + high + 0.5, y + 1); c.lineTo(x + 1.5, y + high - 0.5);
  c.stroke();
};

Recording.prototype.drawKeys = function (c) {
  this.drawCaption(c, this.roll);
  this.drawKeyboard(c);
  c.save();
  c.beginPath();
  c.rect(this.left, this.roll.top, this.plot, this.roll.bottom - this.roll.top);
  c.clip();
  [HIT, FOUND, FALSE_ALARM, MISS].forEach(function (verdict) {
    this.marks.forEach(function (m) {
      if (m[3] === verdict && m[5] > this.from - 0.2 && m[0] < this.to + 0.2) this.drawNote(c, m);
    }, this);
  }, this);
  c.restore();
};

/* All classes in one lane: a row for each, and its marks upon it. */
Recording.prototype.drawRoll = function (c) {
  var r = this.roll, step = Math.ceil(11 / r.row);
  this.drawCaption(c, r);
  r.image = r.image || image(r.cells, r.columns, r.rows, colours.heat);
  c.save();
  c.beginPath();
  c.roundRect(this.left, r.top, this.plot, r.bottom - r.top, 4);
  c.clip();
  c.fillStyle = colours.sunk;
  c.fillRect(this.left, r.top, this.plot, r.bottom - r.top);
  this.drawImage(c, r.image, r.begin, r.end, r.top, r.bottom - r.top, false);
  this.marks.forEach(function (m) {
    if (m[0] < this.from - 0.2 || m[0] > this.to + 0.2) return;
    var x = this.x(m[0]), y = r.top + (m[1] + 0.5) * r.row, size = clamp(r.row / 3, 2, 4);
    c.fillStyle = colours.panel; /* apart from the dark cell of a sure event */
    c.beginPath();
    c.arc(x, y, size + 1.5, 0, 7);
    c.fill();
    c.strokeStyle = c.fillStyle = colours[['hit', 'hit', 'miss', 'false'][m[3]]];
    c.lineWidth = 1.5;
    c.beginPath();
    this.shape(c, m[3], x, y, size);
  }, this);
  c.restore();
  c.font = SMALL;
  c.textAlign = 'right';
  c.fillStyle = colours.mute;
  for (var k = 0; k < r.rows; k += step)
    c.fillText(fit(c, this.names[k][0], this.left - 8), this.left - 6, r.top + (k + 0.5) * r.row + 4);
};

Recording.prototype.drawLane = function (c, lane) {
  this.drawCaption(c, lane);
  this.drawRules(c, lane);
  this.drawHeat(c, lane);
  c.save();
  c.beginPath();
  c.rect(this.left - 1, lane.marksAt - 12, this.plot + 2, lane.heatBottom - lane.marksAt + 12);
  c.clip();
  this.drawCurve(c, lane);
  c.restore();
  this.drawMarks(c, lane);
};

Recording.prototype.drawRules = function (c, lane) {
  c.font = SMALL;
  c.textAlign = 'right';
  [0, 1].forEach(function (p) {
    var y = Math.round(lane.bottom - p * (lane.bottom - lane.top)) + 0.5;
    c.strokeStyle = p ? colours.rule : colours.line;
    c.beginPath();
    c.moveTo(this.left, y);
    c.lineTo(this.left + this.plot, y);
    c.stroke();
    c.fillStyle = colours.mute;
    c.fillText(p, this.left - 7, y + (p ? 4 : 1));
  }, this);
};

/* p as an area under a line. Where several values share half a pixel, the largest is drawn. */
Recording.prototype.drawCurve = function (c, lane) {
  var n = lane.p.length, height = lane.bottom - lane.top;
  var first = clamp(Math.floor((this.from - lane.from) / lane.step) - 1, 0, n - 1);
  var last = clamp(Math.ceil((this.to - lane.from) / lane.step) + 1, 0, n - 1);
  var jump = Math.max(1, Math.floor((last - first) / this.plot / 2)), line = new Path2D(), x = 0;
  for (var i = first; i <= last; i += jump) {
    var most = 0;
    for (var k = i; k < i + jump && k <= last; k++) most = Math.max(most, lane.p[k]);
    x = this.x(lane.from + (i + (jump - 1) / 2) * lane.step);
    line[i === first ? 'moveTo' : 'lineTo'](x, lane.bottom - most / 255 * height);
  }
  var area = new Path2D(line);
  area.lineTo(x, lane.bottom);
  area.lineTo(this.x(lane.from + first * lane.step), lane.bottom);
  c.fillStyle = colours['p-fill'];
  c.fill(area);
  c.strokeStyle = colours.p;
  c.lineWidth = 1.5;
  c.lineJoin = 'round';
  c.stroke(line);
};

Recording.prototype.drawHeat = function (c, lane) {
  lane.image = lane.image || image(lane.cells, lane.columns, lane.rows, colours.heat);
  c.save();
  c.beginPath();
  c.roundRect(this.left, lane.heatTop, this.plot, lane.heatHeight, 4);
  c.clip();
  c.fillStyle = colours.sunk;
  c.fillRect(this.left, lane.heatTop, this.plot, lane.heatHeight);
  this.drawImage(c, lane.image, lane.begin, lane.end, lane.heatTop, lane.heatHeight, false);
  var row = lane.heatHeight / lane.rows;
  if (lane.known !== undefined && lane.known / lane.per < lane.rows) {
    var place = Math.floor(lane.known / lane.per);
    c.strokeStyle = colours.known;
    c.lineWidth = 1.5;
    if (row > 5) c.strokeRect(this.left + 0.75, lane.heatBottom - (place + 1) * row, this.plot - 1.5, row);
    else c.strokeRect(this.left, lane.heatBottom - (place + 0.5) * row, this.plot, 0.01);
  }
  c.restore();
  c.font = SMALL;
  c.textAlign = 'right';
  c.fillStyle = colours.mute;
  var step = Math.max(1, niceStep(lane.rows * lane.per, Math.max(2, lane.heatHeight / 22)));
  for (var k = 0; k < lane.rows * lane.per; k += step)
    c.fillText(k, this.left - 7, Math.max(lane.heatTop + 9, lane.heatBottom - (k / lane.per + 0.5) * row + 4));
};

/* A mark is a shape in its row and a stem through the curve. Crowded marks are smaller. */
Recording.prototype.drawMarks = function (c, lane) {
  var seen = lane.marks.filter(function (m) { return m[0] >= this.from - 0.2 && m[0] <= this.to + 0.2; }, this);
  var radius = clamp(this.plot / Math.max(1, seen.length) / 3, 2.4, 4.2);
  seen.forEach(function (m) {
    var x = this.x(m[0]), y = lane.marksAt, colour = colours[['hit', 'hit', 'miss', 'false'][m[3]]];
    if (x < this.left - 1 || x > this.left + this.plot + 1) return;
    c.strokeStyle = c.fillStyle = colour;
    c.globalAlpha = m[3] >= MISS ? 0.75 : 0.22;
    c.lineWidth = 1;
    c.setLineDash(m[3] === MISS ? [2, 3] : []);
    c.beginPath();
    c.moveTo(x, y + radius + 2);
    c.lineTo(x, lane.bottom);
    c.stroke();
    c.globalAlpha = 1;
    c.setLineDash([]);
    c.lineWidth = 2;
    c.lineCap = 'round';
    c.beginPath();
    this.shape(c, m[3], x, y, radius);
  }, this);
  c.lineCap = 'butt';
};

Recording.prototype.shape = function (c, verdict, x, y, r) {
  if (verdict === FALSE_ALARM) {
    c.moveTo(x - r, y - r); c.lineTo(x + r, y + r);
    c.moveTo(x + r, y - r); c.lineTo(x - r, y + r);
    c.stroke();
  } else if (verdict === FOUND) {
    c.moveTo(x - r * 1.1, y - r); c.lineTo(x + r * 1.1, y - r); c.lineTo(x, y + r);
    c.fill();
  } else {
    c.arc(x, y, r, 0, 7);
    if (verdict === HIT) c.fill(); else c.stroke();
  }
};

/* ---- sound ---- */

/* The sound as a file in memory, which every browser can seek in; with clicks mixed in when asked for. */
Recording.prototype.source = function (clicks) {
  var key = clicks ? 'mixed' : 'plain';
  if (!this.wav) this.wav = bytes(this.audio.getAttribute('src').split(',')[1]);
  if (!this[key]) this[key] = URL.createObjectURL(new Blob([clicks ? this.mix() : this.wav], { type: 'audio/wav' }));
  return this[key];
};

Recording.prototype.mix = function () {
  var out = this.wav.slice(), view = new DataView(out.buffer), rate = view.getUint32(24, true);
  var n = (out.length - 44) / 2, sum = new Float32Array(n), levels = this.data.levels, i;
  for (i = 0; i < n; i++) sum[i] = view.getInt16(44 + 2 * i, true) * levels[0];
  var shapes = this.data.clicks.map(function (text) { return new Int16Array(bytes(text).buffer); });
  this.marks.forEach(function (m) {
    var at = Math.round(m[0] * rate), shape = shapes[m[1] % shapes.length];
    for (var k = 0; m[3] !== MISS && k < shape.length && at + k < n; k++) sum[at + k] += levels[1] * shape[k];
  });
  var peak = 32112;
  for (i = 0; i < n; i++) peak = Math.max(peak, Math.abs(sum[i]));
  for (i = 0; i < n; i++) view.setInt16(44 + 2 * i, Math.round(sum[i] * 32112 / peak), true);
  return out;
};

Recording.prototype.setClicks = function (clicks) {
  var self = this, playing = !this.audio.paused, time = this.time;
  this.audio.pause();
  this.audio.src = this.source(clicks);
  this.audio.addEventListener('loadedmetadata', function () {
    self.audio.currentTime = time;
    if (playing) self.audio.play();
  }, { once: true });
};

Recording.prototype.toggle = function () {
  if (!this.audio) return;
  if (!this.audio.paused) { this.audio.pause(); return; }
  all.forEach(function (other) { if (other.audio) other.audio.pause(); });
  if (this.time >= this.seconds - 0.05) this.seek(0);
  this.audio.play();
};

Recording.prototype.seek = function (time) {
  this.time = clamp(time, 0, this.seconds);
  if (this.audio) this.audio.currentTime = this.time;
  this.moveHead();
};

Recording.prototype.moveHead = function () {
  var x = this.x(this.time);
  this.head.style.transform = 'translateX(' + (x + this.view.scrollLeft) + 'px)';
  this.head.style.visibility = x < this.left - 1 ? 'hidden' : 'visible';
  if (this.now) this.now.textContent = clock(this.time);
  this.canvas.setAttribute('aria-valuenow', this.time.toFixed(2));
  this.canvas.setAttribute('aria-valuetext', this.time.toFixed(2) + ' seconds');
};

/* Scrolls so that a time can be seen, near the left edge when it was outside. */
Recording.prototype.show = function (time) {
  var x = this.x(time);
  if (x < this.left || x > this.left + this.plot)
    this.view.scrollLeft = time / this.seconds * this.plot * this.zoom - this.plot * 0.1;
};

Recording.prototype.setZoom = function (zoom) {
  var middle = clamp(this.time, this.from, this.to);
  this.zoom = clamp(zoom, 1, 32);
  this.draw();
  this.view.scrollLeft = middle / this.seconds * this.plot * this.zoom - this.plot / 2;
  this.draw();
  this.article.querySelector('.out').disabled = this.zoom <= 1;
  this.article.querySelector('.in').disabled = this.zoom >= 32;
};

/* ---- hands ---- */

Recording.prototype.listen = function (find) {
  var self = this, pending = false;
  find('.in').addEventListener('click', function () { self.setZoom(self.zoom * 2); });
  find('.out').addEventListener('click', function () { self.setZoom(self.zoom / 2); });
  find('.out').disabled = this.zoom <= 1;
  if (find('.next')) find('.next').addEventListener('click', function () { self.nextMistake(); });
  this.view.addEventListener('scroll', function () {
    if (pending) return;
    pending = true;
    requestAnimationFrame(function () { pending = false; self.draw(); });
  });
  this.canvas.addEventListener('click', function (e) { self.seek(self.timeAt(e.offsetX)); });
  this.canvas.addEventListener('keydown', function (e) { self.key(e); });
  this.canvas.addEventListener('pointermove', function (e) { if (e.pointerType === 'mouse') self.hover(e); });
  this.canvas.addEventListener('pointerleave', function () { self.tip.hidden = true; });
  if (this.audio) this.listenToSound(find);
};

Recording.prototype.listenToSound = function (find) {
  var self = this, button = find('.play');
  this.audio.controls = false;
  this.audio.src = this.source(false);
  button.addEventListener('click', function () { self.toggle(); });
  find('.clicks').addEventListener('change', function () { self.setClicks(this.checked); });
  this.audio.addEventListener('play', function () {
    self.article.classList.add('playing');
    button.setAttribute('aria-label', 'Pause');
    requestAnimationFrame(function step() {
      if (self.audio.paused) return;
      self.time = clamp(self.audio.currentTime, 0, self.seconds);
      self.show(self.time);
      self.moveHead();
      requestAnimationFrame(step);
    });
  });
  ['pause', 'ended'].forEach(function (name) {
    self.audio.addEventListener(name, function () {
      self.article.classList.remove('playing');
      button.setAttribute('aria-label', 'Play');
    });
  });
};

Recording.prototype.key = function (e) {
  var step = e.shiftKey ? 1 : 0.1, moves = { ArrowLeft: -step, ArrowRight: step, ArrowDown: -step, ArrowUp: step,
    PageDown: -5, PageUp: 5, Home: -Infinity, End: Infinity };
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  if (e.key === ' ' || e.key === 'Enter') this.toggle();
  else if (e.key in moves) { this.seek(this.time + moves[e.key]); this.show(this.time); }
  else if (e.key === '+' || e.key === '=') this.setZoom(this.zoom * 2);
  else if (e.key === '-') this.setZoom(this.zoom / 2);
  else return;
  e.preventDefault();
};

/* Half a second before the next missed event or false alarm, so that playing starts ahead of it. */
Recording.prototype.nextMistake = function () {
  var time = this.time + 0.51, list = this.mistakes;
  var next = list.find(function (m) { return m[0] > time; }) || list[0];
  this.seek(next[0] - 0.5);
  this.show(Math.max(0, next[0] - 0.5));
};

Recording.prototype.hover = function (e) {
  var x = e.offsetX, y = e.offsetY, time = this.timeAt(x), lines = [];
  this.lanes.forEach(function (lane, i) {
    if (y < lane.title - 14 || y > lane.heatBottom) return;
    lines.push(this.names[i][0]);
    var at = clamp(Math.round((time - lane.from) / lane.step), 0, lane.p.length - 1);
    lines.push('probability ' + (lane.p[at] / 255).toFixed(2));
    lane.marks.forEach(function (m) {
      if (Math.abs(this.x(m[0]) - x) > 6) return;
      var late = Math.abs(m[4]) < 0.5 ? ', to the millisecond' : ', ' + Math.abs(m[4]).toFixed(0) + ' ms ' + (m[4] > 0 ? 'late' : 'early');
      lines.push(WORDS[m[3]] + (m[3] === HIT ? late : ''));
    }, this);
  }, this);
  if (this.keys && y >= this.roll.top && y < this.roll.bottom) this.hoverKey(lines, time, this.keys.high - Math.floor((y - this.roll.top) / this.roll.row));
  else if (this.roll && y >= this.roll.top && y < this.roll.bottom) this.hoverRow(lines, x, Math.floor((y - this.roll.top) / this.roll.row));
  this.tip.textContent = (this.data.start + time).toFixed(2) + ' s' + (lines.length ? '\n' + lines.join('\n') : '');
  this.tip.hidden = false;
  var w = this.tip.offsetWidth, h = this.tip.offsetHeight;
  this.tip.style.left = clamp(x + 14 + w > this.width ? x - 14 - w : x + 14, 0, this.width) + 'px';
  this.tip.style.top = clamp(y - h - 8, 0, this.height - h) + 'px';
};

Recording.prototype.hoverKey = function (lines, time, pitch) {
  var near = 5 / (this.plot * this.zoom) * this.seconds;
  lines.push(pitchName(pitch) + ', note ' + pitch);
  this.marks.forEach(function (m) {
    if (this.keys.pitches[m[1]] !== pitch || time < m[0] - near || time > Math.max(m[5], m[0] + near)) return;
    lines.push(WORDS[m[3]] + (m[3] === MISS ? '' : ', probability ' + m[2].toFixed(2)));
    lines.push('velocity ' + m[6] + ', ' + (m[5] - m[0]).toFixed(2) + ' s');
  }, this);
};

Recording.prototype.hoverRow = function (lines, x, row) {
  lines.push(this.names[row][0], this.names[row][1]);
  this.marks.forEach(function (m) {
    if (m[1] === row && Math.abs(this.x(m[0]) - x) <= 6) lines.push(WORDS[m[3]]);
  }, this);
};

/* ---- the page ---- */

function redraw() {
  colours = readColours();
  all.forEach(function (r) {
    if (r.spec) r.spec.image = null;
    if (r.roll) r.roll.image = null;
    r.lanes.forEach(function (lane) { lane.image = null; });
    r.draw();
  });
}

Array.prototype.forEach.call(document.querySelectorAll('.recording'), function (article) {
  var recording = new Recording(article);
  all.push(recording);
  recording.draw();
  new ResizeObserver(function () { /* a new width may change the height: not while it is being observed */
    if (recording.view.clientWidth !== recording.width) requestAnimationFrame(function () { recording.draw(); });
  }).observe(recording.view);
});

window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
window.addEventListener('beforeprint', function () {
  root.classList.add('paper');
  all.forEach(function (r) { r.kept = r.zoom; r.zoom = 1; });
  redraw();
});
window.addEventListener('afterprint', function () {
  root.classList.remove('paper');
  all.forEach(function (r) { r.zoom = r.kept; });
  redraw();
});
})();

/* Draws the images of a report: each with its marks and, switched on, the probability map. Numbers come from the JSON in
 * each article, names from its elements.
 *
 * A view is a canvas that shows a part of an image at some scale. There is one in each article, which shows all of it, and
 * one in the dialogue, which is as large as the screen and stays in place while the space below it scrolls, so that any
 * zoom costs the same memory. Marks are drawn in pixels of the screen: they do not grow with the image. */
(function () {
'use strict';

var FOUND = 0, HIT = 1, MISS = 2, FALSE_ALARM = 3;
var WORDS = ['found', 'hit', 'missed', 'false alarm'];
var FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
var HIGHEST = 640, MOST_SCALE = 7, CLOSEST = 48; /* pixels of the screen for one of the image: in an article, enlarged */
var root = document.documentElement, all = [], large = null;
root.classList.add('js');

function clamp(x, lo, hi) { return x < lo ? lo : x > hi ? hi : x; }

var classes = Array.from(document.querySelectorAll('#classes li'), function (li) {
  return { name: li.textContent, colour: li.dataset.colour };
});
var on = ['hit', 'miss', 'false', 'edge'].reduce(function (out, name) {
  out[name] = getComputedStyle(root).getPropertyValue('--on-' + name).trim();
  return out;
}, {});

/* 256 colours from nothing over violet and orange to yellow, as RGBA: the stops of .ramp in the style sheet. */
var ramp = (function () {
  var stops = [[0, 0, 0, 0], [123, 31, 162, 179], [244, 81, 30, 217], [255, 238, 88, 242]], out = new Uint8ClampedArray(1024);
  for (var i = 0; i < 256; i++) {
    var at = i / 255 * 3, k = Math.min(2, Math.floor(at));
    for (var c = 0; c < 4; c++) out[4 * i + c] = stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]);
  }
  return out;
})();

/* ---- one image ---- */

function Picture(article) {
  var find = function (name) { return article.querySelector(name); }, self = this;
  this.article = article;
  this.data = JSON.parse(find('script').textContent);
  this.name = find('h3').textContent;
  this.image = find('.shown');
  this.map = find('.map');
  this.heat = find('.heat');
  this.of = find('.of');
  this.marks = this.data.marks;
  this.compared = this.marks.some(function (m) { return m[4] !== FOUND; });
  this.apart = this.nearest();
  this.view = new View(this, find('.stage'), find('canvas'), find('.tip'));
  this.heat.addEventListener('change', function () { self.redraw(); });
  if (this.of) this.of.addEventListener('change', function () { self.heat.checked = true; self.redraw(); });
  find('.enlarge').addEventListener('click', function () { enlarge(self); });
  this.image.addEventListener('load', function () { self.view.fit(); });
  this.map.addEventListener('load', function () { self.values = null; self.redraw(); });
}

Picture.prototype.redraw = function () {
  this.view.draw();
  if (large && large.view.picture === this) large.view.draw();
};

/* What mostly lies between neighbours, in pixels of the image: the median over some marks. */
Picture.prototype.nearest = function () {
  var marks = this.marks, step = Math.ceil(marks.length / 300), list = [];
  for (var i = 0; i < marks.length; i += step) {
    var least = Infinity;
    for (var k = 0; k < marks.length; k++)
      if (k !== i && !(marks[k][4] === MISS && marks[i][4] === FALSE_ALARM) && !(marks[k][4] === FALSE_ALARM && marks[i][4] === MISS))
        least = Math.min(least, Math.hypot(marks[k][0] - marks[i][0], marks[k][1] - marks[i][1]));
    list.push(least);
  }
  list.sort(function (a, b) { return a - b; });
  return list.length ? list[Math.floor(list.length / 2)] : Infinity;
};

/* The bytes of all maps, read back from their picture; null before it is there. */
Picture.prototype.bytes = function () {
  if (!this.values && this.map.complete && this.map.naturalWidth > 0) {
    var canvas = document.createElement('canvas'), n = this.data.columns * this.data.rows * classes.length;
    canvas.width = this.map.naturalWidth;
    canvas.height = this.map.naturalHeight;
    var c = canvas.getContext('2d');
    c.drawImage(this.map, 0, 0);
    var pixels = c.getImageData(0, 0, canvas.width, canvas.height).data;
    this.values = new Uint8Array(n);
    for (var i = 0; i < n; i++) this.values[i] = pixels[4 * i];
  }
  return this.values;
};

/* 255 times the root of the probability of a place, of one class or the largest of all. */
Picture.prototype.level = function (place, kind) {
  var values = this.bytes(), size = this.data.rows * this.data.columns, most = 0;
  if (!values) return 0;
  if (kind >= 0) return values[kind * size + place];
  for (var k = 0; k < classes.length; k++) most = Math.max(most, values[k * size + place]);
  return most;
};

Picture.prototype.chosen = function () { return this.of ? Number(this.of.value) : -1; };

/* The map that is switched on, as a canvas of a pixel a place. */
Picture.prototype.heatMap = function () {
  var d = this.data, kind = this.chosen();
  if (!this.bytes()) return null;
  if (this.drawn && this.drawn.kind === kind) return this.drawn.canvas;
  var canvas = document.createElement('canvas');
  canvas.width = d.columns;
  canvas.height = d.rows;
  var c = canvas.getContext('2d'), pixels = c.createImageData(d.columns, d.rows);
  for (var i = 0; i < d.rows * d.columns; i++) {
    var from = 4 * this.level(i, kind);
    for (var k = 0; k < 4; k++) pixels.data[4 * i + k] = ramp[from + k];
  }
  c.putImageData(pixels, 0, 0);
  this.drawn = { kind: kind, canvas: canvas };
  return canvas;
};

Picture.prototype.colour = function (m) {
  if (!this.compared) return classes[m[2]].colour;
  return m[4] === MISS ? on.miss : m[4] === FALSE_ALARM ? on['false'] : on.hit;
};

/* ---- a view of it ---- */

function View(picture, stage, canvas, tip) {
  this.picture = picture;
  this.stage = stage;
  this.canvas = canvas;
  this.tip = tip;
  this.left = this.top = 0;
  this.listen();
}

/* All of the image, as large as the stage and the height of a screen allow. */
View.prototype.fit = function () {
  var d = this.picture.data, room = this.stage.clientWidth;
  if (room < 10) return;
  var high = Math.min(HIGHEST, Math.max(240, 0.82 * window.innerHeight));
  this.room = room;
  this.scale = Math.min(room / d.width, high / d.height, MOST_SCALE);
  this.resize(Math.max(1, Math.round(d.width * this.scale)), Math.max(1, Math.round(d.height * this.scale)));
  this.draw();
};

View.prototype.resize = function (width, height) {
  var ratio = Math.min(3, window.devicePixelRatio || 1);
  this.width = width;
  this.height = height;
  this.ratio = ratio;
  this.canvas.width = Math.round(width * ratio);
  this.canvas.height = Math.round(height * ratio);
  this.canvas.style.width = width + 'px';
  this.canvas.style.height = height + 'px';
};

View.prototype.x = function (x) { return (x + 0.5) * this.scale - this.left; };
View.prototype.y = function (y) { return (y + 0.5) * this.scale - this.top; };

View.prototype.draw = function () {
  var p = this.picture, d = p.data, c = this.canvas.getContext('2d'), w = d.width * this.scale, h = d.height * this.scale;
  if (!this.scale || !p.image.naturalWidth) return;
  c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  c.clearRect(0, 0, this.width, this.height);
  c.save();
  c.beginPath();
  c.rect(-this.left, -this.top, w, h);
  c.clip();
  c.imageSmoothingEnabled = w < 2 * p.image.naturalWidth;
  c.imageSmoothingQuality = 'high';
  c.drawImage(p.image, -this.left, -this.top, w, h);
  var heat = p.heat.checked ? p.heatMap() : null;
  if (heat) {
    c.imageSmoothingEnabled = false;
    c.drawImage(heat, -this.left, -this.top, d.columns * d.cell * this.scale, d.rows * d.cell * this.scale);
  }
  c.restore();
  this.drawMarks(c);
};

/* Pixels of the screen: neighbours must stay apart. */
View.prototype.radius = function () { return clamp(0.4 * this.picture.apart * this.scale, 3, 11); };

function trace(c, verdict, x, y, r) {
  c.beginPath();
  if (verdict === MISS) c.rect(x - r, y - r, 2 * r, 2 * r);
  else if (verdict === FALSE_ALARM) { c.moveTo(x - r, y - r); c.lineTo(x + r, y + r); c.moveTo(x + r, y - r); c.lineTo(x - r, y + r); }
  else c.arc(x, y, r, 0, 7);
}

View.prototype.drawMarks = function (c) {
  var p = this.picture, r = this.radius(), line = r < 5 ? 1.6 : 2.2;
  var seen = p.marks.filter(function (m) {
    var x = this.x(m[0]), y = this.y(m[1]);
    return x > -20 && y > -20 && x < this.width + 20 && y < this.height + 20;
  }, this);
  c.lineCap = 'round';
  [on.edge, null].forEach(function (dark) {
    c.lineWidth = dark ? line + 2 : line;
    seen.forEach(function (m) {
      var size = m[4] === MISS ? 0.95 * r : m[4] === FALSE_ALARM ? 0.75 * r : r;
      c.strokeStyle = dark || p.colour(m);
      trace(c, m[4], this.x(m[0]), this.y(m[1]), size);
      c.stroke();
    }, this);
  }, this);
  c.font = '600 13px ' + FONT;
  if (classes.length > 1 && p.apart * this.scale >= Math.max(44, r + widest(c, seen)))
    seen.forEach(function (m) { this.drawName(c, m, r); }, this);
};

function label(m) {
  var name = classes[m[2]].name;
  return name.length > 12 ? name.slice(0, 11) + '\u2026' : name;
}

function widest(c, marks) {
  return marks.reduce(function (most, m) { return Math.max(most, c.measureText(label(m)).width); }, 0);
}

/* A missed class stands below its mark, one that was found above: at a confusion both can be read. */
View.prototype.drawName = function (c, m, r) {
  var name = label(m), x, y;
  c.textAlign = 'left';
  x = clamp(this.x(m[0]) + r + 3, 2, this.width - c.measureText(name).width - 2);
  y = clamp(this.y(m[1]) + (m[4] === MISS ? r + 10 : 3 - r), 11, this.height - 3);
  c.lineJoin = 'round';
  c.lineWidth = 3;
  c.strokeStyle = on.edge;
  c.strokeText(name, x, y);
  c.fillStyle = this.picture.colour(m);
  c.fillText(name, x, y);
};

/* ---- hands ---- */

/* Marks within reach of a point of the canvas, the nearest first. */
View.prototype.near = function (x, y, reach) {
  var far = function (m) { return Math.hypot(this.x(m[0]) - x, this.y(m[1]) - y); }.bind(this);
  return this.picture.marks.filter(function (m) { return far(m) <= reach; }).sort(function (a, b) { return far(a) - far(b); });
};

function describe(m) {
  var words = classes[m[2]].name + ': ' + WORDS[m[4]];
  if (m[4] !== MISS) words += ', probability ' + m[3].toFixed(2);
  return m[4] === HIT ? words + ', ' + m[5].toFixed(1) + ' px off' : words;
}

View.prototype.hover = function (x, y, reach) {
  var p = this.picture, d = p.data, lines = this.near(x, y, reach).slice(0, 4).map(describe);
  var column = (x + this.left) / this.scale, row = (y + this.top) / this.scale, kind = p.chosen();
  if (column < 0 || row < 0 || column >= d.width || row >= d.height) { this.tip.hidden = true; return false; }
  lines.unshift('x ' + Math.floor(column) + ', y ' + Math.floor(row));
  if (p.heat.checked && p.bytes()) {
    var level = p.level(Math.floor(row / d.cell) * d.columns + Math.floor(column / d.cell), kind) / 255;
    lines.push((kind >= 0 ? classes[kind].name + ' here: ' : 'here: ') + (level * level).toFixed(2));
  }
  this.tip.textContent = lines.join('\n');
  this.tip.hidden = false;
  var w = this.tip.offsetWidth, h = this.tip.offsetHeight, most = this.stage.clientWidth - w;
  this.tip.style.left = clamp(x + 14 > most ? x - 14 - w : x + 14, 0, Math.max(0, most)) + 'px';
  this.tip.style.top = Math.max(0, y - h - 10 < 0 ? y + 14 : y - h - 10) + 'px';
  return lines.length > 1;
};

/* A mouse points and clicks; a finger taps a mark to read it, and anything else to enlarge. */
View.prototype.listen = function () {
  var self = this, touch = false;
  this.canvas.addEventListener('pointermove', function (e) {
    if (e.pointerType === 'mouse') self.hover(e.offsetX, e.offsetY, 12);
  });
  this.canvas.addEventListener('pointerdown', function (e) { touch = e.pointerType !== 'mouse'; });
  this.canvas.addEventListener('pointerleave', function (e) { if (e.pointerType === 'mouse') self.tip.hidden = true; });
  this.canvas.addEventListener('click', function (e) {
    var marks = self.near(e.offsetX, e.offsetY, touch ? 18 : 0);
    if (touch && (self.fixed || marks.length > 0)) self.hover(e.offsetX, e.offsetY, 18);
    else if (!self.fixed) enlarge(self.picture);
  });
  this.canvas.addEventListener('keydown', function (e) {
    if (self.fixed || (e.key !== 'Enter' && e.key !== ' ')) return;
    e.preventDefault();
    enlarge(self.picture);
  });
};

/* ---- the dialogue ---- */

function button(words, label, act) {
  var b = document.createElement('button');
  b.type = 'button';
  b.className = 'plain';
  b.textContent = words;
  if (label) b.setAttribute('aria-label', label);
  b.addEventListener('click', act);
  return b;
}

function element(kind, name, parent) {
  var e = document.createElement(kind);
  e.className = name;
  if (parent) parent.appendChild(e);
  return e;
}

function Large() {
  var self = this, bar, zoom;
  this.dialog = element('dialog', 'large', document.body);
  bar = element('div', 'bar', this.dialog);
  this.title = element('b', '', bar);
  this.heat = button('Probability map', '', function () {
    self.view.picture.heat.click();
    self.heat.setAttribute('aria-pressed', self.view.picture.heat.checked);
  });
  bar.appendChild(this.heat);
  zoom = element('span', 'zoom', bar);
  this.out = zoom.appendChild(button('\u2212', 'Zoom out', function () { self.zoom(0.5); }));
  this.in = zoom.appendChild(button('+', 'Zoom in', function () { self.zoom(2); }));
  this.out.classList.add('out');
  this.in.classList.add('in');
  bar.appendChild(button('Close', '', function () { self.dialog.close(); }));
  this.stage = element('div', 'stage', this.dialog);
  this.scroller = element('div', 'scroller', this.stage);
  this.space = element('div', 'space', this.scroller);
  this.canvas = element('canvas', '', this.space);
  this.tip = element('div', 'tip', this.stage);
  this.tip.hidden = true;
  this.view = new View(null, this.stage, this.canvas, this.tip);
  this.view.fixed = true;
  this.scroller.addEventListener('scroll', function () { self.moved(); });
  this.dialog.addEventListener('keydown', function (e) {
    if (e.key === '+' || e.key === '=') self.zoom(2);
    else if (e.key === '-') self.zoom(0.5);
  });
  this.dialog.addEventListener('close', function () { self.tip.hidden = true; });
  new ResizeObserver(function () { if (self.dialog.open) requestAnimationFrame(function () { self.layout(); }); }).observe(this.scroller);
}

Large.prototype.open = function (picture) {
  this.view.picture = picture;
  this.title.textContent = picture.name;
  this.heat.setAttribute('aria-pressed', picture.heat.checked);
  this.times = 1;
  if (!this.dialog.open) this.dialog.showModal();
  this.scroller.scrollTo(0, 0);
  this.layout();
};

/* The scale at which all of it is seen, times the zoom; a small image stands in the middle. */
Large.prototype.layout = function () {
  var d = this.view.picture.data, w = this.scroller.clientWidth, h = this.scroller.clientHeight;
  if (w < 10 || h < 10) return;
  this.fits = Math.min(w / d.width, h / d.height, CLOSEST);
  this.view.scale = this.fits * this.times;
  this.space.style.width = Math.max(w, Math.floor(d.width * this.view.scale)) + 'px';
  this.space.style.height = Math.max(h, Math.floor(d.height * this.view.scale)) + 'px';
  this.view.resize(w, h);
  this.out.disabled = this.times <= 1;
  this.in.disabled = this.view.scale >= CLOSEST;
  this.moved();
};

Large.prototype.moved = function () {
  var d = this.view.picture.data, v = this.view;
  v.left = this.scroller.scrollLeft - Math.max(0, v.width - d.width * v.scale) / 2;
  v.top = this.scroller.scrollTop - Math.max(0, v.height - d.height * v.scale) / 2;
  this.tip.hidden = true;
  v.draw();
};

/* What is in the middle stays there. */
Large.prototype.zoom = function (factor) {
  var v = this.view, x = (v.left + v.width / 2) / v.scale, y = (v.top + v.height / 2) / v.scale;
  if ((factor < 1 && this.times <= 1) || (factor > 1 && v.scale >= CLOSEST)) return;
  this.times = Math.max(1, this.times * factor);
  this.layout();
  this.scroller.scrollTo(x * v.scale - v.width / 2, y * v.scale - v.height / 2);
  this.moved();
};

function enlarge(picture) {
  large = large || new Large();
  large.open(picture);
}

/* ---- the page ---- */

Array.prototype.forEach.call(document.querySelectorAll('.picture'), function (article) {
  var picture = new Picture(article);
  all.push(picture);
  picture.view.fit();
  new ResizeObserver(function () {
    if (picture.view.stage.clientWidth !== picture.view.room) requestAnimationFrame(function () { picture.view.fit(); });
  }).observe(picture.view.stage);
});
})();

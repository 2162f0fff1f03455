// plot.js: what the three charts have in common.

const GUTTER = 76; // left of every plot, so that times line up; --gutter in the style sheet
const MARGIN = 16; // right of it

/** Two canvases on each other: one for what seldom changes, one for what follows the pointer. */
class Layers {
  constructor(root) {
    this.root = root;
    this.base = root.querySelector('canvas.base');
    this.over = root.querySelector('canvas.over');
    this.width = 0;
    this.height = 0;
    this.scale = 1;
  }

  /** Fit the canvases to their element. True when the size changed. */
  fit() {
    const width = Math.max(1, this.root.clientWidth);
    const height = Math.max(1, this.root.clientHeight);
    const scale = window.devicePixelRatio || 1;
    if (width === this.width && height === this.height && scale === this.scale) return false;
    Object.assign(this, { width, height, scale });
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    return true;
  }

  /** A cleared context in CSS pixels. */
  begin(canvas) {
    const context = canvas.getContext('2d');
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }

  message(text) {
    this.root.querySelector('.empty')?.remove();
    if (text) this.root.append(el('div', { class: 'empty' }, el('span', {}, text)));
  }
}

/** A power of two that cuts `range` bytes in at most `most` steps. */
function byteStep(range, most) {
  let step = 1;
  while (range / step > most) step *= 2;
  return step;
}

function byteLabel(value) {
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit + 1 < UNITS.length) {
    rest /= 1024;
    unit++;
  }
  return `${Number(rest.toFixed(2))} ${UNITS[unit]}`;
}

/** 1, 2 or 5 times a power of ten. */
function countStep(range, most) {
  let step = 1;
  for (let i = 0; range / step > most; i++) step *= i % 3 === 1 ? 2.5 : 2;
  return step;
}

function drawPositions(context, { from, to, x, y, width }) {
  const step = countStep(to - from, Math.max(2, width / 90));
  context.fillStyle = theme.css.soft;
  context.font = `11px ${theme.sans}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  for (let p = Math.ceil(from / step) * step; p <= to; p += step) {
    if (Number.isInteger(p)) context.fillText(count(p), Math.max(GUTTER + 4, x(p)), y + 5);
  }
}

/** Text with the panel's colour around it, readable on anything. */
function haloText(context, text, x, y) {
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = theme.css.panel;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

function pointIn(event, root) {
  const box = root.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

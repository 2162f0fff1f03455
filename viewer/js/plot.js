// plot.js: what the three charts have in common.
import { el, findAs } from './dom.js';
import { count } from './format.js';
import { countStep } from './series.js';
import { theme } from './theme.js';

export const GUTTER = 76; // left of every plot, so that times line up; --gutter in the style sheet
export const MARGIN = 16; // right of it

/** Two canvases on each other: one for what seldom changes, one for what follows the pointer. */
export class Layers {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.base = findAs(root, 'canvas.base', HTMLCanvasElement);
    this.over = findAs(root, 'canvas.over', HTMLCanvasElement);
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

  /**
   * A cleared context in CSS pixels.
   * @param {HTMLCanvasElement} canvas
   */
  begin(canvas) {
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser gives no canvas to draw on');
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }

  /** @param {string} text in place of the chart; empty: none */
  message(text) {
    this.root.querySelector('.empty')?.remove();
    if (text) this.root.append(el('div', { class: 'empty' }, el('span', {}, text)));
  }
}

/**
 * The labels of an axis of positions.
 * @param {CanvasRenderingContext2D} context
 * @param {{ from: number, to: number, x: (position: number) => number, y: number, width: number }} axis
 */
export function drawPositions(context, { from, to, x, y, width }) {
  const step = countStep(to - from, Math.max(2, width / 90));
  context.fillStyle = theme.css.soft;
  context.font = `11px ${theme.sans}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  for (let p = Math.ceil(from / step) * step; p <= to; p += step) {
    if (Number.isInteger(p)) context.fillText(count(p), Math.max(GUTTER + 4, x(p)), y + 5);
  }
}

/**
 * Text with the panel's colour around it, readable on anything.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
export function haloText(context, text, x, y) {
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = theme.css.panel;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

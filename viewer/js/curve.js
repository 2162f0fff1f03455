// curve.js: the usage curve, its peak, and on it the lifetime of the buffer that is pointed at.
import { byId, pointIn } from './dom.js';
import { byteLabel, bytes } from './format.js';
import { GUTTER, Layers, MARGIN, drawPositions, haloText } from './plot.js';
import { byteStep, highestOf, lowHigh, seriesOf } from './series.js';
import { hasAny, shownItem } from './store.js';
import { cssColor, edgeColor, itemColor, theme } from './theme.js';

/** @import { Space } from './model.js' */
/** @import { Series, Values } from './series.js' */
/** @import { Changes, Store } from './store.js' */
/** @import { View } from './view.js' */

const STICKS_AT = 64; // pixels from the top of the window, as the style sheet has it

export class Curve {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.layers = new Layers(byId('curve'));
    this.top = 22;
    this.bottom = 22;
    this.highest = 1; // bytes at the top
    /** What is drawn of the item that is pointed at.
     * @type {{ x: number, y: number, width: number, height: number, color: string } | null} */
    this.band = null;
    const root = this.layers.root;
    root.addEventListener('pointermove', (event) => store.set({ cursor: this.positionAt(pointIn(event, root).x) }));
    root.addEventListener('pointerleave', () => store.set({ cursor: null }));
    root.addEventListener('click', (event) => store.set({ at: this.positionAt(pointIn(event, root).x) }));
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('blur', () => store.set({ cursor: null }));
    this.watchSticking();
  }

  /** Where it sticks the panel is lower, and what follows stays where it is. */
  watchSticking() {
    const panel = byId('curve-panel');
    window.addEventListener('scroll', () => {
      const stuck = panel.getBoundingClientRect().top <= STICKS_AT;
      if (stuck === panel.classList.contains('stuck')) return;
      const height = panel.offsetHeight;
      panel.classList.toggle('stuck', stuck);
      panel.style.marginBottom = stuck ? `${height - panel.offsetHeight}px` : '';
    }, { passive: true });
  }

  get length() {
    return this.store.shown.space.length;
  }

  get plotWidth() {
    return this.layers.width - GUTTER - MARGIN;
  }

  /** @param {number} position */
  x(position) {
    return GUTTER + (position / (this.length + 1)) * this.plotWidth;
  }

  /** @param {number} value in bytes */
  y(value) {
    return this.layers.height - this.bottom - (value / this.highest) * (this.layers.height - this.top - this.bottom);
  }

  /** @param {number} x */
  positionAt(x) {
    const position = Math.floor(((x - GUTTER) / this.plotWidth) * (this.length + 1));
    return Math.min(this.length, Math.max(0, position));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const state = this.store.shown;
    const peak = state.space.overview.peak_position;
    const from = state.cursor ?? state.at ?? peak;
    const leap = event.shiftKey ? Math.max(1, Math.round(this.length / 100)) : 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowLeft: from - leap, ArrowRight: from + leap, Home: 0, End: this.length, p: peak, P: peak };
    if (event.key in moves) {
      this.store.set({ cursor: Math.min(this.length, Math.max(0, moves[event.key])) });
    } else if (event.key === 'Enter') {
      this.store.set({ at: from });
    } else if (event.key === 'Escape') {
      this.store.set({ at: null, cursor: null });
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {Changes} changed */
  update(changed) {
    const resized = this.layers.fit();
    if (resized || hasAny(changed, 'space', 'heap', 'theme')) {
      this.drawBase();
      this.drawOver();
    } else if (hasAny(changed, 'cursor', 'at', 'hover', 'pinned', 'view')) {
      this.drawOver();
    }
  }

  drawBase() {
    const { space, heap } = this.store.shown;
    const series = seriesOf(space, heap);
    this.highest = 1.04 * highestOf(series);
    const context = this.layers.begin(this.layers.base);
    this.drawGrid(context);
    const baseline = space.resident;
    this.trace(context, series.bytes, true);
    context.fillStyle = theme.css['padded-fill'];
    context.fill();
    if (baseline > 0) {
      context.fillStyle = theme.css['baseline-fill'];
      context.fillRect(GUTTER, this.y(baseline), this.plotWidth, this.y(0) - this.y(baseline));
    }
    this.stroke(context, series.occupied, theme.css.occupied, 1.5, [5, 3]);
    if (series.unpadded) this.stroke(context, series.unpadded, theme.css.unpadded, 1.5, []);
    this.stroke(context, series.bytes, theme.css.padded, 1.75, []);
    this.drawPeak(context, series);
    this.layers.message(
      space.heaps[heap] ? '' : space.count === 0
        ? 'Nothing is held in this memory space: it has neither a baseline nor a heap.'
        : space.overview.untraced_bytes > 0
          ? 'No heap trace: nothing tells when the temporaries of this space live, so they are counted throughout.'
          : 'No heap trace: this space holds its baseline from the first instruction to the last, ' +
            'so there is no curve.',
    );
  }

  /** @param {CanvasRenderingContext2D} context */
  drawGrid(context) {
    const step = byteStep(this.highest, 5);
    context.font = `11px ${theme.sans}`;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let value = 0; value <= this.highest; value += step) {
      const y = Math.round(this.y(value)) + 0.5;
      context.fillStyle = theme.css.grid;
      context.fillRect(GUTTER, y - 0.5, this.plotWidth, 1);
      context.fillStyle = theme.css.soft;
      context.fillText(byteLabel(value), GUTTER - 8, y);
    }
    drawPositions(context, { from: 0, to: this.length, x: (p) => this.x(p), y: this.y(0), width: this.plotWidth });
  }

  /**
   * The path of a series: steps, or where there are more positions than pixels, the lowest and highest of each pixel,
   * so that no peak is lost.
   * @param {CanvasRenderingContext2D} context
   * @param {Values} values
   * @param {boolean} closed down to 0, to be filled
   */
  trace(context, values, closed) {
    const last = values.length - 1;
    context.beginPath();
    if (closed) context.moveTo(this.x(0), this.y(0));
    if (values.length <= this.plotWidth) {
      for (let p = 0; p <= last; p++) {
        context.lineTo(this.x(p), this.y(values[p]));
        context.lineTo(this.x(p + 1), this.y(values[p]));
      }
    } else {
      const columns = Math.ceil(this.x(last + 1) - GUTTER);
      for (let column = 0; column < columns; column++) {
        const from = Math.max(0, this.positionAt(GUTTER + column));
        const to = Math.max(from + 1, Math.min(values.length, this.positionAt(GUTTER + column + 1)));
        const { low, high } = lowHigh(values, from, to);
        const ends = closed ? [high] : values[from] === high ? [high, low] : [low, high];
        for (const value of ends) context.lineTo(GUTTER + column + 0.5, this.y(value));
      }
    }
    if (closed) {
      context.lineTo(this.x(last + 1), this.y(0));
      context.closePath();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Values} values
   * @param {string} color
   * @param {number} width
   * @param {number[]} dash
   */
  stroke(context, values, color, width, dash) {
    this.trace(context, values, false);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.lineJoin = 'round';
    context.stroke();
    context.setLineDash([]);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Series} series
   */
  drawPeak(context, series) {
    const value = series.bytes[series.peak];
    const x = this.x(series.peak + 0.5);
    const y = this.y(value);
    context.fillStyle = theme.css.padded;
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = theme.css.panel;
    context.stroke();
    context.font = `600 12px ${theme.sans}`;
    context.textBaseline = 'middle';
    const text = `Peak ${bytes(value)}`;
    const left = x + 10 + context.measureText(text).width > this.layers.width - MARGIN;
    context.textAlign = left ? 'right' : 'left';
    context.fillStyle = theme.css.ink;
    haloText(context, text, left ? x - 9 : x + 9, Math.max(11, y - 8));
  }

  drawOver() {
    const state = this.store.shown;
    const { space } = state;
    const context = this.layers.begin(this.layers.over);
    if (state.view) this.drawWindow(context, state.view);
    const item = shownItem(state);
    this.band = null;
    if (item >= 0) this.drawBand(context, space, item);
    if (state.at !== null) this.drawLine(context, state.at, theme.css.accent, []);
    if (state.cursor !== null) {
      this.drawLine(context, state.cursor, theme.css.soft, [3, 3]);
      const { bytes: value } = space.valueAt(state.heap, state.cursor);
      context.fillStyle = theme.css.padded;
      context.beginPath();
      context.arc(this.x(state.cursor + 0.5), this.y(value), 3.5, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} position
   * @param {string} color
   * @param {number[]} dash
   */
  drawLine(context, position, color, dash) {
    const x = Math.round(this.x(position + 0.5)) + 0.5;
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x, this.top - 8);
    context.lineTo(x, this.y(0));
    context.stroke();
    context.setLineDash([]);
  }

  /**
   * The band: from the item's start to its end, as high as its size.
   * @param {CanvasRenderingContext2D} context
   * @param {Space} space
   * @param {number} item
   */
  drawBand(context, space, item) {
    const color = itemColor(space, item);
    const x = this.x(space.start[item]);
    const width = Math.max(2, this.x(space.end[item]) - x);
    const height = Math.max(2, this.y(0) - this.y(space.size[item]));
    const y = this.y(0) - height;
    this.band = { x, y, width, height, color: cssColor(color) };
    context.fillStyle = cssColor(color, 0.85);
    context.fillRect(x, y, width, height);
    context.strokeStyle = cssColor(edgeColor(space, item));
    context.lineWidth = 1.5;
    context.strokeRect(x, y, width, height);
  }

  /**
   * What the timeline shows of the whole, when it is zoomed.
   * @param {CanvasRenderingContext2D} context
   * @param {View} view
   */
  drawWindow(context, view) {
    const from = this.x(view.x0);
    const to = this.x(view.x1);
    if (to - from >= this.plotWidth - 1) return;
    context.globalAlpha = 0.55;
    context.fillStyle = theme.css.panel;
    context.fillRect(GUTTER, this.top - 8, from - GUTTER, this.y(0) - this.top + 8);
    context.fillRect(to, this.top - 8, GUTTER + this.plotWidth - to, this.y(0) - this.top + 8);
    context.globalAlpha = 1;
    context.strokeStyle = theme.css['strong-line'];
    context.lineWidth = 1;
    const width = Math.max(1, Math.round(to - from));
    context.strokeRect(Math.round(from) + 0.5, this.top - 7.5, width, this.y(0) - this.top + 7);
  }
}

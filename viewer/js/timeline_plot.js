// timeline_plot.js: every block a box at its addresses and its lifetime: where things are, and how they are drawn.
import { byId } from './dom.js';
import { byteLabel, bytes, count, plural } from './format.js';
import { Grid } from './grid.js';
import { GUTTER, Layers, MARGIN, drawPositions } from './plot.js';
import { byteStep } from './series.js';
import { hasAny } from './store.js';
import { edgeColor, itemColor, mix, pixel, theme } from './theme.js';

/** @import { ItemPixels } from './grid.js' */
/** @import { Space } from './model.js' */
/** @import { Changes, Store } from './store.js' */
/** @import { View } from './view.js' */

/** @typedef {{ x: number, y: number }} Point   in CSS pixels of the element */

export class TimelinePlot {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.layers = new Layers(byId('timeline'));
    this.grid = new Grid();
    /** Of the items of the space that is shown. @type {ItemPixels | null} */
    this.colors = null;
    /** The grid's pixels, and the same as numbers. @type {{ image: ImageData, pixels: Uint32Array } | null} */
    this.picture = null;
    this.top = 6;
    this.bottom = 22;
  }

  // --- where things are ---

  /** @returns {View} */
  get whole() {
    const { space } = this.store.shown;
    return { x0: 0, x1: space.length + 1, y0: 0, y1: space.height };
  }

  /** @returns {View} */
  get view() {
    return this.store.state.view || this.whole;
  }

  /** Where boxes are drawn, in CSS pixels of the element. */
  get plot() {
    const { width, height } = this.layers;
    return { x: GUTTER, y: this.top, width: width - GUTTER - MARGIN, height: height - this.top - this.bottom };
  }

  /** @param {number} position */
  x(position) {
    return this.plot.x + ((position - this.view.x0) / (this.view.x1 - this.view.x0)) * this.plot.width;
  }

  /** @param {number} address */
  y(address) {
    return this.plot.y + (1 - (address - this.view.y0) / (this.view.y1 - this.view.y0)) * this.plot.height;
  }

  /**
   * The extent of a block in positions and addresses.
   * @param {number} item
   * @returns {View}
   */
  boxOf(item) {
    const { space } = this.store.shown;
    const heap = space.heaps[space.heapOf[item]];
    const low = heap.low + Math.max(0, space.offset[item]);
    return { x0: space.start[item], x1: space.end[item], y0: low, y1: low + space.size[item] };
  }

  /** @param {number} item */
  isBlock(item) {
    return item >= 0 && this.store.shown.space.isBlock(item);
  }

  /**
   * Where an item is drawn, in CSS pixels of the element; null for what is no block.
   * @param {number} item
   */
  rectOf(item) {
    if (!this.isBlock(item)) return null;
    const box = this.boxOf(item);
    const x = this.x(box.x0);
    const y = this.y(box.y1);
    return { x, y, width: Math.max(1, this.x(box.x1) - x), height: Math.max(1, this.y(box.y0) - y) };
  }

  /** @param {number} x */
  positionAt(x) {
    const { x0, x1 } = this.view;
    const position = Math.floor(x0 + ((x - this.plot.x) / this.plot.width) * (x1 - x0));
    return Math.min(this.store.shown.space.length, Math.max(0, position));
  }

  /**
   * The item drawn at a point, or near it.
   * @param {Point} point
   */
  itemAt({ x, y }) {
    const { plot, layers } = this;
    return this.grid.itemNear(Math.floor((x - plot.x) * layers.scale), Math.floor((y - plot.y) * layers.scale));
  }

  // --- drawing ---

  /** @param {Changes} changed */
  update(changed) {
    const resized = this.layers.fit();
    if (hasAny(changed, 'space', 'theme')) this.colors = null;
    if (resized || hasAny(changed, 'space', 'theme', 'view', 'matches', 'at', 'layout')) {
      this.drawBase();
      this.drawOver();
    } else if (hasAny(changed, 'cursor', 'hover', 'pinned')) {
      this.drawOver();
    }
  }

  /** @param {CanvasRenderingContext2D} context */
  drawBoxes(context) {
    const { grid, plot } = this;
    const { scale } = this.layers;
    const { space, matches, at } = this.store.shown;
    const width = Math.max(1, Math.round(plot.width * scale));
    const height = Math.max(1, Math.round(plot.height * scale));
    grid.draw(space, this.view, { width, height, scale }, matches, at);
    if (!this.picture || this.picture.image.width !== width || this.picture.image.height !== height) {
      const image = new ImageData(width, height);
      this.picture = { image, pixels: new Uint32Array(image.data.buffer) };
    }
    this.colors ??= pixelsOf(space);
    grid.paint(this.picture.pixels, this.colors, pixel(theme.ground), Math.max(1, Math.round(scale)));
    context.putImageData(this.picture.image, Math.round(plot.x * scale), Math.round(plot.y * scale));
  }

  drawBase() {
    const { space } = this.store.shown;
    const { plot, view } = this;
    const context = this.layers.begin(this.layers.base);
    this.drawBoxes(context);
    this.drawFrames(context, space);
    this.drawLabels(context, space);
    const axis = { from: view.x0, to: view.x1, y: plot.y + plot.height, width: plot.width };
    drawPositions(context, { ...axis, x: (p) => this.x(p) });
    this.note(space);
    this.layers.message(space.heaps.length > 0 ? '' : this.reason(space));
  }

  /**
   * Why there are no boxes.
   * @param {Space} space
   */
  reason(space) {
    if (space.baselineCount === 0) {
      return 'This memory space has neither a heap nor a baseline: there is nothing to lay out.';
    }
    if (space.overview.untraced_bytes > 0) {
      return 'No heap trace: nothing tells when the temporaries of this space live, so there is nothing to lay out ' +
        'over time. The bars and the table show them.';
    }
    return `No heap trace: ${plural(space.baselineCount, 'allocation')} of ${bytes(space.overview.baseline_bytes)} ` +
      'stay for the whole program, so there is nothing to lay out over time. The bars and the table show them.';
  }

  /** @param {Space} space */
  note(space) {
    const { visible, thin } = this.grid;
    const blocks = space.count - space.baselineCount;
    const boxes = plural(blocks, 'box', 'boxes');
    const parts = [];
    if (space.heaps.length > 0) {
      parts.push(visible === blocks ? boxes : `${count(visible)} of ${boxes} in view`);
      if (thin > 0) {
        parts.push(`${count(thin)} thinner than half a pixel, drawn one pixel thin: zoom in to tell them apart`);
      }
      if (this.store.state.view) {
        const { x0, x1 } = this.view;
        parts.push(`positions ${count(Math.floor(x0))} to ${count(Math.ceil(x1) - 1)}`);
      }
    }
    byId('timeline-note').textContent = parts.join(' \u00b7 ');
  }

  /**
   * The frame and the addresses of each heap.
   * @param {CanvasRenderingContext2D} context
   * @param {Space} space
   */
  drawFrames(context, space) {
    const { plot } = this;
    /** @param {number} y */
    const clipY = (y) => Math.min(plot.y + plot.height, Math.max(plot.y, y));
    context.lineWidth = 1;
    context.font = `11px ${theme.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const heap of space.heaps) {
      const top = clipY(this.y(heap.low + heap.height));
      const bottom = clipY(this.y(heap.low));
      if (bottom - top < 1) continue;
      context.strokeStyle = theme.css['strong-line'];
      const height = Math.max(1, Math.round(bottom - top) - 1);
      context.strokeRect(plot.x + 0.5, Math.round(top) + 0.5, plot.width - 1, height);
      const most = Math.max(1, Math.floor((bottom - top) / 34));
      const low = Math.max(0, this.view.y0 - heap.low);
      const high = Math.min(heap.height, this.view.y1 - heap.low);
      const step = byteStep(high - low, most);
      context.fillStyle = theme.css.soft;
      for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
        const y = this.y(heap.low + value);
        context.fillText(byteLabel(value), plot.x - 8, Math.min(plot.y + plot.height - 5, Math.max(plot.y + 5, y)));
        context.fillRect(plot.x - 4, Math.round(y), 4, 1);
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Space} space
   */
  drawLabels(context, space) {
    const { scale } = this.layers;
    context.font = `11px ${theme.mono}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const letter = context.measureText('0').width;
    const { grid } = this;
    for (const label of grid.labels) {
      const { item, left, top, end } = label;
      if (grid.lit && grid.lit[item] === 0) continue;
      const width = (grid.uncovered(label) - left) / scale;
      const room = Math.floor((width - 10) / letter);
      const name = space.label(item);
      const text = name.length <= room ? name : room > 3 ? `${name.slice(0, room - 1)}\u2026` : '';
      const height = (end - top) / scale;
      const x = this.plot.x + left / scale + 6;
      const y = this.plot.y + (top + end) / 2 / scale;
      const twoLines = height > 34;
      context.fillStyle = theme.dark ? 'rgb(255 255 255 / 95%)' : 'rgb(18 22 28 / 92%)';
      context.fillText(text, x, twoLines ? y - 7 : y);
      if (twoLines && room >= 8) {
        context.globalAlpha = 0.75;
        context.fillText(bytes(space.size[item]), x, y + 7);
        context.globalAlpha = 1;
      }
    }
  }

  drawOver() {
    const state = this.store.shown;
    const context = this.layers.begin(this.layers.over);
    const { plot } = this;
    context.save();
    context.beginPath();
    context.rect(plot.x - 1, plot.y - 1, plot.width + 2, plot.height + 2);
    context.clip();
    /**
     * @param {number} position
     * @param {string} color
     * @param {number[]} dash
     */
    const line = (position, color, dash) => {
      const x = Math.round(this.x(position + 0.5)) + 0.5;
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, plot.y);
      context.lineTo(x, plot.y + plot.height);
      context.stroke();
      context.setLineDash([]);
    };
    if (state.at === null && state.space.heaps.length > 0) {
      line(state.space.overview.peak_position, theme.css.padded, [2, 4]);
    }
    if (state.at !== null) line(state.at, theme.css.accent, []);
    if (state.cursor !== null) line(state.cursor, theme.css.soft, [3, 3]);
    for (const item of new Set([state.pinned, state.hover])) {
      const rect = this.rectOf(item);
      if (!rect) continue;
      context.lineWidth = 4;
      context.strokeStyle = theme.css.panel;
      context.strokeRect(rect.x, rect.y, rect.width, rect.height);
      context.lineWidth = 2;
      context.strokeStyle = theme.css.ink;
      context.strokeRect(rect.x, rect.y, rect.width, rect.height);
    }
    context.restore();
  }
}

/**
 * The pixels of every block of a space.
 * @param {Space} space
 * @returns {ItemPixels}
 */
function pixelsOf(space) {
  const column = () => new Uint32Array(space.count);
  const colors = { fill: column(), edge: column(), dim: column(), dimEdge: column() };
  for (let i = space.baselineCount; i < space.count; i++) {
    const fill = itemColor(space, i);
    const edge = edgeColor(space, i);
    colors.fill[i] = pixel(fill);
    colors.edge[i] = pixel(edge);
    colors.dim[i] = pixel(mix(fill, theme.ground, 0.8));
    colors.dimEdge[i] = pixel(mix(edge, theme.ground, 0.8));
  }
  return colors;
}

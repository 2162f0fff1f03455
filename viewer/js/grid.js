// grid.js: boxes drawn into a grid of item numbers, one a device pixel, which is then coloured.
//
//   blocks --draw--> grid of item numbers --paint--> pixels
//
// So 100,000 boxes cost what the picture's pixels cost, and what is under the pointer is looked up in the grid: what
// you see is what you point at.

/** @import { Space } from './model.js' */
/** @import { View } from './view.js' */

export const NO_ITEM = -1;

/** The pixels of every item. @typedef {Record<'fill' | 'edge' | 'dim' | 'dimEdge', Uint32Array>} ItemPixels */

/** A box that has room for text, in pixels of the grid.
 * @typedef {{ item: number, left: number, right: number, top: number, end: number }} Label */

export class Grid {
  constructor() {
    this.width = 0;
    this.height = 0;
    this.items = new Int32Array(0);
    /** A flag an item: whether its box is large enough for an edge. */
    this.edged = new Uint8Array(0);
    /** A flag an item: whether it is not dimmed; null: none is. @type {Uint8Array | null} */
    this.lit = null;
    /** @type {Label[]} */
    this.labels = [];
    this.thin = 0; // boxes thinner than half a pixel, drawn one pixel thin
    this.visible = 0;
  }

  /**
   * Draw the blocks of a space that are in sight.
   * @param {Space} space
   * @param {View} view
   * @param {{ width: number, height: number, scale: number }} size in device pixels, and how many a CSS pixel has
   * @param {Uint8Array | null} matches
   * @param {number | null} at
   */
  draw(space, view, { width, height, scale }, matches, at) {
    if (this.width !== width || this.height !== height) {
      this.width = width;
      this.height = height;
      this.items = new Int32Array(width * height);
    }
    this.items.fill(NO_ITEM);
    this.labels = [];
    this.thin = 0;
    this.visible = 0;
    if (this.edged.length !== space.count) this.edged = new Uint8Array(space.count);
    this.lit = litItems(space, matches, at);
    for (const pass of this.lit ? [0, 1] : [1]) { // what is lit comes last, over the rest
      for (const heap of space.heaps) {
        for (let i = heap.first; i < heap.end; i++) {
          if (!this.lit || this.lit[i] === pass) this.#drawBox(space, i, heap.low, view, scale);
        }
      }
    }
  }

  /**
   * @param {Space} space
   * @param {number} i
   * @param {number} base address at which the heap begins in the picture
   * @param {View} view
   * @param {number} scale
   */
  #drawBox(space, i, base, { x0, x1, y0, y1 }, scale) {
    const start = space.start[i];
    const stop = space.end[i];
    if (stop <= x0 || start >= x1) return;
    const low = base + Math.max(0, space.offset[i]);
    const high = low + space.size[i];
    if (high < y0 || low > y1) return;
    const { width, height, items } = this;
    const kx = width / (x1 - x0);
    const ky = height / (y1 - y0);
    const w = (stop - start) * kx;
    const h = space.size[i] * ky;
    this.visible++;
    if (w < 0.5 || h < 0.5) this.thin++;
    const left = Math.max(0, Math.min(width - 1, Math.round((start - x0) * kx)));
    const right = Math.min(width, Math.max(left + 1, Math.round((stop - x0) * kx)));
    const top = Math.max(0, Math.min(height - 1, Math.round((y1 - high) * ky)));
    const end = Math.min(height, Math.max(top + 1, Math.round((y1 - low) * ky)));
    for (let y = top; y < end; y++) items.fill(i, y * width + left, y * width + right);
    this.edged[i] = w >= 3 * scale && h >= 3 * scale ? 1 : 0;
    if (right - left > 44 * scale && end - top > 13 * scale) this.labels.push({ item: i, left, right, top, end });
  }

  /**
   * Colour the grid.
   * @param {Uint32Array} pixels as many as the grid has
   * @param {ItemPixels} colors
   * @param {number} ground the pixel where there is no box
   * @param {number} border width of edges
   */
  paint(pixels, { fill, edge, dim, dimEdge }, ground, border) {
    const { width, height, items, edged, lit } = this;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const item = items[at];
        if (item === NO_ITEM) {
          pixels[at] = ground;
          continue;
        }
        const onEdge = edged[item] === 1 && (x < border || items[at - border] !== item ||
          y < border || items[at - border * width] !== item ||
          items[at + border] === NO_ITEM || items[at + border * width] === NO_ITEM);
        const bright = lit === null || lit[item] === 1;
        pixels[at] = bright ? (onEdge ? edge[item] : fill[item]) : onEdge ? dimEdge[item] : dim[item];
      }
    }
  }

  /**
   * The item drawn at a pixel, or within two pixels of it: thin boxes are hard to hit.
   * @param {number} x
   * @param {number} y
   */
  itemNear(x, y) {
    for (let r = 0; r <= 2; r++) {
      for (let dy = -r; dy <= r; dy++) {
        for (let dx = -r; dx <= r; dx++) {
          if (Math.max(Math.abs(dx), Math.abs(dy)) !== r) continue;
          const px = x + dx;
          const py = y + dy;
          if (px < 0 || py < 0 || px >= this.width || py >= this.height) continue;
          const item = this.items[py * this.width + px];
          if (item !== NO_ITEM) return item;
        }
      }
    }
    return NO_ITEM;
  }

  /**
   * Where in its middle row a label's box is covered by another one, or ends.
   * @param {Label} label
   */
  uncovered({ item, left, right, top, end }) {
    const row = Math.floor((top + end) / 2) * this.width;
    let x = left;
    while (x < right && this.items[row + x] === item) x++;
    return x;
  }
}

/**
 * What matches the search and is live at the chosen position; null when there is neither search nor position.
 * @param {Space} space
 * @param {Uint8Array | null} matches
 * @param {number | null} at
 */
function litItems(space, matches, at) {
  if (matches === null && at === null) return null;
  const lit = new Uint8Array(space.count);
  for (let i = 0; i < lit.length; i++) {
    const isLive = at === null || (space.start[i] <= at && at < space.end[i]);
    lit[i] = isLive && (matches === null || matches[i] === 1) ? 1 : 0;
  }
  return lit;
}

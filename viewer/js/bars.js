// bars.js: what is live at the chosen position as bars: by program order, by size, by padding.
//
// Bars have a least width; where they are more than fit, the chart scrolls: a track gives the element its scroll width,
// and the canvases stay in view and draw the part that is.
import { all, byId, findAs, pointIn } from './dom.js';
import { byteLabel, bytes, count } from './format.js';
import { GUTTER, Layers, MARGIN } from './plot.js';
import { byteStep } from './series.js';
import { hasAny, shownItem, togglePin } from './store.js';
import { cssColor, edgeColor, itemColor, mix, theme } from './theme.js';

/** @import { Space } from './model.js' */
/** @import { Changes, Order, Store } from './store.js' */
/** @import { Rgb } from './theme.js' */

/** @typedef {{ x: number, y: number, width: number, height: number }} Rect */

export class Bars {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.layers = new Layers(byId('bars'));
    this.track = findAs(this.layers.root, '.track', HTMLElement);
    /** The items in their order. @type {number[]} */
    this.items = [];
    this.slot = 1; // width of a bar and its gap
    this.highest = 1; // bytes of the highest bar
    this.floor = 0; // where bars stand
    this.room = 0; // height of the highest
    const root = this.layers.root;
    root.addEventListener('pointermove', (event) => store.set({ hover: this.itemAt(pointIn(event, root).x) }));
    root.addEventListener('pointerleave', () => store.set({ hover: -1 }));
    root.addEventListener('click', (event) => togglePin(store, this.itemAt(pointIn(event, root).x)));
    root.addEventListener('scroll', () => this.drawAll());
    root.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    root.addEventListener('keydown', (event) => this.key(event));
    for (const button of this.orders) {
      button.addEventListener('click', () => store.set({ order: /** @type {Order} */ (button.dataset.order) }));
      button.addEventListener('keydown', (event) => this.orderKey(event, button));
    }
  }

  /** The buttons that choose the order. */
  get orders() {
    return [...all('[data-order]')];
  }

  /**
   * Arrow keys go through a radio group.
   * @param {KeyboardEvent} event
   * @param {HTMLElement} button
   */
  orderKey(event, button) {
    const step = new Map([['ArrowRight', 1], ['ArrowDown', 1], ['ArrowLeft', -1], ['ArrowUp', -1]]).get(event.key);
    if (!step) return;
    event.preventDefault();
    const buttons = this.orders;
    const next = buttons[(buttons.indexOf(button) + step + buttons.length) % buttons.length];
    next.focus();
    next.click();
  }

  /**
   * A wheel without a horizontal axis still has to reach the bars on the right.
   * @param {WheelEvent} event
   */
  wheel(event) {
    const root = this.layers.root;
    if (root.scrollWidth <= root.clientWidth || !event.shiftKey || event.deltaX !== 0) return;
    event.preventDefault();
    root.scrollLeft += event.deltaY;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { state } = this.store;
    if (this.items.length === 0) return;
    const from = this.items.indexOf(shownItem(state));
    const last = this.items.length - 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowLeft: Math.max(0, from - 1), ArrowRight: Math.min(last, from + 1), Home: 0, End: last };
    if (event.key in moves) {
      this.store.set({ hover: this.items[moves[event.key]] });
      this.reveal(moves[event.key]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      togglePin(this.store, shownItem(state));
    } else if (event.key === 'Escape') {
      this.store.set({ hover: -1, pinned: -1 });
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {number} place */
  reveal(place) {
    const root = this.layers.root;
    const x = place * this.slot;
    const room = root.clientWidth - GUTTER - MARGIN;
    if (x < root.scrollLeft) root.scrollLeft = x;
    else if (x + this.slot > root.scrollLeft + room) root.scrollLeft = x + this.slot - room;
  }

  /** @param {number} x */
  itemAt(x) {
    if (x < GUTTER || x > this.layers.width - MARGIN) return -1;
    const place = Math.floor((x - GUTTER + this.layers.root.scrollLeft) / this.slot);
    return place >= 0 && place < this.items.length ? this.items[place] : -1;
  }

  /**
   * Where the bar of an item stands in the chart now; null when it has none.
   * @param {number} item
   * @returns {Rect | null}
   */
  rectOf(item) {
    const place = this.items.indexOf(item);
    return place < 0 ? null : this.rectAt(place);
  }

  /**
   * @param {number} place
   * @returns {Rect}
   */
  rectAt(place) {
    const { space } = this.store.shown;
    const item = this.items[place];
    const value = this.value(space, item);
    const gap = this.slot >= 6 ? 1 : 0.5;
    const x = GUTTER + place * this.slot - this.layers.root.scrollLeft;
    const height = Math.max(1, (value / this.highest) * this.room);
    return { x, y: this.floor - height, width: Math.max(1, this.slot - gap), height };
  }

  /**
   * @param {Space} space
   * @param {number} item
   */
  value(space, item) {
    return this.store.state.order === 'padding' ? Math.max(0, space.paddingOf(item) ?? 0) : space.size[item];
  }

  /** @param {Changes} changed */
  update(changed) {
    const { state } = this.store;
    const resized = this.layers.root.clientWidth !== this.layers.width;
    if (hasAny(changed, 'space', 'at', 'order', 'live')) {
      this.arrange();
      this.layers.root.scrollLeft = 0;
      this.drawAll();
    } else if (resized || hasAny(changed, 'theme', 'matches')) {
      this.arrange();
      this.drawAll();
    } else if (hasAny(changed, 'hover', 'pinned')) {
      this.drawOver();
    }
    if (changed.has('order')) {
      for (const button of this.orders) {
        const checked = button.dataset.order === state.order;
        button.setAttribute('aria-checked', String(checked));
        button.tabIndex = checked ? 0 : -1;
      }
    }
  }

  arrange() {
    const { space, live, order, at } = this.store.shown;
    this.items = live.slice();
    if (order === 'size') this.items.sort((a, b) => space.size[b] - space.size[a] || a - b);
    if (order === 'padding') this.items.sort((a, b) => (space.paddingOf(b) ?? 0) - (space.paddingOf(a) ?? 0) || a - b);
    const where = at === null ? 'at the peak' : `at position ${count(at)}`;
    byId('bars-title').textContent = `Buffers ${where}`;
    const padding = live.reduce((sum, i) => sum + (space.paddingOf(i) ?? 0), 0);
    byId('bars-note').textContent =
      order === 'padding' ? `height is padding, ${bytes(padding)} in all` : 'height is size, the striped part padding';
    const width = this.layers.root.clientWidth - GUTTER - MARGIN;
    this.slot = Math.min(28, Math.max(4, width / Math.max(1, this.items.length)));
    const needed = GUTTER + MARGIN + this.items.length * this.slot;
    this.track.style.width = `${needed}px`;
    this.layers.message('');
    this.layers.fit();
    this.layers.root.style.setProperty('--canvas-height', `${this.layers.height}px`);
    this.highest = 1;
    for (const i of this.items) this.highest = Math.max(this.highest, this.value(space, i));
    this.floor = this.layers.height - 8;
    this.room = this.layers.height - 20;
    const nothing = this.items.length === 0;
    const none = order === 'padding' && !nothing && this.items.every((i) => this.value(space, i) === 0);
    this.layers.message(
      nothing ? `Nothing is live ${where}.`
        : none ? (space.module.entry.peak_bytes && space.overview.padding_bytes === undefined
            ? 'Padding is unknown: without its HLO module the buffers have no shapes.'
            : `No buffer is padded ${where}.`) : '',
    );
  }

  drawAll() {
    this.drawBase();
    this.drawOver();
  }

  drawBase() {
    const { space, order, matches } = this.store.shown;
    const context = this.layers.begin(this.layers.base);
    const step = byteStep(this.highest, 4);
    context.font = `11px ${theme.sans}`;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let value = 0; value <= this.highest; value += step) {
      const y = this.floor - (value / this.highest) * this.room;
      context.fillStyle = theme.css.grid;
      context.fillRect(GUTTER, Math.round(y), this.layers.width - GUTTER - MARGIN, 1);
      context.fillStyle = theme.css.soft;
      context.fillText(byteLabel(value), GUTTER - 8, y);
    }
    context.save();
    context.beginPath();
    context.rect(GUTTER, 0, this.layers.width - GUTTER - MARGIN, this.layers.height);
    context.clip();
    const first = Math.max(0, Math.floor(this.layers.root.scrollLeft / this.slot));
    const end = Math.min(this.items.length, first + Math.ceil(this.layers.width / this.slot) + 1);
    for (let place = first; place < end; place++) {
      const item = this.items[place];
      const rect = this.rectAt(place);
      const dim = matches && !matches[item];
      /** @param {Rgb} color */
      const shade = (color) => cssColor(dim ? mix(color, theme.ground, 0.75) : color);
      context.fillStyle = shade(itemColor(space, item));
      context.fillRect(rect.x, rect.y, rect.width, rect.height);
      const padding = order === 'padding' ? 0 : space.paddingOf(item) ?? 0;
      if (padding > 0) this.drawPadding(context, rect, padding / space.size[item], shade(edgeColor(space, item)));
    }
    context.restore();
  }

  /**
   * The part of a bar that is padding: its top, striped.
   * @param {CanvasRenderingContext2D} context
   * @param {Rect} rect
   * @param {number} share
   * @param {string} edge
   */
  drawPadding(context, rect, share, edge) {
    const height = rect.height * Math.min(1, share);
    if (height < 0.5) return;
    context.fillStyle = theme.css.panel;
    context.globalAlpha = 0.65;
    for (let y = 0; y < height; y += 4) context.fillRect(rect.x, rect.y + y, rect.width, Math.min(2, height - y));
    context.globalAlpha = 1;
    context.fillStyle = edge;
    context.fillRect(rect.x, rect.y, rect.width, 1);
  }

  drawOver() {
    const { state } = this.store;
    const context = this.layers.begin(this.layers.over);
    context.beginPath();
    context.rect(GUTTER - 2, 0, this.layers.width - GUTTER - MARGIN + 4, this.layers.height);
    context.clip();
    for (const item of new Set([state.pinned, state.hover])) {
      const rect = item >= 0 ? this.rectOf(item) : null;
      if (!rect) continue;
      context.fillStyle = theme.css.accent;
      context.globalAlpha = 0.1;
      context.fillRect(rect.x - 1, 4, rect.width + 2, this.floor - 4);
      context.globalAlpha = 1;
      context.strokeStyle = theme.css.ink;
      context.lineWidth = 1.5;
      context.strokeRect(rect.x, rect.y, rect.width, rect.height);
    }
  }
}

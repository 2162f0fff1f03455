// timeline.js: what pointer and keys do in the timeline.
import { byId, pointIn } from './dom.js';
import { shownItem, togglePin } from './store.js';
import { TimelinePlot } from './timeline_plot.js';
import { clampView, panView, revealBox, viewAround, zoomView } from './view.js';

/** @import { Store } from './store.js' */
/** @import { Point } from './timeline_plot.js' */
/** @import { View } from './view.js' */

const ZOOM_STEP = 1.5;
const PAN_STEP = 60; // pixels

export class Timeline extends TimelinePlot {
  /** @param {Store} store */
  constructor(store) {
    super(store);
    /** Where the pointer was last while a button is down. @type {Point & { moved: boolean } | null} */
    this.drag = null;
    this.full = false;
    this.listen();
  }

  listen() {
    const root = this.layers.root;
    root.addEventListener('pointermove', (event) => this.move(event));
    root.addEventListener('pointerleave', () => !this.drag && this.store.set({ hover: -1, cursor: null }));
    root.addEventListener('pointerdown', (event) => this.press(event));
    root.addEventListener('pointerup', (event) => this.release(event));
    root.addEventListener('pointercancel', () => this.endDrag());
    root.addEventListener('dblclick', (event) => this.zoomTo(this.itemAt(pointIn(event, root))));
    root.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    root.addEventListener('keydown', (event) => this.key(event));
    byId('zoom-in').addEventListener('click', () => this.zoom(ZOOM_STEP));
    byId('zoom-out').addEventListener('click', () => this.zoom(1 / ZOOM_STEP));
    byId('zoom-fit').addEventListener('click', () => this.store.set({ view: null }));
    byId('full').addEventListener('click', () => this.toggleFull());
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && this.setFull(false));
  }

  // --- what is in sight ---

  /** @param {View} view */
  setView(view) {
    this.store.set({ view: clampView(view, this.whole) });
  }

  /**
   * Zoom around a point of the plot, by default its middle; along the axes given.
   * @param {number} factor
   * @param {Point | null} [point]
   * @param {'x' | 'y' | 'xy'} [axes]
   */
  zoom(factor, point = null, axes = 'xy') {
    const { plot, view } = this;
    const at = point || { x: plot.x + plot.width / 2, y: plot.y + plot.height / 2 };
    const still = {
      x: view.x0 + ((at.x - plot.x) / plot.width) * (view.x1 - view.x0),
      y: view.y1 - ((at.y - plot.y) / plot.height) * (view.y1 - view.y0),
    };
    this.setView(zoomView(view, still, axes.includes('x') ? factor : 1, axes.includes('y') ? factor : 1));
  }

  /**
   * @param {number} dx in CSS pixels
   * @param {number} dy likewise
   */
  pan(dx, dy) {
    const { plot, view } = this;
    const x = (dx / plot.width) * (view.x1 - view.x0);
    const y = (dy / plot.height) * (view.y1 - view.y0);
    this.setView(panView(view, this.whole, x, y));
  }

  /** @param {number} item */
  zoomTo(item) {
    if (this.isBlock(item)) this.setView(viewAround(this.boxOf(item)));
  }

  /**
   * Pan so that an item is in sight; nothing when it is.
   * @param {number} item
   */
  reveal(item) {
    if (this.isBlock(item) && this.store.state.view) this.setView(revealBox(this.view, this.boxOf(item)));
  }

  // --- pointer and keys ---

  /** @param {PointerEvent} event */
  move(event) {
    const point = pointIn(event, this.layers.root);
    if (this.drag) {
      const dx = event.clientX - this.drag.x;
      const dy = event.clientY - this.drag.y;
      if (!this.drag.moved && Math.hypot(dx, dy) < 4) return;
      this.drag.moved = true;
      this.layers.root.classList.add('dragging');
      this.pan(-dx, dy);
      this.drag.x = event.clientX;
      this.drag.y = event.clientY;
      return;
    }
    const item = this.itemAt(point);
    this.layers.root.classList.toggle('hot', item >= 0);
    this.store.set({ hover: item, cursor: this.positionAt(point.x) });
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    this.layers.root.setPointerCapture(event.pointerId);
    this.drag = { x: event.clientX, y: event.clientY, moved: false };
  }

  /** @param {PointerEvent} event */
  release(event) {
    const moved = this.drag?.moved;
    this.endDrag();
    if (moved !== false) return;
    const point = pointIn(event, this.layers.root);
    const item = this.itemAt(point);
    if (item >= 0) togglePin(this.store, item);
    else this.store.set({ at: this.positionAt(point.x) });
  }

  endDrag() {
    this.drag = null;
    this.layers.root.classList.remove('dragging');
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (event.deltaY === 0 && event.deltaX === 0) return;
    const delta = event.deltaY || event.deltaX; // Shift turns the axis on some systems
    if (delta > 0 && !this.store.state.view) return; // all is shown: the page scrolls
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const axes = event.shiftKey ? 'x' : event.altKey ? 'y' : 'xy';
    this.zoom(Math.exp(-Math.max(-240, Math.min(240, delta * lines)) / 300), pointIn(event, this.layers.root), axes);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.pan(-PAN_STEP, 0),
      ArrowRight: () => this.pan(PAN_STEP, 0),
      ArrowUp: () => this.pan(0, PAN_STEP),
      ArrowDown: () => this.pan(0, -PAN_STEP),
      '+': () => this.zoom(ZOOM_STEP),
      '=': () => this.zoom(ZOOM_STEP),
      '-': () => this.zoom(1 / ZOOM_STEP),
      0: () => this.store.set({ view: null }),
      n: () => this.step(1),
      b: () => this.step(-1),
      f: () => this.toggleFull(),
      Enter: () => togglePin(this.store, shownItem(this.store.state)),
      Escape: () => this.escape(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  escape() {
    if (this.full) this.setFull(false);
    else this.store.set({ hover: -1, pinned: -1, at: null });
  }

  /**
   * The next or previous box in program order, of those that match when there is a search.
   * @param {1 | -1} by
   */
  step(by) {
    const { space, matches } = this.store.shown;
    const first = space.baselineCount;
    const n = space.count - first;
    if (n === 0) return;
    const current = shownItem(this.store.state);
    let at = current >= first ? current - first : by > 0 ? -1 : n;
    for (let tried = 0; tried < n; tried++) {
      at = (at + by + n) % n;
      if (!matches || matches[first + at]) {
        this.store.set({ hover: first + at });
        this.reveal(first + at);
        return;
      }
    }
  }

  /** @param {boolean} full */
  setFull(full) {
    this.full = full;
    byId('work').classList.toggle('full', full);
    byId('full').textContent = full ? 'Leave full screen' : 'Full screen';
    this.store.set({ layout: this.store.state.layout + 1 });
  }

  toggleFull() {
    const full = !this.full;
    this.setFull(full);
    if (full) byId('work').requestFullscreen?.().catch(() => {}); // where it is not allowed, the window is filled
    else if (document.fullscreenElement) document.exitFullscreen();
  }
}

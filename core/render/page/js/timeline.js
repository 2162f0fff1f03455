// timeline.js: every block a box at its addresses and its lifetime.
//
// Boxes are drawn into a grid of item numbers, one a device pixel, which is then coloured. So 100,000 boxes cost what
// the picture's pixels cost, and what is under the pointer is looked up in the grid: what you see is what you point at.
//
//   blocks --raster--> grid of item numbers --colour--> image --> labels, frames, axes on top

const NO_ITEM = -1;
const ZOOM_STEP = 1.5;

class Timeline {
  constructor(store) {
    this.store = store;
    this.layers = new Layers(byId('timeline'));
    this.top = 6;
    this.bottom = 22;
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

  // --- what is shown ---

  get whole() {
    const { space } = this.store.state;
    return { x0: 0, x1: space.length + 1, y0: 0, y1: space.height };
  }

  get view() {
    return this.store.state.view || this.whole;
  }

  get plot() {
    return { x: GUTTER, y: this.top, width: this.layers.width - GUTTER - MARGIN, height: this.layers.height - this.top - this.bottom };
  }

  x(position) {
    return this.plot.x + ((position - this.view.x0) / (this.view.x1 - this.view.x0)) * this.plot.width;
  }

  y(address) {
    return this.plot.y + (1 - (address - this.view.y0) / (this.view.y1 - this.view.y0)) * this.plot.height;
  }

  /** A view inside the whole; null when it is the whole. */
  clampView({ x0, x1, y0, y1 }) {
    const whole = this.whole;
    const axis = (low, high, from, to, least) => {
      const size = Math.min(to - from, Math.max(least, high - low));
      const start = Math.min(to - size, Math.max(from, low + (high - low - size) / 2));
      return [start, start + size];
    };
    const [a, b] = axis(x0, x1, whole.x0, whole.x1, Math.min(4, whole.x1));
    const [c, d] = axis(y0, y1, whole.y0, whole.y1, Math.min(64, whole.y1));
    const full = b - a >= whole.x1 - 1e-9 && d - c >= whole.y1 - 1e-9;
    return full ? null : { x0: a, x1: b, y0: c, y1: d };
  }

  /** Zoom around a point of the plot, by default its middle; along the axes given. */
  zoom(factor, point = null, axes = 'xy') {
    const plot = this.plot;
    const at = point || { x: plot.x + plot.width / 2, y: plot.y + plot.height / 2 };
    const { x0, x1, y0, y1 } = this.view;
    const px = x0 + ((at.x - plot.x) / plot.width) * (x1 - x0);
    const py = y1 - ((at.y - plot.y) / plot.height) * (y1 - y0);
    const fx = axes.includes('x') ? factor : 1;
    const fy = axes.includes('y') ? factor : 1;
    this.store.set({
      view: this.clampView({
        x0: px - (px - x0) / fx, x1: px + (x1 - px) / fx, y0: py - (py - y0) / fy, y1: py + (y1 - py) / fy,
      }),
    });
  }

  pan(dx, dy) {
    const { x0, x1, y0, y1 } = this.view;
    const x = Math.min(this.whole.x1 - x1, Math.max(-x0, (dx / this.plot.width) * (x1 - x0)));
    const y = Math.min(this.whole.y1 - y1, Math.max(-y0, (dy / this.plot.height) * (y1 - y0)));
    this.store.set({ view: this.clampView({ x0: x0 + x, x1: x1 + x, y0: y0 + y, y1: y1 + y }) });
  }

  /** The extent of a block in positions and addresses. */
  boxOf(item) {
    const { space } = this.store.state;
    const heap = space.heaps[space.heapOf[item]];
    const low = heap.low + Math.max(0, space.offset[item]);
    return { x0: space.start[item], x1: space.end[item], y0: low, y1: low + space.size[item] };
  }

  isBlock(item) {
    return item >= this.store.state.space.baselineCount;
  }

  zoomTo(item) {
    if (item < 0 || !this.isBlock(item)) return;
    const { x0, x1, y0, y1 } = this.boxOf(item);
    const w = Math.max(8, (x1 - x0) * 1.5);
    const h = Math.max(64, (y1 - y0) * 3);
    this.store.set({ view: this.clampView({ x0: x0 - w, x1: x1 + w, y0: y0 - h, y1: y1 + h }) });
  }

  /** Pan so that an item is in sight; nothing when it is. */
  reveal(item) {
    if (!this.isBlock(item) || !this.store.state.view) return;
    const box = this.boxOf(item);
    const { x0, x1, y0, y1 } = this.view;
    const shift = (low, high, from, to) => {
      if (high > from && low < to && (high - low > to - from || (low >= from && high <= to))) return 0;
      return (low + high) / 2 - (from + to) / 2;
    };
    const dx = shift(box.x0, box.x1, x0, x1);
    const dy = shift(box.y0, box.y1, y0, y1);
    this.store.set({ view: this.clampView({ x0: x0 + dx, x1: x1 + dx, y0: y0 + dy, y1: y1 + dy }) });
  }

  // --- pointer and keys ---

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

  press(event) {
    if (event.button !== 0) return;
    this.layers.root.setPointerCapture(event.pointerId);
    this.drag = { x: event.clientX, y: event.clientY, moved: false };
  }

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

  wheel(event) {
    if (event.deltaY === 0 && event.deltaX === 0) return;
    const delta = event.deltaY || event.deltaX; // Shift turns the axis on some systems
    if (delta > 0 && !this.store.state.view) return; // all is shown: the page scrolls
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const axes = event.shiftKey ? 'x' : event.altKey ? 'y' : 'xy';
    this.zoom(Math.exp(-Math.max(-240, Math.min(240, delta * lines)) / 300), pointIn(event, this.layers.root), axes);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    const step = 60;
    const actions = {
      ArrowLeft: () => this.pan(-step, 0),
      ArrowRight: () => this.pan(step, 0),
      ArrowUp: () => this.pan(0, step),
      ArrowDown: () => this.pan(0, -step),
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

  /** The next or previous box in program order, of those that match when there is a search. */
  step(by) {
    const { space, matches } = this.store.state;
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

  setFull(full) {
    this.full = full;
    byId('work').classList.toggle('full', full);
    byId('full').textContent = full ? 'Leave full screen' : 'Full screen';
    this.store.set({ layout: (this.store.state.layout || 0) + 1 });
  }

  toggleFull() {
    const full = !this.full;
    this.setFull(full);
    if (full) byId('work').requestFullscreen?.().catch(() => {}); // where it is not allowed, the window is filled
    else if (document.fullscreenElement) document.exitFullscreen();
  }

  positionAt(x) {
    const { x0, x1 } = this.view;
    const position = Math.floor(x0 + ((x - this.plot.x) / this.plot.width) * (x1 - x0));
    return Math.min(this.store.state.space.length, Math.max(0, position));
  }

  /** The item drawn at a point, or within two pixels of it: thin boxes are hard to hit. */
  itemAt({ x, y }) {
    const grid = this.grid;
    if (!grid) return NO_ITEM;
    const gx = Math.floor((x - this.plot.x) * this.layers.scale);
    const gy = Math.floor((y - this.plot.y) * this.layers.scale);
    for (let r = 0; r <= 2; r++) {
      for (let dy = -r; dy <= r; dy++) {
        for (let dx = -r; dx <= r; dx++) {
          if (Math.max(Math.abs(dx), Math.abs(dy)) !== r) continue;
          const px = gx + dx;
          const py = gy + dy;
          if (px < 0 || py < 0 || px >= grid.width || py >= grid.height) continue;
          const item = grid.items[py * grid.width + px];
          if (item !== NO_ITEM) return item;
        }
      }
    }
    return NO_ITEM;
  }

  // --- drawing ---

  update(changed) {
    const resized = this.layers.fit();
    if (changed.has('space') || changed.has('theme')) this.colors = null;
    if (resized || ['space', 'theme', 'view', 'matches', 'at', 'layout'].some((name) => changed.has(name))) {
      this.drawBase();
      this.drawOver();
    } else if (['cursor', 'hover', 'pinned'].some((name) => changed.has(name))) {
      this.drawOver();
    }
  }

  /** Fill, edge and dimmed fill of every item as pixels. */
  prepareColors() {
    if (this.colors) return;
    const { space } = this.store.state;
    const n = space.count;
    this.colors = { fill: new Uint32Array(n), edge: new Uint32Array(n), dim: new Uint32Array(n), dimEdge: new Uint32Array(n) };
    for (let i = space.baselineCount; i < n; i++) {
      const color = itemColor(space, i);
      const edge = edgeColor(space, i);
      this.colors.fill[i] = pixel(color);
      this.colors.edge[i] = pixel(edge);
      this.colors.dim[i] = pixel(mix(color, theme.ground, 0.8));
      this.colors.dimEdge[i] = pixel(mix(edge, theme.ground, 0.8));
    }
  }

  raster() {
    const { space, matches, at } = this.store.state;
    const { scale } = this.layers;
    const { x0, x1, y0, y1 } = this.view;
    const width = Math.max(1, Math.round(this.plot.width * scale));
    const height = Math.max(1, Math.round(this.plot.height * scale));
    if (!this.grid || this.grid.width !== width || this.grid.height !== height) {
      this.grid = { width, height, items: new Int32Array(width * height) };
    }
    const items = this.grid.items.fill(NO_ITEM);
    const kx = width / (x1 - x0);
    const ky = height / (y1 - y0);
    const n = space.count;
    this.thin = 0;
    this.visible = 0;
    this.labels = [];
    if (!this.edged || this.edged.length !== n) this.edged = new Uint8Array(n);
    const draw = (i, low) => {
      if (space.end[i] <= x0 || space.start[i] >= x1) return;
      const bottom = low + (space.offset[i] > 0 ? space.offset[i] : 0);
      const high = bottom + space.size[i];
      if (high < y0 || bottom > y1) return;
      const w = (space.end[i] - space.start[i]) * kx;
      const h = space.size[i] * ky;
      this.visible++;
      if (w < 0.5 || h < 0.5) this.thin++;
      const left = Math.max(0, Math.min(width - 1, Math.round((space.start[i] - x0) * kx)));
      const right = Math.min(width, Math.max(left + 1, Math.round((space.end[i] - x0) * kx)));
      const top = Math.max(0, Math.min(height - 1, Math.round((y1 - high) * ky)));
      const end = Math.min(height, Math.max(top + 1, Math.round((y1 - bottom) * ky)));
      for (let y = top; y < end; y++) items.fill(i, y * width + left, y * width + right);
      this.edged[i] = w >= 3 * scale && h >= 3 * scale ? 1 : 0;
      if (right - left > 44 * scale && end - top > 13 * scale) this.labels.push({ item: i, left, right, top, end });
    };
    const lit = (i) => (!matches || matches[i] === 1) && (at === null || (space.start[i] <= at && at < space.end[i]));
    const partly = matches !== null || at !== null;
    for (const pass of partly ? [false, true] : [true]) { // what is lit comes last, over the rest
      for (const heap of space.heaps) {
        for (let i = heap.first; i < heap.end; i++) if (!partly || lit(i) === pass) draw(i, heap.low);
      }
    }
    return partly ? lit : null;
  }

  colorize(context, lit) {
    const { width, height, items } = this.grid;
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { fill, edge, dim, dimEdge } = this.colors;
    const ground = pixel(theme.ground);
    const edged = this.edged;
    const pixels = this.pixels;
    const border = Math.max(1, Math.round(this.layers.scale));
    const light = lit ? new Uint8Array(this.store.state.space.count) : null;
    if (lit) for (let i = 0; i < light.length; i++) light[i] = lit(i) ? 1 : 0;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const item = items[at];
        if (item === NO_ITEM) {
          pixels[at] = ground;
          continue;
        }
        const onEdge = edged[item] === 1 && (x < border || items[at - border] !== item || y < border ||
          items[at - border * width] !== item || items[at + border] === NO_ITEM || items[at + border * width] === NO_ITEM);
        const bright = light === null || light[item] === 1;
        pixels[at] = bright ? (onEdge ? edge[item] : fill[item]) : onEdge ? dimEdge[item] : dim[item];
      }
    }
    context.putImageData(this.image, Math.round(this.plot.x * this.layers.scale), Math.round(this.plot.y * this.layers.scale));
  }

  drawBase() {
    const { space } = this.store.state;
    this.prepareColors();
    const context = this.layers.begin(this.layers.base);
    const lit = this.raster();
    this.colorize(context, lit);
    this.drawFrames(context, space);
    this.drawLabels(context, space, lit);
    const { x0, x1 } = this.view;
    drawPositions(context, { from: x0, to: x1, x: (p) => this.x(p), y: this.plot.y + this.plot.height, width: this.plot.width });
    this.note(space);
    this.layers.message(space.heaps.length > 0 ? '' : this.reason(space));
  }

  reason(space) {
    if (space.baselineCount === 0) return 'This memory space has neither a heap nor a baseline: there is nothing to lay out.';
    if (space.overview.untraced_bytes > 0) {
      return 'No heap trace: nothing tells when the temporaries of this space live, so there is nothing to lay out over time. ' +
        'The bars and the table show them.';
    }
    return `No heap trace: ${plural(space.baselineCount, 'allocation')} of ${bytes(space.overview.baseline_bytes)} ` +
      'stay for the whole program, so there is nothing to lay out over time. The bars and the table show them.';
  }

  note(space) {
    const blocks = space.count - space.baselineCount;
    const parts = [];
    if (space.heaps.length > 0) {
      parts.push(this.visible === blocks ? plural(blocks, 'box', 'boxes') : `${count(this.visible)} of ${plural(blocks, 'box', 'boxes')} in view`);
      if (this.thin > 0) parts.push(`${count(this.thin)} thinner than half a pixel, drawn one pixel thin: zoom in to tell them apart`);
      if (this.store.state.view) {
        const { x0, x1 } = this.view;
        parts.push(`positions ${count(Math.floor(x0))} to ${count(Math.ceil(x1) - 1)}`);
      }
    }
    byId('timeline-note').textContent = parts.join(' \u00b7 ');
  }

  /** The frame and the addresses of each heap. */
  drawFrames(context, space) {
    const { plot } = this;
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
      context.strokeRect(plot.x + 0.5, Math.round(top) + 0.5, plot.width - 1, Math.max(1, Math.round(bottom - top) - 1));
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

  drawLabels(context, space, lit) {
    const { scale } = this.layers;
    context.font = `11px ${theme.mono}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const letter = context.measureText('0').width;
    const grid = this.grid;
    for (const { item, left, right, top, end } of this.labels) {
      if (lit && !lit(item)) continue;
      const row = Math.floor((top + end) / 2) * grid.width;
      let uncovered = left;
      while (uncovered < right && grid.items[row + uncovered] === item) uncovered++;
      const width = (uncovered - left) / scale;
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

  /** Where an item is drawn, in CSS pixels of the element; null for what is no block. */
  rectOf(item) {
    if (item < 0 || !this.isBlock(item)) return null;
    const box = this.boxOf(item);
    const x = this.x(box.x0);
    const y = this.y(box.y1);
    return { x, y, width: Math.max(1, this.x(box.x1) - x), height: Math.max(1, this.y(box.y0) - y) };
  }

  drawOver() {
    const { state } = this.store;
    const context = this.layers.begin(this.layers.over);
    const { plot } = this;
    context.save();
    context.beginPath();
    context.rect(plot.x - 1, plot.y - 1, plot.width + 2, plot.height + 2);
    context.clip();
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
    if (state.at === null && state.space.heaps.length > 0) line(state.space.overview.peak_position, theme.css.padded, [2, 4]);
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

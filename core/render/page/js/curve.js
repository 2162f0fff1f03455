// curve.js: the usage curve, its peak, and on it the lifetime of the buffer that is pointed at.

/** The top of the scale. What is declared can need more than what is allocated: then it is not the peak. */
function highestOf(series) {
  let highest = Math.max(1, series.bytes[series.peak]);
  for (const values of [series.unpadded, series.occupied]) {
    if (values) for (const value of values) highest = Math.max(highest, value);
  }
  return highest;
}

class Curve {
  constructor(store) {
    this.store = store;
    this.layers = new Layers(byId('curve'));
    this.top = 22;
    this.bottom = 22;
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
    const top = 64; // of the style sheet
    window.addEventListener('scroll', () => {
      const stuck = panel.getBoundingClientRect().top <= top;
      if (stuck === panel.classList.contains('stuck')) return;
      const height = panel.offsetHeight;
      panel.classList.toggle('stuck', stuck);
      panel.style.marginBottom = stuck ? `${height - panel.offsetHeight}px` : '';
    }, { passive: true });
  }

  get length() {
    return this.store.state.space.length;
  }

  get plotWidth() {
    return this.layers.width - GUTTER - MARGIN;
  }

  x(position) {
    return GUTTER + (position / (this.length + 1)) * this.plotWidth;
  }

  y(bytes) {
    return this.layers.height - this.bottom - (bytes / this.highest) * (this.layers.height - this.top - this.bottom);
  }

  positionAt(x) {
    const position = Math.floor(((x - GUTTER) / this.plotWidth) * (this.length + 1));
    return Math.min(this.length, Math.max(0, position));
  }

  key(event) {
    const { state } = this.store;
    const peak = state.space.overview.peak_position;
    const from = state.cursor ?? state.at ?? peak;
    const leap = event.shiftKey ? Math.max(1, Math.round(this.length / 100)) : 1;
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

  update(changed) {
    const resized = this.layers.fit();
    if (resized || changed.has('space') || changed.has('heap') || changed.has('theme')) {
      this.drawBase();
      this.drawOver();
    } else if (['cursor', 'at', 'hover', 'pinned', 'view'].some((name) => changed.has(name))) {
      this.drawOver();
    }
  }

  drawBase() {
    const { space, heap: heapIndex } = this.store.state;
    const heap = space.heaps[heapIndex];
    const flat = space.valueAt(-1, 0);
    const series = heap || { bytes: [flat.bytes], unpadded: null, occupied: [flat.bytes], peak: 0, events: 0 };
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
      heap ? '' : space.count === 0
        ? 'Nothing is held in this memory space: it has neither a baseline nor a heap.'
        : space.overview.untraced_bytes > 0
          ? 'No heap trace: nothing tells when the temporaries of this space live, so they are counted throughout.'
          : 'No heap trace: this space holds its baseline from the first instruction to the last, so there is no curve.',
    );
  }

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
    const x = (p) => this.x(p);
    drawPositions(context, { from: 0, to: this.length, x, y: this.y(0), width: this.plotWidth });
  }

  /** The path of a series: steps, or where there are more positions than pixels, the lowest and highest of each pixel,
   * so that no peak is lost. */
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
        let low = values[from];
        let high = low;
        for (let p = from + 1; p < to; p++) {
          low = Math.min(low, values[p]);
          high = Math.max(high, values[p]);
        }
        const x = GUTTER + column + 0.5;
        const values2 = closed ? [high] : values[from] === high ? [high, low] : [low, high];
        for (const value of values2) context.lineTo(x, this.y(value));
      }
    }
    if (closed) {
      context.lineTo(this.x(last + 1), this.y(0));
      context.closePath();
    }
  }

  stroke(context, values, color, width, dash) {
    this.trace(context, values, false);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.lineJoin = 'round';
    context.stroke();
    context.setLineDash([]);
  }

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
    const { state } = this.store;
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

  /** The band: from the item's start to its end, as high as its size. */
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

  /** What the timeline shows of the whole, when it is zoomed. */
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
    context.strokeRect(Math.round(from) + 0.5, this.top - 7.5, Math.max(1, Math.round(to - from)), this.y(0) - this.top + 7);
  }
}

/** The line below the curve, and the position's field. */
class Readout {
  constructor(store) {
    this.store = store;
    this.line = byId('readout');
    this.field = byId('at');
    this.field.addEventListener('change', () => this.choose());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.choose();
      if (event.key === 'Escape') store.set({ at: null });
    });
    byId('to-peak').addEventListener('click', () => store.set({ at: null }));
    byId('heap').addEventListener('change', (event) => store.set({ heap: Number(event.target.value) }));
  }

  choose() {
    const text = this.field.value.replace(/[,\s]/g, '');
    const { space } = this.store.state;
    if (text === '') {
      this.store.set({ at: null });
      return;
    }
    const valid = /^\d+$/.test(text);
    this.field.setAttribute('aria-invalid', String(!valid));
    this.field.title = valid ? '' : `A whole number from 0 to ${space.length}`;
    if (valid) this.store.set(space.nearest(Number(text)));
    else this.line.textContent = `No position ${this.field.value}: positions go from 0 to ${count(space.length)}`;
  }

  update(changed) {
    const { space, heap, at, cursor, beyond } = this.store.state;
    if (changed.has('space')) this.fillHeaps(space);
    if (changed.has('space') || changed.has('heap')) byId('heap').value = String(heap);
    if (!['space', 'heap', 'at', 'cursor', 'beyond'].some((name) => changed.has(name))) return;
    const peak = space.heaps[heap] ? space.heaps[heap].peak : 0;
    const position = cursor ?? at ?? peak;
    const value = space.valueAt(heap, position);
    if (['at', 'space', 'beyond'].some((name) => changed.has(name))) {
      this.field.value = at === null ? '' : String(at);
      this.field.placeholder = String(space.overview.peak_position);
      this.field.setAttribute('aria-invalid', 'false');
    }
    const parts = [
      cursor === null && beyond !== null ? `No position ${count(beyond)}, this is the last: ` : null,
      el('b', {}, position === peak ? `Peak, position ${count(position)}` : `Position ${count(position)}`),
      ` of ${count(space.heaps[heap] ? space.heaps[heap].events : 0)}`,
    ];
    if (value.event) parts.push(` \u00b7 ${value.event} `, el('code', {}, value.instruction));
    parts.push(' \u00b7 ', sizeElement(value.bytes, 'b', { id: 'readout-bytes' }), ' with padding');
    if (value.unpadded !== null) parts.push(' \u00b7 ', sizeElement(value.unpadded, 'b'), ' without');
    parts.push(' \u00b7 ', sizeElement(value.occupied, 'b'), ' occupied');
    this.line.replaceChildren(...parts.filter((part) => part !== null));
  }

  fillHeaps(space) {
    byId('heap-pick').hidden = space.heaps.length < 2;
    byId('heap').replaceChildren(
      ...space.heaps.map((heap, i) => {
        const id = heap.allocation >= 0 ? `allocation ${space.module.raw.allocations.id[heap.allocation]}` : 'no allocation';
        return el('option', { value: i }, `${i + 1} of ${space.heaps.length}: ${id}, ${bytes(heap.bytes[heap.peak])}`);
      }),
    );
  }
}

function fillLegend(hasUnpadded, showsUntraced) {
  const line = (name, text, kind) => {
    const style = kind === 'area' ? `background: var(--${name})` : `border-color: var(--${name})`;
    return el('li', {}, el('i', { class: kind, style }), text);
  };
  byId('legend').replaceChildren(
    line('padded', 'With padding', 'solid'),
    ...(hasUnpadded ? [line('unpadded', 'Without', 'solid')] : []),
    line('occupied', 'Occupied', 'dashed'),
    line('baseline-fill', showsUntraced ? 'Baseline and untraced' : 'Baseline', 'area'),
  );
}

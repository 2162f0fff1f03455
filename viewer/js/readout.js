// readout.js: the line below the curve, the position's field, the choice of heap, the legend.
import { byId, byIdAs, el, sizeElement } from './dom.js';
import { bytes, count } from './format.js';
import { hasAny } from './store.js';

/** @import { Space } from './model.js' */
/** @import { Changes, Store } from './store.js' */

export class Readout {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.line = byId('readout');
    this.field = byIdAs('at', HTMLInputElement);
    this.heaps = byIdAs('heap', HTMLSelectElement);
    this.field.addEventListener('change', () => this.choose());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.choose();
      if (event.key === 'Escape') store.set({ at: null });
    });
    byId('to-peak').addEventListener('click', () => store.set({ at: null }));
    this.heaps.addEventListener('change', () => store.set({ heap: Number(this.heaps.value) }));
  }

  choose() {
    const text = this.field.value.replace(/[,\s]/g, '');
    const { space } = this.store.shown;
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

  /** @param {Changes} changed */
  update(changed) {
    const { space, heap, at, cursor, beyond } = this.store.shown;
    if (changed.has('space')) this.fillHeaps(space);
    if (hasAny(changed, 'space', 'heap')) this.heaps.value = String(heap);
    if (!hasAny(changed, 'space', 'heap', 'at', 'cursor', 'beyond')) return;
    const peak = space.heaps[heap] ? space.heaps[heap].peak : 0;
    const position = cursor ?? at ?? peak;
    const value = space.valueAt(heap, position);
    if (hasAny(changed, 'at', 'space', 'beyond')) {
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

  /** @param {Space} space */
  fillHeaps(space) {
    byId('heap-pick').hidden = space.heaps.length < 2;
    const { id } = space.module.raw.allocations;
    this.heaps.replaceChildren(
      ...space.heaps.map((heap, i) => {
        const name = heap.allocation >= 0 ? `allocation ${id[heap.allocation]}` : 'no allocation';
        const peak = bytes(heap.bytes[heap.peak]);
        return el('option', { value: i }, `${i + 1} of ${space.heaps.length}: ${name}, ${peak}`);
      }),
    );
  }
}

/** @param {Space} space */
export function fillLegend(space) {
  const hasUnpadded = space.overview.peak_unpadded_bytes !== undefined;
  /**
   * @param {string} name
   * @param {string} text
   * @param {'solid' | 'dashed' | 'area'} kind
   */
  const line = (name, text, kind) => {
    const style = kind === 'area' ? `background: var(--${name})` : `border-color: var(--${name})`;
    return el('li', {}, el('i', { class: kind, style }), text);
  };
  byId('legend').replaceChildren(
    line('padded', 'With padding', 'solid'),
    ...(hasUnpadded ? [line('unpadded', 'Without', 'solid')] : []),
    line('occupied', 'Occupied', 'dashed'),
    line('baseline-fill', space.showsUntraced ? 'Baseline and untraced' : 'Baseline', 'area'),
  );
}

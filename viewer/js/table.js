// table.js: what is live at the chosen position as a table. Of long ones only the rows in sight are elements.
import { COLUMNS, cellText, sortItems } from './columns.js';
import { byId, el, sizeElement } from './dom.js';
import { count, plural } from './format.js';
import { hasAny, togglePin } from './store.js';

/** @import { Column } from './columns.js' */
/** @import { Space } from './model.js' */
/** @import { Changes, Store } from './store.js' */

const ROW_HEIGHT = 28;
const SPARE_ROWS = 20;

export class LiveTable {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.root = byId('live');
    this.sort = { column: COLUMNS.find((column) => column.key === 'size_bytes') ?? COLUMNS[0], down: true };
    /** The items in their order. @type {number[]} */
    this.rows = [];
    this.focused = -1; // the item whose row is reached by Tab
    this.heads = COLUMNS.map((column) => el('th', {
      scope: 'col', class: column.kind === 'text' ? null : 'number', 'data-key': column.key,
    }, el('button', { type: 'button', onclick: () => this.sortBy(column) }, column.title)));
    this.body = el('tbody', {
      onmouseover: (event) => this.point(event),
      onmouseleave: () => this.store.set({ hover: -1 }),
      onclick: (event) => togglePin(this.store, this.itemOf(event.target)),
      onkeydown: (event) => this.key(event),
      onfocusin: (event) => this.point(event),
    });
    const head = el('thead', {}, el('tr', {}, ...this.heads));
    this.table = el('table', { 'aria-labelledby': 'live-title' }, head, this.body);
    this.none = el('div', { class: 'empty', hidden: true });
    this.root.append(this.table, this.none);
    this.root.addEventListener('scroll', () => this.fillRows());
  }

  /**
   * The row of an item; null while it is not in sight.
   * @param {number} item
   * @returns {HTMLElement | null}
   */
  row(item) {
    return this.body.querySelector(`tr[data-item="${item}"]`);
  }

  /** @param {EventTarget | null} target */
  itemOf(target) {
    const row = target instanceof Element ? target.closest('tr[data-item]') : null;
    return row instanceof HTMLElement ? Number(row.dataset.item) : -1;
  }

  /** @param {Event} event */
  point(event) {
    const item = this.itemOf(event.target);
    if (item >= 0) this.store.set({ hover: item });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const item = this.itemOf(event.target);
    const place = this.rows.indexOf(item);
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW_HEIGHT) - 2);
    const last = this.rows.length - 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -place, End: last - place };
    if (event.key in moves) {
      this.focusRow(Math.min(last, Math.max(0, place + moves[event.key])));
    } else if (event.key === 'Enter' || event.key === ' ') {
      togglePin(this.store, item);
    } else if (event.key === 'Escape') {
      this.store.set({ pinned: -1 });
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {number} place */
  focusRow(place) {
    const top = place * ROW_HEIGHT;
    const room = this.root.clientHeight - 2 * ROW_HEIGHT;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top > this.root.scrollTop + room) this.root.scrollTop = top - room;
    this.focused = this.rows[place];
    this.fillRows();
    this.row(this.focused)?.focus({ preventScroll: true });
  }

  /** @param {Column} column */
  sortBy(column) {
    if (this.sort.column === column) this.sort.down = !this.sort.down;
    else this.sort = { column, down: column.kind !== 'text' };
    this.arrange();
  }

  arrange() {
    const { space, live } = this.store.shown;
    const { column, down } = this.sort;
    this.rows = sortItems(space, live, column, down);
    for (const th of this.heads) {
      if (th.dataset.key === column.key) th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    }
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.table.hidden = this.rows.length === 0;
    this.none.hidden = this.rows.length > 0;
    this.none.textContent = space.count === 0 ? 'This memory space holds no buffers.'
      : 'Nothing is live at this position.';
    this.focused = this.rows[0] ?? -1;
    this.root.scrollTop = 0;
    this.fillRows();
  }

  fillRows() {
    const { space, matches, hover, pinned } = this.store.shown;
    const inSight = Math.ceil(this.root.clientHeight / ROW_HEIGHT || 15);
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const end = Math.min(this.rows.length, first + inSight + 2 * SPARE_ROWS);
    const hadFocus = this.body.contains(document.activeElement);
    const place = this.rows.indexOf(this.focused);
    const focusable = place >= first && place < end ? this.focused : this.rows[first];
    const rows = this.rows.slice(first, end).map((i, k) => {
      const marks = [matches && matches[i] ? 'match' : '', i === hover ? 'hover' : '', i === pinned ? 'pinned' : ''];
      return el('tr', {
        'data-item': i,
        'aria-rowindex': first + k + 2,
        tabindex: i === focusable ? 0 : -1,
        class: marks.join(' ').trim() || null,
      }, ...COLUMNS.map((column) => this.cell(column, space, i)));
    });
    this.body.replaceChildren(...spacer(first), ...rows, ...spacer(this.rows.length - end));
    if (hadFocus) this.row(focusable)?.focus({ preventScroll: true });
  }

  /**
   * @param {Column} column
   * @param {Space} space
   * @param {number} i
   */
  cell(column, space, i) {
    const value = column.value(space, i);
    if (column.kind === 'size') return sizeElement(/** @type {number | null} */ (value), 'td', { class: 'number' });
    const text = cellText(column, space, i);
    const more = typeof value === 'string' && (value.length > 30 || value !== text);
    const kind = column.kind === 'number' ? 'number' : column.code ? 'code' : null;
    return el('td', { class: kind, title: more ? value : null }, text);
  }

  /** @param {Changes} changed */
  update(changed) {
    const { space, live, at } = this.store.shown;
    if (hasAny(changed, 'live', 'space')) {
      const where = at === null ? 'at the peak' : `at position ${count(at)}`;
      byId('live-title').textContent = `Live ${where}`;
      const total = live.reduce((sum, i) => sum + space.size[i], 0);
      const size = sizeElement(total, 'span', { id: 'live-total' });
      byId('live-note').replaceChildren(`${plural(live.length, 'buffer')}, `, size);
      this.arrange();
    } else if (changed.has('matches')) {
      this.fillRows();
    } else if (hasAny(changed, 'hover', 'pinned')) {
      this.mark();
    }
  }

  /** The classes of the rows that are there: not worth making them anew. */
  mark() {
    const { hover, pinned } = this.store.state;
    for (const row of this.body.querySelectorAll('.hover, .pinned')) row.classList.remove('hover', 'pinned');
    this.row(hover)?.classList.add('hover');
    this.row(pinned)?.classList.add('pinned');
  }
}

/**
 * What stands for `n` rows that are not there.
 * @param {number} n
 */
function spacer(n) {
  if (n === 0) return [];
  const cell = el('td', { colspan: COLUMNS.length, style: `height: ${n * ROW_HEIGHT}px` });
  return [el('tr', { class: 'spacer', 'aria-hidden': 'true' }, cell)];
}

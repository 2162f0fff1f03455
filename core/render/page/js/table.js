// table.js: what is live at the chosen position as a table. Of long ones only the rows in sight are elements.

const ROW_HEIGHT = 28;
const SPARE_ROWS = 20;

// What and where first: of a narrow window the rest is behind a sideways scroll.
const COLUMNS = [
  { key: 'instruction', title: 'Instruction', code: true, value: (s, i) => s.label(i) },
  { key: 'size_bytes', title: 'Size', size: true, value: (s, i) => s.size[i] },
  { key: 'padding_bytes', title: 'Padding', size: true, value: (s, i) => s.paddingOf(i) },
  { key: 'category', title: 'Kind', value: (s, i) => s.category(i) },
  { key: 'source', title: 'Source', code: true, value: (s, i) => s.source(i), text: (s, i) => pathEnd(s.source(i), 2) },
  { key: 'op_name', title: 'Framework op', value: (s, i) => s.opName(i) },
  { key: 'shape', title: 'Shape', code: true, value: (s, i) => s.shape(i) },
  { key: 'opcode', title: 'Opcode', value: (s, i) => s.opcode(i) },
  { key: 'unpadded_bytes', title: 'Unpadded', size: true, value: (s, i) => s.unpaddedOf(i) },
  { key: 'expansion', title: 'Expansion', number: true, value: (s, i) => expansionOf(s.size[i], s.unpadded[i]), text: (s, i) => expansion(s.size[i], s.unpadded[i]) },
  { key: 'start_position', title: 'Start', number: true, value: (s, i) => s.startOf(i) },
  { key: 'end_position', title: 'End', number: true, value: (s, i) => s.endOf(i) },
  { key: 'offset_bytes', title: 'Offset', size: true, value: (s, i) => (s.offset[i] >= 0 ? s.offset[i] : null) },
];

class LiveTable {
  constructor(store) {
    this.store = store;
    this.root = byId('live');
    this.sort = { column: COLUMNS.find((column) => column.key === 'size_bytes'), down: true };
    this.rows = [];
    this.root.addEventListener('scroll', () => this.fillRows());
    this.build();
  }

  build() {
    const head = el('tr');
    for (const column of COLUMNS) {
      const button = el('button', { type: 'button', onclick: () => this.sortBy(column) }, column.title);
      head.append(el('th', { scope: 'col', class: column.size || column.number ? 'number' : null, 'data-key': column.key }, button));
    }
    this.head = head;
    this.body = el('tbody', {
      onmouseover: (event) => this.point(event),
      onmouseleave: () => this.store.set({ hover: -1 }),
      onclick: (event) => togglePin(this.store, this.itemOf(event.target)),
      onkeydown: (event) => this.key(event),
      onfocusin: (event) => this.point(event),
    });
    this.table = el('table', { 'aria-labelledby': 'live-title' }, el('thead', {}, head), this.body);
    this.none = el('div', { class: 'empty', hidden: true });
    this.root.append(this.table, this.none);
  }

  itemOf(target) {
    const row = target.closest('tr[data-item]');
    return row ? Number(row.dataset.item) : -1;
  }

  point(event) {
    const item = this.itemOf(event.target);
    if (item >= 0) this.store.set({ hover: item });
  }

  key(event) {
    const item = this.itemOf(event.target);
    const place = this.rows.indexOf(item);
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW_HEIGHT) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -place, End: this.rows.length - 1 - place };
    if (event.key in moves) {
      this.focusRow(Math.min(this.rows.length - 1, Math.max(0, place + moves[event.key])));
    } else if (event.key === 'Enter' || event.key === ' ') {
      togglePin(this.store, item);
    } else if (event.key === 'Escape') {
      this.store.set({ pinned: -1 });
    } else {
      return;
    }
    event.preventDefault();
  }

  focusRow(place) {
    const top = place * ROW_HEIGHT;
    const room = this.root.clientHeight - 2 * ROW_HEIGHT;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top > this.root.scrollTop + room) this.root.scrollTop = top - room;
    this.focused = this.rows[place];
    this.fillRows();
    this.body.querySelector(`tr[data-item="${this.focused}"]`)?.focus({ preventScroll: true });
  }

  sortBy(column) {
    const numeric = column.size || column.number;
    if (this.sort.column === column) this.sort.down = !this.sort.down;
    else this.sort = { column, down: Boolean(numeric) };
    this.arrange();
  }

  arrange() {
    const { space, live } = this.store.state;
    const { column, down } = this.sort;
    this.rows = live.slice();
    const values = new Map(this.rows.map((i) => [i, column.value(space, i)]));
    const sign = down ? -1 : 1;
    this.rows.sort((a, b) => {
      const x = values.get(a);
      const y = values.get(b);
      if (x === y) return a - b;
      if (x === null || x === '') return 1; // unknown comes last either way
      if (y === null || y === '') return -1;
      return (x < y ? -1 : 1) * sign;
    });
    for (const th of this.head.children) {
      if (th.dataset.key === column.key) th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    }
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.table.hidden = this.rows.length === 0;
    this.none.hidden = this.rows.length > 0;
    this.none.textContent = space.count === 0 ? 'This memory space holds no buffers.' : 'Nothing is live at this position.';
    this.focused = this.rows[0];
    this.root.scrollTop = 0;
    this.fillRows();
  }

  fillRows() {
    const { space, matches, hover, pinned } = this.store.state;
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const end = Math.min(this.rows.length, first + Math.ceil(this.root.clientHeight / ROW_HEIGHT || 15) + 2 * SPARE_ROWS);
    const spacer = (n) => (n > 0 ? [el('tr', { class: 'spacer', 'aria-hidden': 'true' }, el('td', { colspan: COLUMNS.length, style: `height: ${n * ROW_HEIGHT}px` }))] : []);
    const hadFocus = this.body.contains(document.activeElement);
    const focusable = this.rows.indexOf(this.focused) >= first && this.rows.indexOf(this.focused) < end ? this.focused : this.rows[first];
    const rows = this.rows.slice(first, end).map((i, k) => {
      const row = el('tr', {
        'data-item': i,
        'aria-rowindex': first + k + 2,
        tabindex: i === focusable ? 0 : -1,
        class: [matches && matches[i] ? 'match' : '', i === hover ? 'hover' : '', i === pinned ? 'pinned' : ''].join(' ').trim() || null,
      });
      for (const column of COLUMNS) row.append(this.cell(column, space, i));
      return row;
    });
    this.body.replaceChildren(...spacer(first), ...rows, ...spacer(this.rows.length - end));
    if (hadFocus) this.body.querySelector('tr[tabindex="0"]')?.focus({ preventScroll: true });
  }

  cell(column, space, i) {
    if (column.size) return sizeElement(column.value(space, i), 'td', { class: 'number' });
    const value = column.value(space, i);
    const text = column.text ? column.text(space, i) : value;
    const shown = typeof text === 'number' ? count(text) : text;
    const more = typeof value === 'string' && (value.length > 30 || value !== text);
    return el('td', { class: column.number ? 'number' : column.code ? 'code' : null, title: more ? value : null }, shown);
  }

  update(changed) {
    const { space, live, at } = this.store.state;
    if (changed.has('live') || changed.has('space')) {
      const where = at === null ? 'at the peak' : `at position ${count(at)}`;
      byId('live-title').textContent = `Live ${where}`;
      const total = live.reduce((sum, i) => sum + space.size[i], 0);
      byId('live-note').replaceChildren(`${plural(live.length, 'buffer')}, `, sizeElement(total, 'span', { id: 'live-total' }));
      this.arrange();
    } else if (changed.has('matches')) {
      this.fillRows();
    } else if (changed.has('hover') || changed.has('pinned')) {
      this.mark();
    }
  }

  /** The classes of the rows that are there: not worth making them anew. */
  mark() {
    const { hover, pinned } = this.store.state;
    for (const row of this.body.querySelectorAll('.hover, .pinned')) row.classList.remove('hover', 'pinned');
    this.body.querySelector(`tr[data-item="${hover}"]`)?.classList.add('hover');
    this.body.querySelector(`tr[data-item="${pinned}"]`)?.classList.add('pinned');
  }
}

// card.js: all that is known of one buffer.

class Card {
  constructor(store) {
    this.store = store;
    this.root = byId('card');
    this.last = -1;
  }

  update(changed) {
    if (!['hover', 'pinned', 'space', 'theme'].some((name) => changed.has(name))) return;
    const { space, pinned } = this.store.state;
    if (changed.has('space')) this.last = -1;
    // Between two items the card keeps the last one: it would flicker under a moving pointer.
    const shown = shownItem(this.store.state);
    const item = shown >= 0 ? shown : this.last;
    this.last = item;
    if (item < 0) this.root.replaceChildren(this.hint(space));
    else this.root.replaceChildren(...this.describe(space, item, item === pinned));
    this.root.dataset.item = String(item);
  }

  hint(space) {
    return el('div', { class: 'hint' },
      el('h2', {}, 'No buffer chosen'),
      space.count > 0
        ? 'Point at a bar, a box or a row: its lifetime appears on the curve, and this card tells what it is. Click to keep it here.'
        : 'This memory space holds no buffers.');
  }

  describe(space, i, isPinned) {
    const id = space.bufferId(i);
    const opcode = space.opcode(i);
    const size = space.size[i];
    const unpadded = space.unpaddedOf(i);
    const padding = space.paddingOf(i);
    const title = el('div', { class: 'title' },
      el('i', { class: 'swatch', style: `background: ${cssColor(itemColor(space, i))}` }),
      el('h2', { 'data-field': 'instruction' }, space.label(i)));
    const sub = el('div', { class: 'sub' },
      opcode ? el('span', { class: 'chip', 'data-field': 'opcode' }, opcode) : null,
      space.category(i) ? el('span', { class: 'chip', 'data-field': 'category' }, space.category(i)) : null,
      isPinned ? el('span', { class: 'chip pinned' }, 'kept \u00b7 Esc lets go') : null,
      el('div', {}, [id !== null ? `buffer ${id}` : null, space.allocationId(i) !== null ? `allocation ${space.allocationId(i)}` : null,
        space.parameterNumber(i) !== null ? `parameter ${space.parameterNumber(i)}` : null].filter(Boolean).join(' \u00b7 ')));
    const figure = (name, value, node, small) => el('div', {}, el('dt', {}, name), el('dd', { 'data-field': value }, node, el('small', {}, small)));
    const figures = el('dl', { class: 'figures' },
      figure('Size', 'size_bytes', sizeElement(size), exactBytes(size)),
      figure('Without padding', 'unpadded_bytes', sizeElement(unpadded), exactBytes(unpadded)),
      figure('Padding', 'padding_bytes', sizeElement(padding), padding === null ? '' : `${percent(padding, size)} of its size`),
      figure('Expansion', 'expansion', expansion(size, unpadded), 'by padding'));
    const [bar] = padding !== null && size > 0
      ? stackBar([{ name: 'Values', size: unpadded, color: 'unpadded' }, { name: 'Padding', size: padding, color: 'padding' }], 'Values and padding')
      : [null];
    return [title, sub, figures, bar, this.details(space, i)].filter(Boolean);
  }

  details(space, i) {
    const list = el('dl', { class: 'details' });
    const add = (name, field, value, code = false) => {
      if (value === '' || value === null) return;
      list.append(el('div', {}, el('dt', {}, name), el('dd', { 'data-field': field, class: code ? 'code' : null }, value)));
    };
    add('Shape', 'shape', space.shape(i), true);
    add('Framework op', 'op_name', space.opName(i), true);
    const isBaseline = i < space.baselineCount;
    const last = space.heaps[space.heapOf[i]]?.events ?? space.length;
    add('Lifetime', 'lifetime', space.isUntraced(i) ? 'unknown: no heap trace tells of it, so it is counted throughout'
      : isBaseline ? 'the whole program'
      : `positions ${count(space.start[i])} to ${count(space.end[i] - 1)} of ${count(last)}${space.end[i] > last ? ', never freed' : ''}`);
    if (space.offset[i] >= 0) {
      list.append(el('div', {}, el('dt', {}, 'Offset in its allocation'), sizeElement(space.offset[i], 'dd', { 'data-field': 'offset_bytes' })));
    }
    const shares = space.sharesWith(i);
    add('Shares memory', 'shares_with_buffer_id', shares === null ? null : `of buffer ${shares}`);
    add('Computation', 'computation', space.computation(i), true);
    add('Source', 'source', space.source(i), true);
    const stack = space.stack(i);
    if (stack.length > 0) {
      const frames = el('ol', { class: 'frames', 'data-field': 'source_stack' });
      for (const frame of stack) {
        frames.append(el('li', {}, frame.function || '(unknown function)',
          el('small', {}, `${frame.file}:${frame.line}${frame.column ? `:${frame.column}` : ''}`)));
      }
      list.append(el('div', {}, el('dt', {}, 'Source stack, innermost first'), el('dd', {}, frames)));
    }
    return list;
  }
}

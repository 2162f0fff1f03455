// card.js: all that is known of one buffer.
import { byId, el, sizeElement } from './dom.js';
import { count, exactBytes, expansion, percent } from './format.js';
import { stackBar } from './overview.js';
import { hasAny, shownItem } from './store.js';
import { cssColor, itemColor } from './theme.js';

/** @import { Space } from './model.js' */
/** @import { Changes, Store } from './store.js' */

export class Card {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.root = byId('card');
    this.last = -1;
  }

  /** @param {Changes} changed */
  update(changed) {
    if (!hasAny(changed, 'hover', 'pinned', 'space', 'theme')) return;
    const { space, pinned } = this.store.shown;
    if (changed.has('space')) this.last = -1;
    // Between two items the card keeps the last one: it would flicker under a moving pointer.
    const shown = shownItem(this.store.state);
    const item = shown >= 0 ? shown : this.last;
    this.last = item;
    if (item < 0) this.root.replaceChildren(this.hint(space));
    else this.root.replaceChildren(...this.describe(space, item, item === pinned));
    this.root.dataset.item = String(item);
  }

  /** @param {Space} space */
  hint(space) {
    return el('div', { class: 'hint' },
      el('h2', {}, 'No buffer chosen'),
      space.count > 0
        ? 'Point at a bar, a box or a row: its lifetime appears on the curve, and this card tells what it is. ' +
          'Click to keep it here.'
        : 'This memory space holds no buffers.');
  }

  /**
   * @param {Space} space
   * @param {number} i
   * @param {boolean} isPinned
   */
  describe(space, i, isPinned) {
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
      el('div', {}, numbersOf(space, i)));
    /**
     * @param {string} name
     * @param {string} field
     * @param {Node | string} value
     * @param {string} small
     */
    const figure = (name, field, value, small) =>
      el('div', {}, el('dt', {}, name), el('dd', { 'data-field': field }, value, el('small', {}, small)));
    const figures = el('dl', { class: 'figures' },
      figure('Size', 'size_bytes', sizeElement(size, 'span'), exactBytes(size)),
      figure('Without padding', 'unpadded_bytes', sizeElement(unpadded, 'span'), exactBytes(unpadded)),
      figure('Padding', 'padding_bytes', sizeElement(padding, 'span'),
        padding === null ? '' : `${percent(padding, size)} of its size`),
      figure('Expansion', 'expansion', expansion(size, unpadded), 'by padding'));
    const whole = [title, sub, figures];
    if (padding !== null && size > 0) {
      const [bar] = stackBar([
        { name: 'Values', size: size - padding, color: 'unpadded' },
        { name: 'Padding', size: padding, color: 'padding' },
      ], 'Values and padding');
      whole.push(bar);
    }
    return [...whole, this.details(space, i)];
  }

  /**
   * @param {Space} space
   * @param {number} i
   */
  details(space, i) {
    const list = el('dl', { class: 'details' });
    /**
     * @param {string} name
     * @param {string} field
     * @param {string | null} value
     */
    const add = (name, field, value, code = false) => {
      if (value === '' || value === null) return;
      const dd = el('dd', { 'data-field': field, class: code ? 'code' : null }, value);
      list.append(el('div', {}, el('dt', {}, name), dd));
    };
    add('Shape', 'shape', space.shape(i), true);
    add('Framework op', 'op_name', space.opName(i), true);
    add('Lifetime', 'lifetime', lifetimeOf(space, i));
    const offset = space.offsetOf(i);
    if (offset !== null) {
      list.append(el('div', {},
        el('dt', {}, 'Offset in its allocation'), sizeElement(offset, 'dd', { 'data-field': 'offset_bytes' })));
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

/**
 * @param {Space} space
 * @param {number} i
 */
function lifetimeOf(space, i) {
  if (space.isUntraced(i)) return 'unknown: no heap trace tells of it, so it is counted throughout';
  if (!space.isBlock(i)) return 'the whole program';
  const last = space.heaps[space.heapOf[i]].events;
  const end = space.end[i];
  const never = end > last ? ', never freed' : '';
  return `positions ${count(space.start[i])} to ${count(end - 1)} of ${count(last)}${never}`;
}

/**
 * Which buffer, allocation and parameter it is.
 * @param {Space} space
 * @param {number} i
 */
function numbersOf(space, i) {
  const parts = [['buffer', space.bufferId(i)], ['allocation', space.allocationId(i)],
    ['parameter', space.parameterNumber(i)]];
  return parts.filter(([, id]) => id !== null).map(([name, id]) => `${name} ${id}`).join(' \u00b7 ');
}

// columns.js: the columns of the table of what is live, and its order.
import { count, expansion, expansionOf, pathEnd } from './format.js';

/** @import { Space } from './model.js' */

/** @typedef {number | string | null} Value   null and '': unknown */

/**
 * @typedef {object} Column
 * @property {string} key     its name in peak_buffers
 * @property {string} title
 * @property {'text' | 'number' | 'size'} kind   a size is in bytes
 * @property {boolean} [code]   set in the font of code
 * @property {(space: Space, i: number) => Value} value   what rows are sorted by
 * @property {(space: Space, i: number) => string} [text] what is shown where it is not the value
 */

/** What and where first: of a narrow window the rest is behind a sideways scroll. @type {Column[]} */
export const COLUMNS = [
  { key: 'instruction', title: 'Instruction', kind: 'text', code: true, value: (s, i) => s.label(i) },
  { key: 'size_bytes', title: 'Size', kind: 'size', value: (s, i) => s.size[i] },
  { key: 'padding_bytes', title: 'Padding', kind: 'size', value: (s, i) => s.paddingOf(i) },
  { key: 'category', title: 'Kind', kind: 'text', value: (s, i) => s.category(i) },
  {
    key: 'source', title: 'Source', kind: 'text', code: true,
    value: (s, i) => s.source(i), text: (s, i) => pathEnd(s.source(i), 2),
  },
  { key: 'op_name', title: 'Framework op', kind: 'text', value: (s, i) => s.opName(i) },
  { key: 'shape', title: 'Shape', kind: 'text', code: true, value: (s, i) => s.shape(i) },
  { key: 'opcode', title: 'Opcode', kind: 'text', value: (s, i) => s.opcode(i) },
  { key: 'unpadded_bytes', title: 'Unpadded', kind: 'size', value: (s, i) => s.unpaddedOf(i) },
  {
    key: 'expansion', title: 'Expansion', kind: 'number',
    value: (s, i) => expansionOf(s.size[i], s.unpadded[i]), text: (s, i) => expansion(s.size[i], s.unpadded[i]),
  },
  { key: 'start_position', title: 'Start', kind: 'number', value: (s, i) => s.startOf(i) },
  { key: 'end_position', title: 'End', kind: 'number', value: (s, i) => s.endOf(i) },
  { key: 'offset_bytes', title: 'Offset', kind: 'size', value: (s, i) => s.offsetOf(i) },
];

/**
 * The text of a cell that is not a size.
 * @param {Column} column
 * @param {Space} space
 * @param {number} i
 */
export function cellText(column, space, i) {
  const text = column.text ? column.text(space, i) : column.value(space, i);
  return typeof text === 'number' ? count(text) : text;
}

/**
 * Items by a column, unknown values last either way; what is equal stays in the order of items.
 * @param {Space} space
 * @param {number[]} items
 * @param {Column} column
 * @param {boolean} down largest first
 */
export function sortItems(space, items, column, down) {
  const values = new Map(items.map((i) => [i, column.value(space, i)]));
  const sign = down ? -1 : 1;
  return items.slice().sort((a, b) => {
    const x = values.get(a) ?? null;
    const y = values.get(b) ?? null;
    if (x === y) return a - b;
    if (x === null || x === '') return 1;
    if (y === null || y === '') return -1;
    return (x < y ? -1 : 1) * sign;
  });
}

// csv.js: what is shown as CSV, with the columns of peak_buffers and usage_curve.

/** @import { Space } from './model.js' */

/** @typedef {string | number | null} Value   null: unknown, an empty field */

/**
 * A field by RFC 4180.
 * @param {Value} value
 */
function csvField(value) {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** @param {Value[][]} rows */
export const csvLines = (rows) => rows.map((row) => row.map(csvField).join(',') + '\r\n').join('');

/** @type {[string, (space: Space, i: number) => Value][]} */
const BUFFER_COLUMNS = [
  ['buffer_id', (s, i) => s.bufferId(i)],
  ['allocation_id', (s, i) => s.allocationId(i)],
  ['category', (s, i) => s.category(i)],
  ['instruction', (s, i) => s.instructionName(i)],
  ['shape_index', (s, i) => s.shapeIndex(i)],
  ['opcode', (s, i) => s.opcode(i)],
  ['computation', (s, i) => s.computation(i)],
  ['shape', (s, i) => s.shape(i)],
  ['size_bytes', (s, i) => s.size[i]],
  ['unpadded_bytes', (s, i) => s.unpaddedOf(i)],
  ['padding_bytes', (s, i) => s.paddingOf(i)],
  ['offset_bytes', (s, i) => s.offsetOf(i)],
  ['start_position', (s, i) => s.startOf(i)],
  ['end_position', (s, i) => s.endOf(i)],
  ['op_name', (s, i) => s.opName(i)],
  ['source_file', (s, i) => s.sourceFile(i)],
  ['source_line', (s, i) => s.sourceLine(i)],
  ['source_stack', (s, i) => s.stack(i).map((f) => `${f.file}:${f.line}:${f.column}`).join('\n')],
];

/**
 * Items as rows of peak_buffers.
 * @param {Space} space
 * @param {number[]} items
 */
export function buffersCsv(space, items) {
  const head = BUFFER_COLUMNS.map(([name]) => name);
  return csvLines([head, ...items.map((i) => BUFFER_COLUMNS.map(([, value]) => value(space, i)))]);
}

/**
 * The rows of usage_curve.
 * @param {Space} space
 */
export function curveCsv(space) {
  /** @type {Value[][]} */
  const rows = [['allocation_id', 'position', 'event', 'instruction', 'bytes', 'unpadded_bytes', 'occupied_bytes']];
  const { id } = space.module.raw.allocations;
  /**
   * @param {Value} allocation
   * @param {number} heap
   * @param {number} position
   */
  const add = (allocation, heap, position) => {
    const value = space.valueAt(heap, position);
    rows.push([allocation, position, value.event, value.instruction, value.bytes, value.unpadded, value.occupied]);
  };
  if (space.heaps.length === 0) add(null, -1, 0);
  space.heaps.forEach((heap, h) => {
    for (let p = 0; p <= heap.events; p++) add(heap.allocation >= 0 ? id[heap.allocation] : null, h, p);
  });
  return csvLines(rows);
}

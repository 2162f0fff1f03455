// series.js: the values of a curve over program order, and the steps of its scales.

/** @import { Space } from './model.js' */

/** @typedef {ArrayLike<number>} Values   one a position */

/**
 * What a curve is drawn from.
 * @typedef {object} Series
 * @property {Values} bytes          with padding
 * @property {Values | null} unpadded   null: unknown
 * @property {Values} occupied
 * @property {number} peak           position of the most bytes
 */

/**
 * The series of a heap; of a space without heaps one value, its baseline.
 * @param {Space} space
 * @param {number} heap
 * @returns {Series}
 */
export function seriesOf(space, heap) {
  if (space.heaps[heap]) return space.heaps[heap];
  const flat = space.valueAt(heap, 0);
  return {
    bytes: [flat.bytes],
    unpadded: flat.unpadded === null ? null : [flat.unpadded],
    occupied: [flat.occupied],
    peak: 0,
  };
}

/**
 * The lowest and highest of the values from one place up to another.
 * @param {Values} values
 * @param {number} from
 * @param {number} to
 */
export function lowHigh(values, from, to) {
  let low = values[from];
  let high = low;
  for (let i = from + 1; i < to; i++) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return { low, high };
}

/**
 * The top of the scale. What is declared can need more than what is allocated: then it is not the peak.
 * @param {Series} series
 */
export function highestOf(series) {
  let highest = Math.max(1, series.bytes[series.peak]);
  for (const values of [series.unpadded, series.occupied]) {
    if (values && values.length > 0) highest = Math.max(highest, lowHigh(values, 0, values.length).high);
  }
  return highest;
}

/**
 * A power of two that cuts `range` bytes in at most `most` steps.
 * @param {number} range
 * @param {number} most
 */
export function byteStep(range, most) {
  let step = 1;
  while (range / step > most) step *= 2;
  return step;
}

/**
 * 1, 2 or 5 times a power of ten that cuts `range` in at most `most` steps.
 * @param {number} range
 * @param {number} most
 */
export function countStep(range, most) {
  let step = 1;
  for (let i = 0; range / step > most; i++) step *= i % 3 === 1 ? 2.5 : 2;
  return step;
}

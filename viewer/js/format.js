// format.js: numbers and paths as people read them.

export const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
export const UNKNOWN = '\u2013';

/**
 * Bytes with a binary unit and three significant digits, by the same rule as the extension's texts.
 * @param {number | null | undefined} n
 */
export function bytes(n) {
  if (n === null || n === undefined) return UNKNOWN;
  let value = Math.abs(n);
  let unit = 0;
  while (value >= 1023.5 && unit + 1 < UNITS.length) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${n < 0 ? '\u2212' : ''}${value.toFixed(digits)} ${UNITS[unit]}`;
}

/**
 * A label of a scale of bytes: without digits that are 0.
 * @param {number} value
 */
export function byteLabel(value) {
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit + 1 < UNITS.length) {
    rest /= 1024;
    unit++;
  }
  return `${Number(rest.toFixed(2))} ${UNITS[unit]}`;
}

/** @param {number} n */
export const count = (n) => n.toLocaleString('en-US');

/** @param {number | null | undefined} n */
export const exactBytes = (n) =>
  (n === null || n === undefined ? 'unknown' : `${count(n)} ${n === 1 ? 'byte' : 'bytes'}`);

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

/**
 * How many times larger padding makes a buffer; null when that is unknown.
 * @param {number} size
 * @param {number | null} unpadded
 */
export const expansionOf = (size, unpadded) => (unpadded !== null && unpadded > 0 ? size / unpadded : null);

/**
 * @param {number} size
 * @param {number | null} unpadded
 */
export function expansion(size, unpadded) {
  const factor = expansionOf(size, unpadded);
  if (factor === null) return UNKNOWN;
  return `${factor < 10 ? factor.toFixed(2) : factor < 100 ? factor.toFixed(1) : count(Math.round(factor))}\u00d7`;
}

/**
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  const value = whole > 0 ? (100 * part) / whole : 0;
  return `${value > 0 && value < 0.1 ? '<0.1' : value.toFixed(1)}%`;
}

/**
 * The last `n` components of a path.
 * @param {string} path
 * @param {number} n
 */
export const pathEnd = (path, n) => path.split('/').slice(-n).join('/');

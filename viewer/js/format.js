'use strict';
// format.js: numbers as people read them, and elements.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const UNKNOWN = '\u2013';

/** Bytes with a binary unit and three significant digits, by the same rule as the extension's texts. */
function bytes(n) {
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

const count = (n) => n.toLocaleString('en-US');

const exactBytes = (n) => (n === null || n === undefined ? 'unknown' : `${count(n)} ${n === 1 ? 'byte' : 'bytes'}`);

const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

/** How many times larger padding makes a buffer; null when that is unknown. */
const expansionOf = (size, unpadded) => (unpadded > 0 ? size / unpadded : null);

function expansion(size, unpadded) {
  const factor = expansionOf(size, unpadded);
  if (factor === null) return UNKNOWN;
  return `${factor < 10 ? factor.toFixed(2) : factor < 100 ? factor.toFixed(1) : count(Math.round(factor))}\u00d7`;
}

function percent(part, whole) {
  const value = whole > 0 ? (100 * part) / whole : 0;
  return `${value > 0 && value < 0.1 ? '<0.1' : value.toFixed(1)}%`;
}

/** The last `n` components of a path. */
const pathEnd = (path, n) => path.split('/').slice(-n).join('/');

/** An element. Texts only ever become text nodes: names come from files. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A size: readable, exact on hover and to whoever reads the page by program. */
function sizeElement(n, tag = 'span', attributes = {}) {
  const known = n !== null && n !== undefined;
  return el(tag, { title: exactBytes(n), 'data-bytes': known ? String(n) : null, ...attributes }, bytes(n));
}

const byId = (id) => document.getElementById(id);

// address.js: what the page's address says of what is shown: #module=3&space=0&at=12&order=program&search=fusion
/** @import { Order } from './store.js' */

/** @type {Order[]} */
const ORDERS = ['program', 'size', 'padding'];
const USUAL_ORDER = 'size'; // which the address does not name

/**
 * @typedef {object} Address
 * @property {number | null} module   its id; null: the page chooses
 * @property {string | null} space    its color; null: the page chooses
 * @property {number | null} at       position; null: the peak
 * @property {Order | null} order     of the bars; null: as it is
 * @property {string} search
 */

/**
 * @param {string} hash with or without its #
 * @returns {Address}
 */
export function readAddress(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  /** @param {string} name */
  const number = (name) => (/^\d+$/.test(values.get(name) ?? '') ? Number(values.get(name)) : null);
  return {
    module: number('module'),
    space: values.get('space'),
    at: number('at'),
    order: ORDERS.find((order) => order === values.get('order')) ?? null,
    search: values.get('search') ?? '',
  };
}

/**
 * The address without its #.
 * @param {Address} address
 */
export function writeAddress({ module, space, at, order, search }) {
  const values = new URLSearchParams();
  if (module !== null) values.set('module', String(module));
  if (space !== null) values.set('space', space);
  if (at !== null) values.set('at', String(at));
  if (order !== null && order !== USUAL_ORDER) values.set('order', order);
  if (search) values.set('search', search);
  return values.toString();
}

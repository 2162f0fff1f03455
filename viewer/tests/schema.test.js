// What holds the JSON against data.d.ts finds every kind of fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultsOf, parseSchema } from './support/schema.js';

const schema = parseSchema(`
// a line of comment
/** Bytes. @minimum 0 */
export type Bytes = number;
/** A name. @place names @minimum -1 */
export type Name = number;
/** Two of them. */
export type Pair = [Bytes, Bytes];
/** Rows. @table */
export interface Rows {
  /** a */
  a: Bytes[];
  /** b */
  b: Text[];
}
/** Text. */
export type Text = string | null;
/** All. */
export interface All {
  /** names */
  names: string[];
  /** name */
  name: Name;
  /** pair */
  pair: Pair;
  /** rows */
  rows: Rows;
  /** more */
  more?: boolean;
}
`);

const good = () => ({ names: ['x'], name: 0, pair: [1, 2], rows: { a: [1, 2], b: ['x', null] }, more: true });

test('what is of the type has no fault', () => {
  /** @type {Set<string>} */
  const seen = new Set();
  assert.deepEqual(faultsOf(schema, 'All', good(), seen), []);
  assert.deepEqual([...seen].sort(),
    ['All.more', 'All.name', 'All.names', 'All.pair', 'All.rows', 'Rows.a', 'Rows.b']);
  const { more, ...rest } = good();
  assert.equal(more, true);
  assert.deepEqual(faultsOf(schema, 'All', { ...rest, name: -1 }), []);
});

/** @type {[string, object, string][]} */
const faulty = [
  ['a field that is not declared', { extra: 1 }, 'All.extra: All has no such field'],
  ['a field that is missing', { rows: { a: [] } }, 'All.rows.b is missing'],
  ['another type', { names: [1] }, 'All.names[0]: 1 is no string'],
  ['null where it may not be', { more: null }, 'All.more: null is no boolean'],
  ['no tuple', { pair: {} }, 'All.pair: {} is no tuple of this type'],
  ['no array', { names: null, name: -1 }, 'All.names: null is no array of this type'],
  ['a tuple of another length', { pair: [1] }, 'All.pair: [1] is no tuple of this type'],
  ['a fraction', { pair: [1, 0.5] }, 'All.pair[1]: 0.5 is not whole or too large'],
  ['a number beyond 2^53', { pair: [1, 2 ** 54] }, `All.pair[1]: ${2 ** 54} is not whole or too large`],
  ['less than the least', { pair: [-1, 1] }, 'All.pair[0]: -1 is less than 0'],
  ['no place', { name: 1 }, 'All.name: 1 is no place in names'],
  ['columns of different lengths', { rows: { a: [1], b: [] } }, 'All.rows: columns of 1 and 0 rows'],
  ['none of a union', { rows: { a: [1], b: [2] } }, 'All.rows.b[0]: 2 is none of the types it may be'],
  ['no object', { rows: 1 }, 'All.rows: 1 is no Rows'],
];
for (const [name, change, fault] of faulty) {
  test(`finds ${name}`, () => assert.deepEqual(faultsOf(schema, 'All', { ...good(), ...change }), [fault]));
}

test('what it can not read is an error', () => {
  for (const text of [
    'export type A = number;', // no comment
    '/** A */ export type A = { a: number };',
    '/** A */ export type A = Array<number>;',
    '/** A */ export interface A { a: number; }',
    '/** A */ export interface A { /** a */ a: number',
  ]) {
    assert.throws(() => parseSchema(text), /expected/, text);
  }
  assert.throws(() => faultsOf(parseSchema('/** A */ export type A = B;'), 'A', 1), /B is not declared/);
});

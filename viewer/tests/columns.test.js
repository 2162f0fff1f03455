import assert from 'node:assert/strict';
import { test } from 'node:test';

import { COLUMNS, cellText, sortItems } from '../js/columns.js';
import { madeSpace } from './support/module.js';

/** @param {string} key */
function columnOf(key) {
  const column = COLUMNS.find((one) => one.key === key);
  assert.ok(column, key);
  return column;
}

/**
 * @param {string} key
 * @param {boolean} down
 */
const sorted = (key, down) => sortItems(madeSpace(), [0, 1, 2, 3], columnOf(key), down);

test('numbers sort both ways', () => {
  assert.deepEqual(sorted('size_bytes', true), [0, 1, 2, 3]);
  assert.deepEqual(sorted('size_bytes', false), [3, 2, 1, 0]);
});

test('unknown values come last either way', () => {
  assert.deepEqual(sorted('padding_bytes', true), [0, 1, 3, 2]);
  assert.deepEqual(sorted('padding_bytes', false), [3, 1, 0, 2]);
  assert.deepEqual(sorted('op_name', true), [2, 1, 0, 3]);
});

test('what is equal stays in the order of items', () => {
  assert.deepEqual(sorted('category', false), [0, 1, 2, 3]);
  assert.deepEqual(sorted('category', true), [1, 2, 3, 0]);
});

test('cells', () => {
  const space = madeSpace();
  assert.equal(cellText(columnOf('source'), space, 1), 'src/model.py:34');
  assert.equal(cellText(columnOf('expansion'), space, 1), '1.33\u00d7');
  assert.equal(cellText(columnOf('expansion'), space, 2), '\u2013');
  assert.equal(cellText(columnOf('end_position'), space, 1), '3');
});

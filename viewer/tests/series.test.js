import assert from 'node:assert/strict';
import { test } from 'node:test';

import { byteStep, countStep, highestOf, lowHigh, seriesOf } from '../js/series.js';
import { madeModule, madeSpace } from './support/module.js';

test('the series of a heap, and of a space without', () => {
  const space = madeSpace();
  assert.equal(seriesOf(space, 1), space.heaps[1]);
  assert.deepEqual(seriesOf(madeModule().space(1), 0), { bytes: [0], unpadded: null, occupied: [0], peak: 0 });
});

test('the top of the scale is the highest of all curves', () => {
  assert.equal(highestOf({ bytes: [1, 5], unpadded: [9, 0], occupied: [2, 3], peak: 1 }), 9);
  assert.equal(highestOf({ bytes: [1, 5], unpadded: null, occupied: [], peak: 1 }), 5);
  assert.equal(highestOf({ bytes: [0], unpadded: null, occupied: [0], peak: 0 }), 1);
});

test('low and high of a stretch', () => {
  assert.deepEqual(lowHigh([5, 1, 9, 0], 0, 3), { low: 1, high: 9 });
  assert.deepEqual(lowHigh([5, 1], 1, 2), { low: 1, high: 1 });
});

test('steps are powers of two for bytes, 1 2 5 for positions', () => {
  assert.deepEqual([[0, 4], [4, 4], [5, 4], [1000, 5]].map(([range, most]) => byteStep(range, most)), [1, 1, 2, 256]);
  assert.deepEqual([[3, 4], [10, 5], [25, 5], [60, 5], [600, 5]].map(([range, most]) => countStep(range, most)),
    [1, 2, 5, 20, 200]);
});

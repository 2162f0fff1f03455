import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Module, sums } from '../js/model.js';
import { entryOf, madeModule, madeSpace, moduleData } from './support/module.js';
import { faultsOf, readSchema } from './support/schema.js';

/** @param {ArrayLike<number>} values */
const list = (values) => Array.from(values);

test('the module made by hand is of the type', () => {
  assert.deepEqual(faultsOf(readSchema(new URL('../data.d.ts', import.meta.url)), 'ModuleData', moduleData()), []);
});

test('sums add differences up', () => {
  assert.deepEqual(list(sums([100, 32, -132])), [100, 132, 0]);
  assert.deepEqual(list(sums([])), []);
});

test('items are the baseline and then the blocks of each heap', () => {
  const space = madeSpace();
  assert.equal(space.count, 4);
  assert.equal(space.baselineCount, 1);
  assert.deepEqual(list(space.size), [100, 32, 16, 8]);
  assert.deepEqual(list(space.start), [0, 1, 2, 1]);
  assert.deepEqual(list(space.end), [5, 3, 4, 2], 'the baseline ends behind the last position');
  assert.deepEqual(list(space.offset), [-1, 0, 32, -1]);
  assert.deepEqual(list(space.heapOf), [-1, 0, 0, 1]);
  assert.deepEqual(list(space.colour), [1, 0, 1, 0]);
  assert.deepEqual(space.heaps.map(({ first, end }) => [first, end]), [[1, 3], [3, 4]]);
  assert.deepEqual([0, 1].map((i) => space.isBlock(i)), [false, true]);
});

test('a space is decoded once', () => {
  const module = madeModule();
  assert.equal(module.space(0), module.space(0));
  assert.notEqual(module.space(0), module.space(1));
});

test('curves are sums, and know the event that led to a position', () => {
  const space = madeSpace();
  assert.deepEqual(space.valueAt(0, 0), { bytes: 100, unpadded: 80, occupied: 100, event: '', instruction: '' });
  assert.deepEqual(space.valueAt(0, 2),
    { bytes: 148, unpadded: 120, occupied: 148, event: 'ALLOC', instruction: 'add' });
  assert.deepEqual(space.valueAt(0, 3),
    { bytes: 116, unpadded: 96, occupied: 116, event: 'FREE', instruction: 'dot' });
  assert.deepEqual(space.valueAt(1, 4), space.valueAt(1, 1), 'a shorter heap stays as it ends');
  assert.equal(space.valueAt(1, 1).event, 'SHARE_WITH');
});

test('a kind of event that is not known is said to be so', () => {
  const data = moduleData();
  data.spaces[0].heaps[0].event[0] = 7;
  assert.equal(new Module(entryOf({}), data).space(0).valueAt(0, 1).event, 'unknown event');
});

test('without a heap the curve is the peak', () => {
  const data = moduleData();
  data.spaces[0].heaps = [];
  const space = new Module(entryOf({}), data).space(0);
  assert.deepEqual(space.valueAt(0, 0), { bytes: 156, unpadded: 128, occupied: 156, event: '', instruction: '' });
  delete data.spaces[0].overview.peak_unpadded_bytes;
  assert.equal(space.valueAt(0, 0).unpadded, null);
  assert.equal(space.length, 0);
  assert.equal(space.largestHeap, 0);
});

test('what is live at a position, and at the peak of each heap', () => {
  const space = madeSpace();
  assert.deepEqual(space.liveAt(0), [0]);
  assert.deepEqual(space.liveAt(1), [0, 1, 3]);
  assert.deepEqual(space.liveAt(2), [0, 1, 2], 'a block is not live any more at its end');
  assert.deepEqual(space.liveAt(4), [0]);
  assert.deepEqual(space.liveAt(5), [], 'nothing is beyond the last position');
  const live = space.liveAt(null);
  assert.deepEqual(live, [0, 1, 2, 3]);
  assert.equal(live.reduce((sum, i) => sum + space.size[i], 0), space.overview.peak_bytes);
});

test('a position beyond the last is the last', () => {
  const space = madeSpace();
  assert.deepEqual(space.nearest(3), { at: 3 });
  assert.deepEqual(space.nearest(4), { at: 4 });
  assert.deepEqual(space.nearest(5), { at: 4, beyond: 5 });
});

test('heaps stand on each other with a gap', () => {
  const space = madeSpace();
  const [a, b] = space.heaps;
  assert.deepEqual([a.low, a.height, a.capacity], [0, 64, 64], 'as high as its allocation');
  assert.deepEqual([b.height, b.capacity], [8, 0], 'without one as high as its blocks');
  assert.ok(Math.abs(b.low - (64 + 72 * 0.03)) < 1e-9);
  assert.ok(Math.abs(space.height - (72 + 72 * 0.03)) < 1e-9);
  assert.equal(space.largestHeap, 0);
  assert.equal(madeModule().space(1).height, 1);
});

test('what an item is', () => {
  const space = madeSpace();
  assert.deepEqual([0, 1, 2, 3].map((i) => space.label(i)), ['p', 'dot', 'add{1}', 'copy']);
  assert.deepEqual([0, 1, 2, 3].map((i) => space.unpaddedOf(i)), [80, 24, null, 8]);
  assert.deepEqual([0, 1, 2, 3].map((i) => space.paddingOf(i)), [20, 8, null, 0]);
  assert.deepEqual([0, 1, 2, 3].map((i) => space.offsetOf(i)), [null, 0, 32, null]);
  assert.deepEqual([0, 1, 2, 3].map((i) => space.bufferId(i)), [10, 11, 12, '9007199254740993']);
  assert.deepEqual([0, 1].map((i) => space.allocationId(i)), [0, 7]);
  assert.deepEqual([0, 1].map((i) => space.category(i)), ['Parameter', 'Temporary']);
  assert.deepEqual([0, 1].map((i) => space.parameterNumber(i)), [2, null]);
  assert.deepEqual([1, 2].map((i) => space.shape(i)), ['f32[2,2]{1,0}', '']);
  assert.deepEqual([0, 1, 2].map((i) => space.source(i)), ['', '/src/model.py:34', '/src/model.py']);
  assert.equal(space.opName(1), 'jit(f)/dot');
  assert.equal(space.opcode(1), 'dot');
  assert.equal(space.computation(1), 'main');
  assert.deepEqual([0, 1, 3].map((i) => space.sharesWith(i)), [null, null, 11]);
});

test('items without an instruction or a buffer are named by their numbers', () => {
  const data = moduleData();
  data.buffers.instruction[1] = -1;
  data.spaces[0].baseline.buffer[0] = -1;
  const space = new Module(entryOf({}), data).space(0);
  assert.equal(space.label(1), 'buffer 11');
  assert.equal(space.label(0), 'allocation 0');
  assert.deepEqual(space.stack(0), []);
  assert.equal(space.opcode(0), '');
});

test('stacks go from the innermost frame outwards, and end', () => {
  const space = madeSpace();
  assert.deepEqual(space.stack(1), [
    { function: 'loss', file: '/src/model.py', line: 34, column: 5 },
    { function: 'step', file: '/src/model.py', line: 90, column: 0 },
  ]);
  assert.deepEqual(space.stack(2), [], 'a frame beyond the table');
  assert.ok(space.stack(3).length <= 4, 'a frame that is its own parent');
});

test('search looks at name, opcode, op name, shape, source and category', () => {
  const space = madeSpace();
  const found = (/** @type {RegExp} */ pattern) => list(space.search(pattern));
  assert.deepEqual(found(/^DOT$/i), [0, 1, 0, 0]);
  assert.deepEqual(found(/hi/), [0, 0, 1, 0]);
  assert.deepEqual(found(/f32/), [1, 1, 0, 0]);
  assert.deepEqual(found(/py:34/), [0, 1, 0, 0]);
  assert.deepEqual(found(/temporary/i), [0, 1, 1, 1]);
  assert.deepEqual(found(/nothing/), [0, 0, 0, 0]);
});

test('what is untraced is live throughout, and has no lifetime', () => {
  const data = moduleData();
  data.allocations.category[0] = 4; // a temporary that is no block
  Object.assign(data.spaces[0].overview, { baseline_bytes: 0, untraced_bytes: 100 });
  const space = new Module(entryOf({}), data).space(0);
  assert.deepEqual([0, 1].map((i) => space.isUntraced(i)), [true, false]);
  assert.deepEqual([0, 1].map((i) => [space.startOf(i), space.endOf(i)]), [[null, null], [1, 3]]);
  assert.deepEqual(space.liveAt(4), [0]);
  assert.equal(space.resident, 100);
  assert.equal(space.showsUntraced, true);
  assert.equal(madeSpace().isUntraced(0), false);
  assert.equal(madeSpace().resident, 100);
  assert.equal(madeSpace().showsUntraced, false);
});

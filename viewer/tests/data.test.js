// The JSON that the extension writes is what data.d.ts says, field by field, for every case of tests/data.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { DATA, blobSource, dataOf, pathSource, writePage } from './support/page.js';
import { message } from './support/proto.js';
import { faultsOf, readSchema } from './support/schema.js';

/** @import { HeapData, ModuleData, SpaceData } from '../data.d.ts' */

const schema = readSchema(new URL('../data.d.ts', import.meta.url));
/** @type {Set<string>} */
const seen = new Set();

/** What in tests/data is no source; and folders of sources that can't be read, or not well. */
const OTHERS = ['README.md', 'shapes.tsv'];
const UNREADABLE = ['bad', 'foreign'];

/** Paths from tests/data: files, and folders that are one source. */
const cases = [
  ...readdirSync(DATA).filter((name) => !OTHERS.includes(name) && !UNREADABLE.includes(name)),
  ...UNREADABLE.flatMap((folder) => readdirSync(join(DATA, folder)).map((name) => `${folder}/${name}`)),
].sort();

const WIDE = 2n ** 60n + 1n; // more than a number holds exactly

/**
 * One heap of one buffer (message and field numbers: proto/). Without the module its buffer has no shape.
 * @param {bigint} id
 * @param {bigint} size
 * @param {boolean} hasModule
 */
function hlo(id, size, hasModule) {
  const instruction = message([1, 'x'], [2, 'add'], [35, id]);
  const computation = message([1, 'main'], [2, instruction], [5, 1n], [6, id]);
  const module = message([1, 'made'], [2, 'main'], [3, computation], [5, WIDE], [6, 1n]);
  const assigned = message([1, id], [2, 0n], [3, size]);
  const event = message([2, id], [3, 'main'], [4, 'x']);
  const assignment = message(
    [1, message([1, id], [2, size], [3, message([4, id])])],
    [3, message([1, 0n], [2, size], [9, assigned])],
    [4, message([1, event])],
  );
  return hasModule ? message([1, module], [3, assignment]) : message([3, assignment]);
}

/**
 * @param {SpaceData} space
 * @param {HeapData} heap
 */
function checkHeap(space, heap) {
  for (const curve of [heap.bytes, heap.occupied, heap.unpadded ?? heap.bytes]) {
    assert.equal(curve.length, heap.events + 1);
  }
  assert.equal('unpadded' in heap, 'peak_unpadded_bytes' in space.overview);
  assert.equal(heap.event.length, heap.events);
  assert.equal(heap.instruction.length, heap.events);
  assert.ok(heap.peak_position <= heap.events);
  const { start, end } = heap.blocks;
  start.forEach((from, i) => {
    assert.ok(i === 0 || start[i - 1] <= from, 'blocks are in order of start');
    assert.ok(end[i] <= heap.events + 1, 'a block that is never freed ends one behind the last position');
  });
}

/** @param {string} page */
function checkPage(page) {
  const { index, modules } = dataOf(page);
  assert.deepEqual(faultsOf(schema, 'PageIndex', index, seen), []);
  for (const [id, data] of modules) {
    assert.ok(index.modules.some((entry) => entry.id === id), `the index lists module ${id}`);
    assert.deepEqual(faultsOf(schema, 'ModuleData', data, seen).slice(0, 10), [], `module ${id}`);
    for (const space of data.spaces) for (const heap of space.heaps) checkHeap(space, heap);
  }
  for (const entry of index.modules) {
    const isReadable = entry.space_count !== undefined;
    assert.equal(modules.has(entry.id), isReadable, `module ${entry.id} has data when it could be read`);
    assert.ok(isReadable || entry.problem, `module ${entry.id}: readable or with a problem`);
  }
  return { index, modules };
}

/** @param {ModuleData | undefined} data */
function only(data) {
  assert.ok(data);
  return data;
}

test('there are cases', () => assert.ok(cases.length > 30, String(cases.length)));

for (const name of cases) {
  test(`${name} is of the type`, () => {
    const written = writePage(pathSource(join(DATA, name)));
    if ('error' in written) {
      assert.ok(UNREADABLE.includes(name.split('/')[0]), written.error);
      assert.ok(written.error.includes(name), `${written.error}: names the file`);
    } else {
      assert.ok(checkPage(written.page).index.modules.length > 0);
    }
  });
}

test('a module of bytes, ids beyond 2^53', () => {
  const written = writePage(blobSource(hlo(WIDE, 32n, true)));
  assert.ok('page' in written, JSON.stringify(written));
  const { index, modules } = checkPage(written.page);
  assert.equal(index.source, null);
  assert.equal(index.modules[0].path, null);
  assert.equal(index.modules[0].program_id, String(WIDE));
  const data = only(modules.get(1));
  assert.deepEqual(data.buffers.id, [String(WIDE)]);
  assert.deepEqual(data.spaces[0].heaps[0].blocks.root, [String(WIDE)]);
  assert.equal(data.is_clamped, false);
});

test('sizes beyond 2^53 are clamped and said to be', () => {
  const written = writePage(blobSource(hlo(1n, WIDE, true)));
  assert.ok('page' in written, JSON.stringify(written));
  const { index, modules } = checkPage(written.page);
  assert.equal(index.modules[0].peak_bytes, String(WIDE));
  const data = only(modules.get(1));
  assert.equal(data.is_clamped, true);
  assert.deepEqual(data.spaces[0].heaps[0].blocks.size, [2 ** 53]);
});

test('a buffer assignment without its module has no unpadded sizes', () => {
  const written = writePage(blobSource(hlo(1n, 32n, false)));
  assert.ok('page' in written, JSON.stringify(written));
  const data = only(checkPage(written.page).modules.get(1));
  assert.equal('peak_unpadded_bytes' in data.spaces[0].overview, false);
  assert.equal('padding_bytes' in data.spaces[0].overview, false);
  assert.deepEqual(data.spaces[0].heaps[0].blocks.unpadded, [-1]);
});

test('every field of the type is written', () => {
  const declared = [...schema].flatMap(([name, { fields }]) => [...fields.keys()].map((field) => `${name}.${field}`));
  // Data are left out of pages of hundreds of MiB: tests/core/render/test_page.c makes one.
  assert.deepEqual(declared.filter((field) => !seen.has(field)), ['IndexEntry.left_out_bytes']);
});

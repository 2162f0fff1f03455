import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Grid, NO_ITEM } from '../js/grid.js';
import { Module } from '../js/model.js';
import { entryOf, moduleData } from './support/module.js';

/** HBM with its first heap alone: 5 positions, 64 bytes high. */
function oneHeap() {
  const data = moduleData();
  data.spaces[0].heaps.pop();
  return new Module(entryOf({}), data).space(0);
}

/** A drawing of 10 × 8 pixels: two a position, one for eight bytes.
 * @param {{ matches?: Uint8Array, at?: number }} [choice] */
function drawn({ matches, at } = {}) {
  const space = oneHeap();
  const grid = new Grid();
  const view = { x0: 0, x1: space.length + 1, y0: 0, y1: space.height };
  grid.draw(space, view, { width: 10, height: 8, scale: 1 }, matches ?? null, at ?? null);
  return { space, grid, view };
}

/** @param {Grid} grid */
const rows = (grid) => Array.from({ length: grid.height }, (_, y) =>
  Array.from(grid.items.slice(y * grid.width, (y + 1) * grid.width), (i) => (i === NO_ITEM ? '.' : i)).join(''));

test('blocks are boxes from start to end, low addresses at the bottom', () => {
  const { grid } = drawn();
  assert.deepEqual(rows(grid), [
    '..........',
    '..........',
    '....2222..',
    '....2222..',
    '..1111....',
    '..1111....',
    '..1111....',
    '..1111....',
  ]);
  assert.equal(grid.visible, 2);
  assert.equal(grid.thin, 0);
  assert.equal(grid.lit, null);
});

test('a part of it', () => {
  const { space, grid } = drawn();
  grid.draw(space, { x0: 3, x1: 5, y0: 32, y1: 64 }, { width: 4, height: 2, scale: 1 }, null, null);
  assert.deepEqual(rows(grid), ['....', '22..']);
  assert.equal(grid.visible, 1);
});

test('thin boxes are one pixel thin, and counted', () => {
  const { space, grid, view } = drawn();
  grid.draw(space, view, { width: 10, height: 1, scale: 1 }, null, null);
  assert.equal(grid.thin, 1, 'the one of 16 bytes');
  grid.draw(space, view, { width: 1, height: 8, scale: 1 }, null, null);
  assert.deepEqual(rows(grid), ['.', '.', '2', '2', '1', '1', '1', '1']);
  assert.equal(grid.thin, 2);
});

test('what matches and is live is lit', () => {
  assert.deepEqual(drawn({ matches: Uint8Array.of(1, 0, 1, 0) }).grid.lit, Uint8Array.of(1, 0, 1));
  assert.deepEqual(drawn({ at: 1 }).grid.lit, Uint8Array.of(1, 1, 0));
  assert.deepEqual(drawn({ at: 3 }).grid.lit, Uint8Array.of(1, 0, 1));
  assert.deepEqual(drawn({ matches: Uint8Array.of(1, 1, 0, 0), at: 3 }).grid.lit, Uint8Array.of(1, 0, 0));
});

test('what is lit lies over the rest', () => {
  const data = moduleData();
  data.spaces[0].heaps.pop();
  data.spaces[0].heaps[0].blocks.offset = [0, 0];
  const space = new Module(entryOf({}), data).space(0);
  const grid = new Grid();
  const view = { x0: 0, x1: 5, y0: 0, y1: 64 };
  const bottom = (/** @type {number | null} */ at) => {
    grid.draw(space, view, { width: 10, height: 8, scale: 1 }, null, at);
    return rows(grid)[7];
  };
  assert.equal(bottom(null), '..112222..', 'later ones over earlier ones');
  assert.equal(bottom(1), '..111122..');
});

test('the item at a pixel, or within two of it', () => {
  const { grid } = drawn();
  assert.equal(grid.itemNear(2, 7), 1);
  assert.equal(grid.itemNear(0, 7), 1, 'two pixels off');
  assert.equal(grid.itemNear(9, 7), NO_ITEM);
  assert.equal(grid.itemNear(-5, -5), NO_ITEM);
  assert.equal(new Grid().itemNear(0, 0), NO_ITEM);
});

test('pixels: ground, fill, edge, dimmed', () => {
  const { grid } = drawn({ at: 1 });
  const column = (/** @type {number} */ base) => Uint32Array.from({ length: 3 }, (_, i) => base + i);
  const pixels = new Uint32Array(80);
  grid.paint(pixels, { fill: column(10), edge: column(20), dim: column(30), dimEdge: column(40) }, 7, 1);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => pixels[y * 10 + x];
  assert.equal(at(0, 0), 7);
  assert.equal(at(2, 5), 21, 'the left edge');
  assert.equal(at(3, 5), 11, 'inside');
  assert.equal(at(4, 3), 32, 'too small for an edge, and dimmed');
  assert.equal(at(3, 4), 21, 'the top edge');
});

test('large boxes have labels, which end where another box covers them', () => {
  const { space, grid, view } = drawn();
  grid.draw(space, view, { width: 500, height: 128, scale: 1 }, null, null);
  assert.deepEqual(grid.labels, [
    { item: 1, left: 100, right: 300, top: 64, end: 128 },
    { item: 2, left: 200, right: 400, top: 32, end: 64 },
  ]);
  assert.equal(grid.uncovered(grid.labels[0]), 300);
  grid.items.fill(2, 96 * 500 + 150, 96 * 500 + 160);
  assert.equal(grid.uncovered(grid.labels[0]), 150);
});

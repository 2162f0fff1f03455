import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ModuleList } from '../js/modules.js';
import { entryOf } from './support/module.js';

/** @import { IndexEntry } from '../data.d.ts' */

/** @param {Partial<IndexEntry>[]} entries */
const listOf = (...entries) => new ModuleList({
  version: '1', source: null, most_bytes: 1024, modules: entries.map((fields, i) => entryOf({ id: i + 1, ...fields })),
});

/** @param {ModuleList} list */
const names = (list) => list.entries.map((entry) => list.nameOf(entry));

test('a module is called by its name, its path, or neither', () => {
  assert.deepEqual(names(listOf({ name: 'a' }, { name: null, path: 'x/y' }, { name: null })),
    ['a', 'x/y', '(no name)']);
  assert.equal(names(listOf({ name: 'n'.repeat(100) }))[0], `${'n'.repeat(79)}\u2026`);
});

test('modules of one name are told apart by as much as that takes', () => {
  assert.deepEqual(
    names(listOf({ name: 'a', program_id: 3 }, { name: 'a', program_id: 4 }, { name: 'b', program_id: 5 })),
    ['a(3)', 'a(4)', 'b']);
  assert.deepEqual(names(listOf({ name: 'a', path: '/r/1/m.pb' }, { name: 'a', path: '/r/2/m.pb' })),
    ['a, 1/m.pb', 'a, 2/m.pb']);
  assert.deepEqual(names(listOf({ name: 'a', path: '/1/r/m.pb' }, { name: 'a', path: '/2/r/m.pb' })),
    ['a, 1/r/m.pb', 'a, 2/r/m.pb']);
  assert.deepEqual(names(listOf({ name: 'a', path: 'm.pb' }, { name: 'a', path: 'r/m.pb' })),
    ['a, m.pb', 'a, r/m.pb']);
});

test('the page opens with the largest peak of those that can be shown', () => {
  const list = listOf({ peak_bytes: 5, space_count: 1 }, { peak_bytes: '9007199254740993', space_count: 1 },
    { peak_bytes: 10, space_count: 1 }, { peak_bytes: 0, space_count: 0 }, { problem: 'cut' });
  /** @param {number[]} here ids of the modules whose data are in the page */
  const largest = (here) => list.largest((entry) => here.includes(entry.id))?.id;
  assert.equal(largest([1, 2, 3, 4]), 2);
  assert.equal(largest([1, 3, 4]), 3);
  assert.equal(largest([4]), 2, 'when none can be shown, the largest of all');
  assert.equal(listOf().largest(() => true), null);
});

test('a module is found by its id', () => {
  const list = listOf({ name: 'a' }, { name: 'b' });
  assert.equal(list.find(2)?.name, 'b');
  assert.equal(list.find(3), null);
  assert.equal(list.find(null), null);
});

test('lines of the list, and why there is nothing to show', () => {
  const list = listOf({ name: 'a', peak_bytes: 1024, space_count: 1 }, { name: 'b', problem: 'is cut' },
    { name: 'c', peak_bytes: 1, space_count: 1, left_out_bytes: 2048 }, { name: 'd', space_count: 0, peak_bytes: 0 });
  assert.deepEqual(list.entries.map((entry) => list.lineOf(entry)),
    ['a \u2014 1.00 KiB', 'b \u2014 nothing to show', 'c \u2014 left out', 'd \u2014 0 B']);
  const [, b, c, d] = list.entries;
  assert.equal(list.whyEmpty(b), 'b: is cut');
  assert.match(list.whyEmpty(c), /^c is left out: its 2\.00 KiB would take this page beyond 1\.00 KiB\./);
  assert.match(list.whyEmpty(d), /^d: no buffer assignment/);
});

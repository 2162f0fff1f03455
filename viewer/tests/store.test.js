import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Store, hasAny, shownItem, togglePin } from '../js/store.js';
import { madeSpace } from './support/module.js';

/** @import { Changes } from '../js/store.js' */

/** A store whose frames come when they are called for, and what its one part was told. */
function made() {
  /** @type {(() => void)[]} */
  const frames = [];
  /** @type {string[][]} */
  const told = [];
  const store = new Store((run) => frames.push(run));
  store.parts = [{ update: (/** @type {Changes} */ changed) => void told.push([...changed].sort()) }];
  const frame = () => frames.splice(0).forEach((run) => run());
  return { store, told, frame, frames };
}

test('parts are told once a frame what changed', () => {
  const { store, told, frame, frames } = made();
  store.set({ space: madeSpace() });
  store.set({ hover: 1 });
  store.set({ hover: 1 });
  assert.equal(frames.length, 1);
  frame();
  assert.deepEqual(told, [['hover', 'space']]);
  store.set({ hover: 1 });
  assert.equal(frames.length, 0, 'nothing changed');
});

test('another position means other live items, and no word on one beyond the last', () => {
  const { store } = made();
  store.set({ space: madeSpace(), at: 4, beyond: 9 });
  assert.equal(store.state.beyond, 9);
  store.set({ at: 2 });
  assert.deepEqual(store.state.live, [0, 1, 2]);
  assert.equal(store.state.beyond, null);
  assert.ok(hasAny(store.changed, 'live') && hasAny(store.changed, 'order', 'beyond'));
  assert.ok(!hasAny(store.changed, 'order', 'pinned'));
});

test('while nothing is shown parts are told nothing', () => {
  const { store, told, frame } = made();
  store.set({ layout: 1, at: 3 });
  frame();
  assert.deepEqual(told, []);
  assert.throws(() => store.shown, /nothing is shown/);
});

test('the card shows what is pointed at, else what was kept', () => {
  const { store } = made();
  togglePin(store, 2);
  assert.equal(shownItem(store.state), 2);
  store.set({ hover: 1 });
  assert.equal(shownItem(store.state), 1);
  store.set({ hover: -1 });
  togglePin(store, 2);
  assert.equal(shownItem(store.state), -1);
  togglePin(store, -1);
  assert.equal(store.state.pinned, -1);
});

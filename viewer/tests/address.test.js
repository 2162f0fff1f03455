import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAddress, writeAddress } from '../js/address.js';

const nothing = { module: null, space: null, at: null, order: null, search: '' };

test('an empty address says nothing', () => {
  assert.deepEqual(readAddress(''), nothing);
  assert.deepEqual(readAddress('#'), nothing);
});

test('an address is read', () => {
  assert.deepEqual(readAddress('#module=3&space=1&at=12&order=padding&search=a%26b'),
    { module: 3, space: '1', at: 12, order: 'padding', search: 'a&b' });
});

test('what makes no sense is passed over', () => {
  assert.deepEqual(readAddress('#module=x&at=-1&order=color&other=1'), nothing);
  assert.equal(readAddress('#at=1.5').at, null);
});

test('what is written is read again', () => {
  for (const address of [
    nothing,
    { ...nothing, module: 1, space: '9007199254740993' },
    { module: 2, space: '0', at: 0, order: /** @type {const} */ ('program'), search: 'x=1&y #\u00e9 +' },
  ]) {
    assert.deepEqual(readAddress(writeAddress(address)), address);
  }
  assert.equal(writeAddress({ ...nothing, module: 1, order: 'size' }), 'module=1', 'the usual order is not named');
});

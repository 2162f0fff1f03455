import assert from 'node:assert/strict';
import { test } from 'node:test';

import { byteLabel, bytes, count, exactBytes, expansion, expansionOf, pathEnd, percent, plural } from '../js/format.js';

test('bytes have three significant digits and a binary unit', () => {
  /** @type {[number | null | undefined, string][]} */
  const cases = [
    [0, '0 B'], [1, '1 B'], [1023, '1023 B'], [1024, '1.00 KiB'], [1536, '1.50 KiB'], [10230, '9.99 KiB'],
    [10240, '10.0 KiB'], [102300, '99.9 KiB'], [102400, '100 KiB'], [1023.4 * 1024, '1023 KiB'],
    [1023.5 * 1024, '1.00 MiB'], [2 ** 53, '8.00 PiB'], [2 ** 70, '1024 EiB'], [-1536, '\u22121.50 KiB'],
    [null, '\u2013'], [undefined, '\u2013'],
  ];
  for (const [n, text] of cases) assert.equal(bytes(n), text, String(n));
});

test('labels of a scale have no digits that say nothing', () => {
  assert.deepEqual([0, 512, 1024, 1536, 2 ** 30 * 1.25].map(byteLabel),
    ['0 B', '512 B', '1 KiB', '1.5 KiB', '1.25 GiB']);
});

test('counts', () => {
  assert.equal(count(1234567), '1,234,567');
  assert.equal(plural(1, 'box', 'boxes'), '1 box');
  assert.equal(plural(1000, 'buffer'), '1,000 buffers');
  assert.equal(exactBytes(1), '1 byte');
  assert.equal(exactBytes(1024), '1,024 bytes');
  assert.equal(exactBytes(null), 'unknown');
});

test('expansion by padding', () => {
  assert.equal(expansionOf(32, 24), 32 / 24);
  assert.equal(expansionOf(32, 0), null);
  assert.equal(expansionOf(32, -1), null);
  assert.equal(expansionOf(32, null), null);
  assert.deepEqual([expansion(3, 2), expansion(32, 2), expansion(4096, 2), expansion(1, -1)],
    ['1.50\u00d7', '16.0\u00d7', '2,048\u00d7', '\u2013']);
});

test('percent', () => {
  assert.deepEqual([percent(1, 3), percent(0, 3), percent(1, 10000), percent(1, 0)],
    ['33.3%', '0.0%', '<0.1%', '0.0%']);
});

test('the end of a path', () => {
  assert.equal(pathEnd('/a/b/c.py', 2), 'b/c.py');
  assert.equal(pathEnd('c.py', 2), 'c.py');
});

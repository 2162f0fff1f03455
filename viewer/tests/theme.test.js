import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cssColor, mix, pixel, rgbOf } from '../js/theme.js';

test('colours', () => {
  assert.deepEqual(rgbOf('rgba(1, 20, 255, 0.5)'), [1, 20, 255]);
  assert.equal(cssColor([1, 2, 3]), 'rgb(1,2,3)');
  assert.equal(cssColor([1, 2, 3], 0.5), 'rgb(1 2 3 / 0.5)');
  assert.deepEqual(mix([0, 100, 200], [100, 100, 0], 0.25), [25, 100, 150]);
  assert.equal(pixel([0x11, 0x22, 0x33]), 0xff332211, 'red first in memory');
});

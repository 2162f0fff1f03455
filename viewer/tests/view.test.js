import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clampView, panView, revealBox, viewAround, zoomView } from '../js/view.js';

const whole = { x0: 0, x1: 100, y0: 0, y1: 1000 };
const part = { x0: 20, x1: 40, y0: 100, y1: 300 };

test('a view inside the whole stays', () => assert.deepEqual(clampView(part, whole), part));

test('a view of all is none', () => {
  assert.equal(clampView(whole, whole), null);
  assert.equal(clampView({ x0: -50, x1: 200, y0: -1, y1: 2000 }, whole), null);
});

test('a view is moved inside, and cut', () => {
  assert.deepEqual(clampView({ x0: -10, x1: 10, y0: 900, y1: 1100 }, whole), { x0: 0, x1: 20, y0: 800, y1: 1000 });
  assert.deepEqual(clampView({ x0: -10, x1: 200, y0: 0, y1: 500 }, whole), { x0: 0, x1: 100, y0: 0, y1: 500 });
});

test('a view has at least four positions and 64 bytes, or all there are', () => {
  assert.deepEqual(clampView({ x0: 50, x1: 50, y0: 500, y1: 500 }, whole), { x0: 48, x1: 52, y0: 468, y1: 532 });
  assert.equal(clampView({ x0: 0, x1: 1, y0: 0, y1: 1 }, { x0: 0, x1: 2, y0: 0, y1: 8 }), null);
});

test('zooming keeps a point where it is', () => {
  const zoomed = zoomView(part, { x: 25, y: 200 }, 2, 1);
  assert.deepEqual(zoomed, { x0: 22.5, x1: 32.5, y0: 100, y1: 300 });
  assert.equal((25 - zoomed.x0) / (zoomed.x1 - zoomed.x0), (25 - part.x0) / (part.x1 - part.x0));
});

test('panning stops at the ends', () => {
  assert.deepEqual(panView(part, whole, 5, -50), { x0: 25, x1: 45, y0: 50, y1: 250 });
  assert.deepEqual(panView(part, whole, -500, 5000), { x0: 0, x1: 20, y0: 800, y1: 1000 });
});

test('a box has room around it', () => {
  assert.deepEqual(viewAround({ x0: 10, x1: 20, y0: 0, y1: 100 }), { x0: -5, x1: 35, y0: -300, y1: 400 });
  assert.deepEqual(viewAround({ x0: 10, x1: 11, y0: 0, y1: 1 }), { x0: 2, x1: 19, y0: -64, y1: 65 });
});

test('a box comes in sight', () => {
  assert.deepEqual(revealBox(part, { x0: 22, x1: 30, y0: 120, y1: 130 }), part);
  assert.deepEqual(revealBox(part, { x0: 0, x1: 100, y0: 0, y1: 1000 }), part, 'one that fills the view');
  assert.deepEqual(revealBox(part, { x0: 60, x1: 70, y0: 120, y1: 130 }), { x0: 55, x1: 75, y0: 100, y1: 300 });
  assert.deepEqual(revealBox(part, { x0: 22, x1: 30, y0: 0, y1: 20 }), { x0: 20, x1: 40, y0: -90, y1: 110 });
});

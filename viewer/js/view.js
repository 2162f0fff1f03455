// view.js: which part of the timeline is in sight.

/**
 * A rectangle of positions (x) and addresses (y): from x0 up to x1, from y0 up to y1.
 * @typedef {{ x0: number, x1: number, y0: number, y1: number }} View
 */

const LEAST_POSITIONS = 4;
const LEAST_BYTES = 64;

/**
 * A stretch of at least `least` moved into another one and cut to it; its middle stays where that is possible.
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 * @param {number} least
 */
function clampAxis(low, high, from, to, least) {
  const size = Math.min(to - from, Math.max(least, high - low));
  const start = Math.min(to - size, Math.max(from, low + (high - low - size) / 2));
  return [start, start + size];
}

/**
 * A view inside the whole; null when it is the whole.
 * @param {View} view
 * @param {View} whole
 * @returns {View | null}
 */
export function clampView(view, whole) {
  const [x0, x1] = clampAxis(view.x0, view.x1, whole.x0, whole.x1, Math.min(LEAST_POSITIONS, whole.x1));
  const [y0, y1] = clampAxis(view.y0, view.y1, whole.y0, whole.y1, Math.min(LEAST_BYTES, whole.y1));
  const full = x1 - x0 >= whole.x1 - 1e-9 && y1 - y0 >= whole.y1 - 1e-9;
  return full ? null : { x0, x1, y0, y1 };
}

/**
 * Zoomed around a point that stays where it is.
 * @param {View} view
 * @param {{ x: number, y: number }} point in positions and addresses
 * @param {number} fx factor along positions; above 1: less is in sight
 * @param {number} fy factor along addresses
 * @returns {View}
 */
export function zoomView({ x0, x1, y0, y1 }, { x, y }, fx, fy) {
  return { x0: x - (x - x0) / fx, x1: x + (x1 - x) / fx, y0: y - (y - y0) / fy, y1: y + (y1 - y) / fy };
}

/**
 * Moved, but not out of the whole.
 * @param {View} view
 * @param {View} whole
 * @param {number} dx in positions
 * @param {number} dy in addresses
 * @returns {View}
 */
export function panView({ x0, x1, y0, y1 }, whole, dx, dy) {
  const x = Math.min(whole.x1 - x1, Math.max(-x0, dx));
  const y = Math.min(whole.y1 - y1, Math.max(-y0, dy));
  return { x0: x0 + x, x1: x1 + x, y0: y0 + y, y1: y1 + y };
}

/**
 * A box with room around it.
 * @param {View} box
 * @returns {View}
 */
export function viewAround({ x0, x1, y0, y1 }) {
  const w = Math.max(8, (x1 - x0) * 1.5);
  const h = Math.max(64, (y1 - y0) * 3);
  return { x0: x0 - w, x1: x1 + w, y0: y0 - h, y1: y1 + h };
}

/**
 * How far a view has to move so that a stretch is in its middle; 0 when it is in sight, or fills it.
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 */
function shift(low, high, from, to) {
  const fills = high - low > to - from && high > from && low < to;
  return fills || (low >= from && high <= to) ? 0 : (low + high) / 2 - (from + to) / 2;
}

/**
 * Moved so that a box is in sight.
 * @param {View} view
 * @param {View} box
 * @returns {View}
 */
export function revealBox({ x0, x1, y0, y1 }, box) {
  const dx = shift(box.x0, box.x1, x0, x1);
  const dy = shift(box.y0, box.y1, y0, y1);
  return { x0: x0 + dx, x1: x1 + dx, y0: y0 + dy, y1: y1 + dy };
}

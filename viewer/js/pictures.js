// pictures.js: the charts as SVG and DOT.
import { byteLabel, bytes, count, exactBytes, expansion, plural } from './format.js';
import { GUTTER, MARGIN } from './plot.js';
import { byteStep, countStep, highestOf, lowHigh, seriesOf } from './series.js';
import { cssColor, edgeColor, itemColor, theme } from './theme.js';

/** @import { Space } from './model.js' */
/** @import { Values } from './series.js' */

/** @typedef {(value: number) => number} Scale   from positions or bytes to pixels */

/** @type {Record<string, string>} */
const XML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text for XML 1.0, which has no control characters.
 * @param {string} text
 */
export const xml = (text) => text
  .replace(/[&<>"']/g, (c) => XML[c])
  // eslint-disable-next-line no-control-regex
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');

/**
 * A quoted DOT string.
 * @param {string} text
 */
export const dot = (text) =>
  `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/[\r\n]+/g, ' ')}"`;

/**
 * What a box says of its item, in lines.
 * @param {Space} space
 * @param {number} i
 */
function itemTitle(space, i) {
  const unpadded = bytes(space.unpaddedOf(i));
  return [space.label(i), space.opcode(i), space.shape(i),
    `${bytes(space.size[i])} (${exactBytes(space.size[i])}), without padding ${unpadded}, ` +
      expansion(space.size[i], space.unpadded[i]),
    space.opName(i), space.category(i), space.source(i), `positions ${space.start[i]} to ${space.end[i] - 1}`]
    .filter(Boolean).join('\n');
}

const SVG_FONT = 'font-family="system-ui, sans-serif" font-size="11"';

/**
 * Attributes of an element; numbers with `digits` after the point.
 * @param {Record<string, string | number>} attributes
 * @param {number} [digits]
 */
const svgAttributes = (attributes, digits = 1) => Object.entries(attributes)
  .map(([name, value]) => ` ${name}="${typeof value === 'number' ? value.toFixed(digits) : value}"`).join('');

/**
 * @param {number} width
 * @param {number} height
 * @param {string} title
 * @param {string} body
 */
function svgPage(width, height, title, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" ${SVG_FONT}>\n` +
    `<title>${xml(title)}</title>\n<rect width="${width}" height="${height}" fill="${theme.css.panel}"/>\n` +
    `<text x="${GUTTER}" y="24" font-size="14" fill="${theme.css.ink}">${xml(title)}</text>\n${body}</svg>\n`;
}

/**
 * @param {Space} space
 * @param {number} highest in bytes; 0: no lines
 * @param {Scale} x
 * @param {Scale} y
 * @param {number} right
 * @param {number} bottom
 */
function svgAxis(space, highest, x, y, right, bottom) {
  const out = [];
  const step = byteStep(highest, 8);
  for (let value = 0; value <= highest; value += step) {
    out.push(`<path d="M${GUTTER} ${y(value).toFixed(1)}H${right}" stroke="${theme.css.grid}"/>` +
      `<text x="${GUTTER - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end" fill="${theme.css.soft}">` +
      `${byteLabel(value)}</text>`);
  }
  const wide = countStep(space.length + 1, 12);
  for (let p = 0; p <= space.length; p += wide) {
    out.push(`<text x="${x(p).toFixed(1)}" y="${bottom + 16}" text-anchor="middle" fill="${theme.css.soft}">` +
      `${count(p)}</text>`);
  }
  return out.join('\n');
}

/**
 * The whole timeline. Boxes thinner than half a pixel are counted and left to the CSV.
 * @param {Space} space
 */
export function timelineSvg(space) {
  const width = 1600;
  const height = 900;
  const right = width - MARGIN;
  const bottom = height - 40;
  /** @type {Scale} */
  const x = (p) => GUTTER + (p / (space.length + 1)) * (right - GUTTER);
  /** @type {Scale} */
  const y = (address) => bottom - (address / space.height) * (bottom - 40);
  const out = [];
  let thin = 0;
  for (const heap of space.heaps) {
    const top = y(heap.low + heap.height);
    const frame = { x: String(GUTTER), y: top, width: String(right - GUTTER), height: y(heap.low) - top };
    out.push(`<rect${svgAttributes(frame)} fill="none" stroke="${theme.css['strong-line']}"/>`);
    for (let i = heap.first; i < heap.end; i++) {
      const low = heap.low + Math.max(0, space.offset[i]);
      const box = { x: x(space.start[i]), y: y(low + space.size[i]), width: 0, height: 0 };
      box.width = x(space.end[i]) - box.x;
      box.height = y(low) - box.y;
      if (box.width < 0.5 || box.height < 0.5) {
        thin++;
        continue;
      }
      out.push(`<rect${svgAttributes(box, 2)} fill="${cssColor(itemColor(space, i))}" ` +
        `stroke="${cssColor(edgeColor(space, i))}" stroke-width="0.5">` +
        `<title>${xml(itemTitle(space, i))}</title></rect>`);
    }
  }
  const blocks = space.count - space.baselineCount;
  const name = space.module.entry.name || 'module';
  const head = `Allocation timeline of ${space.name}, ${name}: ${plural(blocks, 'box', 'boxes')}` +
    (thin > 0 ? `, ${count(thin)} of them thinner than half a pixel and left out here` : '');
  const axis = svgAxis(space, space.heaps.length === 1 ? space.height : 0, x, y, right, bottom);
  const none = blocks > 0 ? '' : `<text x="${width / 2}" y="${height / 2}" text-anchor="middle" ` +
    `fill="${theme.css.soft}">No heap trace: nothing to lay out over time</text>\n`;
  return svgPage(width, height, head, `${axis}\n${out.join('\n')}\n${none}`);
}

/**
 * The timeline for `neato -n`: a node for each block, at its place.
 * @param {Space} space
 */
export function timelineDot(space) {
  const width = 1600;
  const height = 900;
  const dpi = 72;
  const out = ['graph timeline {', '  node [shape=box, style=filled, fixedsize=true, fontsize=8, label=""];'];
  for (const heap of space.heaps) {
    for (let i = heap.first; i < heap.end; i++) {
      const w = ((space.end[i] - space.start[i]) / (space.length + 1)) * width;
      const h = (space.size[i] / space.height) * height;
      const low = heap.low + Math.max(0, space.offset[i]);
      const cx = (space.start[i] / (space.length + 1)) * width + w / 2;
      const cy = (low / space.height) * height + h / 2;
      const [r, g, b] = itemColor(space, i).map((v) => v.toString(16).padStart(2, '0'));
      const label = w > 60 && h > 12 ? `, label=${dot(space.label(i).slice(0, Math.floor(w / 6)))}` : '';
      /** @param {number} points */
      const inches = (points) => (Math.max(0.5, points) / dpi).toFixed(4);
      out.push(`  b${i} [pos="${cx.toFixed(2)},${cy.toFixed(2)}", width=${inches(w)}, height=${inches(h)}, ` +
        `fillcolor="#${r}${g}${b}", tooltip=${dot(itemTitle(space, i).replace(/\n/g, ', '))}${label}];`);
    }
  }
  out.push('}', '');
  return out.join('\n');
}

/**
 * The usage curve of a heap.
 * @param {Space} space
 * @param {number} heap
 */
export function curveSvg(space, heap) {
  const width = 1600;
  const height = 420;
  const right = width - MARGIN;
  const bottom = height - 40;
  const series = seriesOf(space, heap);
  const highest = 1.05 * highestOf(series);
  /** @type {Scale} */
  const x = (p) => GUTTER + (p / (space.length + 1)) * (right - GUTTER);
  /** @type {Scale} */
  const y = (value) => bottom - (value / highest) * (bottom - 40);
  /** @param {Values} values */
  const path = (values) => {
    const parts = [`M${x(0).toFixed(1)} ${y(values[0]).toFixed(1)}`];
    const per = Math.max(1, Math.floor(values.length / (right - GUTTER)));
    for (let p = 0; p < values.length; p += per) {
      const end = Math.min(values.length, p + per);
      const { low, high } = lowHigh(values, p, end);
      parts.push(`V${y(low).toFixed(1)}V${y(high).toFixed(1)}H${x(end).toFixed(1)}`);
    }
    return parts.join('');
  };
  /**
   * @param {Values | null} values
   * @param {string} color
   * @param {string} [more]
   */
  const line = (values, color, more = '') =>
    (values ? `<path d="${path(values)}" fill="none" stroke="${color}" stroke-width="1.5"${more}/>` : '');
  const { css } = theme;
  const floor = y(space.resident);
  const peak = series.bytes[series.peak];
  const name = space.module.entry.name || 'module';
  const head = `Usage of ${space.name}, ${name}: peak ${bytes(peak)} at position ${count(series.peak)}`;
  const baseline = { x: String(GUTTER), y: floor, width: String(right - GUTTER), height: bottom - floor };
  return svgPage(width, height, head,
    svgAxis(space, highest, x, y, right, bottom) +
    `<rect${svgAttributes(baseline)} fill="${css['baseline-fill']}"/>\n` +
    `${line(series.occupied, css.occupied, ' stroke-dasharray="5 3"')}\n` +
    `${line(series.unpadded, css.unpadded)}\n${line(series.bytes, css.padded)}\n` +
    `<circle${svgAttributes({ cx: x(series.peak + 0.5), cy: y(peak) })} r="4" fill="${css.padded}"/>\n`);
}

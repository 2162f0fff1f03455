// theme.js: the page's colours for canvases, and the colours of each buffer.
import { el } from './dom.js';

/** @import { Space } from './model.js' */

/** @typedef {number[]} Rgb   red, green, blue from 0 to 255 */

const NAMES = ['page', 'panel', 'sunken', 'ink', 'soft', 'line', 'strong-line', 'grid', 'accent', 'padded',
  'padded-fill', 'unpadded', 'occupied', 'baseline', 'baseline-fill', 'padding'];

export const theme = {
  dark: false,
  /** @type {Record<string, string>} */
  css: {},
  /** What boxes are drawn on. @type {Rgb} */
  ground: [255, 255, 255],
  mono: 'monospace',
  sans: 'sans-serif',

  /** Read the style sheet's colours anew. A probe element resolves light-dark(). */
  refresh() {
    const probe = document.body.appendChild(el('span', { hidden: true }));
    for (const name of NAMES) {
      probe.style.color = `var(--${name})`;
      theme.css[name] = getComputedStyle(probe).color;
    }
    theme.mono = getComputedStyle(document.documentElement).getPropertyValue('--mono');
    theme.sans = getComputedStyle(document.body).fontFamily;
    probe.remove();
    const forced = document.documentElement.dataset.theme;
    theme.dark = forced ? forced === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    theme.ground = rgbOf(theme.css.sunken);
  },
};

/**
 * @param {string} css
 * @returns {Rgb}
 */
export const rgbOf = (css) => (css.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/**
 * @param {number} number 0xRRGGBB
 * @returns {Rgb}
 */
const rgb = (number) => [number >> 16, (number >> 8) & 255, number & 255];

/**
 * The colours of an item: what the extension's pictures give its buffer too.
 * @param {Space} space
 * @param {number} i
 */
const coloursOf = (space, i) => space.module.raw.colours[space.colour[i]];

/**
 * @param {Space} space
 * @param {number} i
 */
export const itemColor = (space, i) => rgb(coloursOf(space, i)[theme.dark ? 2 : 0]);

/**
 * @param {Space} space
 * @param {number} i
 */
export const edgeColor = (space, i) => rgb(coloursOf(space, i)[theme.dark ? 3 : 1]);

/**
 * @param {Rgb} a
 * @param {Rgb} b
 * @param {number} share of b
 * @returns {Rgb}
 */
export const mix = (a, b, share) => a.map((x, i) => Math.round(x + (b[i] - x) * share));

/**
 * @param {Rgb} color
 * @param {number} [alpha]
 */
export const cssColor = ([r, g, b], alpha = 1) =>
  (alpha < 1 ? `rgb(${r} ${g} ${b} / ${alpha})` : `rgb(${r},${g},${b})`);

/**
 * A pixel of ImageData, as bytes stand in memory on every machine that has browsers.
 * @param {Rgb} color
 */
export const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

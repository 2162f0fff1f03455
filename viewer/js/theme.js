// theme.js: the page's colours for canvases, and the colours of each buffer.

const theme = {
  dark: false,
  css: {},

  /** Read the style sheet's colours anew. A probe element resolves light-dark(). */
  refresh() {
    const probe = document.body.appendChild(el('span', { hidden: true }));
    const resolve = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const names = ['page', 'panel', 'sunken', 'ink', 'soft', 'line', 'strong-line', 'grid', 'accent', 'padded',
      'padded-fill', 'unpadded', 'occupied', 'baseline', 'baseline-fill', 'padding'];
    for (const name of names) theme.css[name] = resolve(name);
    theme.mono = getComputedStyle(document.documentElement).getPropertyValue('--mono');
    theme.sans = getComputedStyle(document.body).fontFamily;
    probe.remove();
    const forced = document.documentElement.dataset.theme;
    theme.dark = forced ? forced === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    theme.ground = rgbOf(theme.css.sunken);
  },
};

const rgbOf = (css) => css.match(/[\d.]+/g).slice(0, 3).map(Number);

const rgb = (number) => [number >> 16, (number >> 8) & 255, number & 255];

/** The colours of an item: what the extension's pictures give its buffer too. */
const coloursOf = (space, i) => space.module.raw.colours[space.colour[i]];
const itemColor = (space, i) => rgb(coloursOf(space, i)[theme.dark ? 2 : 0]);
const edgeColor = (space, i) => rgb(coloursOf(space, i)[theme.dark ? 3 : 1]);

const mix = (a, b, share) => a.map((x, i) => Math.round(x + (b[i] - x) * share));
const cssColor = ([r, g, b], alpha = 1) => (alpha < 1 ? `rgb(${r} ${g} ${b} / ${alpha})` : `rgb(${r},${g},${b})`);
/** A pixel of ImageData, as bytes stand in memory on every machine that has browsers. */
const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

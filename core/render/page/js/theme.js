// theme.js: the page's colours for canvases, and a colour for each buffer.

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

/** OKLCH to 8-bit sRGB: equal lightness looks equally light, so no buffer shouts. (B. Ottosson's OKLab matrices.) */
function oklch(lightness, chroma, degrees) {
  const a = chroma * Math.cos((degrees * Math.PI) / 180);
  const b = chroma * Math.sin((degrees * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (x) => {
    const v = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, v)));
  };
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The colour of an item: by its buffer's id, so that it is the same in every view and every run. Steps of the golden
 * angle keep ids that follow each other apart. */
function itemColor(space, i) {
  const id = Number(space.bufferId(i) ?? i);
  const hue = (id * 137.50776405) % 360;
  const step = id % 3;
  return theme.dark ? oklch(0.58 + 0.06 * step, 0.105, hue) : oklch(0.82 - 0.055 * step, 0.095, hue);
}

const mix = (a, b, share) => a.map((x, i) => Math.round(x + (b[i] - x) * share));
const cssColor = ([r, g, b], alpha = 1) => (alpha < 1 ? `rgb(${r} ${g} ${b} / ${alpha})` : `rgb(${r},${g},${b})`);
/** A pixel of ImageData, as bytes stand in memory on every machine that has browsers. */
const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
/** The colour of lines and edges on an item's fill. */
const edgeColor = (color) => (theme.dark ? mix(color, [255, 255, 255], 0.35) : mix(color, [0, 0, 0], 0.38));

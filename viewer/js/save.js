// save.js: what is shown, as files.
import { buffersCsv, curveCsv } from './csv.js';
import { el } from './dom.js';
import { curveSvg, timelineDot, timelineSvg } from './pictures.js';

/** @import { Shown } from './store.js' */

/** By the ends of their names, which stand in viewer.html. @type {Record<string, (state: Shown) => string>} */
export const FILES = {
  'timeline.svg': (state) => timelineSvg(state.space),
  'timeline.dot': (state) => timelineDot(state.space),
  'curve.svg': (state) => curveSvg(state.space, state.heap),
  'live.csv': (state) => buffersCsv(state.space, state.live),
  'blocks.csv': (state) => buffersCsv(state.space, Array.from({ length: state.space.count }, (_, i) => i)),
  'curve.csv': (state) => curveCsv(state.space),
};

/** @type {Record<string, string>} */
const TYPES = { svg: 'image/svg+xml', dot: 'text/vnd.graphviz', csv: 'text/csv' };

/**
 * What a file is called.
 * @param {Shown} state
 * @param {string} file one of FILES
 */
export function fileName({ space }, file) {
  const stem = `${space.module.entry.name || 'module'}-${space.name}`.replace(/[^\w.-]+/g, '_').slice(0, 100);
  return `${stem}-${file}`;
}

/**
 * @param {Shown} state
 * @param {string} file one of FILES
 */
export function save(state, file) {
  const blob = new Blob([FILES[file](state)], { type: `${TYPES[file.split('.')[1]]};charset=utf-8` });
  const link = el('a', { href: URL.createObjectURL(blob), download: fileName(state, file) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

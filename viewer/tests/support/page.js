// page.js: pages that the extension writes, and the data in them.
//
// SQLITE3 is the shell, MEMVIEW_EXTENSION the extension; without them those of the PATH and of the release build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { ModuleData, PageIndex } from '../../data.d.ts' */

/** @param {string} path from the top folder of memview */
const inProject = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const DATA = inProject('tests/data');
const SQLITE3 = process.env.SQLITE3 ?? 'sqlite3';
const EXTENSION = process.env.MEMVIEW_EXTENSION ?? inProject('build/memview.so');

/** @param {string} text */
const quoted = (text) => `'${text.replace(/'/g, "''")}'`;

/** A source of memview_html as SQL: a path. @param {string} path */
export const pathSource = (path) => quoted(path);

/** A source of memview_html as SQL: bytes. @param {Uint8Array} bytes */
export const blobSource = (bytes) => `x'${Buffer.from(bytes).toString('hex')}'`;

/**
 * The page of a source, or why there is none.
 * @param {string} source SQL
 * @returns {{ page: string } | { error: string }}
 */
export function writePage(source) {
  const folder = mkdtempSync(join(tmpdir(), 'memview-viewer-'));
  try {
    const file = join(folder, 'page.html');
    const environment = { ...process.env };
    delete environment.MEMVIEW_SOURCE;
    const done = spawnSync(SQLITE3, ['-batch', '-bail', '-init', '/dev/null', ':memory:'], {
      input: `.load ${quoted(EXTENSION)}\nSELECT writefile(${quoted(file)}, memview_html(${source})) AS size;\n`,
      encoding: 'utf8',
      env: environment,
    });
    if (done.error) throw done.error;
    if (done.status !== null && done.status > 1) throw new Error(`${SQLITE3} ended with status ${done.status}`);
    if (done.signal) throw new Error(`${SQLITE3} ended by ${done.signal}: ${done.stderr}`);
    return done.status === 0 ? { page: readFileSync(file, 'utf8') } : { error: done.stderr.trim() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What a page was given: its index, and the modules whose data it has by their id.
 * @param {string} page
 * @returns {{ index: PageIndex, modules: Map<number, ModuleData> }}
 */
export function dataOf(page) {
  const blocks = new Map([...page.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs)]
    .map(([, id, text]) => [id, JSON.parse(text)]));
  const index = blocks.get('index');
  blocks.delete('index');
  const modules = new Map([...blocks].map(([id, data]) => [Number(id.replace(/^module-/, '')), data]));
  return { index, modules };
}

/**
 * The script of a page.
 * @param {string} page
 */
export function scriptOf(page) {
  const found = /<script type="module">\n(.*)<\/script>/s.exec(page);
  if (!found) throw new Error('the page has no script');
  return found[1];
}

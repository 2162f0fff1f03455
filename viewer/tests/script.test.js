// The modules of js/ become one script: cmake/embed.cmake. It is whole, and the script of the page is it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { DATA, pathSource, scriptOf, writePage } from './support/page.js';

const CMAKE = process.env.CMAKE ?? 'cmake';
const VIEWER = fileURLToPath(new URL('..', import.meta.url));
const EMBED = join(VIEWER, '..', 'cmake', 'embed.cmake');
const LISTED = [...readFileSync(join(VIEWER, 'CMakeLists.txt'), 'utf8').matchAll(/^ {2}js\/(.*\.js)$/gm)]
  .map(([, name]) => name);

/**
 * Scripts as embed.cmake makes one of them.
 * @param {Record<string, string>} files by name, in order
 * @returns {{ script: string, error: string }}
 */
function embed(files) {
  const folder = mkdtempSync(join(tmpdir(), 'memview-embed-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const inputs = Object.keys(files).map((name) => join(folder, name)).join(',');
    const output = join(folder, 'out.c');
    const done = spawnSync(CMAKE, [`-DOUTPUT=${output}`, '-DSYMBOL=x', `-DINPUTS=${inputs}`, '-P', EMBED],
      { encoding: 'utf8' });
    if (done.error) throw done.error;
    if (done.status !== 0) return { script: '', error: done.stderr.replace(/\s+/g, ' ') };
    const hex = readFileSync(output, 'utf8').match(/0x[0-9a-f]{2}/g) ?? [];
    return { script: Buffer.from(hex.map((byte) => Number(byte))).toString(), error: '' };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} script */
function checkSyntax(script) {
  const folder = mkdtempSync(join(tmpdir(), 'memview-script-'));
  try {
    const file = join(folder, 'script.mjs');
    writeFileSync(file, script);
    return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every module of js/ is listed for the build, once', () => {
  assert.deepEqual([...LISTED].sort(), readdirSync(join(VIEWER, 'js')).sort());
});

test('modules import only those before them, so there is no circle', () => {
  LISTED.forEach((name, i) => {
    const text = readFileSync(join(VIEWER, 'js', name), 'utf8');
    for (const [, imported] of text.matchAll(/^import [^;]*from '\.\/(.*)';$/gm)) {
      assert.ok(LISTED.slice(0, i).includes(imported), `${name} imports ${imported}`);
    }
  });
});

test('the script of the page is the modules, and has no two things of one name', () => {
  const written = writePage(pathSource(join(DATA, 'cpu-mlp.hlo.pb')));
  assert.ok('page' in written, JSON.stringify(written));
  const script = scriptOf(written.page);
  const files = Object.fromEntries(LISTED.map((name) => [name, readFileSync(join(VIEWER, 'js', name), 'utf8')]));
  assert.ok(script === embed(files).script, 'the build is of other scripts');
  assert.equal(checkSyntax(script), '');
  assert.doesNotMatch(script, /^(import|export)\b/m);
  assert.doesNotMatch(script, /^\s*(\/\*\*|\/\/)/m, 'comments stay behind');
  assert.match(script, /new Viewer\(\)/);
});

test('what is not a comment, an import or the word export stays', () => {
  const a = "// a.js: x.\n\n/**\n * Two lines. **\n */\n/** @type {1} */\nexport const a = 'x;[y'; // kept\n" +
    'export function f() {\n  // gone\n  return /** @type {string} */ (a);\n}\n';
  const b = "import {\n  a, f,\n} from './a.js';\nexport class B {}\nconst imports = [`\u00e9\\n${a}`, f];\n";
  const { script, error } = embed({ 'a.js': a, 'b.js': b });
  assert.equal(error, '');
  assert.deepEqual(script.split('\n').filter(Boolean), [
    "const a = 'x;[y'; // kept", 'function f() {', '  return /** @type {string} */ (a);', '}',
    'class B {}', 'const imports = [`\u00e9\\n${a}`, f];',
  ]);
});

test('what can not become one script is refused', () => {
  const a = 'export const a = 1;\n';
  const refused = (/** @type {string} */ b) => embed({ 'a.js': a, 'b.js': b }).error;
  assert.match(refused("import { c } from './c.js';\n"), /b\.js imports c\.js, which does not come before it/);
  assert.match(refused("import { b } from './b.js';\n"), /imports b\.js, which does not come before it/);
  assert.match(refused("import { a as b } from './a.js';\n"), /under another one/);
  for (const text of [
    "import a from './a.js';", "import * as x from './a.js';", "import './a.js';", "import x from 'fs';",
    'export default 1;', 'export { a };', "export * from './a.js';",
  ]) {
    assert.match(refused(`${text}\n`), /not a form that can be stripped/, text);
  }
  assert.match(checkSyntax(a + 'const a = 2;\n'), /already been declared/);
});

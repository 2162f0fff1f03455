// What the page saves: CSV, SVG and DOT.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { buffersCsv, csvLines, curveCsv } from '../js/csv.js';
import { curveSvg, dot, timelineDot, timelineSvg, xml } from '../js/pictures.js';
import { FILES, fileName } from '../js/save.js';
import { Store } from '../js/store.js';
import { theme } from '../js/theme.js';
import { madeModule, madeSpace } from './support/module.js';

theme.css = Object.fromEntries(['panel', 'ink', 'soft', 'grid', 'strong-line', 'padded', 'unpadded', 'occupied',
  'baseline-fill'].map((name) => [name, `var(${name})`]));

test('fields of CSV', () => {
  assert.equal(csvLines([['a', 1, null], ['x,y', 'say "hi"', 'two\nlines']]),
    'a,1,\r\n"x,y","say ""hi""","two\nlines"\r\n');
});

test('buffers as CSV have the columns of peak_buffers', () => {
  const [head, ...rows] = buffersCsv(madeSpace(), [0, 1]).trimEnd().split('\r\n');
  assert.equal(head, 'buffer_id,allocation_id,category,instruction,shape_index,opcode,computation,shape,size_bytes,' +
    'unpadded_bytes,padding_bytes,offset_bytes,start_position,end_position,op_name,source_file,source_line,' +
    'source_stack');
  assert.deepEqual(rows, [
    '10,0,Parameter,p,,parameter,main,"f32[2,2]{1,0}",100,80,20,,0,5,,,,',
    '11,7,Temporary,dot,,dot,main,"f32[2,2]{1,0}",32,24,8,0,1,3,jit(f)/dot,/src/model.py,34,' +
      '"/src/model.py:34:5\n/src/model.py:90:0"',
  ]);
});

test('curves as CSV are the rows of usage_curve', () => {
  assert.deepEqual(curveCsv(madeSpace()).trimEnd().split('\r\n'), [
    'allocation_id,position,event,instruction,bytes,unpadded_bytes,occupied_bytes',
    '7,0,,,100,80,100', '7,1,ALLOC,dot,132,104,132', '7,2,ALLOC,add,148,120,148', '7,3,FREE,dot,116,96,116',
    '7,4,FREE,add,100,80,100', ',0,,,100,80,100', ',1,SHARE_WITH,copy,108,88,108',
  ]);
  assert.equal(curveCsv(madeModule().space(1)).split('\r\n')[1], ',0,,,0,,0', 'one row without a heap');
});

test('texts in XML and DOT', () => {
  assert.equal(xml('<a b="c">&\'\u0001\n\ufffe'), '&lt;a b=&quot;c&quot;&gt;&amp;&#39;\ufffd\n\ufffd');
  assert.equal(dot('a "b" \\ c\nd'), '"a \\"b\\" \\\\ c d"');
});

test('the timeline as SVG: a box a block, at its place, in its colour', () => {
  theme.dark = false;
  const svg = timelineSvg(madeSpace());
  const box = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]* fill="(rgb[^"]*)"[^>]*><title>(.*)/g;
  const boxes = [...svg.matchAll(box)];
  assert.deepEqual(boxes.map(([, x, width, fill, title]) => [x, width, fill, title]), [
    ['377.60', '603.20', 'rgb(0,0,255)', 'dot'], // 76 + 1508 / 5, 2 * 1508 / 5
    ['679.20', '603.20', 'rgb(255,0,0)', 'add{1}'],
    ['377.60', '301.60', 'rgb(0,0,255)', 'copy'],
  ]);
  assert.match(svg, /Allocation timeline of HBM, jit_f: 3 boxes</);
  assert.match(svg, /say &quot;hi&quot;, &lt;b&gt;/);
  assert.match(timelineSvg(madeModule().space(1)), /No heap trace/);
});

test('dark and light have colours of their own', () => {
  theme.dark = true;
  assert.match(timelineSvg(madeSpace()), /fill="rgb\(0,255,0\)" stroke="rgb\(0,0,2\)"/);
  theme.dark = false;
});

test('the timeline as DOT: a node a block', () => {
  const graph = timelineDot(madeSpace());
  assert.equal(graph.match(/pos=/g)?.length, 3);
  assert.match(graph, /b1 \[pos="640\.00,/);
  assert.match(graph, /fillcolor="#0000ff"/);
});

test('the curve as SVG', () => {
  const svg = curveSvg(madeSpace(), 0);
  assert.match(svg, /Usage of HBM, jit_f: peak 148 B at position 2</);
  assert.equal(svg.match(/<path d="M76\.0 /g)?.length, 3);
  assert.equal(curveSvg(madeModule().space(1), 0).match(/<path d="M76\.0 /g)?.length, 2, 'unpadded is unknown');
});

test('files are named after module and space', () => {
  const store = new Store(() => {});
  store.set({ space: madeSpace() });
  assert.equal(fileName(store.shown, 'curve.csv'), 'jit_f-HBM-curve.csv');
  store.shown.space.module.entry.name = 'a/b c';
  assert.equal(fileName(store.shown, 'curve.csv'), 'a_b_c-HBM-curve.csv');
});

test('every file can be made', () => {
  for (const space of [0, 1]) {
    const store = new Store(() => {});
    store.set({ space: madeModule().space(space), at: null });
    for (const make of Object.values(FILES)) assert.ok(make(store.shown).length > 0);
  }
});

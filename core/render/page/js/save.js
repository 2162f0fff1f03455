// save.js: what is shown, as files.

const XML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for XML 1.0, which has no control characters and no lone surrogates. */
const xml = (text) => String(text)
  .replace(/[&<>"']/g, (c) => XML[c])
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');

/** A field of CSV by RFC 4180. */
const csv = (value) => (value === null || value === undefined ? '' : /[",\r\n]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : String(value));
const csvLines = (rows) => rows.map((row) => row.map(csv).join(',') + '\r\n').join('');

/** A quoted DOT string. */
const dot = (text) => `"${String(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/[\r\n]+/g, ' ')}"`;

const BUFFER_FIELDS = ['buffer_id', 'allocation_id', 'category', 'instruction', 'shape_index', 'opcode', 'computation', 'shape',
  'size_bytes', 'unpadded_bytes', 'padding_bytes', 'offset_bytes', 'start_position', 'end_position', 'op_name', 'source_file',
  'source_line', 'source_stack'];

/** The columns of peak_buffers, by the same names. */
function bufferRow(space, i) {
  return [space.bufferId(i), space.allocationId(i), space.category(i), space.instructionName(i), space.shapeIndex(i),
    space.opcode(i), space.computation(i), space.shape(i), space.size[i], space.unpaddedOf(i), space.paddingOf(i),
    space.offset[i] >= 0 ? space.offset[i] : null, space.startOf(i), space.endOf(i), space.opName(i), space.sourceFile(i),
    space.sourceLine(i), space.stack(i).map((f) => `${f.file}:${f.line}:${f.column}`).join('\n')];
}

function buffersCsv(space, items) {
  return csvLines([BUFFER_FIELDS, ...items.map((i) => bufferRow(space, i))]);
}

function curveCsv(space) {
  const rows = [['allocation_id', 'position', 'event', 'instruction', 'bytes', 'unpadded_bytes', 'occupied_bytes']];
  if (space.heaps.length === 0) {
    const value = space.valueAt(-1, 0);
    rows.push([null, 0, null, null, value.bytes, value.unpadded, value.occupied]);
  }
  space.heaps.forEach((heap, h) => {
    const id = heap.allocation >= 0 ? space.module.raw.allocations.id[heap.allocation] : null;
    for (let p = 0; p <= heap.events; p++) {
      const value = space.valueAt(h, p);
      rows.push([id, p, value.event, value.instruction, value.bytes, value.unpadded, value.occupied]);
    }
  });
  return csvLines(rows);
}

function itemTitle(space, i) {
  return [space.label(i), space.opcode(i), space.shape(i),
    `${bytes(space.size[i])} (${exactBytes(space.size[i])}), without padding ${bytes(space.unpaddedOf(i))}, ${expansion(space.size[i], space.unpadded[i])}`,
    space.opName(i), space.category(i), space.source(i), space.isUntraced(i) ? 'untraced' : `positions ${space.start[i]} to ${space.end[i] - 1}`]
    .filter(Boolean).join('\n');
}

const SVG_FONT = 'font-family="system-ui, sans-serif" font-size="11"';

function svgPage(width, height, title, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${SVG_FONT}>\n` +
    `<title>${xml(title)}</title>\n<rect width="${width}" height="${height}" fill="${theme.css.panel}"/>\n${body}</svg>\n`;
}

function svgAxis(space, highest, x, y, right, bottom) {
  const out = [];
  const step = byteStep(highest, 8);
  for (let value = 0; value <= highest; value += step) {
    out.push(`<path d="M${GUTTER} ${y(value).toFixed(1)}H${right}" stroke="${theme.css.grid}"/>` +
      `<text x="${GUTTER - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end" fill="${theme.css.soft}">${byteLabel(value)}</text>`);
  }
  const wide = countStep(space.length + 1, 12);
  for (let p = 0; p <= space.length; p += wide) {
    out.push(`<text x="${x(p).toFixed(1)}" y="${bottom + 16}" text-anchor="middle" fill="${theme.css.soft}">${count(p)}</text>`);
  }
  return out.join('\n');
}

/** The whole timeline. Boxes thinner than half a pixel are counted and left to the CSV. */
function timelineSvg(space) {
  const width = 1600;
  const height = 900;
  const right = width - MARGIN;
  const bottom = height - 40;
  const x = (p) => GUTTER + (p / (space.length + 1)) * (right - GUTTER);
  const y = (address) => bottom - (address / space.height) * (bottom - 40);
  const out = [];
  let thin = 0;
  for (const heap of space.heaps) {
    const top = y(heap.low + heap.height);
    out.push(`<rect x="${GUTTER}" y="${top.toFixed(1)}" width="${right - GUTTER}" height="${(y(heap.low) - top).toFixed(1)}" fill="none" stroke="${theme.css['strong-line']}"/>`);
    for (let i = heap.first; i < heap.end; i++) {
      const low = heap.low + Math.max(0, space.offset[i]);
      const w = x(space.end[i]) - x(space.start[i]);
      const h = y(low) - y(low + space.size[i]);
      if (w < 0.5 || h < 0.5) {
        thin++;
        continue;
      }
      const color = itemColor(space, i);
      out.push(`<rect x="${x(space.start[i]).toFixed(2)}" y="${y(low + space.size[i]).toFixed(2)}" width="${w.toFixed(2)}" height="${h.toFixed(2)}" ` +
        `fill="${cssColor(color)}" stroke="${cssColor(edgeColor(space, i))}" stroke-width="0.5"><title>${xml(itemTitle(space, i))}</title></rect>`);
    }
  }
  const blocks = space.count - space.baselineCount;
  const head = `Allocation timeline of ${space.name}, ${space.module.entry.name || 'module'}: ${plural(blocks, 'box', 'boxes')}` +
    (thin > 0 ? `, ${count(thin)} of them thinner than half a pixel and left out here` : '');
  const axis = space.heaps.length === 1 ? svgAxis(space, space.height, x, y, right, bottom) : svgAxis(space, 0, x, y, right, bottom);
  const none = blocks === 0 ? `<text x="${width / 2}" y="${height / 2}" text-anchor="middle" fill="${theme.css.soft}">No heap trace: nothing to lay out over time</text>\n` : '';
  return svgPage(width, height, head,
    `<text x="${GUTTER}" y="24" font-size="14" fill="${theme.css.ink}">${xml(head)}</text>\n${axis}\n${out.join('\n')}\n${none}`);
}

/** The timeline for `neato -n`: a node for each block, at its place. */
function timelineDot(space) {
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
      out.push(`  b${i} [pos="${cx.toFixed(2)},${cy.toFixed(2)}", width=${(Math.max(0.5, w) / dpi).toFixed(4)}, height=${(Math.max(0.5, h) / dpi).toFixed(4)}, ` +
        `fillcolor="#${r}${g}${b}", tooltip=${dot(itemTitle(space, i).replace(/\n/g, ', '))}${label}];`);
    }
  }
  out.push('}', '');
  return out.join('\n');
}

function curveSvg(space, heapIndex) {
  const width = 1600;
  const height = 420;
  const right = width - MARGIN;
  const bottom = height - 40;
  const heap = space.heaps[heapIndex];
  const flat = space.valueAt(-1, 0);
  const series = heap || { bytes: [flat.bytes], unpadded: flat.unpadded === null ? null : [flat.unpadded], occupied: [flat.occupied], peak: 0 };
  const highest = 1.05 * highestOf(series);
  const x = (p) => GUTTER + (p / (space.length + 1)) * (right - GUTTER);
  const y = (value) => bottom - (value / highest) * (bottom - 40);
  const path = (values) => {
    const parts = [`M${x(0).toFixed(1)} ${y(values[0]).toFixed(1)}`];
    const per = Math.max(1, Math.floor(values.length / (right - GUTTER)));
    for (let p = 0; p < values.length; p += per) {
      let low = values[p];
      let high = low;
      for (let q = p; q < Math.min(values.length, p + per); q++) {
        low = Math.min(low, values[q]);
        high = Math.max(high, values[q]);
      }
      parts.push(`V${y(low).toFixed(1)}V${y(high).toFixed(1)}H${x(Math.min(values.length, p + per)).toFixed(1)}`);
    }
    return parts.join('');
  };
  const line = (values, color, dash) => `<path d="${path(values)}" fill="none" stroke="${color}" stroke-width="1.5"${dash ? ' stroke-dasharray="5 3"' : ''}/>`;
  const baseline = space.resident;
  const head = `Usage of ${space.name}, ${space.module.entry.name || 'module'}: peak ${bytes(series.bytes[series.peak])} at position ${count(series.peak)}`;
  return svgPage(width, height, head,
    `<text x="${GUTTER}" y="24" font-size="14" fill="${theme.css.ink}">${xml(head)}</text>\n` +
    svgAxis(space, highest, x, y, right, bottom) +
    `<rect x="${GUTTER}" y="${y(baseline).toFixed(1)}" width="${right - GUTTER}" height="${(bottom - y(baseline)).toFixed(1)}" fill="${theme.css['baseline-fill']}"/>\n` +
    `${line(series.occupied, theme.css.occupied, true)}\n${series.unpadded ? line(series.unpadded, theme.css.unpadded, false) : ''}\n${line(series.bytes, theme.css.padded, false)}\n` +
    `<circle cx="${x(series.peak + 0.5).toFixed(1)}" cy="${y(series.bytes[series.peak]).toFixed(1)}" r="4" fill="${theme.css.padded}"/>\n`);
}

const SAVERS = {
  'timeline.svg': (state) => timelineSvg(state.space),
  'timeline.dot': (state) => timelineDot(state.space),
  'curve.svg': (state) => curveSvg(state.space, state.heap),
  'live.csv': (state) => buffersCsv(state.space, state.live),
  'blocks.csv': (state) => buffersCsv(state.space, Array.from({ length: state.space.count }, (_, i) => i)),
  'curve.csv': (state) => curveCsv(state.space),
};

const TYPES = { svg: 'image/svg+xml', dot: 'text/vnd.graphviz', csv: 'text/csv' };

function save(state, name) {
  const text = SAVERS[name](state);
  const stem = `${state.space.module.entry.name || 'module'}-${state.space.name}`.replace(/[^\w.-]+/g, '_').slice(0, 100);
  const blob = new Blob([text], { type: `${TYPES[name.split('.')[1]]};charset=utf-8` });
  const link = el('a', { href: URL.createObjectURL(blob), download: `${stem}-${name}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

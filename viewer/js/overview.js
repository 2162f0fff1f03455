// overview.js: the numbers of memory_spaces.
import { byId, el, sizeElement } from './dom.js';
import { UNKNOWN, count, exactBytes, percent, plural } from './format.js';

/** @import { IndexEntry } from '../data.d.ts' */
/** @import { Space } from './model.js' */

/** Name, value (missing: no such row; null: unknown), name of the field, help.
 * @typedef {[string, number | string | null | undefined, string, string]} Fact */

/**
 * A bar of parts with a key below it; parts without size are left out of both.
 * @param {{ name: string, size: number, color: string }[]} parts
 * @param {string} label
 */
export function stackBar(parts, label) {
  const shown = parts.filter((part) => part.size > 0);
  const bar = el('div', { class: 'stack', role: 'img', 'aria-label': label });
  const keys = el('ul', { class: 'keys' });
  for (const part of shown) {
    const color = `background: var(--${part.color})`;
    bar.append(el('i', { style: `${color}; flex: ${part.size} 1 0`, title: `${part.name}: ${exactBytes(part.size)}` }));
    const swatch = el('i', { class: 'swatch', style: color });
    keys.append(el('li', {}, swatch, `${part.name} `, sizeElement(part.size, 'span')));
  }
  return [bar, keys];
}

/**
 * @param {string} title
 * @param {Fact[]} rows
 */
function facts(title, rows) {
  const list = el('dl');
  for (const [name, value, key, help] of rows) {
    if (value === undefined) continue;
    const dd = typeof value !== 'number'
      ? el('dd', { class: 'name', title: value, 'data-field': key }, value ?? UNKNOWN)
      : key === 'peak_position' ? el('dd', { 'data-field': key }, count(value))
        : sizeElement(value, 'dd', { 'data-field': key });
    list.append(el('div', { title: help }, el('dt', {}, name), dd));
  }
  return el('div', {}, el('h2', {}, title), list);
}

/** @param {Space} space */
export function fillOverview(space) {
  const o = space.overview;
  const entry = space.module.entry;
  const padding = o.padding_bytes ?? 0;
  const headline = el('div', { class: 'headline' },
    el('div', { class: 'label' }, `Peak of ${space.name}`),
    sizeElement(o.peak_bytes, 'div', { class: 'peak', 'data-field': 'headline_peak' }),
    el('div', { class: 'where' },
      space.heaps.length > 0 ? `at position ${count(o.peak_position)}` : 'for the whole program',
      ...(o.peak_instruction ? [', ', el('b', {}, o.peak_instruction)] : [])),
    ...stackBar([
      { name: 'Baseline', size: o.baseline_bytes, color: 'baseline' },
      { name: 'Untraced', size: o.untraced_bytes, color: 'untraced' },
      { name: 'Heap', size: o.heap_peak_bytes, color: 'padded' },
    ], 'What the peak is made of'),
    padding > 0
      ? el('p', { class: 'keys' },
        el('span', {}, 'Padding is ', sizeElement(padding, 'b'), `, ${percent(padding, o.peak_bytes)} of the peak`))
      : null,
    moduleLine(entry),
  );
  const peak = facts('At the peak', [
    ['With padding', o.peak_bytes, 'peak_bytes',
      'Most memory in use at once: baseline, untraced temporaries and heap peak'],
    ['Without padding', o.peak_unpadded_bytes ?? null, 'peak_unpadded_bytes',
      'What is live at the peak, without padding'],
    ['Padding', o.padding_bytes ?? null, 'padding_bytes', 'The difference of the two'],
    ['Baseline', o.baseline_bytes, 'baseline_bytes', 'Held for the whole program: parameters, constants and results'],
    ['Untraced', o.untraced_bytes, 'untraced_bytes', 'Temporaries without a heap trace, counted at every position'],
    ['Heap peak', o.heap_peak_bytes, 'heap_peak_bytes', 'Peaks of the heaps, added up'],
    ['Position', o.peak_position, 'peak_position', 'Program position of the peak'],
    ['Instruction', o.peak_instruction, 'peak_instruction', 'HLO instruction whose event led to the peak'],
  ]);
  const allocated = facts('Allocated', [
    ['Total', o.total_bytes, 'total_bytes', 'All allocations but the thread-local ones'],
    ['Occupied at most', o.occupied_peak_bytes, 'occupied_peak_bytes',
      'Baseline, untraced temporaries and the most addresses covered at once in each heap'],
    ['Fragmentation', o.fragmentation_bytes, 'fragmentation_bytes',
      'Total without the occupied peak: never in use at once'],
    ['Thread-local', o.thread_local_bytes, 'thread_local_bytes', 'Allocations that each thread has of its own'],
    ['Scoped', o.scoped_bytes ?? null, 'scoped_bytes', 'Most that one instruction uses of this space for itself'],
    ['Scoped in', o.scoped_instruction ?? null, 'scoped_instruction', 'The instruction that uses most for itself'],
  ]);
  const kinds = facts('Allocations by kind', [
    ['Arguments', o.argument_bytes, 'argument_bytes', 'Allocations that hold parameters of the entry computation'],
    ['Results', o.output_bytes, 'output_bytes', 'Allocations that may be live out; results can lie in arguments'],
    ['Constants', o.constant_bytes, 'constant_bytes', 'Allocations that hold constants'],
    ['Temporary', o.temporary_bytes, 'temporary_bytes', 'Allocations that are none of these'],
  ]);
  byId('overview').replaceChildren(headline, el('div', { class: 'facts' }, peak, allocated, kinds));
}

/** @param {IndexEntry} entry */
function moduleLine(entry) {
  const parts = [
    (entry.name || '(no name)').slice(0, 200),
    entry.program_id !== null ? `program ${entry.program_id}` : null,
    entry.platform,
    entry.entry_computation ? `entry ${entry.entry_computation}` : null,
    plural(entry.instruction_count ?? 0, 'instruction'),
    plural(entry.buffer_count ?? 0, 'buffer'),
    plural(entry.allocation_count ?? 0, 'allocation'),
  ].filter((part) => part);
  return el('p', { class: 'module' }, parts.join(' \u00b7 '), entry.path ? el('br') : null, entry.path || '');
}

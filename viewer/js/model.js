// model.js: the data of a module as spaces and items.
//
// A space's *items* are what holds memory in it: first the allocations that are live at every position (the baseline
// and what is untraced), then the blocks of each heap in order of start. That is the order of the rows of peak_buffers.
// Items are columns (typed arrays): a space can have 100,000 of them.

/** @import { BaselineColumns, BlockColumns, HeapData, IndexEntry, InstructionColumns } from '../data.d.ts' */
/** @import { ModuleData, SpaceData } from '../data.d.ts' */

const EVENTS = ['ALLOC', 'FREE', 'SHARE_WITH'];

/**
 * A heap's trace. The curves have a value at each position.
 * @typedef {object} Heap
 * @property {HeapData} raw
 * @property {number} events      last position
 * @property {number} peak        first position with the most bytes
 * @property {Float64Array} bytes
 * @property {Float64Array | null} unpadded   null: unknown
 * @property {Float64Array} occupied
 * @property {number} allocation  its place; -1: none
 * @property {number} first       its first item
 * @property {number} end         the item behind its last
 * @property {number} capacity    size of its allocation, 0 without one
 * @property {number} low         where it begins in the timeline, in bytes
 * @property {number} height      how high it is there, in bytes
 */

/** @typedef {{ function: string, file: string, line: number, column: number }} Frame */

/**
 * A curve at a position.
 * @typedef {object} Point
 * @property {number} bytes
 * @property {number | null} unpadded
 * @property {number} occupied
 * @property {string} event        what led here, such as ALLOC; empty at position 0
 * @property {string} instruction  its name; empty at position 0
 */

/**
 * The values of a column of differences.
 * @param {number[]} differences
 */
export function sums(differences) {
  const values = new Float64Array(differences.length);
  let value = 0;
  for (let i = 0; i < values.length; i++) values[i] = value += differences[i];
  return values;
}

export class Module {
  /**
   * @param {IndexEntry} entry
   * @param {ModuleData} raw
   */
  constructor(entry, raw) {
    this.entry = entry;
    this.raw = raw;
    /** @type {Map<number, Space>} */
    this.decoded = new Map();
  }

  get spaces() {
    return this.raw.spaces;
  }

  /**
   * A space by its place, decoded once.
   * @param {number} index
   */
  space(index) {
    const known = this.decoded.get(index);
    if (known) return known;
    const space = new Space(this, this.raw.spaces[index]);
    this.decoded.set(index, space);
    return space;
  }

  /** @param {number} number */
  text(number) {
    return number >= 0 ? this.raw.strings[number] : '';
  }

  /**
   * The stack of a frame, innermost first.
   * @param {number} frame
   * @returns {Frame[]}
   */
  stack(frame) {
    const { frames } = this.raw;
    const most = frames.parent.length;
    const out = [];
    for (let i = frame; i >= 0 && i < most && out.length <= most; i = frames.parent[i]) {
      out.push({
        function: this.text(frames.function[i]),
        file: this.text(frames.file[i]),
        line: frames.line[i],
        column: frames.column[i],
      });
    }
    return out;
  }
}

export class Space {
  /**
   * @param {Module} module
   * @param {SpaceData} raw
   */
  constructor(module, raw) {
    this.module = module;
    this.raw = raw;
    this.name = raw.name;
    this.color = raw.color;
    this.overview = raw.overview;
    this.baselineCount = raw.baseline.size.length;
    this.count = this.baselineCount; // of items
    this.heaps = raw.heaps.map((heap) => this.#heap(heap));
    this.length = Math.max(0, ...this.heaps.map((heap) => heap.events)); // events of the longest trace
    this.size = this.#column('size', 'size');
    this.unpadded = this.#column('unpadded', 'unpadded'); // -1: unknown
    this.start = this.#column('start', 0);
    this.end = this.#column('end', this.length + 1);
    this.offset = this.#column('offset', -1); // -1: unknown
    this.colour = Uint8Array.from(this.#column('colour', 'colour'));
    this.buffer = Int32Array.from(this.#column('buffer', 'buffer')); // -1: none
    this.allocation = Int32Array.from(this.#column('allocation', 'allocation')); // -1: none
    this.heapOf = new Int32Array(this.count).fill(-1); // -1: of the baseline
    this.heaps.forEach((heap, i) => this.heapOf.fill(i, heap.first, heap.end));
    this.height = this.#layOut();
  }

  /**
   * @param {HeapData} raw
   * @returns {Heap}
   */
  #heap(raw) {
    const first = this.count;
    this.count += raw.blocks.size.length;
    return {
      raw,
      events: raw.events,
      peak: raw.peak_position,
      bytes: sums(raw.bytes),
      unpadded: raw.unpadded ? sums(raw.unpadded) : null,
      occupied: sums(raw.occupied),
      allocation: raw.allocation,
      first,
      end: this.count,
      capacity: 0,
      low: 0,
      height: 0,
    };
  }

  /**
   * A column of all items.
   * @param {Exclude<keyof BlockColumns, 'root'>} name of the blocks' column
   * @param {keyof BaselineColumns | number} baseline the baseline's column, or what all of it has
   */
  #column(name, baseline) {
    const column = new Float64Array(this.count);
    if (typeof baseline === 'number') column.fill(baseline, 0, this.baselineCount);
    else column.set(this.raw.baseline[baseline]);
    for (const heap of this.heaps) column.set(heap.raw.blocks[name], heap.first);
    return column;
  }

  /** Heaps stand on each other in the timeline, each as high as its allocation or its blocks. Returns their height. */
  #layOut() {
    let at = 0;
    for (const heap of this.heaps) {
      heap.capacity = heap.allocation >= 0 ? this.module.raw.allocations.size[heap.allocation] : 0;
      heap.height = heap.capacity;
      for (let i = heap.first; i < heap.end; i++) {
        heap.height = Math.max(heap.height, Math.max(0, this.offset[i]) + this.size[i]);
      }
      heap.height = Math.max(heap.height, 1);
      heap.low = at;
      at += heap.height;
    }
    const gap = this.heaps.length > 1 ? at * 0.03 : 0;
    this.heaps.forEach((heap, i) => (heap.low += i * gap));
    return Math.max(1, at + gap * Math.max(0, this.heaps.length - 1));
  }

  /**
   * A position that was asked for: the last one when it is beyond it, and then it is kept for a word about that.
   * @param {number} position
   * @returns {{ at: number, beyond?: number }}
   */
  nearest(position) {
    return position > this.length ? { at: this.length, beyond: position } : { at: position };
  }

  /**
   * Items that are live at a position of every heap, or at the peak of each (position null).
   * @param {number | null} position
   */
  liveAt(position) {
    /** @type {number[]} */
    const out = [];
    const overview = position === null ? this.overview.peak_position : position;
    if (overview <= this.length) for (let i = 0; i < this.baselineCount; i++) out.push(i);
    for (const heap of this.heaps) {
      const at = position === null ? heap.peak : position;
      for (let i = heap.first; i < heap.end && this.start[i] <= at; i++) if (at < this.end[i]) out.push(i);
    }
    return out;
  }

  /**
   * The curve of a heap at a position; of a space without heaps the baseline, which never changes.
   * @param {number} heapIndex
   * @param {number} position
   * @returns {Point}
   */
  valueAt(heapIndex, position) {
    const heap = this.heaps[heapIndex];
    if (!heap) {
      const { peak_bytes: flat, peak_unpadded_bytes: unpadded } = this.overview;
      return { bytes: flat, unpadded: unpadded ?? null, occupied: flat, event: '', instruction: '' };
    }
    const p = Math.min(position, heap.events);
    return {
      bytes: heap.bytes[p],
      unpadded: heap.unpadded ? heap.unpadded[p] : null,
      occupied: heap.occupied[p],
      event: p > 0 ? EVENTS[heap.raw.event[p - 1]] || 'unknown event' : '',
      instruction: p > 0 ? this.module.text(heap.raw.instruction[p - 1]) : '',
    };
  }

  /** The heap with the largest peak. */
  get largestHeap() {
    let best = 0;
    this.heaps.forEach((heap, i) => {
      if (heap.bytes[heap.peak] > this.heaps[best].bytes[this.heaps[best].peak]) best = i;
    });
    return best;
  }

  /** What is live at every position, in bytes. */
  get resident() {
    return this.overview.baseline_bytes + this.overview.untraced_bytes;
  }

  /** Whether so much of the peak is untraced that it is worth a word. */
  get showsUntraced() {
    return this.overview.untraced_bytes > this.overview.peak_bytes / 100;
  }

  // --- an item ---

  /** @param {number} i */
  isBlock(i) {
    return i >= this.baselineCount;
  }

  /**
   * A temporary allocation that no heap trace tells of: it is counted throughout, and has no lifetime.
   * @param {number} i
   */
  isUntraced(i) {
    return !this.isBlock(i) && this.category(i) === 'Temporary';
  }

  /** @param {number} i */
  startOf(i) {
    return this.isUntraced(i) ? null : this.start[i];
  }

  /** @param {number} i */
  endOf(i) {
    return this.isUntraced(i) ? null : this.end[i];
  }

  /** @param {number} i */
  unpaddedOf(i) {
    return this.unpadded[i] >= 0 ? this.unpadded[i] : null;
  }

  /** @param {number} i */
  paddingOf(i) {
    return this.unpadded[i] >= 0 ? this.size[i] - this.unpadded[i] : null;
  }

  /** @param {number} i */
  offsetOf(i) {
    return this.offset[i] >= 0 ? this.offset[i] : null;
  }

  /** @param {number} i */
  bufferId(i) {
    return this.buffer[i] >= 0 ? this.module.raw.buffers.id[this.buffer[i]] : null;
  }

  /** @param {number} i */
  #instruction(i) {
    return this.buffer[i] >= 0 ? this.module.raw.buffers.instruction[this.buffer[i]] : -1;
  }

  /**
   * @param {number} i
   * @param {keyof InstructionColumns} column one of texts
   */
  #instructionText(i, column) {
    const instruction = this.#instruction(i);
    return instruction >= 0 ? this.module.text(this.module.raw.instructions[column][instruction]) : '';
  }

  /** @param {number} i */
  instructionName(i) {
    return this.#instructionText(i, 'name');
  }

  /**
   * What an item is called: its instruction and which part of its result, else its buffer or allocation.
   * @param {number} i
   */
  label(i) {
    const name = this.instructionName(i);
    if (name) return this.shapeIndex(i) ? `${name}{${this.shapeIndex(i)}}` : name;
    if (this.buffer[i] >= 0) return `buffer ${this.bufferId(i)}`;
    return `allocation ${this.allocationId(i)}`;
  }

  /** @param {number} i */
  opcode(i) {
    return this.#instructionText(i, 'opcode');
  }

  /** @param {number} i */
  opName(i) {
    return this.#instructionText(i, 'op_name');
  }

  /** @param {number} i */
  computation(i) {
    return this.#instructionText(i, 'computation');
  }

  /** @param {number} i */
  sourceFile(i) {
    return this.#instructionText(i, 'file');
  }

  /** @param {number} i */
  sourceLine(i) {
    const instruction = this.#instruction(i);
    const line = instruction >= 0 ? this.module.raw.instructions.line[instruction] : -1;
    return line > 0 ? line : null;
  }

  /** @param {number} i */
  source(i) {
    const line = this.sourceLine(i);
    return this.sourceFile(i) + (line !== null ? `:${line}` : '');
  }

  /** @param {number} i */
  stack(i) {
    const instruction = this.#instruction(i);
    return instruction >= 0 ? this.module.stack(this.module.raw.instructions.frame[instruction]) : [];
  }

  /** @param {number} i */
  shape(i) {
    return this.buffer[i] >= 0 ? this.module.text(this.module.raw.buffers.shape[this.buffer[i]]) : '';
  }

  /** @param {number} i */
  shapeIndex(i) {
    return this.buffer[i] >= 0 ? this.module.text(this.module.raw.buffers.shape_index[this.buffer[i]]) : '';
  }

  /** @param {number} i */
  allocationId(i) {
    return this.allocation[i] >= 0 ? this.module.raw.allocations.id[this.allocation[i]] : null;
  }

  /** @param {number} i */
  category(i) {
    const { categories, allocations } = this.module.raw;
    return this.allocation[i] >= 0 ? categories[allocations.category[this.allocation[i]]] : '';
  }

  /** @param {number} i */
  parameterNumber(i) {
    const number = this.allocation[i] >= 0 ? this.module.raw.allocations.parameter_number[this.allocation[i]] : -1;
    return Number(number) >= 0 ? number : null;
  }

  /**
   * The buffer whose memory a block shares, null when it has its own.
   * @param {number} i
   */
  sharesWith(i) {
    const heap = this.heaps[this.heapOf[i]];
    if (!heap) return null;
    const root = heap.raw.blocks.root[i - heap.first];
    return root === this.bufferId(i) ? null : root;
  }

  /**
   * One flag an item: whether its texts match. Items of one buffer are tested once.
   * @param {RegExp} pattern
   */
  search(pattern) {
    const flags = new Uint8Array(this.count);
    /** @type {Map<number, 0 | 1>} */
    const known = new Map();
    for (let i = 0; i < this.count; i++) {
      let hit = this.buffer[i] >= 0 ? known.get(this.buffer[i]) : undefined;
      if (hit === undefined) {
        const texts = [this.label(i), this.opcode(i), this.opName(i), this.shape(i), this.source(i), this.category(i)];
        hit = texts.some((text) => pattern.test(text)) ? 1 : 0;
        if (this.buffer[i] >= 0) known.set(this.buffer[i], hit);
      }
      flags[i] = hit;
    }
    return flags;
  }
}

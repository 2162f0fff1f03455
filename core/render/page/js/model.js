// model.js: the data blocks of the page as modules and spaces.
//
// A space's *items* are what holds memory in it: first the allocations that are live at every position (the
// baseline and what is untraced), then the blocks of each heap in order of start. That is the order of the rows of peak_buffers. Items are columns (typed arrays): a space can have
// 100,000 of them.

const parseBlock = (id) => JSON.parse(byId(id).textContent);

/** The values of a column of differences. */
function sums(differences) {
  const values = new Float64Array(differences.length);
  let value = 0;
  for (let i = 0; i < values.length; i++) values[i] = value += differences[i];
  return values;
}

class Module {
  constructor(entry) {
    this.entry = entry;
    this.raw = parseBlock(`module-${entry.id}`);
    this.decoded = new Map();
  }

  get spaces() {
    return this.raw.spaces;
  }

  space(index) {
    if (!this.decoded.has(index)) this.decoded.set(index, new Space(this, this.raw.spaces[index]));
    return this.decoded.get(index);
  }

  text(number) {
    return number >= 0 ? this.raw.strings[number] : '';
  }

  /** The stack of a frame, innermost first. */
  stack(frame) {
    const frames = this.raw.frames;
    const out = [];
    for (let i = frame; i >= 0 && i < frames.parent.length && out.length <= frames.parent.length; i = frames.parent[i]) {
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

class Space {
  constructor(module, raw) {
    this.module = module;
    this.raw = raw;
    this.name = raw.name;
    this.color = raw.color;
    this.overview = raw.overview;
    this.heaps = raw.heaps.map((heap) => this.#heap(heap));
    this.length = Math.max(0, ...this.heaps.map((heap) => heap.events)); // events of the longest trace
    this.baselineCount = raw.baseline.size.length;
    this.#fillItems();
    this.#layOut();
  }

  #heap(raw) {
    const bytes = sums(raw.bytes);
    return {
      raw,
      events: raw.events,
      peak: raw.peak_position,
      bytes,
      unpadded: raw.unpadded ? sums(raw.unpadded) : null,
      occupied: sums(raw.occupied),
      allocation: raw.allocation,
    };
  }

  #fillItems() {
    const base = this.raw.baseline;
    const n = this.raw.heaps.reduce((sum, heap) => sum + heap.blocks.size.length, this.baselineCount);
    this.count = n;
    const number = (name, of, fixed) => {
      const column = new Float64Array(n);
      const first = of === null ? new Array(this.baselineCount).fill(fixed) : base[of];
      column.set(first);
      let at = this.baselineCount;
      for (const heap of this.raw.heaps) {
        column.set(heap.blocks[name], at);
        at += heap.blocks[name].length;
      }
      return column;
    };
    this.size = number('size', 'size');
    this.unpadded = number('unpadded', 'unpadded');
    this.start = number('start', null, 0);
    this.end = number('end', null, this.length + 1);
    this.offset = number('offset', null, -1);
    this.colour = Uint8Array.from(number('colour', 'colour'));
    this.buffer = Int32Array.from(number('buffer', 'buffer'));
    this.allocation = Int32Array.from(number('allocation', 'allocation'));
    this.heapOf = new Int32Array(n).fill(-1);
    let at = this.baselineCount;
    this.heaps.forEach((heap, i) => {
      heap.first = at;
      at += heap.raw.blocks.size.length;
      heap.end = at;
      this.heapOf.fill(i, heap.first, heap.end);
    });
  }

  /** A temporary allocation that no heap trace tells of: it is counted throughout, and has no lifetime. */
  isUntraced(i) {
    return i < this.baselineCount && this.category(i) === 'Temporary';
  }

  /** What is live at every position. */
  get resident() {
    return this.overview.baseline_bytes + this.overview.untraced_bytes;
  }

  /** Whether so much of the peak is untraced that it is worth a word. */
  get showsUntraced() {
    return this.overview.untraced_bytes > this.overview.peak_bytes / 100;
  }

  startOf(i) {
    return this.isUntraced(i) ? null : this.start[i];
  }

  endOf(i) {
    return this.isUntraced(i) ? null : this.end[i];
  }

  /** Heaps stand on each other in the timeline, each as high as its allocation or its blocks. */
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
    this.height = Math.max(1, at + gap * Math.max(0, this.heaps.length - 1));
  }

  /** A position that was asked for: the last one when it is beyond it, and then it is kept for a word about that. */
  nearest(position) {
    return position > this.length ? { at: this.length, beyond: position } : { at: position };
  }

  /** Items that are live at a position of every heap, or at the peak of each (position null). */
  liveAt(position) {
    const out = [];
    const overview = position === null ? this.overview.peak_position : position;
    if (overview <= this.length) for (let i = 0; i < this.baselineCount; i++) out.push(i);
    for (const heap of this.heaps) {
      const at = position === null ? heap.peak : position;
      for (let i = heap.first; i < heap.end && this.start[i] <= at; i++) if (at < this.end[i]) out.push(i);
    }
    return out;
  }

  /** The curve of a heap at a position; of a space without heaps the baseline, which never changes. */
  valueAt(heapIndex, position) {
    const heap = this.heaps[heapIndex];
    if (!heap) {
      const { peak_bytes, peak_unpadded_bytes } = this.overview;
      return { bytes: peak_bytes, unpadded: peak_unpadded_bytes ?? null, occupied: peak_bytes, event: '', instruction: '' };
    }
    const p = Math.min(position, heap.events);
    return {
      bytes: heap.bytes[p],
      unpadded: heap.unpadded ? heap.unpadded[p] : null,
      occupied: heap.occupied[p],
      event: p > 0 ? ['ALLOC', 'FREE', 'SHARE_WITH'][heap.raw.event[p - 1]] || 'unknown event' : '',
      instruction: p > 0 ? this.module.text(heap.raw.instruction[p - 1]) : '',
    };
  }

  get largestHeap() {
    let best = 0;
    this.heaps.forEach((heap, i) => {
      if (heap.bytes[heap.peak] > this.heaps[best].bytes[this.heaps[best].peak]) best = i;
    });
    return best;
  }

  unpaddedOf(i) {
    return this.unpadded[i] >= 0 ? this.unpadded[i] : null;
  }

  paddingOf(i) {
    return this.unpadded[i] >= 0 ? this.size[i] - this.unpadded[i] : null;
  }

  bufferId(i) {
    return this.buffer[i] >= 0 ? this.module.raw.buffers.id[this.buffer[i]] : null;
  }

  #instruction(i) {
    return this.buffer[i] >= 0 ? this.module.raw.buffers.instruction[this.buffer[i]] : -1;
  }

  #instructionText(i, column) {
    const instruction = this.#instruction(i);
    return instruction >= 0 ? this.module.text(this.module.raw.instructions[column][instruction]) : '';
  }

  instructionName(i) {
    return this.#instructionText(i, 'name');
  }

  /** What an item is called: its instruction and which part of its result, else its buffer or allocation. */
  label(i) {
    const name = this.instructionName(i);
    if (name) return this.shapeIndex(i) ? `${name}{${this.shapeIndex(i)}}` : name;
    if (this.buffer[i] >= 0) return `buffer ${this.bufferId(i)}`;
    return `allocation ${this.allocationId(i)}`;
  }

  opcode(i) {
    return this.#instructionText(i, 'opcode');
  }

  opName(i) {
    return this.#instructionText(i, 'op_name');
  }

  computation(i) {
    return this.#instructionText(i, 'computation');
  }

  sourceFile(i) {
    return this.#instructionText(i, 'file');
  }

  sourceLine(i) {
    const instruction = this.#instruction(i);
    const line = instruction >= 0 ? this.module.raw.instructions.line[instruction] : -1;
    return line > 0 ? line : null;
  }

  source(i) {
    const line = this.sourceLine(i);
    return this.sourceFile(i) + (line !== null ? `:${line}` : '');
  }

  stack(i) {
    const instruction = this.#instruction(i);
    return instruction >= 0 ? this.module.stack(this.module.raw.instructions.frame[instruction]) : [];
  }

  shape(i) {
    return this.buffer[i] >= 0 ? this.module.text(this.module.raw.buffers.shape[this.buffer[i]]) : '';
  }

  shapeIndex(i) {
    return this.buffer[i] >= 0 ? this.module.text(this.module.raw.buffers.shape_index[this.buffer[i]]) : '';
  }

  allocationId(i) {
    return this.allocation[i] >= 0 ? this.module.raw.allocations.id[this.allocation[i]] : null;
  }

  category(i) {
    const raw = this.module.raw;
    return this.allocation[i] >= 0 ? raw.categories[raw.allocations.category[this.allocation[i]]] : '';
  }

  parameterNumber(i) {
    const number = this.allocation[i] >= 0 ? this.module.raw.allocations.parameter_number[this.allocation[i]] : -1;
    return number >= 0 ? number : null;
  }

  /** The buffer whose memory a block shares, null when it has its own. */
  sharesWith(i) {
    const heap = this.heaps[this.heapOf[i]];
    if (!heap) return null;
    const root = heap.raw.blocks.root[i - heap.first];
    return root === this.bufferId(i) ? null : root;
  }

  /** One flag an item: whether its texts match. Items of one buffer are tested once. */
  search(pattern) {
    const flags = new Uint8Array(this.count);
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

// module.js: a module made by hand, small enough to know all of it.
//
//   HBM   baseline   parameter p, 100 bytes, 80 without padding
//         heap 0     position  0    1    2    3    4
//                    dot            [=========)           32 bytes, 24 without padding, at 0
//                    add{1}              [=========)      16 bytes, unpadded unknown, at 32
//                    bytes     100  132  148  116  100
//         heap 1     position  0    1
//                    copy           [====                 8 bytes in the memory of dot, never freed
//                    bytes     100  108
//   VMEM  nothing
import { Module } from '../../js/model.js';

/** @import { IndexEntry, ModuleData, Overview } from '../../data.d.ts' */

const STRINGS = ['p', 'parameter', 'dot', 'add', 'copy', 'f32[2,2]{1,0}', '1', 'jit(f)/dot', '/src/model.py', 'main',
  'loss', 'step', 'say "hi", <b>'];

/** @param {string} text */
const string = (text) => STRINGS.indexOf(text);

/**
 * @param {Partial<Overview>} figures
 * @returns {Overview}
 */
const overview = (figures) => ({
  peak_bytes: 0, peak_position: 0, peak_instruction: null, baseline_bytes: 0, untraced_bytes: 0,
  heap_peak_bytes: 0,
  occupied_peak_bytes: 0, total_bytes: 0, fragmentation_bytes: 0, argument_bytes: 0, output_bytes: 0,
  constant_bytes: 0, temporary_bytes: 0, thread_local_bytes: 0, ...figures,
});

/** @returns {ModuleData} */
export const moduleData = () => ({
  platform: 'TPU',
  colours: [[0x0000ff, 0x000001, 0x00ff00, 0x000002], [0xff0000, 0x000003, 0x808080, 0x000004]],
  spaces: [{
    name: 'HBM',
    color: 0,
    overview: overview({
      peak_bytes: 156, peak_unpadded_bytes: 128, padding_bytes: 28, peak_position: 2, peak_instruction: 'add',
      baseline_bytes: 100, heap_peak_bytes: 56, occupied_peak_bytes: 156, total_bytes: 204, fragmentation_bytes: 48,
      argument_bytes: 100, temporary_bytes: 104,
    }),
    baseline: { allocation: [0], buffer: [0], size: [100], unpadded: [80], colour: [1] },
    heaps: [{
      allocation: 1,
      events: 4,
      peak_position: 2,
      bytes: [100, 32, 16, -32, -16],
      unpadded: [80, 24, 16, -24, -16],
      occupied: [100, 32, 16, -32, -16],
      event: [0, 0, 1, 1],
      instruction: [string('dot'), string('add'), string('dot'), string('add')],
      blocks: {
        buffer: [1, 2], root: [11, 12], start: [1, 2], end: [3, 4], size: [32, 16], unpadded: [24, -1], offset: [0, 32],
        allocation: [1, 1], colour: [0, 1],
      },
    }, {
      allocation: -1,
      events: 1,
      peak_position: 1,
      bytes: [100, 8],
      unpadded: [80, 8],
      occupied: [100, 8],
      event: [2],
      instruction: [string('copy')],
      blocks: {
        buffer: [3], root: [11], start: [1], end: [2], size: [8], unpadded: [8], offset: [-1], allocation: [1],
        colour: [0],
      },
    }],
  }, {
    name: 'VMEM',
    color: '9007199254740993',
    overview: overview({}),
    baseline: { allocation: [], buffer: [], size: [], unpadded: [], colour: [] },
    heaps: [],
  }],
  allocations: { id: [0, 7], category: [0, 4], size: [100, 64], parameter_number: [2, -1] },
  categories: ['Parameter', 'Output', 'Thread-local', 'Constant', 'Temporary'],
  buffers: {
    id: [10, 11, 12, '9007199254740993'],
    instruction: [0, 1, 2, 3],
    shape_index: [-1, -1, string('1'), -1],
    shape: [string('f32[2,2]{1,0}'), string('f32[2,2]{1,0}'), -1, -1],
  },
  instructions: {
    name: [string('p'), string('dot'), string('add'), string('copy')],
    opcode: [string('parameter'), string('dot'), string('add'), string('copy')],
    op_name: [-1, string('jit(f)/dot'), string('say "hi", <b>'), -1],
    file: [-1, string('/src/model.py'), string('/src/model.py'), -1],
    line: [-1, 34, -1, -1],
    frame: [-1, 1, 9, 2],
    computation: [string('main'), string('main'), string('main'), string('main')],
  },
  frames: {
    parent: [-1, 0, 2], // the last is its own parent, as a damaged file may have it
    function: [string('step'), string('loss'), -1],
    file: [string('/src/model.py'), string('/src/model.py'), -1],
    line: [90, 34, 1],
    column: [0, 5, 0],
  },
  strings: STRINGS,
  is_clamped: false,
});

/**
 * @param {Partial<IndexEntry>} fields
 * @returns {IndexEntry}
 */
export const entryOf = (fields) => ({ id: 1, name: 'jit_f', program_id: null, path: null, problem: null, ...fields });

export const madeModule = () => new Module(entryOf({}), moduleData());

/** Its HBM. */
export const madeSpace = () => madeModule().space(0);

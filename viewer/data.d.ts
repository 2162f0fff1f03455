// data.d.ts: the JSON that the page is given.
//
//   <script type="application/json" id="index">      PageIndex: all modules of the source
//   <script type="application/json" id="module-N">   ModuleData: one for each module that could be read, N its id
//
// core/page/page.c writes the first, core/page/data.c the second. tests/data.test.js reads this file and
// holds what they write against it, so the file keeps to interfaces, type aliases, unions, arrays and tuples, and has a
// comment before everything. Tags that the test reads:
//
//   @minimum N    the least value
//   @place P      a place in the array P of the module: less than its length, at least 0 without @minimum
//   @table        all columns (arrays) of the interface have the same length
//
// Every number is whole and at most 2^53 in size.

/** Bytes. @minimum 0 */
export type Bytes = number;

/** Bytes. A string of digits where a number could not hold them exactly. @minimum 0 */
export type WideBytes = number | string;

/** A difference of two sizes, in bytes. */
export type SignedBytes = number;

/** Bytes, -1: unknown. @minimum -1 */
export type MaybeBytes = number;

/** A number of things. @minimum 0 */
export type Count = number;

/** A program position: so many events of the heap's trace have happened. @minimum 0 */
export type Position = number;

/** An identifier of the file. A string of digits where a number could not hold it exactly. */
export type Id = number | string;

/** A text: its place in `strings`; -1: none. @place strings @minimum -1 */
export type StringPlace = number;

/** A buffer: its place in the columns of `buffers`; -1: none. @place buffers.id @minimum -1 */
export type BufferPlace = number;

/** An instruction: its place in the columns of `instructions`; -1: none. @place instructions.name @minimum -1 */
export type InstructionPlace = number;

/** An allocation: its place in the columns of `allocations`; -1: none. @place allocations.id @minimum -1 */
export type AllocationPlace = number;

/** A stack frame: its place in the columns of `frames`; -1: none. What a damaged file refers to can lie beyond the
 * table. @minimum -1 */
export type FramePlace = number;

/** The category of an allocation: its place in `categories`. @place categories */
export type CategoryPlace = number;

/** The colours of a buffer: their place in `colours`. @place colours */
export type ColourPlace = number;

/** A line or column of a source file as the file has it; 0 or less: unknown. */
export type SourceNumber = number;

/** A color as 0xRRGGBB. @minimum 0 */
export type Rgb24 = number;

/** What happens at a position, as XLA's HeapSimulatorTrace.Event.Kind: 0 ALLOC, 1 FREE, 2 SHARE_WITH. */
export type EventKind = number;

/** What the page is of. */
export interface PageIndex {
  /** Version of memview. */
  version: string;
  /** The path as it was given; null for a BLOB. */
  source: string | null;
  /** What the data of all modules may take in this page: those beyond it are left out. */
  most_bytes: Bytes;
  /** The modules, as rows of hlo_modules. */
  modules: IndexEntry[];
}

/** A module of the source. From `platform` on the fields are there when the module could be read. */
export interface IndexEntry {
  /** hlo_modules.module_id: 1, 2, ... */
  id: Count;
  /** Name of the HLO module; null: unknown. */
  name: string | null;
  /** Program id; null: none. */
  program_id: Id | null;
  /** File it is from; null for a BLOB. */
  path: string | null;
  /** What is wrong with it, in a sentence; null: nothing. */
  problem: string | null;
  /** TPU, GPU or CPU; null: unknown. */
  platform?: string | null;
  /** The largest peak of its memory spaces. */
  peak_bytes?: WideBytes;
  /** Memory spaces. */
  space_count?: Count;
  /** Name of the entry computation; null: unknown. */
  entry_computation?: string | null;
  /** Computations. */
  computation_count?: Count;
  /** Instructions of all computations. */
  instruction_count?: Count;
  /** Logical buffers. */
  buffer_count?: Count;
  /** Buffer allocations. */
  allocation_count?: Count;
  /** Size of its data; there when they are left out of this page. */
  left_out_bytes?: Bytes;
}

/** A module. Tables are columns; only buffers that a block or the baseline shows are listed, and their instructions. */
export interface ModuleData {
  /** TPU, GPU or CPU; null: unknown. */
  platform: string | null;
  /** The colours of buffers, as the extension's pictures have them. */
  colours: Colour[];
  /** Memory spaces, by color. */
  spaces: SpaceData[];
  /** All allocations. */
  allocations: AllocationColumns;
  /** Names of the categories of allocations. */
  categories: string[];
  /** The buffers that are shown. */
  buffers: BufferColumns;
  /** The instructions that define these buffers. */
  instructions: InstructionColumns;
  /** Stack frames. */
  frames: FrameColumns;
  /** Each text once. */
  strings: string[];
  /** Whether a size was beyond 2^53 and is written as 2^53. */
  is_clamped: boolean;
}

/** Fill and edge on light ground, fill and edge on dark ground. */
export type Colour = [Rgb24, Rgb24, Rgb24, Rgb24];

/** A memory space. */
export interface SpaceData {
  /** Its name on the platform, such as HBM. */
  name: string;
  /** Its color: XLA's number of the memory space. */
  color: Id;
  /** Its row of memory_spaces. */
  overview: Overview;
  /** The allocations that are live at every position. */
  baseline: BaselineColumns;
  /** Its heap traces. */
  heaps: HeapData[];
}

/** The columns of memory_spaces, by the same names. */
export interface Overview {
  /** Most bytes in use at once: baseline, untraced allocations and heap peaks. */
  peak_bytes: Bytes;
  /** The same without padding; missing when the file has no HLO module, so no shapes. */
  peak_unpadded_bytes?: Bytes;
  /** The difference of the two; missing likewise. */
  padding_bytes?: SignedBytes;
  /** Position of the peak, of several heaps that of the one with the largest. */
  peak_position: Position;
  /** Instruction whose event led to the peak; null: none. */
  peak_instruction: string | null;
  /** Held for the whole program. */
  baseline_bytes: Bytes;
  /** Temporary allocations that no heap trace tells of, counted at every position. */
  untraced_bytes: Bytes;
  /** The peaks of the heaps, added up. */
  heap_peak_bytes: Bytes;
  /** Baseline, untraced allocations, and the most addresses that blocks cover at once in each heap. */
  occupied_peak_bytes: Bytes;
  /** All allocations but the thread-local ones. */
  total_bytes: Bytes;
  /** The total without the occupied peak. */
  fragmentation_bytes: SignedBytes;
  /** Allocations that hold parameters of the entry computation. */
  argument_bytes: Bytes;
  /** Allocations that may be live out. */
  output_bytes: Bytes;
  /** Allocations that hold constants. */
  constant_bytes: Bytes;
  /** Allocations that are none of these. */
  temporary_bytes: Bytes;
  /** Thread-local allocations. */
  thread_local_bytes: Bytes;
  /** Most that one instruction uses of this space for itself; missing when no instruction says. */
  scoped_bytes?: Bytes;
  /** That instruction; there with scoped_bytes. */
  scoped_instruction?: string | null;
}

/** The baseline, and the temporary allocations that no heap trace tells of (untraced): they are counted throughout.
 * @table */
export interface BaselineColumns {
  /** The allocation. */
  allocation: AllocationPlace[];
  /** The buffer that names it: its largest, of an untraced one the largest of those that the compiler lists as live at
   * its peak, where it lists any. */
  buffer: BufferPlace[];
  /** Size of the allocation, of an untraced one of what the compiler lists. */
  size: Bytes[];
  /** The same without padding. */
  unpadded: MaybeBytes[];
  /** Colours of that buffer. */
  colour: ColourPlace[];
}

/** A heap trace and what comes of it. The curves have `events` + 1 values, the first of position 0, each the difference
 * from the one before (the first from 0). */
export interface HeapData {
  /** The allocation that the heap lies in. */
  allocation: AllocationPlace;
  /** Events of the trace. */
  events: Count;
  /** First position with the most bytes. */
  peak_position: Position;
  /** Bytes in use, with what is live at every position. */
  bytes: SignedBytes[];
  /** The same without padding; missing when the file has no HLO module. */
  unpadded?: SignedBytes[];
  /** Addresses covered, with what is live at every position. */
  occupied: SignedBytes[];
  /** What the event that leads to position 1, 2, ... is; `events` of them. */
  event: EventKind[];
  /** Name of its instruction; `events` of them. */
  instruction: StringPlace[];
  /** What is live from one position to another. */
  blocks: BlockColumns;
}

/** The blocks of a heap, in order of start. @table */
export interface BlockColumns {
  /** The buffer that is live. */
  buffer: BufferPlace[];
  /** Id of the buffer whose memory it lies in: its own, or that of the buffer it shares with. */
  root: Id[];
  /** First position at which it is live. */
  start: Position[];
  /** First position at which it is not any more. */
  end: Position[];
  /** Size of the root. */
  size: Bytes[];
  /** Size of the root without padding. */
  unpadded: MaybeBytes[];
  /** Offset of the root in its allocation. */
  offset: MaybeBytes[];
  /** Allocation of the root. */
  allocation: AllocationPlace[];
  /** Colours of the buffer: blocks that lie beside each other have different ones. */
  colour: ColourPlace[];
}

/** Allocations. @table */
export interface AllocationColumns {
  /** Index of the allocation in the file. */
  id: Id[];
  /** Parameter, Output, Thread-local, Constant or Temporary. */
  category: CategoryPlace[];
  /** Size. */
  size: Bytes[];
  /** Which parameter of the entry computation it holds; -1: none. */
  parameter_number: Id[];
}

/** Buffers. @table */
export interface BufferColumns {
  /** Id of the logical buffer. */
  id: Id[];
  /** Instruction that defines it. */
  instruction: InstructionPlace[];
  /** Which part of that instruction's result it is, such as 0 or 1,0; none for the whole. */
  shape_index: StringPlace[];
  /** Its shape as XLA prints it; none where that is unknown. */
  shape: StringPlace[];
}

/** Instructions. @table */
export interface InstructionColumns {
  /** Name. */
  name: StringPlace[];
  /** Opcode, such as fusion. */
  opcode: StringPlace[];
  /** The framework's name of the operation. */
  op_name: StringPlace[];
  /** Source file. */
  file: StringPlace[];
  /** Line in it; -1: unknown. */
  line: SourceNumber[];
  /** Innermost frame of the stack. */
  frame: FramePlace[];
  /** Name of the computation it is in. */
  computation: StringPlace[];
}

/** Stack frames. @table */
export interface FrameColumns {
  /** The frame that called it. */
  parent: FramePlace[];
  /** Function. */
  function: StringPlace[];
  /** Source file. */
  file: StringPlace[];
  /** Line. */
  line: SourceNumber[];
  /** Column. */
  column: SourceNumber[];
}

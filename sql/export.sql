-- export.sql: what memview_open opened, as plain tables of the database that is open.
--
--   sqlite3 memory.db
--   .load ./memview
--   SELECT memview_open('dump/');
--   .read sql/export.sql
--
-- The tables have the names and columns of memview's own and compare text as they do, so the same SQL works on
-- memory.db where no extension can be loaded; only the arguments in parentheses are memview's. peak_groups holds the
-- groups by every key. Its column "by" tells them apart, as the argument of memview's table does: WHERE "by" = 'layer'
-- reads either. memory_diff needs two sources and is left out: see grown_since_baseline in views.sql.
--
-- All is written, or nothing. A second time on the same database this stops at its first table.
.bail on
BEGIN;

CREATE TABLE main.hlo_modules (module_id INTEGER, module TEXT, program_id INTEGER, path TEXT, host TEXT,
  platform TEXT COLLATE NOCASE, device TEXT COLLATE NOCASE, entry_computation TEXT, computation_count INTEGER,
  instruction_count INTEGER, buffer_count INTEGER, allocation_count INTEGER, proto_bytes INTEGER, problem TEXT);
CREATE TABLE main.memory_spaces (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  peak_bytes INTEGER, peak_unpadded_bytes INTEGER, padding_bytes INTEGER, peak_position INTEGER, peak_instruction TEXT,
  baseline_bytes INTEGER, untraced_bytes INTEGER, heap_peak_bytes INTEGER, occupied_peak_bytes INTEGER,
  total_bytes INTEGER, fragmentation_bytes INTEGER, argument_bytes INTEGER, output_bytes INTEGER,
  constant_bytes INTEGER, temporary_bytes INTEGER, thread_local_bytes INTEGER, scoped_bytes INTEGER,
  scoped_instruction TEXT, capacity_bytes INTEGER);
CREATE TABLE main.allocations (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  allocation_id INTEGER, category TEXT COLLATE NOCASE, size_bytes INTEGER, buffer_count INTEGER,
  parameter_number INTEGER, parameter_shape_index TEXT, is_thread_local INTEGER, is_tuple INTEGER,
  is_entry_computation_parameter INTEGER, is_constant INTEGER, maybe_live_out INTEGER,
  is_parameter_aliased_with_output INTEGER, event_count INTEGER, heap_peak_bytes INTEGER, occupied_peak_bytes INTEGER);
CREATE TABLE main.buffers (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  buffer_id INTEGER, allocation_id INTEGER, category TEXT COLLATE NOCASE, instruction TEXT, shape_index TEXT,
  opcode TEXT, computation TEXT, shape TEXT, element_type TEXT COLLATE NOCASE, size_bytes INTEGER,
  unpadded_bytes INTEGER, padding_bytes INTEGER, offset_bytes INTEGER, start_position INTEGER, end_position INTEGER,
  block_count INTEGER, shares_with_buffer_id INTEGER, op_name TEXT, source_file TEXT, source_line INTEGER,
  source_stack TEXT, stack_frame_id INTEGER, attributed_op_name TEXT, attribution TEXT, used_by TEXT, phase TEXT,
  scope TEXT, layer TEXT, user_source_file TEXT, user_source_line INTEGER);
CREATE TABLE main.usage_curve (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  allocation_id INTEGER, position INTEGER, event TEXT COLLATE NOCASE, buffer_id INTEGER, instruction TEXT,
  bytes INTEGER, unpadded_bytes INTEGER, occupied_bytes INTEGER, is_peak INTEGER);
CREATE TABLE main.peak_buffers (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  position INTEGER, buffer_id INTEGER, allocation_id INTEGER, category TEXT COLLATE NOCASE, instruction TEXT,
  shape_index TEXT, opcode TEXT, computation TEXT, shape TEXT, element_type TEXT COLLATE NOCASE, size_bytes INTEGER,
  unpadded_bytes INTEGER, padding_bytes INTEGER, offset_bytes INTEGER, start_position INTEGER, end_position INTEGER,
  block_count INTEGER, shares_with_buffer_id INTEGER, op_name TEXT, source_file TEXT, source_line INTEGER,
  source_stack TEXT, stack_frame_id INTEGER, saving_bytes INTEGER, attributed_op_name TEXT, attribution TEXT,
  used_by TEXT, phase TEXT, scope TEXT, layer TEXT, user_source_file TEXT, user_source_line INTEGER);
CREATE TABLE main.peak_groups (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  key TEXT, buffer_count INTEGER, size_bytes INTEGER, unpadded_bytes INTEGER, padding_bytes INTEGER,
  saving_bytes INTEGER, cumulative_saving_bytes INTEGER, "by" TEXT);
CREATE TABLE main.peaks (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  allocation_id INTEGER, position INTEGER, bytes INTEGER, prominence_bytes INTEGER);
CREATE TABLE main.findings (module_id INTEGER, module TEXT, memory_space TEXT COLLATE NOCASE, color INTEGER,
  kind TEXT COLLATE NOCASE, bytes INTEGER, buffer_id INTEGER, allocation_id INTEGER, key TEXT, text TEXT);
CREATE TABLE main.instructions (module_id INTEGER, module TEXT, instruction_id INTEGER, instruction TEXT, opcode TEXT,
  computation TEXT, shape TEXT, op_name TEXT, source_file TEXT, source_line INTEGER, stack_frame_id INTEGER,
  scoped_bytes INTEGER);
CREATE TABLE main.stack_frames (module_id INTEGER, module TEXT, frame_id INTEGER, parent_frame_id INTEGER,
  function TEXT, source_file TEXT, source_line INTEGER, source_column INTEGER);
CREATE TABLE main.devices (device TEXT COLLATE NOCASE, memory_space TEXT COLLATE NOCASE, capacity_bytes INTEGER,
  per TEXT COLLATE NOCASE, source TEXT);

-- temp.NAME is memview's table, main.NAME would hide it.
INSERT INTO main.hlo_modules SELECT * FROM temp.hlo_modules;
INSERT INTO main.memory_spaces SELECT * FROM temp.memory_spaces;
INSERT INTO main.allocations SELECT * FROM temp.allocations;
INSERT INTO main.buffers SELECT * FROM temp.buffers;
INSERT INTO main.usage_curve SELECT * FROM temp.usage_curve;
INSERT INTO main.peak_buffers SELECT * FROM temp.peak_buffers;
INSERT INTO main.peak_groups SELECT *, "by" FROM temp.peak_groups
  WHERE "by" IN ('layer', 'scope', 'phase', 'op_name', 'user_source', 'used_by', 'opcode', 'shape', 'category');
INSERT INTO main.peaks SELECT * FROM temp.peaks;
INSERT INTO main.findings SELECT * FROM temp.findings;
INSERT INTO main.instructions SELECT * FROM temp.instructions;
INSERT INTO main.stack_frames SELECT * FROM temp.stack_frames;
INSERT INTO main.devices SELECT * FROM temp.devices;

-- Equalities that memview answers without a scan are indexed here.
CREATE INDEX main.memory_spaces_by_module ON memory_spaces (module_id, color);
CREATE INDEX main.allocations_by_id ON allocations (module_id, allocation_id);
CREATE INDEX main.buffers_by_id ON buffers (module_id, buffer_id);
CREATE INDEX main.buffers_by_allocation ON buffers (module_id, allocation_id);
CREATE INDEX main.usage_curve_by_position ON usage_curve (module_id, color, position);
CREATE INDEX main.peak_buffers_by_space ON peak_buffers (module_id, color);
CREATE INDEX main.peak_groups_by_key ON peak_groups ("by", module_id, color);
CREATE INDEX main.peaks_by_space ON peaks (module_id, color);
CREATE INDEX main.findings_by_space ON findings (module_id, color);
CREATE INDEX main.instructions_by_id ON instructions (module_id, instruction_id);
CREATE INDEX main.stack_frames_by_id ON stack_frames (module_id, frame_id);

COMMIT;

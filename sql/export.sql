-- export.sql: what memview_open opened, as plain tables of the database that is open.
--
--   sqlite3 memory.db
--   .load ./memview
--   SELECT memview_open('dump/');
--   .read sql/export.sql
--
-- The tables have the names and columns of memview's own, so the same SQL works on memory.db where no extension can be
-- loaded; only the arguments in parentheses are memview's. A table of a database hides memview's of the same name, so
-- this runs once on a database: a second time it would read its own tables.

CREATE TABLE main.hlo_modules AS SELECT * FROM hlo_modules;
CREATE TABLE main.memory_spaces AS SELECT * FROM memory_spaces;
CREATE TABLE main.allocations AS SELECT * FROM allocations;
CREATE TABLE main.buffers AS SELECT * FROM buffers;
CREATE TABLE main.usage_curve AS SELECT * FROM usage_curve;
CREATE TABLE main.peak_buffers AS SELECT * FROM peak_buffers;
CREATE TABLE main.peak_groups AS SELECT * FROM peak_groups; -- by layer
CREATE TABLE main.peaks AS SELECT * FROM peaks;
CREATE TABLE main.findings AS SELECT * FROM findings;
CREATE TABLE main.instructions AS SELECT * FROM instructions;
CREATE TABLE main.stack_frames AS SELECT * FROM stack_frames;
CREATE TABLE main.devices AS SELECT * FROM devices;

-- Equalities that memview answers without a scan are indexed here.
CREATE INDEX main.memory_spaces_by_module ON memory_spaces (module_id, color);
CREATE INDEX main.allocations_by_id ON allocations (module_id, allocation_id);
CREATE INDEX main.buffers_by_id ON buffers (module_id, buffer_id);
CREATE INDEX main.buffers_by_allocation ON buffers (module_id, allocation_id);
CREATE INDEX main.usage_curve_by_position ON usage_curve (module_id, color, position);
CREATE INDEX main.peak_buffers_by_space ON peak_buffers (module_id, color);
CREATE INDEX main.peak_groups_by_space ON peak_groups (module_id, color);
CREATE INDEX main.peaks_by_space ON peaks (module_id, color);
CREATE INDEX main.instructions_by_id ON instructions (module_id, instruction_id);
CREATE INDEX main.stack_frames_by_id ON stack_frames (module_id, frame_id);

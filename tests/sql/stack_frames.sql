SELECT * FROM stack_frames('tpu-v5e-mlp.hlo.pb') LIMIT 6;
SELECT count(*), count(DISTINCT source_file), max(frame_id) FROM stack_frames('gpu-h100-collective.hlo.pb');
SELECT count(*) FROM stack_frames('cpu-tensorflow-2.15.hlo.pb');
SELECT source_stack FROM buffers('tpu-v5e-mlp.hlo.pb') WHERE stack_frame_id IS NOT NULL ORDER BY buffer_id LIMIT 1;
WITH RECURSIVE up(frame_id, line) AS (
  SELECT stack_frame_id, NULL FROM (SELECT stack_frame_id FROM buffers('tpu-v5e-mlp.hlo.pb') WHERE stack_frame_id IS NOT NULL
    ORDER BY buffer_id LIMIT 1)
  UNION ALL
  SELECT f.parent_frame_id, f.source_file || ':' || f.source_line || ':' || f.source_column
  FROM up JOIN stack_frames('tpu-v5e-mlp.hlo.pb') f ON f.frame_id = up.frame_id)
SELECT line FROM up WHERE line IS NOT NULL;

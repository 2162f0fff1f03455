.mode list
-- What a picture begins and ends with.
SELECT substr(timeline_svg('tpu-v5e-mlp.hlo.pb'), 1, 39) AS begins;
SELECT substr(timeline_html('tpu-v5e-mlp.hlo.pb'), 1, 15) AS begins, substr(timeline_dot('tpu-v5e-mlp.hlo.pb'), 1, 16);
SELECT typeof(usage_svg('tpu-v5e-mlp.hlo.pb')) AS type, typeof(peak_svg('tpu-v5e-mlp.hlo.pb')) AS type;

-- Every argument may be left out or NULL; names and numbers say the same.
SELECT timeline_svg('tpu-v5e-mlp.hlo.pb') = timeline_svg('tpu-v5e-mlp.hlo.pb', NULL, NULL) AS same,
       timeline_svg('tpu-v5e-mlp.hlo.pb') = timeline_svg('tpu-v5e-mlp.hlo.pb', 1, 0) AS same,
       usage_svg('tpu-v5e-mlp.hlo.pb', 'jit_mlp_step', 'VMEM') = usage_svg('tpu-v5e-mlp.hlo.pb', 1, 1) AS same,
       usage_svg('tpu-v5e-mlp.hlo.pb', 1, 1) <> usage_svg('tpu-v5e-mlp.hlo.pb') AS other,
       peak_svg('tpu-v5e-mlp.hlo.pb') = peak_svg('tpu-v5e-mlp.hlo.pb', NULL, NULL, 'size') AS same,
       peak_svg('tpu-v5e-mlp.hlo.pb', 1, 0, NULL) <> peak_svg('tpu-v5e-mlp.hlo.pb', 1, 0, 'program') AS other,
       timeline_svg(readfile('tpu-v5e-mlp.hlo.pb')) = timeline_svg('tpu-v5e-mlp.hlo.pb') AS same;

-- Without a source: what memview_open opened.
SELECT usage_svg();
SELECT memview_open('dump') AS modules;
SELECT usage_svg() = usage_svg('dump', 2, 0) AS same, peak_svg() = peak_svg('dump', 'jit_pallas_step') AS same;
SELECT memview_close() AS closed;

-- What a picture shows is what the tables say.
SELECT memory_space, instr(usage_svg('tpu-v5e-mlp.hlo.pb', 1, color),
                           'at ' || peak_position || ', ' || peak_instruction || '<') > 0 AS names_the_peak
FROM memory_spaces('tpu-v5e-mlp.hlo.pb') WHERE peak_instruction IS NOT NULL;

-- What is not there.
SELECT timeline_svg('dump', 3);
SELECT timeline_svg('dump', 'jit_no');
SELECT timeline_svg('logdir', 'jit__normal');
SELECT length(timeline_svg('logdir', 'jit__normal(16)')) > 1000 AS one_of_them;
SELECT timeline_svg('dump', 1, 'HBM2');
SELECT timeline_svg('dump', 1, 77);
SELECT peak_svg('dump', 1, 0, 'name');
SELECT peak_svg('dump', 1, 0, 3);
SELECT usage_svg('no such file');

-- What is no argument.
SELECT usage_svg(NULL);
SELECT usage_svg(7);
SELECT usage_svg('dump', 1.5);
SELECT usage_svg('dump', x'00');
SELECT usage_svg('dump', 1, 0.5);
SELECT usage_svg('dump', 1, 'HBM' || char(0) || 'x');
SELECT usage_svg('dump', 1, 0, 'size');

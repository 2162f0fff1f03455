-- What lies beside modules in a dump or a profile is no module and has no row.
SELECT module_id, module, program_id, host, path, problem FROM hlo_modules('by-products/dump-default');
SELECT module_id, module, program_id, host, path, problem FROM hlo_modules('by-products/xprof-opened');
SELECT module_id, module, host, path, problem FROM hlo_modules('by-products/tf25-profile');
SELECT count(*) FROM memory_spaces('by-products/tf25-profile');
SELECT count(*) FROM hlo_modules('by-products/dump-default/module_0000.jit_donate_step.cl_1014260217');
-- The host of a profile, and its modules by name.
SELECT DISTINCT host FROM hlo_modules('logdir');
SELECT timeline_svg('logdir', 'jit_train_step(24)@host0') = timeline_svg('logdir', 13);
SELECT timeline_svg('logdir', 'jit_train_step(24)') = timeline_svg('logdir', 13);
SELECT timeline_svg('logdir', 'jit_train_step(24)@host1');
-- Files of other kinds are named.
SELECT * FROM hlo_modules('foreign/ustar.tar');
SELECT * FROM hlo_modules('foreign/dump.tar.gz');
SELECT * FROM hlo_modules('foreign/dump.xz');
SELECT * FROM hlo_modules('foreign/dump.bz2');
SELECT * FROM hlo_modules('foreign/dump.zst');
SELECT * FROM hlo_modules('foreign/dump.zip');
SELECT * FROM hlo_modules('foreign/snappy.sst');
SELECT * FROM hlo_modules('foreign/cpu.pprof');
SELECT * FROM hlo_modules('by-products/dump-default/module_0000.jit_donate_step.cl_1014260217/compile_options.pb');
SELECT * FROM hlo_modules('by-products/dump-default/module_0000.jit_donate_step.cl_1014260217/topology.pb');
-- Paths that only a shell or a storage library could open.
SELECT * FROM hlo_modules('~/dump');
SELECT * FROM hlo_modules('dump/*.hlo.pb');
SELECT * FROM hlo_modules('$DUMP');
SELECT * FROM hlo_modules('file:///nowhere/dump');
SELECT memview_open('gs://bucket/dump');
SELECT memview_report('s3://bucket/dump');
SELECT memview_html('https://host/a.hlo.pb');

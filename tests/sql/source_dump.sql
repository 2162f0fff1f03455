-- A dump folder of XLA: of all stages one row a module, though both have the number 0000.
SELECT module_id, module, replace(path, rtrim(path, replace(path, '/', '')), '') AS file, platform, instruction_count,
  buffer_count, problem
FROM hlo_modules('dump');

-- The scoped memory stands in the stage after code generation.
SELECT module, memory_space, peak_bytes, total_bytes, scoped_bytes, scoped_instruction FROM memory_spaces('dump');

SELECT module, instruction, opcode, scoped_bytes FROM instructions('dump') WHERE scoped_bytes IS NOT NULL
ORDER BY module_id, instruction_id;

-- A stage asked for by its own path is itself.
SELECT problem, instruction_count, buffer_count
FROM hlo_modules('dump/module_0000.jit_pallas_step.cl_1014260217.after_codegen.hlo.pb');
SELECT count(*) FROM memory_spaces('dump/module_0000.jit_pallas_step.cl_1014260217.after_codegen.hlo.pb');
SELECT instruction, scoped_bytes
FROM instructions('dump/module_0000.jit_pallas_step.cl_1014260217.after_codegen.hlo.pb') WHERE scoped_bytes IS NOT NULL;

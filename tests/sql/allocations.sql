SELECT * FROM allocations('cpu-tensorflow-2.15.hlo.pb') LIMIT 12;
SELECT memory_space, category, count(*), sum(size_bytes) FROM allocations('tpu-v5e-mlp.hlo.pb') GROUP BY color, category;
SELECT memory_space, category, count(*), sum(size_bytes) FROM allocations('gpu-h100-collective.hlo.pb') GROUP BY color, category;
SELECT memory_space, allocation_id, size_bytes, buffer_count, event_count, heap_peak_bytes, occupied_peak_bytes
FROM allocations('tpu-v6e-mlp.hlo.pb') WHERE event_count IS NOT NULL;
SELECT allocation_id, parameter_number, parameter_shape_index, is_parameter_aliased_with_output
FROM allocations('tpu-v5e-mlp.hlo.pb') WHERE is_entry_computation_parameter AND parameter_number < 3;
SELECT allocation_id, size_bytes, is_tuple FROM allocations('tpu-v5e-mlp.hlo.pb') WHERE is_tuple;
SELECT allocation_id, size_bytes, is_constant, is_thread_local, maybe_live_out FROM allocations('synth-5003.hlo.pb') LIMIT 8;

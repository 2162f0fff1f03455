-- All that is known, and from where.
SELECT * FROM devices;
-- A dump folder tells its device; a module alone does not.
SELECT device, memory_space, peak_bytes, capacity_bytes FROM hlo_modules('dump') JOIN memory_spaces('dump') USING (module_id)
WHERE color IN (0, 1);
SELECT device FROM hlo_modules('tpu-v5e-oom.hlo.pb.gz');
SELECT device, capacity_bytes FROM hlo_modules('devices/gpu-h100-donate_right')
JOIN memory_spaces('devices/gpu-h100-donate_right') USING (module_id);
-- So it may be said.
SELECT memview_device('tpu v5e');
SELECT device, peak_bytes > capacity_bytes AS is_too_much FROM hlo_modules('tpu-v5e-oom.hlo.pb.gz')
JOIN memory_spaces('tpu-v5e-oom.hlo.pb.gz') USING (module_id) WHERE color = 0;
SELECT memview_device('abacus');
SELECT memview_device(NULL);
SELECT device FROM hlo_modules('tpu-v5e-oom.hlo.pb.gz');

#include "support/hlo_builder.h"
#include "load/load.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/shape/shape_test.h"
#include "support/files.h"

hlo hlo_new(const char *name) {
  hlo h = {0};
  pb_string(&h.module, 1, name);
  return h;
}

static void close_computation(hlo *h) {
  if (h->has_computation) {
    pb_message(&h->module, 3, &h->computation);
    h->has_computation = false;
  }
}

static void close_allocation(hlo *h) {
  if (h->has_allocation) {
    pb_message(&h->assignment, 3, &h->allocation);
    h->has_allocation = false;
  }
}

void hlo_computation(hlo *h, int64_t id, const char *name) {
  close_computation(h);
  h->has_computation = true;
  pb_string(&h->computation, 1, name);
  pb_int(&h->computation, 5, id);
}

void hlo_root(hlo *h, int64_t id) {
  pb_int(&h->computation, 6, id);
}

void hlo_entry(hlo *h, int64_t id) {
  pb_int(&h->module, 6, id);
}

/* Numbers separated by blanks, as a packed field. */
static void add_packed(mv_text *out, unsigned field, const char *numbers) {
  mv_text packed = MV_TEXT_INIT;
  for (const char *p = numbers; p != NULL && *p != '\0';) {
    char *end;
    pb_varint(&packed, (uint64_t)strtoll(p, &end, 10));
    p = *end == ' ' ? end + 1 : end;
  }
  if (packed.size > 0) {
    pb_message(out, field, &packed);
  }
}

void hlo_schedule(hlo *h, int64_t computation, const char *instructions) {
  mv_text sequence = MV_TEXT_INIT;
  mv_text entry = MV_TEXT_INIT;
  add_packed(&sequence, 1, instructions);
  pb_int(&entry, 1, computation);
  pb_message(&entry, 2, &sequence);
  pb_message(&h->schedule, 1, &entry);
}

void hlo_instruction(hlo *h, hlo_instruction_args args) {
  if (!h->has_computation) {
    hlo_computation(h, 1, "main");
  }
  mv_text out = MV_TEXT_INIT;
  if (args.name != NULL) {
    pb_string(&out, 1, args.name);
  }
  if (args.opcode != NULL) {
    pb_string(&out, 2, args.opcode);
  }
  if (args.shape != NULL) {
    mv_text shape = proto_of(args.shape);
    pb_message(&out, 3, &shape);
  }
  if (args.metadata != NULL) {
    pb_message(&out, 7, args.metadata);
  }
  if (args.op_name != NULL) {
    mv_text metadata = MV_TEXT_INIT;
    pb_string(&metadata, 2, args.op_name);
    pb_message(&out, 7, &metadata);
  }
  if (args.number != 0) { /* which of the two is asked for tells the opcode */
    pb_int(&out, 9, args.number);
    pb_int(&out, 13, args.number);
  }
  if (args.target != NULL) {
    pb_string(&out, 28, args.target);
  }
  if (args.id != 0) { /* protobuf leaves a 0 out */
    pb_int(&out, 35, args.id);
  }
  add_packed(&out, 36, args.operands);
  add_packed(&out, 38, args.calls);
  if (args.config != NULL) {
    pb_string(&out, 43, args.config);
  }
  if (args.payload != NULL) {
    pb_message(&out, 99, args.payload);
  }
  pb_message(&h->computation, 2, &out);
}

/* A shape index, "1,0". */
static void add_index(mv_text *out, unsigned field, const char *index) {
  for (const char *p = index; p != NULL && *p != '\0';) {
    char *end;
    pb_int(out, field, strtoll(p, &end, 10));
    p = *end == ',' ? end + 1 : end;
  }
}

void hlo_buffer(hlo *h, hlo_buffer_args args) {
  mv_text location = MV_TEXT_INIT;
  if (args.instruction_name != NULL) {
    pb_string(&location, 1, "main");
    pb_string(&location, 2, args.instruction_name);
  }
  add_index(&location, 3, args.index);
  if (args.instruction != HLO_NO_ID && args.instruction != 0) {
    pb_int(&location, 4, args.instruction);
  }
  mv_text out = MV_TEXT_INIT;
  pb_int(&out, 1, args.id);
  pb_int(&out, 2, args.size);
  pb_message(&out, 3, &location);
  pb_int(&out, 4, args.color);
  pb_message(&h->assignment, 1, &out);
  h->has_assignment = true;
}

void hlo_allocation(hlo *h, hlo_allocation_args args) {
  close_allocation(h);
  h->has_allocation = true;
  h->has_assignment = true;
  pb_int(&h->allocation, 1, args.id);
  pb_int(&h->allocation, 2, args.size);
  pb_int(&h->allocation, 3, args.is_thread_local);
  pb_int(&h->allocation, 5, args.is_parameter);
  pb_int(&h->allocation, 6, args.parameter_number);
  pb_int(&h->allocation, 7, args.is_live_out);
  pb_int(&h->allocation, 8, args.color);
  add_index(&h->allocation, 10, args.parameter_index);
  pb_int(&h->allocation, 12, args.is_constant);
}

void hlo_assign(hlo *h, int64_t buffer, int64_t offset) {
  mv_text out = MV_TEXT_INIT;
  pb_int(&out, 1, buffer);
  pb_int(&out, 2, offset);
  pb_message(&h->allocation, 9, &out);
}

void hlo_trace(hlo *h, int64_t allocation, const char *events) {
  mv_text trace = MV_TEXT_INIT;
  const char *p = events;
  while (*p != '\0') {
    static const char kinds[] = "AFS";
    const char letter = *p++;
    const char *kind = strchr(kinds, letter);
    char *end;
    mv_text event = MV_TEXT_INIT;
    pb_int(&event, 1, kind != NULL ? (int64_t)(kind - kinds) : 9);
    const int64_t id = strtoll(p, &end, 10);
    pb_int(&event, 2, id);
    char name[32];
    snprintf(name, sizeof name, "op.%lld", (long long)id);
    pb_string(&event, 4, name);
    if (*end == '=') {
      pb_int(&event, 5, strtoll(end + 1, &end, 10));
    }
    pb_message(&trace, 1, &event);
    p = end;
    while (*p == ' ') {
      p++;
    }
  }
  pb_int(&trace, 3, allocation);
  pb_message(&h->assignment, 4, &trace);
  h->has_assignment = true;
}

void hlo_peak(hlo *h, int64_t allocation, const char *buffers) {
  mv_text out = MV_TEXT_INIT;
  mv_text packed = MV_TEXT_INIT;
  pb_int(&out, 1, allocation);
  for (const char *p = buffers; *p != '\0';) {
    char *end;
    pb_varint(&packed, (uint64_t)strtoll(p, &end, 10));
    p = *end == ' ' ? end + 1 : end;
  }
  pb_message(&out, 2, &packed);
  pb_message(&h->assignment, 5, &out);
  h->has_assignment = true;
}

mv_text hlo_proto(hlo *h) {
  close_computation(h);
  close_allocation(h);
  if (h->schedule.size > 0) {
    pb_message(&h->module, 7, &h->schedule);
  }
  mv_text out = MV_TEXT_INIT;
  if (h->module.size > 0) {
    pb_message(&out, 1, &h->module);
  }
  if (h->has_assignment) {
    pb_message(&out, 3, &h->assignment);
  }
  cr_assert_not(out.failed);
  *h = (hlo){0};
  return out;
}

mv_text hlo_parameter_proto(const char *name, int64_t size) {
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  if (size > 0) {
    hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
    hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size, .is_parameter = true});
    hlo_assign(&h, 1, 0);
  }
  return hlo_proto(&h);
}

static mv_module *load(mv_bytes bytes, mv_content content, const char *file_name, mv_status *status) {
  mv_blob blob;
  cr_assert(mv_blob_new(&blob, bytes.size, status));
  if (bytes.size > 0) {
    memcpy(blob.data, bytes.data, bytes.size);
  }
  blob.size = bytes.size;
  return mv_module_load(&blob, content, file_name, NULL, status);
}

mv_module *load_bytes(mv_bytes bytes, mv_content content, mv_status *status) {
  return load(bytes, content, NULL, status);
}

mv_module *hlo_load_as(hlo *h, const char *file_name) {
  mv_status status = MV_STATUS_INIT;
  mv_text proto = hlo_proto(h);
  mv_module *m = load(pb_view(&proto), MV_CONTENT_HLO_PROTO, file_name, &status);
  mv_text_free(&proto);
  cr_assert_not_null(m, "%s", status.message);
  return m;
}

mv_module *hlo_load(hlo *h) {
  return hlo_load_as(h, NULL);
}

mv_module *load_data(const char *name) {
  mv_status status = MV_STATUS_INIT;
  mv_text bytes = read_data(name);
  mv_module *m = load(pb_view(&bytes), MV_CONTENT_HLO_PROTO, NULL, &status);
  mv_text_free(&bytes);
  cr_assert_not_null(m, "%s: %s", name, status.message);
  return m;
}

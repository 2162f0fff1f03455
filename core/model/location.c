#include "model/location.h"

#include "shape/shape.h"
#include "wire/fields.h"

static void add_step(mv_location *l, uint64_t step) {
  if (l->index_count < MV_LOCATION_DEPTH) {
    l->index[l->index_count++] = (int64_t)step;
  } else {
    l->index[MV_LOCATION_DEPTH - 1] = -1; /* deeper than any shape: points nowhere */
  }
}

static void add_steps(mv_location *l, mv_bytes packed) {
  mv_wire w = mv_wire_of(packed);
  uint64_t step;
  while (mv_wire_next_packed(&w, &step)) {
    add_step(l, step);
  }
}

void mv_location_read(mv_location *out, mv_bytes proto) {
  out->instruction_id = 0;
  out->instruction_name = mv_bytes_of(NULL, 0);
  out->index_count = 0;
  mv_wire w = mv_wire_of(proto);
  mv_bytes packed;
  if (mv_wire_take_bytes(&w, MV_LOCATION_SHAPE_INDEX, &packed)) {
    add_steps(out, packed);
  }
  out->has_instruction_id = mv_wire_take_int(&w, MV_LOCATION_INSTRUCTION_ID, &out->instruction_id);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT) {
      if (tag.field == MV_LOCATION_INSTRUCTION_ID) {
        out->has_instruction_id = true;
        out->instruction_id = (int64_t)tag.value;
      } else if (tag.field == MV_LOCATION_SHAPE_INDEX) {
        add_step(out, tag.value);
      }
    } else if (tag.type == MV_LENGTH) {
      if (tag.field == MV_LOCATION_INSTRUCTION_NAME) {
        out->instruction_name = tag.bytes;
      } else if (tag.field == MV_LOCATION_SHAPE_INDEX) {
        add_steps(out, tag.bytes);
      }
    }
  }
}

void mv_buffer_location(mv_location *out, const mv_module *m, const mv_buffer *buffer) {
  mv_location_read(out, mv_module_bytes(m, buffer->location));
}

mv_bytes mv_buffer_shape(const mv_module *m, const mv_buffer *buffer, mv_bytes instruction_shape) {
  mv_bytes shape = {0};
  if (instruction_shape.data != NULL) {
    mv_location location;
    mv_buffer_location(&location, m, buffer);
    if (!mv_shape_walk(&shape, instruction_shape, location.index, location.index_count)) {
      shape = mv_bytes_of(NULL, 0);
    }
  }
  return shape;
}

void mv_location_print_index(mv_text *text, const mv_location *location) {
  for (size_t i = 0; i < location->index_count; i++) {
    if (i > 0) {
      mv_text_char(text, ',');
    }
    mv_text_i64(text, location->index[i]);
  }
}

static void print_step(mv_text *text, uint64_t step) {
  if (text->size > 0) {
    mv_text_char(text, ',');
  }
  mv_text_i64(text, (int64_t)step);
}

void mv_location_print_parameter_index(mv_text *text, mv_bytes allocation_proto) {
  mv_wire w = mv_wire_of(allocation_proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_ALLOCATION_PARAMETER_SHAPE_INDEX) {
      continue;
    }
    if (tag.type == MV_VARINT) {
      print_step(text, tag.value);
      continue;
    }
    mv_wire packed = mv_wire_of(tag.type == MV_LENGTH ? tag.bytes : mv_bytes_of(NULL, 0));
    uint64_t step;
    while (mv_wire_next_packed(&packed, &step)) {
      print_step(text, step);
    }
  }
}

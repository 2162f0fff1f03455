#include "render/card.h"

#include <inttypes.h>

#include "model/instruction.h"
#include "render/label.h"
#include "render/scale.h"

/* Characters that are shown of each; long names are the rule in generated code, and a tooltip is small. */
enum { NAME = 120, SHORT_NAME = 48, OPCODE = 40, SHAPE = 200, OP_NAME = 240, FILE_NAME = 100 };

static const mv_buffer *buffer_of(const mv_module *m, const mv_live *live) {
  return live->buffer != MV_NONE ? &m->buffers[live->buffer] : NULL;
}

void mv_card_free(mv_card *card) {
  mv_arena_free(card->arena);
  mv_text_free(&card->text);
  mv_shape_memo_free(&card->shapes);
}

void mv_card_name(mv_text *text, const mv_module *m, const mv_live *live, size_t most) {
  const mv_buffer *buffer = buffer_of(m, live);
  if (buffer == NULL) {
    mv_text_format(text, "allocation %" PRId64, m->allocations[live->allocation].id);
    return;
  }
  const mv_bytes name = mv_instruction_name(m, buffer->instruction);
  if (name.size == 0) {
    mv_text_format(text, "buffer %" PRId64, buffer->id);
    return;
  }
  mv_text whole = MV_TEXT_INIT;
  mv_text_line(&whole, name);
  mv_location location;
  mv_buffer_location(&location, m, buffer);
  if (location.index_count > 0) {
    mv_text_char(&whole, '{');
    mv_location_print_index(&whole, &location);
    mv_text_char(&whole, '}');
  }
  text->failed = text->failed || whole.failed;
  mv_label_add(text, mv_bytes_of(whole.data, whole.size), most);
  mv_text_free(&whole);
}

static bool add_shape(mv_text *text, const mv_instruction_details *details, mv_card *card, const mv_buffer *buffer,
                      size_t most, mv_status *status) {
  mv_bytes proto = {0};
  if (buffer != NULL) {
    proto = mv_buffer_shape(card->module, buffer, details->shape);
  }
  if (proto.data == NULL) {
    return true;
  }
  mv_bytes whole;
  if (!mv_shape_memo_text(&whole, &card->shapes, proto, status)) {
    return false;
  }
  mv_label_add(text, whole, most);
  return true;
}

bool mv_card_shape(mv_text *text, mv_card *card, const mv_live *live, size_t most, mv_status *status) {
  const mv_buffer *buffer = buffer_of(card->module, live);
  const uint32_t instruction = buffer != NULL ? buffer->instruction : MV_NONE;
  mv_instruction_details details;
  mv_arena_reset(card->arena);
  return mv_instruction_details_read(&details, card->module, instruction, card->arena, status) &&
         add_shape(text, &details, card, buffer, most, status);
}

/* "12.0 MiB (12,582,912 B)" */
static void add_size(mv_text *text, int64_t bytes) {
  mv_text_size(text, bytes);
  if (bytes >= 1024) {
    mv_text_add(text, " (");
    mv_count_add(text, bytes);
    mv_text_add(text, " B)");
  }
}

/* size / unpadded with two decimals: "1.25x". */
static void add_expansion(mv_text *text, int64_t size, int64_t unpadded) {
  while (size > INT64_MAX / 200) { /* keeps the quotient, to more digits than are shown */
    size /= 2;
    unpadded /= 2;
  }
  const int64_t hundredths = unpadded > 0 ? (size * 200 / unpadded + 1) / 2 : 100;
  mv_count_add(text, hundredths / 100);
  mv_text_char(text, '.');
  mv_text_char(text, (char)('0' + hundredths / 10 % 10));
  mv_text_char(text, (char)('0' + hundredths % 10));
  mv_text_char(text, 'x');
}

static void add_sizes(mv_text *text, const mv_live *live) {
  mv_text_add(text, "\nsize ");
  add_size(text, live->size_bytes);
  if (live->unpadded_bytes < 0) {
    return;
  }
  mv_text_add(text, "\nunpadded ");
  add_size(text, live->unpadded_bytes);
  mv_text_add(text, "\npadding ");
  add_size(text, live->size_bytes - live->unpadded_bytes);
  if (live->unpadded_bytes > 0) {
    mv_text_add(text, ", expansion ");
    add_expansion(text, live->size_bytes, live->unpadded_bytes);
  }
}

/* The end of a path tells more than its beginning. */
static void add_file(mv_text *text, mv_bytes file) {
  const size_t length = mv_label_length(file, SIZE_MAX);
  if (length > FILE_NAME) {
    const size_t cut = mv_label_prefix(file, length - FILE_NAME + 1);
    mv_text_add(text, "\xE2\x80\xA6");
    file = mv_bytes_of(file.data + cut, file.size - cut);
  }
  mv_text_bytes(text, file);
}

static void add_place(mv_text *text, const mv_module *m, const mv_live *live, int64_t positions) {
  if (live->allocation != MV_NONE) {
    mv_text_char(text, '\n');
    mv_text_add(text, mv_category_name(m->allocations[live->allocation].category));
    mv_text_add(text, ", allocation ");
    mv_text_i64(text, m->allocations[live->allocation].id);
  }
  if (live->offset_bytes >= 0) {
    mv_text_add(text, live->allocation != MV_NONE ? " at byte " : "\nat byte ");
    mv_count_add(text, live->offset_bytes);
  }
  if (live->start_position < 0) {
    mv_text_add(text, "\nuntraced: counted at every position, nothing tells when it is live");
    return;
  }
  mv_text_add(text, "\nlive from position ");
  mv_count_add(text, live->start_position);
  mv_text_add(text, " to ");
  mv_count_add(text, live->end_position);
  mv_text_add(text, " of ");
  mv_count_add(text, positions);
}

static bool write_whole(mv_card *card, const mv_live *live, int64_t positions, mv_status *status) {
  mv_text *text = &card->text;
  const mv_module *m = card->module;
  const mv_buffer *buffer = buffer_of(m, live);
  mv_instruction_details details;
  mv_arena_reset(card->arena);
  if (!mv_instruction_details_read(&details, m, buffer != NULL ? buffer->instruction : MV_NONE, card->arena, status)) {
    return false;
  }
  mv_card_name(text, m, live, NAME);
  if (details.opcode.size > 0) {
    mv_text_char(text, '\n');
    mv_label_line(text, details.opcode, OPCODE);
    mv_text_char(text, ' ');
    if (!add_shape(text, &details, card, buffer, SHAPE, status)) {
      return false;
    }
  }
  add_sizes(text, live);
  add_place(text, m, live, positions);
  if (details.op_name.size > 0) {
    mv_text_add(text, "\nop ");
    mv_label_line(text, details.op_name, OP_NAME);
  }
  if (details.source_file.size > 0) {
    mv_text_add(text, "\nsource ");
    add_file(text, details.source_file);
    mv_text_char(text, ':');
    mv_text_i64(text, details.source_line);
  }
  return true;
}

bool mv_card_write(mv_card *card, const mv_live *live, int64_t positions, size_t used, mv_status *status) {
  mv_text *text = &card->text;
  mv_text_clear(text);
  if (used > MV_CARD_END) {
    card->left_out_count++;
  } else if (used > MV_CARD_ROOM) {
    card->short_count++;
    mv_card_name(text, card->module, live, SHORT_NAME);
    mv_text_add(text, ", ");
    mv_text_size(text, live->size_bytes);
  } else if (!write_whole(card, live, positions, status)) {
    return false;
  }
  return !text->failed || mv_fail_nomem(status);
}

bool mv_card_title(mv_text *svg, mv_card *card, const mv_live *live, int64_t positions, mv_status *status) {
  if (!mv_card_write(card, live, positions, svg->size, status)) {
    return false;
  }
  if (card->text.size > 0) {
    mv_text_add(svg, "<title>");
    mv_text_xml(svg, mv_bytes_of(card->text.data, card->text.size));
    mv_text_add(svg, "</title>");
  }
  return true;
}

void mv_card_note(mv_text *notes, const mv_card *card) {
  if (card->short_count > 0) {
    mv_count_add(notes, card->short_count);
    mv_text_add(notes, " tooltips are shortened");
  }
  if (card->left_out_count > 0) {
    mv_text_add(notes, card->short_count > 0 ? ", " : "");
    mv_count_add(notes, card->left_out_count);
    mv_text_add(notes, " are left out");
  }
  if (card->short_count + card->left_out_count > 0) {
    mv_text_add(notes, ", to keep the picture below 3 MB\n");
  }
}

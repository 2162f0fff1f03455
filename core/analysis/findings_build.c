#include "analysis/findings_build.h"

#include "analysis/curve.h"
#include "model/instruction.h"

bool mv_findings_step(mv_findings_build *b) {
  return mv_curve_step(b->steps++, b->limits, b->status);
}

bool mv_findings_is_share(int64_t bytes, int64_t whole, int percent) {
  return bytes > 0 && bytes >= whole / 100 * percent + (whole % 100 * percent + 99) / 100;
}

void mv_findings_put_percent(mv_text *text, int64_t part, int64_t whole) {
  const double percent = whole > 0 ? 100 * (double)part / (double)whole : 0;
  mv_text_format(text, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

void mv_findings_put_amount(mv_findings_build *b, int64_t bytes) {
  mv_text_size(&b->text, bytes);
  mv_text_add(&b->text, " (");
  mv_findings_put_percent(&b->text, bytes, b->module->spaces[b->space].peak_bytes);
  mv_text_format(&b->text, " of the peak of %s)", b->space_name);
}

void mv_findings_put_name(mv_text *text, mv_bytes name) {
  enum { LONGEST = 120 };
  if (name.data == NULL) {
    mv_text_add(text, "(no name)");
    return;
  }
  size_t size = name.size;
  if (size > LONGEST) {
    size = LONGEST;
    while (size > 0 && (name.data[size] & 0xC0) == 0x80) { /* not within a character */
      size--;
    }
  }
  mv_text_line(text, mv_bytes_of(name.data, size));
  mv_text_add(text, size < name.size ? "..." : "");
}

mv_bytes mv_findings_name(const mv_findings_build *b, size_t row) {
  const mv_explanation *e = b->explanations[row];
  const uint32_t buffer = b->live.items[row].buffer;
  if (e != NULL && e->attributed_op_name.data != NULL) {
    return e->attributed_op_name;
  }
  return mv_instruction_name(b->module, buffer != MV_NONE ? b->module->buffers[buffer].instruction : MV_NONE);
}

bool mv_findings_add(mv_findings_build *b, mv_finding finding) {
  mv_finding *out = mv_array_push(&b->findings, sizeof *out, b->arena, b->status);
  if (b->text.failed) {
    mv_fail_nomem(b->status);
    return false;
  }
  const mv_bytes text = mv_bytes_of(b->text.data, b->text.size);
  const char *kept = out != NULL ? mv_arena_string(b->arena, text, b->status) : NULL;
  if (kept == NULL) {
    return false;
  }
  *out = finding;
  out->space = b->space;
  out->text = mv_bytes_of(kept, text.size);
  mv_text_clear(&b->text);
  return true;
}

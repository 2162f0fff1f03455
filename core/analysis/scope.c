#include "analysis/scope.h"

const char *mv_phase_name(uint8_t phase) {
  static const char *const names[] = {NULL, "argument", "forward", "backward", "recompute", "update", "other"};
  return names[phase];
}

/* ---- Cutting ---- */

/* Take the part before the next '/' that stands in no brackets off the front of *rest; true while another one follows
 * it. */
static bool cut_part(mv_bytes *part, mv_bytes *rest) {
  size_t depth = 0;
  for (size_t i = 0; i < rest->size; i++) {
    switch (rest->data[i]) {
      case '(':
      case '[':
      case '{': depth++; break;
      case ')':
      case ']':
      case '}': depth -= depth > 0; break;
      case '/':
        if (depth == 0) {
          *part = mv_bytes_of(rest->data, i);
          *rest = mv_bytes_of(rest->data + i + 1, rest->size - i - 1);
          return true;
        }
        break;
      default: break;
    }
  }
  *part = *rest;
  *rest = mv_bytes_of(NULL, 0);
  return false;
}

static bool is_digit(uint8_t c) {
  return c >= '0' && c <= '9';
}

/* A byte of a name as programming languages have them; those of letters beyond ASCII count. */
static bool is_word(uint8_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

/* The name of the wrapper around `text`, as in name(…), which becomes what is inside; false when there is none. */
static bool peel(mv_bytes *name, mv_bytes *text) {
  size_t n = 0;
  while (n < text->size && is_word(text->data[n])) {
    n++;
  }
  if (n == 0 || is_digit(text->data[0]) || text->data[0] >= 0x80 || n + 2 > text->size || text->data[n] != '(' ||
      text->data[text->size - 1] != ')') {
    return false;
  }
  *name = mv_bytes_of(text->data, n);
  *text = mv_bytes_of(text->data + n + 1, text->size - n - 2);
  return true;
}

/* ---- One part ---- */

typedef struct wrappers {
  bool transposes;
  bool has_jvp;
  bool compiles; /* what is inside names a function, not a part of the model */
} wrappers;

static wrappers peel_all(mv_bytes *text) {
  wrappers w = {0};
  mv_bytes name;
  while (peel(&name, text)) {
    w.transposes = w.transposes || mv_bytes_equal_string(name, "transpose");
    w.has_jvp = w.has_jvp || mv_bytes_equal_string(name, "jvp");
    w.compiles = w.compiles || mv_bytes_equal_string(name, "jit") || mv_bytes_equal_string(name, "pjit") ||
                 mv_bytes_equal_string(name, "pmap") || mv_bytes_equal_string(name, "xla_call");
  }
  return w;
}

/* branch_0_fun, ...: a branch of a conditional. */
static bool is_branch(mv_bytes text) {
  static const char before[] = "branch_";
  static const char behind[] = "_fun";
  const size_t around = sizeof before - 1 + sizeof behind - 1;
  if (text.size <= around || !mv_bytes_starts_with(text, before) ||
      memcmp(text.data + text.size - (sizeof behind - 1), behind, sizeof behind - 1) != 0) {
    return false;
  }
  for (size_t i = sizeof before - 1; i < text.size - (sizeof behind - 1); i++) {
    if (!is_digit(text.data[i])) {
      return false;
    }
  }
  return true;
}

static bool has_arrow(mv_bytes text) {
  for (size_t i = 1; i < text.size; i++) {
    if (text.data[i - 1] == '-' && text.data[i] == '>') {
      return true;
    }
  }
  return false;
}

/* Whether a part is the framework's own and no part of the model. An arrow is of the equation of an einsum. */
static bool is_machinery(mv_bytes text, mv_bytes previous) {
  static const char *const names[] = {"while",
                                      "cond",
                                      "closed_call",
                                      "core_call",
                                      "checkpoint",
                                      "remat",
                                      "remat2",
                                      "rematted_computation",
                                      "shard_map",
                                      "pallas_call",
                                      "custom_jvp_call",
                                      "custom_vjp_call",
                                      "custom_vjp_call_jaxpr",
                                      "gradient_tape"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (mv_bytes_equal_string(text, names[i])) {
      return true;
    }
  }
  return (mv_bytes_equal_string(text, "body") && mv_bytes_equal_string(previous, "while")) || is_branch(text) ||
         has_arrow(text);
}

/* ---- All parts ---- */

typedef struct walk {
  mv_phase phase;
  bool is_backward; /* behind a transpose */
  uint8_t *path;    /* NULL: only the phase is asked for */
  size_t path_size;
} walk;

/* Add the pieces of a part to the path. */
static void add(walk *w, mv_bytes text) {
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] == '/') {
      continue;
    }
    const bool begins = i == 0 || text.data[i - 1] == '/';
    if (begins && w->path_size > 0) {
      w->path[w->path_size++] = '/';
    }
    w->path[w->path_size++] = text.data[i];
  }
}

static void take_part(walk *w, mv_bytes part, mv_bytes previous) {
  mv_bytes inside = part;
  const wrappers around = peel_all(&inside);
  if (around.transposes) {
    w->is_backward = true;
    w->phase = w->phase != MV_PHASE_RECOMPUTE ? MV_PHASE_BACKWARD : w->phase;
  } else if (around.has_jvp) {
    if (w->is_backward) {
      w->path_size = 0; /* a checkpoint in the backward pass tells the whole path once more */
    }
    w->phase = w->phase == MV_PHASE_OTHER ? MV_PHASE_FORWARD : w->phase;
  }
  if (mv_bytes_equal_string(part, "rematted_computation")) {
    w->phase = MV_PHASE_RECOMPUTE;
  } else if (mv_bytes_equal_string(part, "gradient_tape")) {
    w->phase = MV_PHASE_BACKWARD;
  }
  if (w->path != NULL && !around.compiles && !is_machinery(inside, previous)) {
    add(w, inside);
  }
}

static void take_parts(walk *w, mv_bytes op_name) {
  const uint8_t *end = op_name.size > 0 ? memchr(op_name.data, ';', op_name.size) : NULL;
  mv_bytes rest = end != NULL ? mv_bytes_of(op_name.data, (size_t)(end - op_name.data)) : op_name;
  mv_bytes previous = {0};
  mv_bytes part;
  while (cut_part(&part, &rest)) { /* the last one is the primitive */
    take_part(w, part, previous);
    previous = part;
  }
}

mv_phase mv_scope_phase(mv_bytes op_name) {
  walk w = {.phase = MV_PHASE_OTHER};
  take_parts(&w, op_name);
  return w.phase;
}

bool mv_scope_path(mv_bytes *out, mv_bytes op_name, mv_arena *arena, mv_status *status) {
  /* Parts are shorter than what they are cut from, and between two of them was a '/'. */
  walk w = {.phase = MV_PHASE_OTHER, .path = mv_arena_alloc(arena, op_name.size, status)};
  if (w.path == NULL) {
    return false;
  }
  take_parts(&w, op_name);
  *out = mv_bytes_of(w.path, w.path_size);
  return true;
}

/* ---- Layers ---- */

/* The end of the digits that begin at `i`. */
static size_t digits_end(mv_bytes text, size_t i) {
  while (i < text.size && is_digit(text.data[i])) {
    i++;
  }
  return i;
}

static size_t write_layer(uint8_t *out, mv_bytes part) {
  size_t size = 0;
  for (size_t i = 0; i < part.size;) {
    const size_t end = digits_end(part, i);
    const bool fills = end > i && i > 0 && part.data[i - 1] == '[' && end < part.size && part.data[end] == ']';
    if (end > i && (end == part.size || fills)) {
      out[size++] = '*';
      i = end;
      continue;
    }
    do { /* digits elsewhere stay, all of them */
      out[size++] = part.data[i++];
    } while (i < end);
  }
  return size;
}

bool mv_scope_layer(mv_bytes *out, mv_bytes path, mv_arena *arena, mv_status *status) {
  uint8_t *text = mv_arena_alloc(arena, path.size, status);
  if (text == NULL) {
    return false;
  }
  size_t size = 0;
  mv_bytes rest = path;
  mv_bytes part;
  for (bool more = true; more;) {
    more = cut_part(&part, &rest);
    size += write_layer(text + size, part);
    if (more) {
      text[size++] = '/';
    }
  }
  *out = mv_bytes_of(text, size);
  return true;
}

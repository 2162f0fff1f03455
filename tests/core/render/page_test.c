#include "core/render/page_test.h"

static mv_text instruction(int64_t id, const void *name, size_t name_size, const void *op_name, size_t op_name_size) {
  mv_text shape = MV_TEXT_INIT;
  mv_text metadata = MV_TEXT_INIT;
  mv_text out = MV_TEXT_INIT;
  pb_int(&shape, 2, 11); /* F32 */
  pb_int(&shape, 3, 8);
  pb_bytes(&metadata, 2, op_name, op_name_size);
  pb_bytes(&out, 1, name, name_size);
  pb_bytes(&out, 2, "add", 3);
  pb_message(&out, 3, &shape);
  pb_message(&out, 7, &metadata);
  pb_int(&out, 35, id);
  return out;
}

static mv_text buffer(int64_t id, int64_t size) {
  mv_text place = MV_TEXT_INIT;
  mv_text out = MV_TEXT_INIT;
  pb_int(&place, 4, id);
  pb_int(&out, 1, id);
  pb_int(&out, 2, size);
  pb_message(&out, 3, &place);
  return out;
}

static mv_text event(int64_t kind, int64_t id, int64_t canonical, const void *name, size_t name_size) {
  mv_text out = MV_TEXT_INIT;
  pb_int(&out, 1, kind);
  pb_int(&out, 2, id);
  pb_bytes(&out, 4, name, name_size);
  pb_int(&out, 5, canonical);
  return out;
}

static bool is_text(const char *name, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F) {
      return false;
    }
  }
  return mv_utf8_is_clean(mv_bytes_of(name, size));
}

mv_text proto_with(const void *name, size_t name_size, const void *op_name, size_t op_name_size, int64_t size) {
  mv_text computation = MV_TEXT_INIT;
  mv_text module = MV_TEXT_INIT;
  mv_text assignment = MV_TEXT_INIT;
  mv_text allocation = MV_TEXT_INIT;
  mv_text trace = MV_TEXT_INIT;
  mv_text out = MV_TEXT_INIT;
  mv_text part = instruction(1, name, name_size, op_name, op_name_size);
  pb_bytes(&computation, 1, "main", 4);
  pb_message(&computation, 2, &part);
  part = instruction(2, "second", 6, "", 0);
  pb_message(&computation, 2, &part);
  /* Files are told apart by their first 4 KiB, where all names have to be text: what is hostile comes behind them. */
  static const char filler[8192];
  part = instruction(3, "filler", 6, filler, sizeof filler);
  pb_message(&computation, 2, &part);
  pb_int(&computation, 5, 1);
  if (is_text(name, name_size)) { /* a module is told from other files by its name being text */
    pb_bytes(&module, 1, name, name_size);
  }
  pb_message(&module, 3, &computation);
  pb_int(&allocation, 1, 0);
  pb_int(&allocation, 2, size);
  for (int64_t id = 1; id <= 2; id++) {
    mv_text assigned = MV_TEXT_INIT;
    part = buffer(id, size);
    pb_message(&assignment, 1, &part);
    pb_int(&assigned, 1, id);
    pb_int(&assigned, 3, size);
    pb_message(&allocation, 9, &assigned);
  }
  pb_message(&assignment, 3, &allocation);
  part = event(0, 1, 0, name, name_size);
  pb_message(&trace, 1, &part);
  part = event(2, 2, 1, "second", 6);
  pb_message(&trace, 1, &part);
  pb_message(&assignment, 4, &trace);
  pb_message(&out, 1, &module);
  pb_message(&out, 3, &assignment);
  return out;
}

mv_text page_of(const char *path, mv_bytes bytes, const mv_limits *limits, size_t most_bytes, mv_status *status) {
  static const mv_limits none = {0};
  mv_text text = MV_TEXT_INIT;
  mv_source_cache *cache = mv_source_cache_new(&none, MV_SOURCE_CACHE_DEFAULT_BYTES, status);
  mv_source_ref *ref =
      path != NULL ? mv_source_cache_open(cache, path, status) : mv_source_cache_open_bytes(cache, bytes, status);
  if (ref != NULL && !mv_page(&text, cache, ref, limits != NULL ? limits : &none, most_bytes, status)) {
    mv_text_free(&text);
  }
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  return text;
}

static const char *find(mv_bytes text, const char *part) {
  const size_t size = strlen(part);
  for (size_t i = 0; i + size <= text.size; i++) {
    if (memcmp(text.data + i, part, size) == 0) {
      return (const char *)text.data + i;
    }
  }
  return NULL;
}

bool contains(mv_bytes text, const char *part) {
  return find(text, part) != NULL;
}

static mv_bytes bytes_of(const mv_text *page) {
  return mv_bytes_of(page->data, page->size);
}

bool page_contains(const mv_text *page, const char *part) {
  return contains(bytes_of(page), part);
}

size_t times(const mv_text *page, const char *part) {
  size_t n = 0;
  mv_bytes rest = bytes_of(page);
  for (const char *at; (at = find(rest, part)) != NULL; n++) {
    const char *next = at + strlen(part);
    rest = mv_bytes_of(next, (size_t)(page->data + page->size - next));
  }
  return n;
}

mv_bytes block_of(const mv_text *page, const char *id) {
  mv_text head = MV_TEXT_INIT;
  mv_text_format(&head, "<script type=\"application/json\" id=\"%s\">", id);
  const char *at = find(bytes_of(page), head.data);
  mv_bytes block = {0};
  if (at != NULL) {
    at += head.size;
    const char *end = find(mv_bytes_of(at, (size_t)(page->data + page->size - at)), "</script>");
    block = mv_bytes_of(at, end != NULL ? (size_t)(end - at) : 0);
  }
  mv_text_free(&head);
  return block;
}

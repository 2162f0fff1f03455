#include "page/page.h"

#include "base/json_write.h"
#include "page/assets.h"
#include "page/data.h"

typedef struct page {
  mv_text *text;
  mv_source_cache *cache;
  mv_source_ref *ref;
  const mv_limits *limits;
  size_t most_bytes;
  mv_status *status;
  mv_text index; /* of all */
} page;

static void add_string(mv_text *text, const char *key, const char *value) {
  mv_json_key(text, key);
  if (value != NULL && *value != '\0') {
    mv_json_string(text, mv_bytes_of_string(value));
  } else {
    mv_json_null(text);
  }
}

static void add_count(mv_text *text, const char *key, int64_t value) {
  mv_json_key(text, key);
  if (value >= 0) {
    mv_json_id(text, value);
  } else {
    mv_json_null(text);
  }
}

/* What the page needs to know of an entry to list it. */
static void add_entry(page *p, const mv_entry *entry, size_t i, const mv_module *m, const char *problem) {
  mv_text *index = &p->index;
  mv_json_begin(index, '{');
  add_count(index, "id", (int64_t)i + 1);
  add_string(index, "name", entry->name);
  mv_json_key(index, "program_id");
  if (entry->has_program_id) {
    mv_json_id(index, entry->program_id);
  } else {
    mv_json_null(index);
  }
  add_string(index, "path", entry->path);
  add_string(index, "problem", problem);
  if (m != NULL) {
    int64_t peak = 0;
    for (uint32_t s = 0; s < m->space_count; s++) {
      peak = m->spaces[s].peak_bytes > peak ? m->spaces[s].peak_bytes : peak;
    }
    add_string(index, "platform", mv_platform_name(m->platform));
    add_count(index, "peak_bytes", peak);
    add_count(index, "space_count", m->space_count);
    add_string(index, "entry_computation", entry->summary.entry_computation);
    add_count(index, "computation_count", m->computation_count);
    add_count(index, "instruction_count", m->instruction_count);
    add_count(index, "buffer_count", m->buffer_count);
    add_count(index, "allocation_count", m->allocation_count);
  }
}

static bool add_module(page *p, size_t i, const mv_module *m) {
  const mv_entry *entry = &mv_source_ref_source(p->ref)->entries[i];
  const size_t before = p->text->size;
  mv_text_format(p->text, "<script type=\"application/json\" id=\"module-%zu\">", i + 1);
  const size_t start = p->text->size;
  if (!mv_page_data(p->text, m, p->limits, p->status)) {
    return false;
  }
  add_entry(p, entry, i, m, entry->problem);
  if (before > p->most_bytes || p->text->size - start > p->most_bytes - before) {
    add_count(&p->index, "left_out_bytes", (int64_t)(p->text->size - start));
    mv_text_cut(p->text, before);
  } else {
    mv_text_add(p->text, "</script>\n");
  }
  mv_json_end(&p->index, '}');
  return true;
}

/* Every entry's data, then the index. False when none could be read, with the first one's reason. */
static bool add_modules(page *p) {
  const mv_source *source = mv_source_ref_source(p->ref);
  mv_status first = MV_STATUS_INIT;
  size_t shown = 0;
  mv_json_begin(&p->index, '{');
  add_string(&p->index, "version", MV_VERSION);
  add_string(&p->index, "source", source->path);
  add_count(&p->index, "most_bytes", (int64_t)p->most_bytes);
  mv_json_key(&p->index, "modules");
  mv_json_begin(&p->index, '[');
  for (size_t i = 0; i < source->count && mv_check_interrupt(p->limits, p->status); i++) {
    mv_status local = MV_STATUS_INIT;
    const mv_module *m = mv_source_cache_module(p->cache, p->ref, i, &local);
    if (m != NULL) {
      add_module(p, i, m);
      mv_source_cache_release_module(p->cache, p->ref, i);
      shown++;
    } else if (mv_status_is_passing(&local)) {
      *p->status = local;
    } else {
      add_entry(p, &source->entries[i], i, NULL, local.message);
      mv_json_end(&p->index, '}');
      first = first.code == MV_OK ? local : first;
    }
    if (p->status->code != MV_OK) {
      return false;
    }
  }
  mv_json_end(&p->index, ']');
  mv_json_end(&p->index, '}');
  if (shown == 0 && first.code != MV_OK && p->status->code == MV_OK) {
    *p->status = first;
    if (source->path != NULL) {
      mv_status_prefix(p->status, "'%s': ", source->path);
    }
  }
  mv_text_add(p->text, "<script type=\"application/json\" id=\"index\">");
  mv_text_append(p->text, p->index.data, p->index.size);
  mv_text_add(p->text, "</script>\n");
  p->text->failed = p->text->failed || p->index.failed;
  return p->status->code == MV_OK;
}

/* The title names the file or folder, not the whole path to it. */
static void add_title(page *p) {
  const char *path = mv_source_ref_source(p->ref)->path;
  if (path == NULL) {
    return;
  }
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/') {
    end--;
  }
  size_t start = end;
  while (start > 0 && path[start - 1] != '/') {
    start--;
  }
  mv_text_xml(p->text, mv_bytes_of(path + start, end - start));
  mv_text_add(p->text, " \xE2\x80\x93 ");
}

/* The template with its marks filled in. */
static bool add_template(page *p) {
  static const char marks[][12] = {"{{title}}", "{{style}}", "{{data}}", "{{script}}"};
  const char *rest = (const char *)mv_page_html;
  const char *const end = rest + mv_page_html_size;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const size_t size = strlen(marks[i]);
    const char *at = rest;
    while (at + size <= end && memcmp(at, marks[i], size) != 0) {
      at++;
    }
    mv_text_append(p->text, rest, (size_t)(at - rest));
    rest = at + size;
    switch (i) {
      case 0: add_title(p); break;
      case 1: mv_text_append(p->text, mv_page_css, mv_page_css_size); break;
      case 2:
        if (!add_modules(p)) {
          return false;
        }
        break;
      default: mv_text_append(p->text, mv_page_js, mv_page_js_size); break;
    }
  }
  mv_text_append(p->text, rest, (size_t)(end - rest));
  return true;
}

bool mv_page(mv_text *text, mv_source_cache *cache, mv_source_ref *ref, const mv_limits *limits, size_t most_bytes,
             mv_status *status) {
  page p = {.text = text,
            .cache = cache,
            .ref = ref,
            .limits = limits,
            .most_bytes = most_bytes,
            .status = status,
            .index = MV_TEXT_INIT};
  add_template(&p);
  mv_text_free(&p.index);
  if (text->failed) {
    mv_fail_nomem(status);
  }
  return status->code == MV_OK;
}

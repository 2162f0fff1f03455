#include "render/choose.h"

#include <inttypes.h>
#include <stdio.h>

#include "render/label.h"

enum { LISTED = 8, NAME_SHOWN = 48 };

/* A list for an error's message, shortened: "1 jit_f(17), 2 jit_g(18) and 3 more". */
typedef struct list {
  mv_text text;
  size_t count;
} list;

// clang-format off
#define LIST_INIT {MV_TEXT_INIT, 0}
// clang-format on

/* Whether the next item is shown; its separator is added. */
static bool list_next(list *l) {
  if (l->count++ >= LISTED) {
    return false;
  }
  if (l->count > 1) {
    mv_text_add(&l->text, ", ");
  }
  return true;
}

/* The message with the list behind it. Always false. */
static bool list_fail(list *l, mv_status *status, const char *words) {
  if (l->count > LISTED) {
    mv_text_format(&l->text, " and %zu more", l->count - LISTED);
  }
  if (l->text.failed) {
    mv_fail_nomem(status);
  } else {
    mv_fail(status, MV_ARGUMENT, "%s%s", words, l->text.data != NULL ? l->text.data : "none");
  }
  mv_text_free(&l->text);
  return false;
}

/* mv_fail with words made of a name that may be long. */
static bool fail_named(list *l, mv_status *status, const char *before, const char *name, const char *after) {
  mv_text words = MV_TEXT_INIT;
  mv_text_add(&words, before);
  mv_label_line(&words, mv_bytes_of_string(name), NAME_SHOWN);
  mv_text_add(&words, after);
  if (words.failed) {
    mv_fail_nomem(status);
  }
  list_fail(l, status, words.failed ? "" : words.data);
  mv_text_free(&words);
  return false;
}

static void list_module(list *l, const mv_entry *entry, size_t index, bool with_file) {
  if (!list_next(l)) {
    return;
  }
  mv_text_format(&l->text, "%zu", index + 1);
  if (entry->name != NULL) {
    mv_text_char(&l->text, ' ');
    mv_label_line(&l->text, mv_bytes_of_string(entry->name), NAME_SHOWN);
    if (entry->has_program_id) {
      mv_text_format(&l->text, "(%" PRId64 ")", entry->program_id);
    }
  }
  if (with_file && entry->path != NULL) {
    const char *slash = strrchr(entry->path, '/');
    mv_text_add(&l->text, " of ");
    mv_label_line(&l->text, mv_bytes_of_string(slash != NULL ? slash + 1 : entry->path), NAME_SHOWN);
  }
}

/* A number that came as text, as dashboards pass their parameters. */
static bool number_of(int64_t *out, const char *text) {
  int end = 0;
  return sscanf(text, "%" SCNd64 "%n", out, &end) == 1 && text[end] == '\0' && text[0] != ' ';
}

/* The module of an entry, held; NULL with its failure when it can't be read or has no buffer assignment. */
static const mv_module *load(mv_source_cache *cache, mv_source_ref *ref, size_t index, mv_status *status) {
  const mv_entry *entry = &mv_source_ref_source(ref)->entries[index];
  const mv_module *m = mv_source_cache_module(cache, ref, index, status);
  if (m != NULL && !m->has_assignment) {
    mv_fail(status, MV_FORMAT, "%s", m->problem);
    mv_source_cache_release_module(cache, ref, index);
    m = NULL;
  }
  if (m == NULL) {
    mv_entry_prefix(status, entry);
  }
  return m;
}

/* The space that was asked for. MV_NONE when there is none: with the default only where the module has no space. */
static uint32_t find_space(const mv_module *m, mv_selector space) {
  int64_t colors[MV_SPACE_COLORS] = {0};
  size_t count = 1;
  if (space.kind == MV_SELECT_NUMBER) {
    colors[0] = space.number;
  } else if (space.kind == MV_SELECT_NAME) {
    count = mv_space_colors(colors, m->platform, space.name);
    count = count == 0 && number_of(&colors[0], space.name) ? 1 : count;
  }
  uint32_t found = MV_NONE;
  for (size_t i = 0; i < count && found == MV_NONE; i++) {
    found = mv_module_find_space(m, colors[i]);
  }
  return found == MV_NONE && space.kind == MV_SELECT_DEFAULT && m->space_count > 0 ? 0 : found;
}

static bool fail_space(const mv_module *m, mv_selector space, mv_status *status) {
  list l = LIST_INIT;
  for (uint32_t i = 0; i < m->space_count; i++) {
    char buffer[MV_SPACE_NAME];
    if (list_next(&l)) {
      mv_text_format(&l.text, "%s (%" PRId64 ")", mv_space_name(m->platform, m->spaces[i].color, buffer),
                     m->spaces[i].color);
    }
  }
  if (space.kind == MV_SELECT_NAME) {
    return fail_named(&l, status, "the module has no memory space '", space.name, "'; its memory spaces: ");
  }
  char number[32];
  snprintf(number, sizeof number, "%" PRId64, space.number);
  return fail_named(&l, status, "the module has no memory space with color ", number, "; its memory spaces: ");
}

static int64_t largest_peak(const mv_module *m) {
  int64_t largest = -1;
  for (uint32_t i = 0; i < m->space_count; i++) {
    largest = m->spaces[i].peak_bytes > largest ? m->spaces[i].peak_bytes : largest;
  }
  return largest;
}

/* The first module with the largest peak among those that have the space; where none has it, the first that can be
 * read, for the message to list its spaces. */
static bool choose_largest(mv_choice *out, mv_source_cache *cache, mv_source_ref *ref, mv_selector space,
                           mv_status *status) {
  const mv_source *source = mv_source_ref_source(ref);
  mv_status first = MV_STATUS_INIT; /* why the first entry that gave nothing did so */
  int64_t largest = INT64_MIN;
  for (size_t i = 0; i < source->count; i++) {
    mv_status local = MV_STATUS_INIT;
    const mv_module *m = load(cache, ref, i, &local);
    if (m == NULL) {
      if (mv_status_is_passing(&local)) {
        *status = local;
        mv_choice_release(out, cache, ref);
        return false;
      }
      first = first.code == MV_OK ? local : first;
      continue;
    }
    const bool has_space = find_space(m, space) != MV_NONE;
    const int64_t peak = has_space ? largest_peak(m) : -2;
    if (peak > largest) {
      mv_choice_release(out, cache, ref);
      *out = (mv_choice){.index = i, .module = m};
      largest = peak;
    } else {
      mv_source_cache_release_module(cache, ref, i);
    }
  }
  if (out->module == NULL) {
    if (first.code == MV_OK) {
      return mv_fail(status, MV_ARGUMENT, "there is no module in the source");
    }
    *status = first;
  }
  return out->module != NULL;
}

typedef enum match { MATCH_NONE, MATCH_NAME, MATCH_PROGRAM } match;

/* What follows `part` at `text`; NULL when it does not stand there. */
static const char *behind(const char *text, const char *part) {
  const size_t n = strlen(part);
  return strncmp(text, part, n) == 0 ? text + n : NULL;
}

/* What follows "(17)". An id above 2^63 is negative as a number and positive in XProf's names: both are taken. */
static const char *behind_id(const char *text, int64_t id) {
  char part[32];
  snprintf(part, sizeof part, "(%" PRId64 ")", id);
  const char *rest = behind(text, part);
  if (rest == NULL) {
    snprintf(part, sizeof part, "(%" PRIu64 ")", (uint64_t)id);
    rest = behind(text, part);
  }
  return rest;
}

static match match_entry(const mv_entry *entry, const char *text) {
  const char *rest = entry->name != NULL ? behind(text, entry->name) : NULL;
  if (rest == NULL) {
    return MATCH_NONE;
  }
  const char *behind_program = entry->has_program_id ? behind_id(rest, entry->program_id) : NULL;
  rest = behind_program != NULL ? behind_program : rest;
  const bool is_of_host = *rest == '@' && entry->host != NULL && strcmp(rest + 1, entry->host) == 0;
  return *rest != '\0' && !is_of_host ? MATCH_NONE : behind_program != NULL ? MATCH_PROGRAM : MATCH_NAME;
}

static bool ends_with_host(const char *text, const char *host) {
  const size_t n = strlen(text);
  const size_t size = host != NULL ? strlen(host) : n;
  return n > size && text[n - size - 1] == '@' && strcmp(text + n - size, host) == 0;
}

/* Whether only the module itself can tell if it is meant: its name or its program id is not known yet. */
static bool must_be_loaded(const mv_entry *entry, const char *name) {
  if (!entry->is_readable || entry->summary.is_known) {
    return false;
  }
  const size_t n = entry->name != NULL ? strlen(entry->name) : 0;
  return entry->name == NULL || (!entry->has_program_id && strncmp(entry->name, name, n) == 0 && name[n] == '(');
}

static bool find_id(size_t *index, mv_source_ref *ref, int64_t id, mv_status *status) {
  const mv_source *source = mv_source_ref_source(ref);
  if (id >= 1 && (uint64_t)id <= source->count) {
    *index = (size_t)id - 1;
    return true;
  }
  list l = LIST_INIT;
  for (size_t i = 0; i < source->count; i++) {
    list_module(&l, &source->entries[i], i, false);
  }
  char words[80];
  snprintf(words, sizeof words, "there is no module_id %" PRId64 "; the modules: ", id);
  return list_fail(&l, status, words);
}

/* What a name fits. */
typedef struct fitting {
  list list;
  size_t first;
  bool are_programs;     /* all by their program id */
  bool is_first_of_host; /* the others are of other hosts than the first */
  bool has_hosts;        /* of different names */
  bool has_programs;     /* of different ids, or of none */
  bool is_by_host;       /* found by '@host' */
} fitting;

static void add_fitting(fitting *f, const mv_source *source, size_t index, match how, bool is_by_host) {
  const mv_entry *entry = &source->entries[index];
  const mv_entry *first = &source->entries[f->first];
  if (f->list.count == 0) {
    f->first = index;
    f->are_programs = true;
    f->is_first_of_host = entry->host != NULL;
  } else {
    const bool is_apart = entry->host != NULL && first->host != NULL && strcmp(entry->host, first->host) != 0;
    f->is_first_of_host = f->is_first_of_host && is_apart;
    f->has_hosts = f->has_hosts || is_apart;
    f->has_programs = f->has_programs || !first->has_program_id || entry->program_id != first->program_id;
  }
  f->is_by_host = f->is_by_host || is_by_host;
  f->are_programs = f->are_programs && how == MATCH_PROGRAM;
  list_module(&f->list, entry, index, true);
}

/* What tells apart the modules that a name fits. */
static const char *way_out(const fitting *f) {
  return f->has_hosts || (f->has_programs && f->is_by_host) ? "', give a module_id or 'name(program_id)@host': "
         : f->has_programs                                  ? "', give a module_id or 'name(program_id)': "
                                                            : "', give a module_id: ";
}

/* Have the entry tell its name and program id, where these are needed to know whether it is meant. */
static bool know_entry(mv_source_cache *cache, mv_source_ref *ref, size_t index, const char *name, mv_status *status) {
  if (!must_be_loaded(&mv_source_ref_source(ref)->entries[index], name)) {
    return true;
  }
  mv_status local = MV_STATUS_INIT;
  if (mv_source_cache_module(cache, ref, index, &local) != NULL) {
    mv_source_cache_release_module(cache, ref, index);
  } else if (mv_status_is_passing(&local)) {
    *status = local;
    return false;
  }
  return true;
}

/* The one entry of a name, or the first of a program that several hosts ran; a number that is no name is a module_id.
 */
static bool find_named(size_t *index, mv_source_cache *cache, mv_source_ref *ref, const char *name, mv_status *status) {
  const mv_source *source = mv_source_ref_source(ref);
  list all = LIST_INIT;
  fitting f = {.list = LIST_INIT};
  bool ok = true;
  for (size_t i = 0; ok && i < source->count; i++) {
    ok = know_entry(cache, ref, i, name, status);
    const match how = match_entry(&source->entries[i], name);
    if (how != MATCH_NONE) {
      add_fitting(&f, source, i, how, ends_with_host(name, source->entries[i].host));
    }
    list_module(&all, &source->entries[i], i, false);
  }
  int64_t id;
  if (ok && f.list.count == 0 && number_of(&id, name)) {
    ok = find_id(index, ref, id, status);
  } else if (ok && f.list.count == 0) {
    ok = fail_named(&all, status, "no module is named '", name, "'; the modules: ");
  } else if (ok && f.list.count > 1 && !(f.are_programs && f.is_first_of_host)) {
    ok = fail_named(&f.list, status, "several modules are named '", name, way_out(&f));
  } else if (ok) {
    *index = f.first;
  }
  mv_text_free(&all.text);
  mv_text_free(&f.list.text);
  return ok;
}

bool mv_choose(mv_choice *out, mv_source_cache *cache, mv_source_ref *ref, mv_selector module, mv_selector space,
               mv_status *status) {
  *out = (mv_choice){.space = MV_NONE};
  if (module.kind == MV_SELECT_DEFAULT) {
    if (!choose_largest(out, cache, ref, space, status)) {
      return false;
    }
  } else {
    const bool ok = module.kind == MV_SELECT_NUMBER ? find_id(&out->index, ref, module.number, status)
                                                    : find_named(&out->index, cache, ref, module.name, status);
    out->module = ok ? load(cache, ref, out->index, status) : NULL;
    if (out->module == NULL) {
      return false;
    }
  }
  out->space = find_space(out->module, space);
  if (out->space == MV_NONE && space.kind != MV_SELECT_DEFAULT) {
    fail_space(out->module, space, status);
    mv_choice_release(out, cache, ref);
    return false;
  }
  return true;
}

void mv_choice_release(mv_choice *choice, mv_source_cache *cache, mv_source_ref *ref) {
  if (choice->module != NULL) {
    mv_source_cache_release_module(cache, ref, choice->index);
    choice->module = NULL;
  }
}

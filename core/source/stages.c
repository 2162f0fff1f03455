#include "source/stages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "source/device.h"
#include "source/head.h"
#include "source/stream.h"
#include "wire/fields.h"
#include "wire/wire.h"

bool mv_folder_file_is_staged(const mv_folder_file *f) {
  return f->kind == MV_NAME_DUMP || f->kind == MV_NAME_SNAPSHOT || f->kind == MV_NAME_RIEGELI ||
         f->kind == MV_NAME_DEVICE || (f->kind == MV_NAME_OTHER && f->format != MV_FORMAT_XSPACE);
}

bool mv_folder_group_damaged(mv_folder *w) {
  mv_folder_file *files = w->files.items;
  const char **groups = mv_arena_zalloc(w->scratch, w->files.count, sizeof *groups, w->listing->status);
  if (groups == NULL) {
    return false;
  }
  size_t count = 0;
  for (size_t i = 0; i < w->files.count; i++) {
    if (files[i].group != NULL) {
      groups[count++] = files[i].group;
    }
  }
  if (count > 1) {
    qsort(groups, count, sizeof *groups, mv_folder_compare_strings);
  }
  for (size_t i = 0; i < w->files.count; i++) {
    mv_folder_file *f = &files[i];
    if (mv_folder_file_is_staged(f) && f->name == NULL &&
        !mv_name_group_of_damaged(&f->group, f->path, groups, count, w->scratch, w->listing->status)) {
      return false;
    }
  }
  return true;
}

/* Whether an HloProto has a buffer assignment: the field behind the module, which is skipped. A file that is cut
 * gets its problem. */
static bool find_assignment(mv_folder *w, mv_folder_file *f, bool *has_it) {
  mv_listing *l = w->listing;
  mv_status local = MV_STATUS_INIT;
  *has_it = f->format == MV_FORMAT_BUFFER_ASSIGNMENT_PROTO;
  if (f->problem != NULL || f->format != MV_FORMAT_HLO_PROTO) {
    return true;
  }
  mv_stream *stream = mv_stream_open(f->path, l->limits, &local);
  mv_bytes head;
  bool ok = stream != NULL;
  while (ok && mv_stream_peek(stream, &head, &local) && head.size > 0) {
    mv_wire wire = mv_wire_of(head);
    mv_tag tag = {0};
    ok = mv_wire_next(&wire, &tag) || (wire.fault == MV_FAULT_CUT && tag.type == MV_LENGTH && tag.bytes.data != NULL);
    *has_it = *has_it || (ok && tag.field == MV_HLO_BUFFER_ASSIGNMENT);
    if (!ok || (*has_it && mv_stream_is_gzip(stream))) { /* to see that it is whole would mean unpacking it */
      break;
    }
    uint64_t skipped;
    const uint64_t size =
        tag.type == MV_LENGTH ? (uint64_t)(tag.bytes.data - head.data) + tag.value : (uint64_t)(wire.p - head.data);
    ok = mv_stream_skip(stream, size, &skipped, &local);
    if (ok && skipped < size) {
      *has_it = false;
      ok = mv_fail(&local, MV_FORMAT, "cut short at byte %" PRIu64 " of field %s", mv_stream_position(stream),
                   tag.field == MV_HLO_MODULE              ? "hlo_module"
                   : tag.field == MV_HLO_BUFFER_ASSIGNMENT ? "buffer_assignment"
                                                           : "HloProto");
    }
  }
  mv_stream_close(stream);
  if (mv_status_is_passing(&local)) {
    *l->status = local;
    return false;
  }
  if (local.code != MV_OK) {
    f->problem = mv_listing_keep_clean(l, mv_bytes_of_string(local.message));
  }
  return l->status->code == MV_OK;
}

static int compare_stages(const void *a, const void *b) {
  const mv_folder_file *x = a;
  const mv_folder_file *y = b;
  const int by_group = strcmp(x->group, y->group);
  return by_group != 0 ? by_group : x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(y->path, x->path);
}

/* What the files of a group tell of the device that its module was compiled for. */
static bool take_devices(mv_folder *w, mv_entry *e, const mv_folder_file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!mv_folder_watch(w, files[i].path, &files[i].file_id) || !mv_device_take(e, files[i].path, w->listing)) {
      return false;
    }
  }
  return true;
}

/* The stages of one module, best rank first, then files that tell its device. */
static bool add_group(mv_folder *w, mv_folder_file *files, size_t count) {
  const size_t all = count;
  while (count > 0 && files[count - 1].kind == MV_NAME_DEVICE) {
    count--;
  }
  size_t chosen = count;
  const mv_folder_file *scoped = NULL;
  bool has_assignment = false;
  for (size_t i = 0; i < count && !has_assignment; i++) {
    if (count > 1 && !find_assignment(w, &files[i], &has_assignment)) {
      return false;
    }
    if (has_assignment || (chosen == count && files[i].problem == NULL)) {
      chosen = i;
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (mv_name_is_codegen(files[i].path) && files[i].problem == NULL && i != chosen) {
      scoped = &files[i];
    }
    /* With the module at hand a damaged stage of it is of no interest, until it is written anew; without, it may be the
     * reason. */
    if (files[i].problem != NULL &&
        !(has_assignment ? mv_folder_watch(w, files[i].path, &files[i].file_id) : mv_folder_add_file(w, &files[i]))) {
      return false;
    }
  }
  if (chosen == count) {
    return true;
  }
  if (!mv_folder_add_file(w, &files[chosen])) {
    return false;
  }
  mv_entry *e = &((mv_entry *)w->listing->entries.items)[w->listing->entries.count - 1];
  if (scoped != NULL) {
    e->scoped_path = scoped->path;
    e->scoped_file_id = scoped->file_id;
  }
  return take_devices(w, e, files + count, all - count);
}

bool mv_folder_add_groups(mv_folder *w) {
  mv_folder_file *files = w->files.items;
  mv_folder_file *grouped = mv_arena_zalloc(w->scratch, w->files.count, sizeof *grouped, w->listing->status);
  if (grouped == NULL) {
    return false;
  }
  size_t count = 0;
  for (size_t i = 0; i < w->files.count; i++) {
    if (files[i].kind == MV_NAME_NONE || files[i].kind == MV_NAME_CACHE) {
      continue;
    }
    if (files[i].group != NULL) {
      grouped[count++] = files[i];
    } else if (files[i].kind != MV_NAME_DEVICE && !mv_folder_add_file(w, &files[i])) {
      return false;
    }
  }
  if (count > 1) {
    qsort(grouped, count, sizeof *grouped, compare_stages);
  }
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && strcmp(grouped[end].group, grouped[i].group) == 0) {
      end++;
    }
    if (!mv_check_interrupt(w->listing->limits, w->listing->status) || !add_group(w, grouped + i, end - i)) {
      return false;
    }
    i = end;
  }
  return true;
}

#include "support/profile_builder.h"

enum { HLO_STAT = 7, PROGRAM_ID_STAT = 5 };

static void add_stat_metadata(mv_text *plane, int64_t id, const char *name, bool key_only) {
  mv_text metadata = MV_TEXT_INIT;
  mv_text entry = MV_TEXT_INIT;
  if (!key_only) {
    pb_int(&metadata, 1, id);
  }
  pb_string(&metadata, 2, name);
  pb_int(&entry, 1, id);
  pb_message(&entry, 2, &metadata);
  pb_message(plane, 5, &entry);
}

static void add_program(mv_text *plane, const profile_plane *options, const profile_program *program, int64_t id) {
  mv_text event = MV_TEXT_INIT;
  mv_text entry = MV_TEXT_INIT;
  pb_int(&event, 1, id);
  if (program->event != NULL) {
    pb_string(&event, 2, program->event);
  }
  if (program->is_old) {
    pb_bytes(&event, 3, program->module.data, program->module.size);
  } else if (program->module.size > 0) {
    mv_text stat = MV_TEXT_INIT;
    pb_int(&stat, 1, HLO_STAT);
    pb_bytes(&stat, 6, program->module.data, program->module.size);
    pb_message(&event, 5, &stat);
  }
  if (program->has_stat) {
    mv_text stat = MV_TEXT_INIT;
    pb_int(&stat, 1, options->stat_id != 0 ? options->stat_id : PROGRAM_ID_STAT);
    pb_int(&stat, program->is_signed ? 4 : 3, (int64_t)program->id);
    pb_message(&event, 5, &stat);
  }
  pb_int(&entry, 1, id);
  pb_message(&entry, 2, &event);
  pb_message(plane, 4, &entry);
}

static void add_stats(mv_text *plane, const profile_plane *options) {
  add_stat_metadata(plane, HLO_STAT, "hlo_proto", options->key_only);
  add_stat_metadata(plane, options->stat_id != 0 ? options->stat_id : PROGRAM_ID_STAT, "program_id", options->key_only);
}

void profile_add(mv_text *space, profile_plane options, const profile_program *programs, size_t count) {
  mv_text plane = MV_TEXT_INIT;
  if (options.id != 0) {
    pb_int(&plane, 1, options.id);
  }
  if (options.name != NULL && !options.name_last) {
    pb_string(&plane, 2, options.name);
  }
  if (options.stats_first) {
    add_stats(&plane, &options);
  }
  for (size_t i = 0; i < count; i++) {
    add_program(&plane, &options, &programs[i], (int64_t)i + 1);
  }
  if (!options.stats_first && count > 0) {
    add_stats(&plane, &options);
  }
  if (options.name != NULL && options.name_last) {
    pb_string(&plane, 2, options.name);
  }
  pb_message(space, 1, &plane);
}

void profile_add_traces(mv_text *space, const char *name, size_t events) {
  mv_text plane = MV_TEXT_INIT;
  mv_text line = MV_TEXT_INIT;
  pb_int(&plane, 1, 2);
  pb_string(&plane, 2, name);
  pb_int(&line, 1, 1);
  pb_string(&line, 2, "XLA Ops");
  for (size_t i = 0; i < events; i++) {
    mv_text event = MV_TEXT_INIT;
    pb_int(&event, 1, 3);
    pb_int(&event, 2, (int64_t)i * 1000);
    pb_int(&event, 3, 900);
    pb_message(&line, 4, &event);
  }
  pb_message(&plane, 3, &line);
  pb_message(space, 1, &plane);
}

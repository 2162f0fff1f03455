/* findings_build.h: findings in the making; private to findings*.c. */
#ifndef MV_ANALYSIS_FINDINGS_BUILD_H
#define MV_ANALYSIS_FINDINGS_BUILD_H

#include "analysis/explanation.h"
#include "analysis/finding.h"
#include "analysis/live.h"
#include "model/graph.h"

/* Of one memory space. */
typedef struct mv_findings_build {
  const mv_module *module;
  uint32_t space;
  const char *space_name;
  mv_live_list live;                   /* at the peak */
  const mv_explanation **explanations; /* of each of `live`; NULL where it has no buffer */
  mv_arena *arena;                     /* of the findings */
  mv_arena *scratch;                   /* of this space */
  const mv_limits *limits;
  mv_status *status;
  mv_array findings; /* mv_finding */
  mv_text text;      /* of the finding in the making */
  size_t steps;
} mv_findings_build;

/* One kind each; false when memory ran out or the host wants to stop. */
bool mv_findings_add_groups(mv_findings_build *b);
bool mv_findings_add_copies(mv_findings_build *b);
bool mv_findings_add_donations(mv_findings_build *b);

/* Add a finding with the sentence in b->text, which is empty then. */
bool mv_findings_add(mv_findings_build *b, mv_finding finding);

/* Called once for each step of a loop. */
bool mv_findings_step(mv_findings_build *b);

/* What a row of `live` is called: its attributed_op_name, else its instruction; {NULL, 0} when it has neither. */
mv_bytes mv_findings_name(const mv_findings_build *b, size_t row);

/* Append a name from the file in one line, a long one cut; "(no name)" for {NULL, 0}. */
void mv_findings_put_name(mv_text *text, mv_bytes name);

/* Append "12.0 GiB (23 % of the peak of HBM)". */
void mv_findings_put_amount(mv_findings_build *b, int64_t bytes);

/* Append "23 %": a part of a whole. */
void mv_findings_put_percent(mv_text *text, int64_t part, int64_t whole);

/* Whether `bytes` are at least `percent` % of `whole`. */
bool mv_findings_is_share(int64_t bytes, int64_t whole, int percent);

#endif

/* findings.h: what an expert would say of a module's memory: where it goes, what usually helps, and how sure that is.
 *
 *   'group'          a layer without which the peak falls by 5 % or more
 *   'padding'        a buffer at the peak that takes twice what its elements need, or more
 *   'copy'           a buffer that is live together with what it copies
 *   'donation'       an argument whose memory a result could take over
 *   'unused'         an allocation that is larger than what is ever occupied of it at once
 *   'overlap'        a peak above what is allocated: blocks in place of each other are counted twice
 *   'over capacity'  a memory space that needs more than the device has
 */
#ifndef MV_ANALYSIS_FINDINGS_H
#define MV_ANALYSIS_FINDINGS_H

#include "analysis/finding.h"
#include "base/limits.h"

typedef struct mv_finding_list {
  const mv_finding *items; /* most bytes first; of equals by space, then kind */
  size_t count;
} mv_finding_list;

/* 'group', 'padding', ... Static. */
const char *mv_finding_name(uint8_t kind);

/* The findings of a module. `device` and `memory_bytes` are as in mv_device_capacity; without a device nothing is over
 * capacity. All others are found at the first call and kept with the module; the list lives in `arena`. False when
 * memory ran out or the host wants to stop, and as mv_module_graph fails. */
bool mv_findings_of(mv_finding_list *out, const mv_module *module, const char *device, int64_t memory_bytes,
                    mv_arena *arena, const mv_limits *limits, mv_status *status);

#endif

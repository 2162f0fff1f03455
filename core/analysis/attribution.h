/* attribution.h: how the name of a buffer's data was found. */
#ifndef MV_ANALYSIS_ATTRIBUTION_H
#define MV_ANALYSIS_ATTRIBUTION_H

#include <stdint.h>

/* How the name was found; the order is that of the rules: the first that holds. */
typedef enum mv_attribution {
  MV_ATTRIBUTION_NONE,     /* no name was found */
  MV_ATTRIBUTION_ARGUMENT, /* an argument of the program */
  MV_ATTRIBUTION_ELEMENT,  /* what makes this one of the results of a fusion with several */
  MV_ATTRIBUTION_OWN,      /* the instruction has it itself */
  MV_ATTRIBUTION_FUSED,    /* an instruction inside of its fusion has it */
  MV_ATTRIBUTION_MOVED,    /* the data was only moved since */
  MV_ATTRIBUTION_USER,     /* what needs the data last */
  MV_ATTRIBUTION_COMPUTED, /* one nameless operation lies between */
} mv_attribution;

/* 'argument', 'element', ...; NULL for MV_ATTRIBUTION_NONE. Static. */
const char *mv_attribution_name(uint8_t attribution);

#endif

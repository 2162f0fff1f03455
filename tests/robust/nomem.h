/* nomem.h: making the n-th allocation fail.
 *
 * Ours are those of core and ext: the program is linked with --wrap=malloc and its kin, which catches the calls in our
 * own objects; zlib and protobuf-c allocate through functions of ours. SQLite's go through a wrapper around its own
 * methods (SQLITE_CONFIG_MALLOC), without lookaside memory, so that each is seen.
 */
#ifndef MV_TESTS_NOMEM_H
#define MV_TESTS_NOMEM_H

#include <stdbool.h>

typedef enum nomem_kind { NOMEM_OURS, NOMEM_SQLITE, NOMEM_KINDS } nomem_kind;

/* Before SQLite is used. */
void nomem_install(void);

/* From now on: the n-th allocation of that kind fails, and all behind it when `stays` is true. */
void nomem_arm(nomem_kind kind, long n, bool stays);

/* No allocation fails any more; whether one did. */
bool nomem_disarm(void);

/* Allocations of ours that were not freed. */
long nomem_live(void);

#endif

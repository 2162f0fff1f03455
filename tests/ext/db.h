/* db.h: a connection with the extension in it, and its answers as text. */
#ifndef MV_TESTS_DB_H
#define MV_TESTS_DB_H

#include <sqlite3.h>
#include <stdbool.h>

/* A connection to a database in memory; by default the entry point that opens files. */
sqlite3 *db_open(void);
sqlite3 *db_open_nofs(void);

/* Close it; everything must be finalized. */
void db_close(sqlite3 *db);

/* The entry points, linked. */
int sqlite3_memview_init(sqlite3 *db, char **error, const void *api);
int sqlite3_memview_nofs_init(sqlite3 *db, char **error, const void *api);

/* All rows: values separated by '|', rows by '\n', NULL as NULL; of an error "error: message". Freed with free(). */
char *db_ask(sqlite3 *db, const char *sql);

/* Run it and compare. */
void db_expect(sqlite3 *db, const char *sql, const char *expected);

/* Run it and expect an error whose message has `part` in it. */
void db_expect_error(sqlite3 *db, const char *sql, const char *part);

/* Run statements that must not fail. */
void db_do(sqlite3 *db, const char *sql);

/* Steps of SQLite's machine that a statement took; its rows in *rows. */
int db_steps(sqlite3 *db, const char *sql, int *rows);

/* The plan: one detail a line. Freed with free(). */
char *db_plan(sqlite3 *db, const char *sql);

#define DATA MV_TEST_DATA "/"
#define MLP "'" MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb'"

#endif

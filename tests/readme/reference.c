/* reference: the README's reference of tables and functions, made of the descriptions that the extension registers.
 *
 * Prints Markdown. Ends with status 1 and names it when something has no documentation.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "functions.h"
#include "tables/tables.h"

static bool is_complete = true;

static const char *checked(const char *doc, const char *of, const char *name) {
  if (doc == NULL || doc[0] == '\0') {
    fprintf(stderr, "%s%s%s has no documentation\n", of, of[0] != '\0' ? "." : "", name);
    is_complete = false;
    return "";
  }
  return doc;
}

/* A cell of a table: a bar would end it. */
static void print_cell(const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '|') {
      putchar('\\');
    }
    putchar(*text);
  }
}

static void print_column(const mv_column *c, const char *table) {
  printf("| `%s` | %.*s | ", c->name, (int)strcspn(c->type, " "), c->type); /* without its collation */
  print_cell(checked(c->doc, table, c->name));
  puts(" |");
}

static void print_columns(const mv_column *columns, size_t count, const char *table) {
  puts("\n| column | type | |\n|---|---|---|");
  for (size_t i = 0; i < count; i++) {
    print_column(&columns[i], table);
  }
}

/* What comes before the table's own columns. */
static const char *common_columns(const mv_table *t) {
  switch (mv_table_common_count(t)) {
    case 0: return "Its columns";
    case MV_COMMON_SPACE: return "After `module_id` and `module`";
    default: return "After `module_id`, `module`, `memory_space`, `color`";
  }
}

/* Arguments behind the source are optional. */
static void print_arguments(const mv_table *t) {
  const int count = mv_table_hidden_count(t);
  if (count < 2) {
    return;
  }
  printf("\n`%s(", t->name);
  for (int i = 0; i < count; i++) {
    printf("%s%s", i > 0 ? ", " : "", t->hidden[i].name);
  }
  printf(")`");
  const char *join = ": ";
  for (int i = 0; i < count; i++) {
    if (t->hidden[i].doc != NULL) {
      printf("%s`%s` is %s", join, t->hidden[i].name, t->hidden[i].doc);
      join = "; ";
    }
  }
  puts(".");
  if (t->hidden[count - 1].kind != MV_HIDDEN_SOURCE) {
    const char *last = t->hidden[count - 1].name;
    printf("It is given so, or by `\"%s\" =` and `\"%s\" IN`; other comparisons are errors%s.\n", last, last,
           t->hidden[count - 1].kind == MV_HIDDEN_AT ? ", as are positions behind the end of the program" : "");
  }
}

static void print_table(const mv_table *t) {
  printf("\n#### %s\n\n%s. %s:\n", t->name, checked(t->doc, "", t->name), common_columns(t));
  print_columns(t->columns, t->column_count, t->name);
  print_arguments(t);
}

int main(void) {
  puts("\n### Tables\n\n"
       "The first argument is the source, a path or a BLOB: `memory_spaces('dump')`. It may be left out after\n"
       "`memview_open`, or when the environment variable `MEMVIEW_SOURCE` names one. Sizes are in bytes. What is not\n"
       "known is NULL, and of the source NULL there are no rows. Nearly all tables begin with the first two of these\n"
       "columns, most with all four:");
  print_columns(mv_common_columns, MV_COMMON_COUNT, "common");
  for (size_t i = 0; i < mv_table_count; i++) {
    print_table(mv_tables[i]);
  }
  puts("\n### Functions\n\n| function | |\n|---|---|");
  for (size_t i = 0; i < mv_function_count; i++) {
    const mv_function *f = &mv_functions[i];
    printf("| `%s(%s)` | ", f->name, f->arguments);
    print_cell(checked(f->doc, "", f->name));
    puts(" |");
  }
  puts("");
  return is_complete ? 0 : 1;
}

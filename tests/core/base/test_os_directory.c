/* Listing a directory, and what tells whether a name that can't be identified matters. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/directory.h"
#include "base/os/file.h"
#include "support/files.h"
#include "support/tree.h"

enum { ROOM = 4096 };

static const char *in(const char *folder, const char *name) {
  static char path[ROOM + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void make(char *folder) {
  snprintf(folder, ROOM, "/tmp/memview-os-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  FILE *file = fopen(in(folder, "file"), "w");
  cr_assert_not_null(file);
  fclose(file);
  cr_assert_eq(mkdir(in(folder, "folder"), 0700), 0);
  cr_assert_eq(symlink("nowhere", in(folder, "link")), 0);
}

Test(os_directory, each_name_once__without_dots) {
  char folder[ROOM];
  make(folder);
  mv_status status = MV_STATUS_INIT;
  mv_dir *dir;
  cr_assert(mv_dir_open(&dir, folder, &status));
  unsigned seen = 0;
  mv_dir_name name;
  for (;;) {
    cr_assert(mv_dir_next(&name, dir, &status), "%s", status.message);
    if (name.text == NULL) {
      break;
    }
    static const char *const names[] = {"file", "folder", "link"};
    static const mv_dir_kind kinds[] = {MV_DIR_FILE, MV_DIR_DIRECTORY, MV_DIR_NOT_TOLD};
    size_t i = 0;
    while (i < 3 && strcmp(name.text, names[i]) != 0) {
      i++;
    }
    cr_assert_lt(i, 3, "%s", name.text);
    cr_expect_eq(seen & 1U << i, 0);
    cr_expect(name.kind == kinds[i] || name.kind == MV_DIR_NOT_TOLD); /* not every file system tells */
    seen |= 1U << i;
  }
  cr_expect_eq(seen, 7);
  mv_dir_close(dir);
  tree_remove(folder);
}

Test(os_directory, what_cant_be_listed__is_an_error) {
  char folder[ROOM];
  make(folder);
  mv_status status = MV_STATUS_INIT;
  mv_dir *dir;
  cr_assert_not(mv_dir_open(&dir, in(folder, "none"), &status));
  cr_expect_null(dir);
  cr_expect_eq(status.code, MV_IO);
  cr_expect_str_eq(status.message, "can't be opened: No such file or directory");
  status = (mv_status)MV_STATUS_INIT;
  cr_assert_not(mv_dir_open(&dir, in(folder, "file"), &status));
  cr_expect_str_eq(status.message, "can't be opened: Not a directory");
  mv_dir_close(NULL);
  tree_remove(folder);
}

Test(os_file, links_and_hidden_names) {
  char folder[ROOM];
  make(folder);
  cr_expect(mv_file_is_link(in(folder, "link")));
  cr_expect(mv_file_is_link(in(folder, "none")));
  cr_expect_not(mv_file_is_link(in(folder, "file")));
  cr_expect_not(mv_file_is_hidden(in(folder, "file")));
  cr_expect(mv_file_is_hidden(in(folder, "link")), "it leads nowhere");
  cr_expect_not(mv_file_is_hidden(in(folder, "none")));
  cr_expect_not(mv_file_is_hidden(in(folder, "file/below")));
  if (geteuid() != 0) { /* root may look everywhere */
    cr_assert_eq(chmod(in(folder, "folder"), 0), 0);
    cr_expect(mv_file_is_hidden(in(folder, "folder/name")));
    cr_assert_eq(chmod(in(folder, "folder"), 0700), 0);
  }
  tree_remove(folder);
}

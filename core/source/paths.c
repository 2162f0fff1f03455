#include "source/paths.h"

#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Behind "gs:" of "gs://bucket/dump"; NULL where no scheme stands (RFC 3986, 3.1). One letter is a drive. */
static const char *behind_scheme(const char *path) {
  const char *p = path;
  while (is_letter(*p) || (p > path && ((*p >= '0' && *p <= '9') || *p == '+' || *p == '-' || *p == '.'))) {
    p++;
  }
  return p - path > 1 && *p == ':' && p[1] == '/' ? p + 1 : NULL;
}

static bool is_scheme(const char *path, const char *scheme) {
  const size_t n = strlen(scheme);
  for (size_t i = 0; i < n; i++) {
    if ((path[i] | 0x20) != scheme[i]) {
      return false;
    }
  }
  return path[n] == ':';
}

/* Where the path begins in "file:///tmp/dump", "file://localhost/tmp/dump", "file:/tmp/dump". */
static const char *behind_authority(const char *p) {
  const char *slash = strncmp(p, "//", 2) == 0 ? strchr(p + 2, '/') : p;
  return slash != NULL ? slash : "";
}

static bool explain_url(const char *path, const char *rest, mv_status *status) {
  const mv_code code = status->code;
  if (is_scheme(path, "file")) {
    *status = (mv_status)MV_STATUS_INIT;
    return mv_fail(status, code, "is a URL, and memview does not expand it: give the path '%s'",
                   behind_authority(rest));
  }
  if (rest[1] != '/') {
    return false;
  }
  const char *copy = is_scheme(path, "gs")   ? "copy it first, as with 'gcloud storage cp -r', and give the path"
                     : is_scheme(path, "s3") ? "copy it first, as with 'aws s3 cp --recursive', and give the path"
                                             : "copy it first and give the path";
  *status = (mv_status)MV_STATUS_INIT;
  return mv_fail(status, code, "is a URL, and memview does not fetch: %s", copy);
}

static bool has_pair(const char *path, char open, char close) {
  const char *first = strchr(path, open);
  return first != NULL && strchr(first, close) != NULL;
}

bool mv_path_explain(const char *path, mv_status *status) {
  const char *rest = behind_scheme(path);
  const char *why = NULL;
  if (status->code != MV_IO) {
    return false;
  }
  if (rest != NULL) {
    return explain_url(path, rest, status);
  }
  if (path[0] == '~') {
    why = "memview does not expand '~': give the whole path";
  } else if (strchr(path, '$') != NULL) {
    why = "memview does not expand variables: give the whole path";
  } else if (strpbrk(path, "*?") != NULL || has_pair(path, '[', ']') || has_pair(path, '{', '}')) {
    why = "memview does not expand patterns: give the folder, or each path by itself (a table of paths can be joined)";
  }
  if (why != NULL) {
    const mv_status plain = *status;
    *status = (mv_status)MV_STATUS_INIT;
    mv_fail(status, plain.code, "%s; %s", plain.message, why);
  }
  return false;
}

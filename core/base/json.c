#include "base/json.h"

static size_t skip_space(mv_bytes t, size_t i) {
  while (i < t.size && (t.data[i] == ' ' || t.data[i] == '\t' || t.data[i] == '\n' || t.data[i] == '\r')) {
    i++;
  }
  return i;
}

/* Behind the string that begins at `i`; SIZE_MAX when it does not end. */
static size_t skip_string(mv_bytes t, size_t i) {
  for (i++; i < t.size; i++) {
    if (t.data[i] == '\\') {
      i++;
    } else if (t.data[i] == '"') {
      return i + 1;
    }
  }
  return SIZE_MAX;
}

/* Behind the value that begins at `i`; SIZE_MAX when there is none. Brackets are counted, not matched by kind. */
static size_t skip_value(mv_bytes t, size_t i) {
  size_t depth = 0;
  const size_t start = i;
  while (i < t.size) {
    const uint8_t c = t.data[i];
    if (c == '"') {
      i = skip_string(t, i);
      if (i == SIZE_MAX || depth == 0) {
        return i;
      }
      continue;
    }
    if (c == '{' || c == '[') {
      depth++;
    } else if (c == '}' || c == ']') {
      if (depth == 0) {
        break;
      }
      if (--depth == 0) {
        return i + 1;
      }
    } else if (depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      break;
    }
    i++;
  }
  return depth == 0 && i > start ? i : SIZE_MAX;
}

/* The key at `i` and the value behind it: false at the end of the object and where it is no JSON. */
static bool member_at(mv_bytes t, size_t *i, mv_bytes *key, mv_bytes *value) {
  size_t p = skip_space(t, *i);
  if (p < t.size && t.data[p] == ',') {
    p = skip_space(t, p + 1);
  }
  if (p >= t.size || t.data[p] != '"') {
    return false;
  }
  const size_t key_end = skip_string(t, p);
  if (key_end == SIZE_MAX) {
    return false;
  }
  *key = mv_bytes_of(t.data + p + 1, key_end - p - 2);
  p = skip_space(t, key_end);
  if (p >= t.size || t.data[p] != ':') {
    return false;
  }
  p = skip_space(t, p + 1);
  const size_t end = skip_value(t, p);
  if (end == SIZE_MAX) {
    return false;
  }
  *value = mv_bytes_of(t.data + p, end - p);
  *i = end;
  return true;
}

bool mv_json_member(mv_bytes *value, mv_bytes object, const char *key) {
  size_t i = skip_space(object, 0);
  if (i >= object.size || object.data[i] != '{') {
    return false;
  }
  i++;
  mv_bytes name;
  while (member_at(object, &i, &name, value)) {
    if (mv_bytes_equal_string(name, key)) {
      return true;
    }
  }
  return false;
}

mv_bytes mv_json_first_key(mv_bytes object) {
  size_t i = skip_space(object, 0);
  if (i < object.size && object.data[i] == '{') {
    i = skip_space(object, i + 1);
    if (i < object.size && object.data[i] == '"') {
      const size_t end = skip_string(object, i);
      if (end != SIZE_MAX) {
        return mv_bytes_of(object.data + i + 1, end - i - 2);
      }
    }
  }
  return mv_bytes_of(NULL, 0);
}

bool mv_json_element(mv_bytes *value, mv_bytes array, size_t *position) {
  size_t i = *position;
  if (i == 0) {
    i = skip_space(array, 0);
    if (i >= array.size || array.data[i] != '[') {
      return false;
    }
    i++;
  }
  i = skip_space(array, i);
  if (i < array.size && array.data[i] == ',') {
    i = skip_space(array, i + 1);
  }
  const size_t end = i < array.size ? skip_value(array, i) : SIZE_MAX;
  if (end == SIZE_MAX) {
    return false;
  }
  *value = mv_bytes_of(array.data + i, end - i);
  *position = end;
  return true;
}

bool mv_json_int64(int64_t *out, mv_bytes v) {
  if (v.size >= 2 && v.data[0] == '"') {
    v = mv_bytes_of(v.data + 1, v.size - 2);
  }
  const bool negative = v.size > 0 && v.data[0] == '-';
  uint64_t sum = 0;
  size_t i = negative ? 1 : 0;
  if (i == v.size) {
    return false;
  }
  const uint64_t most = (uint64_t)INT64_MAX + (negative ? 1 : 0);
  for (; i < v.size; i++) {
    const unsigned digit = (unsigned)v.data[i] - '0';
    if (digit > 9 || sum > (most - digit) / 10) {
      return false;
    }
    sum = sum * 10 + digit;
  }
  *out = negative ? (int64_t)(0 - sum) : (int64_t)sum;
  return true;
}

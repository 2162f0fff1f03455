#include "render/scale.h"

enum { VALUE_BITS = 44 }; /* with a length of 18 bits the product fits in 63 */

mv_scale mv_scale_of(int64_t most, int64_t start, int64_t length) {
  mv_scale scale = {.most = most < 1 ? 1 : most, .start = start, .length = length};
  while (scale.most >> scale.shift >> VALUE_BITS != 0) {
    scale.shift++;
  }
  return scale;
}

int64_t mv_scale_at(const mv_scale *scale, int64_t value) {
  const int64_t clamped = value < 0 ? 0 : value > scale->most ? scale->most : value;
  const int64_t whole = scale->most >> scale->shift;
  const int64_t length = scale->length < 0 ? -scale->length : scale->length;
  const int64_t distance = ((clamped >> scale->shift) * length + whole / 2) / whole;
  return scale->length < 0 ? scale->start - distance : scale->start + distance;
}

int64_t mv_ticks_binary(int64_t most, int64_t count) {
  int64_t step = 1;
  while (most / step > count && step <= INT64_MAX / 2) {
    step *= 2;
  }
  return step;
}

int64_t mv_ticks_decimal(int64_t most, int64_t count) {
  static const int64_t factors[] = {2, 5, 10};
  int64_t power = 1;
  int64_t step = 1;
  for (unsigned i = 0; most / step > count && power <= INT64_MAX / 10; i = (i + 1) % 3) {
    step = power * factors[i];
    power = i == 2 ? step : power;
  }
  return step;
}

void mv_tick_label(mv_text *text, int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  unsigned unit = 0;
  while (unit + 1 < sizeof units / sizeof *units && bytes >> 10 * (unit + 1) != 0) {
    unit++;
  }
  if (bytes == 0) {
    mv_text_char(text, '0');
    return;
  }
  const unsigned bits = 10 * unit;
  mv_text_i64(text, bytes >> bits);
  if (unit > 0) {
    /* Ten bits of the fraction are enough for three decimals. */
    int64_t thousandths = (bytes >> (bits - 10) & 1023) * 1000 / 1024;
    if (thousandths > 0) {
      mv_text_char(text, '.');
    }
    for (int64_t digit = 100; thousandths > 0; digit /= 10) {
      mv_text_char(text, (char)('0' + thousandths / digit));
      thousandths %= digit;
    }
  }
  mv_text_char(text, ' ');
  mv_text_add(text, units[unit]);
}

void mv_place_add(mv_text *text, int64_t place) {
  if (place < 0) {
    mv_text_char(text, '-');
    place = -place;
  }
  mv_text_i64(text, place / MV_PX);
  const int64_t rest = place % MV_PX;
  if (rest != 0) {
    mv_text_char(text, '.');
    mv_text_char(text, (char)('0' + rest / 10));
    if (rest % 10 != 0) {
      mv_text_char(text, (char)('0' + rest % 10));
    }
  }
}

void mv_count_add(mv_text *text, int64_t count) {
  char digits[32];
  char *const end = digits + sizeof digits;
  char *p = end;
  uint64_t rest = count < 0 ? 0 - (uint64_t)count : (uint64_t)count;
  do {
    if ((end - p) % 4 == 3) {
      *--p = ',';
    }
    *--p = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (count < 0) {
    *--p = '-';
  }
  mv_text_append(text, p, (size_t)(end - p));
}

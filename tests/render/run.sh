#!/usr/bin/env bash
# Draw every picture of every memory space of tests/data and of what make_inputs makes, and check them all.
#
# usage: run.sh SQLITE3 EXTENSION MAKE_INPUTS        UPDATE=1 writes the golden files instead of comparing
#
#   - SVG and HTML are well-formed XML, without script, below 3 MB, and so is what neato makes of the DOT
#   - neato lays out the DOT without a word
#   - the pictures in this folder (SOURCE-MODULE-COLOR-PICTURE) come out byte for byte
#
# MV_PRELOAD is the sanitizer's runtime, as in tests/sql/run.sh.
set -eu
shell=$1
extension=$2
make_inputs=$3
golden=$(cd "$(dirname "$0")" && pwd)
data=$golden/../data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "$*"
  failures=$((failures + 1))
}

mkdir "$work/inputs" "$work/out"
"$make_inputs" "$work/inputs"
sql() {
  (
    cd "$work"
    export LD_PRELOAD="${MV_PRELOAD:-}"
    exec "$shell" -batch -init /dev/null -bail -cmd ".load '$extension'" -cmd '.mode list' :memory:
  )
}

# One statement draws a space; what is drawn is named SOURCE-MODULE-COLOR-PICTURE.
{
  for source in "$data"/*.pb "$data"/*.pb.gz "$data/dump" "$data/logdir" "$work"/inputs/*.pb; do
    name=$(basename "$source")
    cat <<END
SELECT 'bytes', writefile('out/' || base || '-timeline.svg', timeline_svg(source, module_id, color)),
       writefile('out/' || base || '-timeline.dot', timeline_dot(source, module_id, color)),
       writefile('out/' || base || '-timeline.html', timeline_html(source, module_id, color)),
       writefile('out/' || base || '-usage.svg', usage_svg(source, module_id, color)),
       writefile('out/' || base || '-size.svg', peak_svg(source, module_id, color)),
       writefile('out/' || base || '-program.svg', peak_svg(source, module_id, color, 'program')),
       writefile('out/' || base || '-padding.svg', peak_svg(source, module_id, color, 'padding'))
FROM (SELECT '$source' AS source, '${name%%.hlo.pb*}-' || module_id || '-' || color AS base, module_id, color
      FROM memory_spaces('$source'));
END
  done
} | sql >"$work/log" 2>&1 || {
  grep -v '^bytes|' "$work/log"
  exit 1
}

cd "$work/out"
count=$(find . -type f | wc -l)
[ "$count" -ge 500 ] || fail "only $count pictures were drawn"
xmllint --noout ./*.svg ./*.html >"$work/log" 2>&1 || fail "not well-formed: $(head -n 5 "$work/log")"
large=$(find . -type f -size +2929k)
[ -z "$large" ] || fail "larger than 3 MB: $large"
scripts=$(grep -l -i -E '<script|<foreignObject|javascript:| on[a-z]+="' -- *.svg *.html || true)
[ -z "$scripts" ] || fail "with script: $scripts"

for dot in *.dot; do
  [ "$(stat -c %s "$dot")" -le 200000 ] || continue
  if ! neato -n -Tsvg "$dot" >"$work/neato.svg" 2>"$work/log" || [ -s "$work/log" ]; then
    fail "neato on $dot: $(head -n 3 "$work/log")"
  elif ! xmllint --noout "$work/neato.svg" >"$work/log" 2>&1; then
    fail "what neato makes of $dot is not well-formed: $(head -n 3 "$work/log")"
  fi
done

found=0
for file in "$golden"/*.svg "$golden"/*.dot "$golden"/*.html; do
  [ -f "$file" ] || continue
  found=$((found + 1))
  name=$(basename "$file")
  if [ -n "${UPDATE:-}" ]; then
    cp "$name" "$file"
  elif ! cmp -s "$name" "$file"; then
    diff "$file" "$name" | head -n 10 | cut -c 1-400 || true
    fail "$name has changed; if it is right, UPDATE=1 writes it"
  fi
done
[ "$found" -ge 10 ] || fail "only $found golden pictures"

if [ "$failures" -gt 0 ]; then
  echo "$failures of the checks failed"
  exit 1
fi
echo "$count pictures drawn and checked, $found compared"

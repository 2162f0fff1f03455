#!/usr/bin/env bash
# That the SQL of the README, or of a page in docs/, runs: each ```sql block, alone, in tests/data. Where a ```text block
# follows one directly, it is what the shell prints, in column mode; how wide it makes the columns differs by version and
# is not compared.
#
# usage: examples.sh SQLITE3 EXTENSION DOCUMENT        UPDATE=1 writes what is printed into the document instead of
# comparing; MV_PRELOAD as in sql/run.sh
set -eu
shell=$1
extension=$2
document=$3
data=$(cd "$(dirname "$0")/../data" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Block k goes to k.sql, what is expected of it to k.expected.
awk -v work="$work" '
  /^```sql$/ { k++; inside = work "/" k ".sql"; follows = 0; next }
  /^```text$/ && follows { inside = work "/" k ".expected"; follows = 0; printf "" >inside; next }
  /^```/ { if (inside != "") close(inside); follows = inside ~ /\.sql$/; inside = ""; next }
  inside != "" { print >inside; next }
  NF { follows = 0 }
  END { print k + 0 >(work "/count") }
' "$document"
count=$(cat "$work/count")
if [ "$count" -lt 5 ]; then
  echo "$document: only $count examples"
  exit 1
fi

squeeze() {
  sed -E 's/[[:space:]]+/ /g; s/-+/-/g; s/ $//' "$1"
}

failed=0
for ((k = 1; k <= count; k++)); do
  if ! (
    unset MEMVIEW_SOURCE
    cd "$data"
    export LD_PRELOAD="${MV_PRELOAD:-}"
    exec "$shell" -batch -bail -init /dev/null -cmd ".load '$extension'" -cmd '.headers on' -cmd '.mode column' \
      :memory: <"$work/$k.sql" >"$work/$k.printed" 2>&1
  ); then
    echo "this example fails:"
    cat "$work/$k.sql" "$work/$k.printed"
    failed=1
    continue
  fi
  sed -i 's/ *$//' "$work/$k.printed"
  if [ -z "${UPDATE:-}" ] && [ -f "$work/$k.expected" ] &&
    ! diff -u <(squeeze "$work/$k.expected") <(squeeze "$work/$k.printed"); then
    echo "this example prints something else; if that is right, UPDATE=1 writes it:"
    cat "$work/$k.sql"
    failed=1
  fi
done
if [ -n "${UPDATE:-}" ] && [ $failed = 0 ]; then
  awk -v work="$work" '
    /^```sql$/ { k++; sql = 1; follows = 0; print; next }
    /^```text$/ && follows {
      print
      while ((getline line < (work "/" k ".printed")) > 0) print line
      skip = 1; follows = 0; next
    }
    /^```/ { follows = sql; sql = 0; skip = 0; print; next }
    skip { next }
    NF && !sql { follows = 0 }
    { print }
  ' "$document" >"$work/document"
  cmp -s "$work/document" "$document" || cp "$work/document" "$document"
fi
exit $failed

#!/usr/bin/env bash
# That the README's reference is the one the extension's descriptions give, and that nothing lacks documentation.
#
# usage: reference.sh PROGRAM README        UPDATE=1 writes the reference into the README instead of comparing
set -eu
program=$1
readme=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" >"$work/reference"
awk -v reference="$work/reference" '
  /^<!-- reference: end -->$/ { inside = 0; ends++ }
  !inside { print }
  /^<!-- reference: begin / {
    inside = 1; begins++
    while ((getline line < reference) > 0) print line
  }
  END { exit begins == 1 && ends == 1 ? 0 : 1 }
' "$readme" >"$work/readme" || {
  echo "$readme: the marks of the reference are not there once each"
  exit 1
}
if [ -n "${UPDATE:-}" ]; then
  cmp -s "$work/readme" "$readme" || cp "$work/readme" "$readme"
elif ! diff -u "$readme" "$work/readme"; then
  echo "the reference is not what the descriptions in ext/ say; UPDATE=1 writes it"
  exit 1
fi

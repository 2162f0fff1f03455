#!/usr/bin/env bash
# The extension exports its entry points and nothing else.
#
# usage: exports.sh memview.so
set -eu
expected='sqlite3_extension_init
sqlite3_memview_init
sqlite3_memview_nofs_init'
# Some linkers add marks of their own.
actual=$(nm -D --defined-only "$1" | awk '{ print $NF }' | grep -Ev '^(_init|_fini|_edata|_end|__bss_start)$' |
  LC_ALL=C sort || true)
if [ "$actual" != "$expected" ]; then
  echo "$1 exports other symbols than its entry points (< expected, > found):"
  diff <(echo "$expected") <(echo "$actual") || true
  exit 1
fi

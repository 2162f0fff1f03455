#!/usr/bin/env bash
# A golden test: run NAME.sql in the sqlite3 shell and compare what it prints with NAME.expected.
#
# usage: run.sh SQLITE3 EXTENSION NAME.sql        UPDATE=1 writes NAME.expected instead of comparing
#
# The shell starts in tests/data, so the SQL names its inputs as 'tpu-v5e-mlp.hlo.pb'; headers are on and NULL is
# printed as NULL. Errors are part of the output. What the shell says around their message differs between its versions
# and is made one form: "error, line 3: message". MV_PRELOAD is the sanitizer's runtime, which has to be in a shell that
# is not instrumented itself before the extension is.
set -eu
shell=$1
extension=$2
sql=$3
expected=${sql%.sql}.expected
data=$(cd "$(dirname "$sql")/../data" && pwd)
printed=$(mktemp)
actual=$(mktemp)
trap 'rm -f "$printed" "$actual"' EXIT

status=0
(
  unset MEMVIEW_SOURCE
  cd "$data"
  export LD_PRELOAD="${MV_PRELOAD:-}"
  exec "$shell" -batch -init /dev/null -cmd ".load '$extension'" -cmd '.headers on' -cmd '.nullvalue NULL' :memory: \
    <"$sql" >"$printed" 2>&1
) || status=$?
if [ $status -gt 1 ]; then # 1: there were errors, and they were printed
  cat "$printed"
  echo "the shell ended with status $status"
  exit 1
fi
awk '
  held != "" { # newer shells quote the SQL below a syntax error, in two lines
    quoted = /(\^--- error here|error here ---\^)$/
    if (!quoted) print held
    held = ""
    if (quoted) next
  }
  after_error && /^  / { held = $0; after_error = 0; next }
  { after_error = match($0, /^(Error|Parse error|Runtime error):? near line [0-9]+: /) }
  after_error {
    line = substr($0, 1, RLENGTH)
    message = substr($0, RLENGTH + 1)
    gsub(/[^0-9]/, "", line)
    $0 = "error, line " line ": " message
  }
  { print }
  END { if (held != "") print held }
' "$printed" >"$actual"

if [ -n "${UPDATE:-}" ]; then
  cp "$actual" "$expected"
elif [ ! -f "$expected" ]; then
  cat "$actual"
  echo "there is no $expected; UPDATE=1 writes it"
  exit 1
elif ! diff -u "$expected" "$actual"; then
  echo "what $sql prints has changed; if the new output is right, UPDATE=1 writes it"
  exit 1
fi

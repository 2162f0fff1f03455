#!/usr/bin/env bash
# That every bench program runs: each once, on small inputs, so that they do not rot. What they measure is not looked at.
#
# usage: smoke.sh FOLDER SQLITE3 EXTENSION        the folder of the programs; MV_PRELOAD as in tests/sql/run.sh
set -eu
programs=$1
shell=$2
extension=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect COUNT NAME...: as many of the lines on the standard input are measurements
expect() {
  local lines measured
  lines=$(cat)
  measured=$(grep -c -P '^[^\t]+\t[0-9]' <<<"$lines" || true)
  if [ "$measured" -lt "$1" ]; then
    echo "$2: $measured measurements instead of $1 at least"
    echo "$lines"
    exit 1
  fi
}

"$programs/generate" size step 200000 "$work/step.hlo.pb"
"$programs/generate" xspace 1 8 "$work/host.xplane.pb"
"$programs/generate" dump 8 "$work/dump"
"$programs/scan" "$work/step.hlo.pb" | expect 1 scan
"$programs/query" "$work/step.hlo.pb" 1 | expect 13 query
"$programs/memory" "$work/step.hlo.pb" | expect 2 memory
"$programs/growth" 200 | expect 18 growth
"$programs/xspace" "$work/dump" | expect 3 xspace
echo "SELECT count(*) FROM memory_spaces(?1)" | "$programs/cold" "$work/step.hlo.pb" | grep -q -E '^[0-9.]+$'

# What is generated is sound, and the peaks are where each family says.
ask() {
  LD_PRELOAD="${MV_PRELOAD:-}" "$shell" -batch -init /dev/null -cmd ".load '$extension'" :memory: "$1"
}
while read -r family expected; do
  file=$work/$family.hlo.pb
  "$programs/generate" hlo "$family" 1000 "$file"
  actual=$(ask "SELECT (SELECT coalesce(problem, 'sound') FROM hlo_modules('$file')), peak_position,
    occupied_peak_bytes < peak_bytes FROM memory_spaces('$file')")
  if [ "$actual" != "$expected" ]; then
    echo "family $family: $actual instead of $expected"
    exit 1
  fi
done <<'END'
peaks sound|1000|0
live sound|500|0
one sound|500|1
chains sound|1|0
END
modules=$(ask "SELECT count(*) FROM hlo_modules('$work/host.xplane.pb') WHERE problem IS NULL")
if [ "$modules" != 8 ]; then
  echo "the profile: $modules modules instead of 8"
  exit 1
fi

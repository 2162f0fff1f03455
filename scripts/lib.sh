# What demo and test share. Sourced, in the top folder.

# build PRESET: configure and build; prints only when it fails.
build() {
  local log
  log=$(mktemp)
  echo "Building memview ($1)"
  if ! { cmake --preset "$1" && cmake --build --preset "$1"; } >"$log" 2>&1; then
    cat "$log"
    rm -f "$log"
    echo "the $1 build failed" >&2
    return 1
  fi
  rm -f "$log"
}

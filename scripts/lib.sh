# What demo and test share. Sourced, in the top folder.

# build PRESET [OPTION...]: configure with the options and build; prints only when it fails.
build() {
  local log preset=$1
  shift
  log=$(mktemp)
  echo "Building memview ($preset)"
  if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
    cat "$log"
    rm -f "$log"
    echo "the $preset build failed" >&2
    return 1
  fi
  rm -f "$log"
}

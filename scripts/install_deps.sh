#!/usr/bin/env bash
# Install what building, testing and the demo need, on Debian 12 or Ubuntu 22.04 and newer. Does nothing where all of
# it is there.
#
# usage: scripts/install_deps.sh [demo|lint]        SKIP_DEPS=1 trusts that everything is there, for other systems
#
# demo   without what only the tests need
# lint   also what scripts/lint and scripts/fuzz use
set -eu

packages=(
  gcc libc6-dev                            # the compiler, its sanitizers, nm
  cmake ninja-build                        # the build
  protobuf-c-compiler libprotobuf-c-dev    # decoding
  zlib1g-dev                               # gzip'ed dumps
  libsqlite3-dev sqlite3                   # the headers; the shell for the demo and the golden tests
)
testing=(
  libcriterion-dev                         # the tests
  libxml2-utils graphviz                   # the tests of pictures: xmllint, neato
)
# What is done without where the system does not offer it. The test of the viewer page needs a browser, which Ubuntu
# has no package of, and skips itself; so do the page's other tests where node is older than 18.
wanted=(
  python3 chromium
)
command -v node >/dev/null || wanted+=(nodejs) # that of another origin does as well, and may be newer
if [ "${1:-}" = demo ]; then
  wanted=()
else
  packages+=("${testing[@]}")
fi
if [ "${1:-}" = lint ]; then
  # clang's sanitizers and libFuzzer are a package named by its version: that of the distribution's default
  clang_version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
  packages+=(clang clang-tidy cppcheck)
  wanted+=(${clang_version:+"libclang-rt-$clang_version-dev"})
  command -v npm >/dev/null || wanted+=(npm)
fi

if [ -n "${SKIP_DEPS:-}" ]; then
  exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  cat >&2 <<EOF
install_deps: this system has no apt-get. Install what these Debian packages hold, then run again with SKIP_DEPS=1:
  ${packages[*]}
EOF
  exit 1
fi

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}
is_offered() {
  apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}
missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
offered=()
for package in "${wanted[@]}"; do
  if ! is_installed "$package" && is_offered "$package"; then
    offered+=("$package")
  fi
done
if [ ${#missing[@]} -eq 0 ] && [ ${#offered[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    if [ ${#missing[@]} -eq 0 ]; then
      exit 0
    fi
    echo "install_deps: neither root nor sudo; as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing" "${missing[@]}" "${offered[@]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1
}
apt update || true # an unreachable source of other packages is no reason to stop: installing tells
if [ ${#missing[@]} -gt 0 ] && ! apt install --yes --no-install-recommends "${missing[@]}"; then
  cat "$log" >&2
  echo "install_deps: could not install ${missing[*]}" >&2
  exit 1
fi
for package in "${wanted[@]}"; do # looked up again: the lists may have been empty before
  if ! is_installed "$package" && is_offered "$package"; then
    apt install --yes --no-install-recommends "$package" || echo "install_deps: no $package: its tests are skipped"
  fi
done

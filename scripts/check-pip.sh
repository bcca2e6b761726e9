#!/usr/bin/env bash
# Installs the package with pip into fresh environments, one for each Python and
# NumPy, and runs test/Python there: against what was installed, not against
# BUILD/python.
#
#   scripts/check-pip.sh BUILD [pytest's arguments]
#   PIP_PYTHONS="/usr/bin/python3 python3.13"   which Pythons; those of 3.11,
#                                 3.12 and 3.13 that are there, unless you say
#   PIP_NUMPYS="1 2"              which NumPys: 1 is the oldest for that Python
set -euo pipefail
shopt -s inherit_errexit

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
scratch=$build/pip
export CC=${CC:-clang-22} CXX=${CXX:-clang++-22} # Pythons remember compilers of their own.
rm -rf "$scratch/source"
mkdir -p "$scratch/source"

# A copy, for the sources may be edited while this runs. Times are kept, so that
# only what has changed is compiled again.
git -C "$source" ls-files -z |
  tar -C "$source" --null -T - -cf - | tar -C "$scratch/source" -xf -
source=$scratch/source
summary=()

version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# Prints one Python with headers for each version there is.
pythons() {
  local version candidate
  for version in 3.11 3.12 3.13; do
    for candidate in "${PYTHON:-/usr/bin/python3}" "python$version" \
      "$HOME/.pyenv/versions/$version".*/bin/python3; do
      candidate=$(command -v "$candidate" 2>/dev/null) || continue
      [ "$(version_of "$candidate" 2>/dev/null)" = "$version" ] || continue
      "$candidate" -c '
import os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not os.path.exists(header))' && echo "$candidate" && break
    done
  done
}

# The requirement for pip: the oldest NumPy with a wheel for that Python.
numpy_for() { # 1 or 2, a version of Python
  case $1-$2 in
    1-3.11) echo "numpy==1.24.*" ;;
    1-3.12) echo "numpy==1.26.*" ;;
    1-*) return 1 ;;
    *) echo "numpy>=2" ;;
  esac
}

# One wheel for each Python: NumPy 2's headers make what runs on NumPy 1, too.
# They share a build folder, for most of it knows nothing of Python.
wheel_for() { # a Python, its version
  local folder=$scratch/wheel-$2
  rm -rf "$folder"
  "$1" -m venv --clear "$scratch/builder-$2" >&2
  "$scratch/builder-$2/bin/python" -m pip wheel -q --no-deps \
    --disable-pip-version-check --config-settings=build-dir="$scratch/build" \
    -w "$folder" "$source" >&2
  echo "$folder"/clinch-*.whl
}

check() { # a Python, its version, a wheel, NumPy's requirement, pytest's ...
  local python=$1 environment=$scratch/env-$2 wheel=$3 numpy=$4; shift 4
  "$python" -m venv --clear "$environment" || return 1
  "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    "$wheel" "$numpy" pytest psutil || return 1
  local what
  what=$("$environment/bin/python" -c 'import platform, numpy
print("Python", platform.python_version(), "NumPy", numpy.__version__)') ||
    return 1
  echo "== $what"
  local status=0
  # From a folder where no clinch but the installed one is to be found.
  (cd "$environment" && env -u PYTHONPATH PYTHONDONTWRITEBYTECODE=1 \
    CLINCH_CACHE_DIR="$environment/cache" bin/python -m pytest -q \
    -p no:cacheprovider "$source/test/Python" "$@") || status=$?
  summary+=("$what: $([ $status -eq 0 ] && echo passed || echo FAILED)")
  return $status
}

failed=0
mapfile -t found < <(printf '%s\n' ${PIP_PYTHONS:-$(pythons)})
for python in "${found[@]}"; do
  version=$(version_of "$python")
  wheel=$(wheel_for "$python" "$version")
  for numpy in ${PIP_NUMPYS:-1 2}; do
    requirement=$(numpy_for "$numpy" "$version") || continue
    check "$python" "$version" "$wheel" "$requirement" "$@" || failed=1
  done
done
printf 'check-pip: %s\n' "${summary[@]}"
exit $failed

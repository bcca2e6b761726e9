#!/usr/bin/env bash
# Installs the wheels of BUILD/wheels with pip into fresh environments, one for
# each Python and NumPy, and runs test/Python and the command there: against what
# was installed, not against BUILD/python. Uninstalled, it leaves nothing.
#
#   packaging/check-pip.sh BUILD [pytest's arguments]
#   PIP_PYTHONS="/usr/bin/python3 python3.13"   which Pythons; those of 3.11 to
#                                 3.14 and 3.14t that are there, unless you say
#   PIP_TESTS="test_function.py ..."   those of test/Python alone
#   PIP_NUMPYS="1 2"              which NumPys: 1 is the oldest for that Python
set -euo pipefail
shopt -s inherit_errexit

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
scratch=$build/pip
. "$source/packaging/pythons.sh"
mkdir -p "$scratch"
summary=()

# The requirement for pip: the oldest NumPy with a wheel for that Python.
numpy_for() { # 1 or 2, a version of Python
  case $1-$2 in
    1-3.11) echo "numpy==1.24.*" ;;
    1-3.12) echo "numpy==1.26.*" ;;
    1-*) return 1 ;;
    *) echo "numpy>=2" ;;
  esac
}

check() { # a Python, its version, a wheel, NumPy's requirement, pytest's ...
  local python=$1 environment=$scratch/env-$2 wheel=$3 numpy=$4; shift 4
  "$python" -m venv --clear "$environment" || return 1
  "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    "$wheel" "$numpy" pytest pytest-xdist psutil || return 1
  local what
  what=$("$environment/bin/python" -c 'import platform, numpy
print("Python", platform.python_version(), "NumPy", numpy.__version__)') ||
    return 1
  echo "== $what"
  local status=0
  installed "$environment" bin/clinch -c \
    'x = double("x"); print("the command computes", function([x], x + 1.0)(2.0))' ||
    status=$?
  installed "$environment" bin/python -m pytest -q -n "${JOBS:-2}" --dist loadfile \
    -p no:cacheprovider $(printf "$source/test/Python/%s " ${PIP_TESTS:-.}) "$@" ||
    status=$?
  "$environment/bin/python" -m pip uninstall -q -y clinch-jit
  local left
  left=$(find "$environment" -iname '*clinch*' -not -path "$environment/cache/*")
  [ -z "$left" ] || { printf 'left behind: %s\n' $left; status=1; }
  summary+=("$what: $([ $status -eq 0 ] && echo passed || echo FAILED)")
  return $status
}

# From a folder where no clinch but the installed one is to be found.
installed() { # an environment, a command
  (cd "$1" && env -u PYTHONPATH PYTHONDONTWRITEBYTECODE=1 \
    CLINCH_CACHE_DIR="$1/cache" "${@:2}")
}

failed=0
mapfile -t found < <(printf '%s\n' ${PIP_PYTHONS:-$(pythons 3.11 3.12 3.13 3.14 3.14t)})
for python in "${found[@]}"; do
  version=$(tag_of "$python")
  # One for each: NumPy 2's headers make what runs on NumPy 1, too.
  wheel=$(wheel_of "$build" "$python")
  for numpy in ${PIP_NUMPYS:-1 2}; do
    requirement=$(numpy_for "$numpy" "$version") || continue
    check "$python" "$version" "$wheel" "$requirement" "$@" || failed=1
  done
done
printf 'check-pip: %s\n' "${summary[@]}"
exit $failed

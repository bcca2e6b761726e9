#!/usr/bin/env bash
# Runs test/PyMC: PyMC, PyTensor and nutpie from PyPI, in environments of their
# own in the build folder: PyMC 5 for the project's Python where that is 3.11,
# and PyMC 6 for a newer one where there is one.
#
#   scripts/check-pymc.sh BUILD [pytest's arguments]
#   PYTENSOR_PYTHON=/path/to/python3.13   which newer Python
#   CLINCH_TEST_ALL=1                     compare with g++, not with performs
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

run() { # a Python, the package's folder, pytest's arguments
  local python=$1 package=$2; shift 2
  echo "== $("$python" -c 'import platform, importlib.metadata as m
print("Python", platform.python_version(),
      *(f"{p} {m.version(p)}" for p in ("numpy", "pytensor", "pymc", "nutpie")))')"
  PYTHONPATH=$package CLINCH_CACHE_DIR=$build/pymc-cache \
    PYTENSOR_FLAGS="base_compiledir=$build/pymc-compiledir" \
    "$python" -m pytest -q -p no:cacheprovider "$source/test/PyMC" "$@"
}

run "$(pymc_env "${PYTHON:-/usr/bin/python3}")" "$build/python" "$@"
if newer=$(newer_python); then
  environment=$(pymc_env "$newer")
  run "$environment" "$(package_for "$environment")" "$@"
fi

#!/usr/bin/env bash
# Runs test/PyTensor: PyTensor from PyPI, in an environment of its own in the
# build folder, for the project's Python and for a newer one where there is one.
#
#   scripts/check-pytensor.sh BUILD [pytest's arguments]
#   PYTENSOR_PYTHON=/path/to/python3.13   which newer Python
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

run() { # a Python, the package's folder, pytest's arguments
  local python=$1 package=$2; shift 2
  echo "== $("$python" -c 'import platform, importlib.metadata as m
print("Python", platform.python_version(), *(f"{p} {m.version(p)}" for p in ("numpy", "pytensor")))')"
  PYTHONPATH=$package CLINCH_CACHE_DIR=$build/pytensor-cache \
    PYTENSOR_FLAGS="base_compiledir=$build/pytensor-compiledir" \
    "$python" -m pytest -q -p no:cacheprovider "$source/test/PyTensor" "$@"
}

run "$(pytensor_env "${PYTHON:-/usr/bin/python3}")" "$build/python" "$@"
if newer=$(newer_python); then
  environment=$(pytensor_env "$newer")
  run "$environment" "$(package_for "$environment")" "$@"
fi

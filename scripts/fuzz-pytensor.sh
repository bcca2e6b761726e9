#!/usr/bin/env bash
# Random graphs of PyTensor's in every tier, against PyTensor's Python, with the
# project's Python and with a newer one where there is one. Prints its seed.
#
#   scripts/fuzz-pytensor.sh BUILD [--minutes 10] [--seed 1] [--only NUMBER]
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

run_graphs() { # an environment's Python, the package's folder, arguments
  local python=$1 package=$2
  shift 2
  PYTHONPATH=$package CLINCH_CACHE_DIR=$build/pytensor-cache \
    PYTENSOR_FLAGS="base_compiledir=$build/pytensor-compiledir" \
    "$python" "$source/test/PyTensor/random_graphs.py" "$@"
}

run_graphs "$(pytensor_env "${PYTHON:-/usr/bin/python3}")" "$build/python" "$@"
if newer=$(newer_python); then
  environment=$(pytensor_env "$newer")
  run_graphs "$environment" "$(package_for "$environment")" "$@"
fi

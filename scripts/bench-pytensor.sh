#!/usr/bin/env bash
# Measures PyTensor on Clinch beside PyTensor on g++ and on Numba; prints a
# table and writes BUILD/bench-pytensor.json.
#
#   scripts/bench-pytensor.sh BUILD [a row's name, or a part of it] ...
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

environment=$(pytensor_env "${PYTHON:-/usr/bin/python3}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PYTHONPATH=$build/python CLINCH_CACHE_DIR=$scratch/clinch \
  PYTENSOR_FLAGS="base_compiledir=$scratch/pytensor,numba__cache=False" \
  "$environment" "$source/benchmarks/pytensor/bench.py" \
  --output "$build/bench-pytensor.json" "$@"

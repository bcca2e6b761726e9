#!/usr/bin/env bash
# Measures what loads of one function cost in many processes beside what compiles in
# each, and a PyTensor function on workers of Dask; prints a table and writes
# BUILD/bench-scale.json.
#
#   scripts/bench-scale.sh BUILD [--processes 100] [--only loads|cluster]
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

environment=$(python_env scale "${PYTHON:-/usr/bin/python3}" \
  numba cloudpickle pytensor distributed)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# With bytecode, which pip makes of what it installs.
env -u PYTHONDONTWRITEBYTECODE PYTHONPATH=$build/python CLINCH_CACHE_DIR=$scratch/clinch \
  "$environment" "$source/benchmarks/scale/bench.py" \
  --output "$build/bench-scale.json" "$@"

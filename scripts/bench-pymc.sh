#!/usr/bin/env bash
# Measures models of PyMC's on Clinch beside g++ and Numba; prints a table and
# writes BUILD/bench-pymc.json. Takes half an hour, most of it Numba and g++.
#
#   scripts/bench-pymc.sh BUILD [--draws N] [a model's name, or a part of it] ...
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

environment=$(pymc_env "${PYTHON:-/usr/bin/python3}")
PYTHONPATH=$build/python "$environment" "$source/benchmarks/pymc/bench.py" \
  --output "$build/bench-pymc.json" "$@"

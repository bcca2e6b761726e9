#!/usr/bin/env bash
# Measures models of PyMC's on Clinch beside g++ and Numba; prints a table and
# writes BUILD/bench-pymc.json. Takes half an hour, most of it Numba and g++. Then
# how long a program takes to end, and the memory that 200 models leave; and with
# CATALOGUE, the folder of a checkout of pymc-model-catalogue, the 25 models of its core.
#
#   scripts/bench-pymc.sh BUILD [--draws N] [a model's name, or a part of it] ...
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

environment=$(pymc_env "${PYTHON:-/usr/bin/python3}")
export PYTHONPATH=$build/python
"$environment" "$source/benchmarks/pymc/bench.py" --output "$build/bench-pymc.json" "$@"
"$environment" "$source/benchmarks/pymc/life.py"
if [ -n "${CATALOGUE:-}" ]; then
  "$environment" "$source/benchmarks/pymc/catalogue.py" "$CATALOGUE"
fi

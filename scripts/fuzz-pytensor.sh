#!/usr/bin/env bash
# Random graphs of PyTensor's in every tier, against PyTensor's Python, with the
# project's Python and with a newer one where there is one; and random models of
# groups, in one loop and Op by Op. Prints its seeds.
#
#   scripts/fuzz-pytensor.sh BUILD [--minutes 10] [--seed 1] [--only NUMBER]
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

run_graphs() { # a search, an environment's Python, the package's folder, arguments
  local search=$1 python=$2 package=$3
  shift 3
  PYTHONPATH=$package CLINCH_CACHE_DIR=$build/pytensor-cache \
    PYTENSOR_FLAGS="base_compiledir=$build/pytensor-compiledir" \
    "$python" "$source/test/PyTensor/$search.py" "$@"
}

environment=$(pytensor_env "${PYTHON:-/usr/bin/python3}")
for search in random_graphs random_groups; do
  run_graphs $search "$environment" "$build/python" "$@"
done
if newer=$(newer_python); then
  environment=$(pytensor_env "$newer")
  for search in random_graphs random_groups; do
    run_graphs $search "$environment" "$(package_for "$environment")" "$@"
  done
fi

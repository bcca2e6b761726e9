#!/usr/bin/env bash
# Measures one part against its rivals, in an environment in the build folder where
# they come from PyPI; prints a table and writes BUILD/bench-PART.json.
#
#   benchmarks/part.sh BUILD PART [the part's arguments]
#
#   pytensor   PyTensor on Clinch, on g++ and on Numba: [a row's name, or part of it]
#   pymc       models of PyMC's on the same, half an hour: [--draws N] [a model]; how
#              long a program takes to end; the memory that 200 models leave; with
#              CATALOGUE, a checkout of pymc-model-catalogue, its core's 25 models
#   torch      PyTorch's first calls for the processor, on Clinch and on g++: [a model]
#   scale      loads of a function in many processes beside compiles in each:
#              [--processes 100] [--only loads|cluster]
#   clients    programs that wait for a C compiler, with Clinch and with gcc: [cffi] [FFCx]
#              [Triton] [Stan] [R] [Brian2]
#   tiers      every loop of the benchmarks, of the seeds' Ops and of 100 random texts in
#              the three tiers: [--cpu x86-64-v3] [a loop's name, or part of it]
#   arrays, assembler, core, driver, math, prompt, runtime
#              those of benchmarks/run.py
set -euo pipefail

build=$(realpath "$1"); part=$2; shift 2
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/environments.sh"
python=${PYTHON:-/usr/bin/python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONPATH=$build/python

measure() { # an environment's Python, a folder of benchmarks/, its arguments
  local environment=$1; shift
  "$environment" "$source/benchmarks/$part/bench.py" \
    --output "$build/bench-$part.json" "$@"
}

case $part in
  pytensor)
    CLINCH_CACHE_DIR=$scratch/clinch \
      PYTENSOR_FLAGS="base_compiledir=$scratch/pytensor,numba__cache=False" \
      measure "$(pytensor_env "$python")" "$@" ;;
  pymc)
    environment=$(pymc_env "$python")
    measure "$environment" "$@"
    "$environment" "$source/benchmarks/pymc/life.py"
    if [ -n "${CATALOGUE:-}" ]; then
      "$environment" "$source/benchmarks/pymc/catalogue.py" "$CATALOGUE"
    fi ;;
  torch) measure "$(python_env torch "$python" "torch==2.15.*" numpy pytest)" "$@" ;;
  scale) # With bytecode, which pip makes of what it installs.
    unset PYTHONDONTWRITEBYTECODE
    CLINCH_CACHE_DIR=$scratch/clinch measure \
      "$(python_env scale "$python" numba cloudpickle pytensor distributed)" "$@" ;;
  tiers) measure "$python" "$@" ;;
  clients)
    environment=$(clients_env "$python") pythons=()
    for client in Stan Brian2; do
      [[ $# = 0 || " $* " = *" $client "* ]] || continue
      name=$(echo "${client}_env" | tr '[:upper:]' '[:lower:]')
      other=$("$name" "$python") || continue # Its rows are skipped, then.
      pythons+=(--python "$client=$other")
    done
    measure "$environment" "${pythons[@]}" "$@" ;;
  *) exec "$python" "$source/benchmarks/run.py" --build "$build" "$part" "$@" ;;
esac

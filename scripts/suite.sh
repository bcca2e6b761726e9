#!/usr/bin/env bash
# Runs one suite that needs more than Debian's packages: what it needs is installed in
# environments in the build folder. PyTensor's and PyMC's run for the project's Python
# and for a newer one where there is one.
#
#   scripts/suite.sh BUILD SUITE [pytest's arguments]
#
#   pytensor        test/PyTensor, PyTensor on Clinch
#   pymc            test/PyMC: PyMC 5 for Python 3.11, PyMC 6 for a newer one
#   clients         test/Clients, programs that wait for a C compiler
#   r               of these R, with Debian's packages
#   torch           of these PyTorch, which takes 5.4 GB; status 75 without it
#   dask            test/Dask: clusters of processes, with Dask, joblib and Ray
#   gpu             test/Gpu: on a GPU what needs one, the rest without
#   pip             test/Python, in what pip installs for Python 3.11 to 3.14
#   wheel           test/Python and test/Wheel, in an empty root with Python and a wheel
#   packaging       Debian's and conda's packaging files
#   pytensor-once, pymc-once, dask-once
#                   for the project's Python alone: a part of `make check WHOLE=1`;
#                   status 75 where its packages cannot be had
#   pytensor-slice, pymc-slice, dask-slice, clients-slice
#                   some of that: a part of `make check`
#   pytensor-search random graphs of PyTensor's in every tier, and random models of
#                   groups, in one loop and Op by Op: [--minutes 10] [--seed 1]
#
#   PYTENSOR=2.38                         which PyTensor: the newest unless it is set
#   PYTENSOR_PYTHON=/path/to/python3.13   which newer Python
#   CLINCH_TEST_ALL=1                     let g++ estimate the same, for comparison
set -euo pipefail

build=$(realpath "$1"); suite=$2; shift 2
mine=${PYTHON:-/usr/bin/python3}
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/environments.sh"

search() { # an environment's Python, the package's folder, the search's arguments
  local python=$1 package=$2 name
  shift 2
  for name in random_graphs random_groups; do
    PYTHONPATH=$package CLINCH_CACHE_DIR=$build/pytensor-cache \
      PYTENSOR_FLAGS="base_compiledir=$build/pytensor-compiledir" \
      "$python" "$source/test/PyTensor/$name.py" "$@"
  done
}

case $suite in
  pytensor) for_each_python pytensor_env run_tests PyTensor "numpy pytensor" "$@" ;;
  pytensor-once)
    python=$(pytensor_env "$mine") || exit 75
    run_tests "$python" "$build/python" PyTensor "numpy pytensor" "$@" ;;
  pytensor-slice)
    exec "$0" "$build" pytensor-once \
      -k "test_use or test_linkers or test_errors or every_form" "$@" ;;
  pymc-once)
    python=$(pymc_env "$mine") || exit 75
    run_tests "$python" "$build/python" PyMC "numpy pytensor pymc nutpie" "$@" ;;
  pymc-slice)
    exec "$0" "$build" pymc-once \
      -k "undone or no_worker or find_MAP or prior or errors or profile" "$@" ;;
  pymc) for_each_python pymc_env run_tests PyMC "numpy pytensor pymc nutpie" "$@" ;;
  pytensor-search) for_each_python pytensor_env search "$@" ;;
  clients)
    python=$(clients_env "$mine")
    run_tests "$python" "$build/python" Clients \
      "numpy setuptools cffi cython sympy fenics-ffcx triton" "$@"
    if python=$(stan_env "$mine"); then
      run_tests "$python" "$build/python" Clients "numpy httpstan pystan nutpie" \
        -k "stan or Stan" "$@"
    else
      echo "skipped: Stan, since pip has no httpstan 4.13.0 for $mine"
    fi
    if python=$(pythran_env "$mine"); then
      run_tests "$python" "$build/python" Clients "numpy setuptools pythran" -k pythran "$@"
    else
      echo "skipped: pythran, since pip has no pythran 0.19.0 for $mine"
    fi
    if python=$(brian2_env "$mine"); then
      run_tests "$python" "$build/python" Clients "numpy brian2" \
        -k "brian2 or Brian2" "$@"
    else
      echo "skipped: Brian2, since pip has no brian2 2.9.0 for $mine"
    fi ;;
  clients-slice)
    python=$(python_env clients-slice "$mine" setuptools cffi cython fenics-ffcx numpy \
      pytest) || exit 75
    run_tests "$python" "$build/python" Clients "numpy setuptools cffi cython fenics-ffcx" \
      --ignore-glob "*/test_[!p]*" -k "cffi or Cython or FFCx" "$@" ;;
  r)
    export CLINCH_BUILD=$build
    "$mine" -m pytest -q -p no:cacheprovider "$source/test/Clients/test_r.py" -rs "$@" ;;
  torch)
    python=$(python_env torch "$mine" "torch==2.15.*" numpy pytest) || {
      echo "PyPI does not give PyTorch 2.15 here: its tests are skipped"
      exit 75
    }
    run_tests "$python" "$build/python" Clients "numpy torch" -k torch "$@" ;;
  dask | dask-once)
    python=$(dask_env "$mine") || exit 75
    run_tests "$python" "$build/python" Dask "numpy dask joblib ray" "$@" ;;
  dask-slice) exec "$0" "$build" dask-once -k "not twenty_thousand" "$@" ;;
  gpu)
    python=$(python_env gpu "$mine" \
      cuda-core cuda-bindings numpy pytest)
    run_tests "$python" "$build/python" Gpu "numpy cuda-core cuda-bindings" -rs "$@" ;;
  pip) exec "$source/packaging/check-pip.sh" "$build" "$@" ;;
  wheel) exec "$source/packaging/check-wheel.sh" "$build" "$@" ;;
  packaging) exec "$source/packaging/check-packaging.sh" "$build" "$@" ;;
  *) echo "There is no suite '$suite': pytensor, pymc, clients, r, torch, dask," \
       "gpu, pip, wheel, packaging." >&2
     exit 2 ;;
esac

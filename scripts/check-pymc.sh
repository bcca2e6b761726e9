#!/usr/bin/env bash
# Runs test/PyMC: PyMC, PyTensor and nutpie from PyPI, in environments of their
# own in the build folder: PyMC 5 for the project's Python where that is 3.11,
# and PyMC 6 for a newer one where there is one.
#
#   scripts/check-pymc.sh BUILD [pytest's arguments]
#   PYTENSOR_PYTHON=/path/to/python3.13   which newer Python
#   CLINCH_TEST_ALL=1                     let g++ estimate the same, for comparison
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
. "$source/scripts/pytensor-env.sh"

run_suite PyMC pymc_env "numpy pytensor pymc nutpie" "$@"

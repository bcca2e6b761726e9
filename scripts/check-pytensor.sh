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

run_suite PyTensor pytensor_env "numpy pytensor" "$@"

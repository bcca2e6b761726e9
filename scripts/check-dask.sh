#!/usr/bin/env bash
# Runs test/Dask against BUILD/python: clusters of processes, with the newest
# Dask and joblib that pip finds.
#
#   scripts/check-dask.sh BUILD [pytest's arguments]
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
environment=$build/dask
if [ ! -x "$environment/bin/dask" ]; then
  "${PYTHON:-/usr/bin/python3}" -m venv --clear --system-site-packages "$environment"
  "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    "dask[array]" distributed cloudpickle joblib pytest
fi
cd "$environment"
PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 \
  CLINCH_CACHE_DIR=$environment/cache bin/python -m pytest -q \
  -p no:cacheprovider "$source/test/Dask" "$@"

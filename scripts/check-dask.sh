#!/usr/bin/env bash
# Runs test/Dask against BUILD/python: clusters of processes, with the newest
# Dask, joblib and Ray that pip finds.
#
#   scripts/check-dask.sh BUILD [pytest's arguments]
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
environment=$build/dask
if [ ! -e "$environment/ready" ]; then
  "${PYTHON:-/usr/bin/python3}" -m venv --clear --system-site-packages "$environment"
  "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    "dask[array]" distributed cloudpickle joblib ray pytest
  touch "$environment/ready"
fi
cd "$environment"
PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 \
  CLINCH_CACHE_DIR=$environment/cache bin/python -m pytest -q \
  -p no:cacheprovider "$source/test/Dask" "$@"

#!/usr/bin/env bash
# Makes BUILD/arrays-rivals with NumPy 2 and what arrays are measured against;
# prints its python. PYTHON says for which Python.
#
#   scripts/arrays-env.sh BUILD
set -euo pipefail

folder=$(realpath "$1")/arrays-rivals
if [ ! -e "$folder/ready" ]; then
  "${PYTHON:-/usr/bin/python3}" -m venv --clear "$folder" >&2
  "$folder/bin/pip" install -q --disable-pip-version-check \
    'numpy>=2' scipy numexpr numba jax pytest hypothesis >&2
  touch "$folder/ready"
fi
echo "$folder/bin/python"

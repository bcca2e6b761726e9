# Functions for the scripts that need packages of PyPI's; expects $build and $source.

# Makes build/pytensor-VERSION for the Python given, with PyTensor in it, of the version
# PYTENSOR if that is set; prints its python.
pytensor_env() {
  python_env "pytensor${PYTENSOR:+-$PYTENSOR}" "$1" \
    "pytensor${PYTENSOR:+==$PYTENSOR.*}" pytest
}

# The same with PyMC: PyMC 5 and PyTensor 2.38 for Python 3.11, PyMC 6 above.
pymc_env() { python_env pymc "$1" pymc nutpie pytest; }

dask_env() {
  python_env dask "$1" "dask[array]" distributed cloudpickle joblib ray pytest
}

clients_env() {
  python_env clients "$1" setuptools cffi cython sympy fenics-ffcx triton numpy pytest
}

stan_env() {
  python_env stan "$1" httpstan==4.13.0 pystan==3.10.0 'nutpie==0.16.*' numpy pytest
}

# Apart, since it wants a setuptools that is older than those of the others.
pythran_env() { python_env pythran "$1" pythran==0.19.0 numpy pytest; }

# Brian2's last release for Python 3.11, and a NumPy that it takes.
brian2_env() { python_env brian2 "$1" brian2==2.9.0 'numpy<2' setuptools pytest; }

# NumPy 2 and what arrays are measured against.
arrays_env() {
  python_env arrays "$1" 'numpy>=2' scipy numexpr numba jax pytest
}

python_env() { # a name, a Python, packages of PyPI's
  local name=$1 python=$2 version folder
  shift 2
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  folder=$build/$name-$version
  # Made anew for another list of packages than the one it was made for.
  if [ "$*" != "$(cat "$folder/ready" 2>/dev/null)" ]; then
    "$python" -m venv --clear "$folder" >&2 || return
    "$folder/bin/pip" install -q --disable-pip-version-check --retries 2 \
      --timeout 60 "$@" >&2 || return
    echo "$*" > "$folder/ready"
  fi
  echo "$folder/bin/python"
}

# Prints a Python from 3.12 to 3.14 with headers, if there is one.
newer_python() {
  local candidate
  for candidate in "${PYTENSOR_PYTHON:-}" python3.13 python3.12 \
    "$HOME"/.pyenv/versions/3.1[234].*/bin/python3; do
    candidate=$(command -v "$candidate" 2>/dev/null) || continue
    "$candidate" -c '
import os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not (sys.version_info[:2] >= (3, 12) and os.path.exists(header)))' \
      2>/dev/null || continue
    echo "$candidate"
    return 0
  done
  return 1
}

# Builds the extension for another Python and prints the package's folder.
package_for() {
  local python=$1 version folder
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  # Beside the build folder: at another depth ccache would know no file.
  folder=$build-python-$version
  cmake --preset release -S "$source" -B "$folder" --log-level=WARNING \
    -DPython3_EXECUTABLE="$python" >&2
  cmake --build "$folder" -j "$(nproc)" --target ClinchEngine _clinch >&2
  echo "$folder/python"
}

# Runs a function for the project's Python, and for a newer one where there is one: what
# makes environments, and the function, which gets an environment's Python, the
# package's folder, and the rest. A version that is asked for need not be for both.
for_each_python() {
  local environment=$1 function=$2 python newer ran=0
  shift 2
  if python=$("$environment" "${PYTHON:-/usr/bin/python3}"); then
    "$function" "$python" "$build/python" "$@"
    ran=1
  elif [ -z "${PYTENSOR:-}" ]; then
    return 1
  fi
  if newer=$(newer_python); then
    if python=$("$environment" "$newer"); then
      "$function" "$python" "$(package_for "$python")" "$@"
      return
    elif [ -z "${PYTENSOR:-}" ]; then
      return 1
    fi
  fi
  [ $ran = 1 ]
}

# Runs a folder of test/ and tells the versions of packages: an environment's Python,
# the package's folder, the folder, the packages, and pytest's arguments.
run_tests() {
  local python=$1 package=$2 folder=$3 told=$4 name
  name=$(echo "$folder" | tr '[:upper:]' '[:lower:]')
  shift 4
  echo "== $("$python" -c 'import platform, sys, importlib.metadata as m
print("Python", platform.python_version(),
      *(f"{p} {m.version(p)}" for p in sys.argv[1:]))' $told)"
  PYTHONPATH=$package CLINCH_CACHE_DIR=$build/$name-cache \
    PYTENSOR_FLAGS="base_compiledir=$build/$name-compiledir" \
    "$python" -m pytest -q -p no:cacheprovider "$source/test/$folder" "$@"
}

# Which Pythons there are, and which wheel is for which; to be sourced.

# "3.12", or "3.14t" for one without a global lock.
tag_of() { "$1" -c 'import sys, sysconfig
threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print("%d.%d" % sys.version_info[:2] + "t" * threaded)'; }

# pythons VERSION...: prints one Python with headers for each version there is.
pythons() {
  local version candidate
  for version in "$@"; do
    for candidate in "${PYTHON:-/usr/bin/python3}" "python$version" \
      "$HOME/.pyenv/versions/${version/t/*t}"*/bin/python3; do
      candidate=$(command -v "$candidate" 2>/dev/null) || continue
      [ "$(tag_of "$candidate" 2>/dev/null)" = "$version" ] || continue
      "$candidate" -c '
import os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not os.path.exists(header))' && echo "$candidate" && break
    done
  done
}

# wheel_of BUILD PYTHON: the path of the wheel that wheels.sh made for it.
wheel_of() {
  local tag
  tag=$(tag_of "$2")
  echo "$1"/wheels/clinch_jit-*-cp"${tag//[.t]/}"-cp"${tag//./}"-manylinux*.whl
}

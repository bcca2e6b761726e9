#!/usr/bin/env bash
# Installs a wheel from BUILD/wheels into an empty root, where there is Python and
# nothing else (no LLVM, no compiler, no header, no shell), and there runs
# test/Python, test/Wheel and PyTensor.
#
#   packaging/check-wheel.sh BUILD [pytest's arguments]
#   PYTHON=/usr/bin/python3   whose wheel
#   CHECK_WHEEL_TESTS="test_function.py ..."   those alone
set -euo pipefail

build=$(realpath "$1"); shift
source=$(realpath "$(dirname "$0")/..")
python=$(realpath "$("${PYTHON:-/usr/bin/python3}" -c 'import sys; print(sys.executable)')")
. "$source/packaging/pythons.sh"
tag=$(tag_of "$python")
wheel=$(wheel_of "$build" "$python")
scratch=$build/wheel
root=$scratch/root-$tag
rm -rf "$root"
mkdir -p "$root"/{site,tmp,dev,proc,tests}

[ -x "$scratch/pip-$tag/bin/python" ] || "$python" -m venv "$scratch/pip-$tag"
"$scratch/pip-$tag/bin/python" -m pip install -q --disable-pip-version-check \
  --target "$root/site" "$wheel" numpy pytest pytest-xdist psutil pytensor setuptools cffi cython triton
# With what tests of it read of its neighbours.
cp -r "$source"/test/{Python,Fuzz,Check,Wheel} "$root/tests"
sed 's/^\S* \(\S*\) .*/"\1",/' "$scratch/old-system/newer.txt" >"$scratch/names.inc"
clang-22 -shared -fPIC -O2 "-DNEWER_NAMES=\"$scratch/names.inc\"" \
  "$source/test/Wheel/old_dlsym.c" -o "$root/tests/Wheel/old_dlsym.so"

# The tag is true: what any file needs of glibc and libstdc++ is old enough.
needed=$({ find "$root/site/clinch" -type f -exec readelf -WV {} + 2>/dev/null || true; } |
  grep -oE '\b(GLIBC|GLIBCXX)_[0-9.]+' | sort -Vu)
for limit in GLIBC_2.28 GLIBCXX_3.4.24; do
  newest=$(grep "^${limit%_*}_" <<<"$needed" | tail -1)
  [ "$(printf '%s\n' "$newest" $limit | sort -V | tail -1)" = $limit ] ||
    { echo "the wheel needs $newest, which is newer than $limit" >&2; exit 1; }
done

# Python itself: its program, its library, and the libraries that these and
# other people's extensions need. Clinch's own may need no others.
library=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
mkdir -p "$root$library" "$root$(dirname "$python")"
cp "$python" "$root$python"
tar -C "$library" --exclude='config-*' --exclude=__pycache__ --exclude=test \
  -cf - . | tar -C "$root$library" -xf -
find "$root$library" "$root/site" -name '*.so*' -not -path "$root/site/clinch/*" |
  xargs ldd "$python" 2>/dev/null | awk '/=> \//{ print $3 } /^\t\//{ print $1 }' |
  grep -v "^$root" | sort -u | while read -r file; do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
  done

inside() {
  unshare --mount sh -c 'mount --rbind /dev "$0/dev" && mount -t proc none "$0/proc" &&
    exec chroot "$0" "$@"' "$root" "$python" "$@"
}
export -n PYTHONPATH PYTHONHOME LD_LIBRARY_PATH || true
environment='import os, sys
os.environ.clear()
os.environ.update(HOME="/tmp", PATH="/nothing", PYTHONPATH="/site",
                  PYTHONDONTWRITEBYTECODE="1", CLINCH_CACHE_DIR="/tmp/cache")
os.chdir("/tmp")
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])'

echo "== ${wheel##*/}: $(stat -c %s "$wheel") bytes, $(du -sb --apparent-size "$root/site/clinch" | cut -f1) installed"
inside -c "$environment" -m pytest -q -p no:cacheprovider /tests/Wheel
# NumPy has headers and PyTensor asks for a compiler: neither is there.
rm -rf "$root"/site/numpy/_core/include
inside -c "$environment" -c '
import os, time
assert not os.path.exists("/usr/include") and not os.path.exists("/bin/sh")
import numpy
start = time.perf_counter()
import clinch
imported = time.perf_counter()
x = clinch.double("x")
f = clinch.function([x], x * 2.0, "fast")
made = time.perf_counter()
assert f(21.0) == 42.0
print(f"import {1e3 * (imported - start):.1f} ms beyond NumPy {numpy.__version__}, "
      f"first function {1e3 * (made - imported):.1f} ms")
print(clinch.compile("#include <vector>\n#include <cmath>\nextern \"C\" double f(double x) "
      "{ std::vector<double> v(2, x); return std::sqrt(v[0] * v[1]); }",
      language="c++")["double f(double)"](3.0))'
inside -c "$environment" -c '
import numpy, pytensor, pytensor.tensor as pt
import clinch.pytensor
x, y = pt.dvector("x"), pt.dscalar("y")
f = pytensor.function([x, y], pt.tanh(x * y) + pt.exp(-x).sum(), mode="CLINCH")
v = numpy.linspace(0, 1, 7)
numpy.testing.assert_allclose(f(v, 2.0), numpy.tanh(v * 2) + numpy.exp(-v).sum())
print("PyTensor", pytensor.__version__, "computes")'
# Of the suite, those that need a checkout or a compiler look for it themselves.
read -r -a tests <<<"${CHECK_WHEEL_TESTS:-.}"
tests=("${tests[@]/#//tests/Python/}")
inside -c "$environment" -m pytest -q -n "${JOBS:-2}" --dist loadfile \
  -p no:cacheprovider "${tests[@]}" "$@"

"""OpenMP on the runtime that the process has; each test is a process of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

INPUTS = Path(__file__).parent / "Inputs"
#: What is in the process before: GCC's, LLVM's, neither.
RUNTIMES = {"gcc": "libgomp.so.1", "llvm": "libomp", "neither": ""}
RIGHT = {
    "threads": 3, "asked_for": 21, "sums": 499500 + 999,
    "plain": 100099, "chunks": 100000, "dynamic": 100099, "runtime": 99098,
    "guided": 50098, "automatic": 25003, "vectors": 100099, "nothing": 0,
    "nested": 902, "loop_in_loop": 126, "critical": 3000, "locked": 1500,
    "one_of_them": 30311, "in_order": 100, "tasks": 1440901, "threadprivate": 15,
}
BEFORE = """
import ctypes, json, os, sys
import clinch
from clinch import _clinch

def loaded():
    with open("/proc/self/maps") as file:
        paths = {line.split()[-1] for line in file}
    return sorted(p for p in paths if any(
        name in os.path.basename(p) for name in ("libgomp", "libomp", "libiomp")))

def load(name):
    if name == "libomp":
        name = os.environ["LIBOMP"]
    if name:
        ctypes.CDLL(name)

load(sys.argv[1])
before = loaded()
"""


@pytest.fixture(scope="module")
def libomp():
    """LLVM's, which a process without an OpenMP loads if it is installed."""
    code = "from clinch import _clinch; print(_clinch.openmp())"
    path = subprocess.run([sys.executable, "-c", code], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    if "libomp" not in path:
        pytest.skip("there is no libomp")
    return path


@pytest.fixture
def ran(libomp):
    def run(code, *arguments, **environment):
        made = subprocess.run(
            [sys.executable, "-c", BEFORE + code, *arguments], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
            env={**os.environ, "OMP_NUM_THREADS": "3", "OMP_SCHEDULE": "dynamic,4",
                 "LIBOMP": libomp, **environment})
        assert made.returncode == 0, made.stderr
        return json.loads(made.stdout)
    return run


@pytest.mark.parametrize("tier", ["fast", "max"])
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_construct_is_right(ran, runtime, tier):
    results, threads, files = ran("""
with open(sys.argv[3]) as file:
    m = clinch.compile(file.read(), "regions.c", tier=sys.argv[2], flags=["-fopenmp"])
results = {name: getattr(m, name)() for name in json.loads(sys.argv[4])}
for _ in range(20):
    assert {name: getattr(m, name)() for name in results} == results
results["many"] = m.many(1, 2.0, 4, 8, 16.0, 32, 64, 128, 256, 512)
print(json.dumps([results, m.threads(), loaded()]))
""", RUNTIMES[runtime], tier, str(INPUTS / "regions.c"), json.dumps(list(RIGHT)))
    assert results == {**RIGHT, "many": 2046}
    assert threads == 3
    [file] = files
    assert ("gomp" in file) == (runtime == "gcc")


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_there_is_one_pool_of_threads(ran, runtime):
    """Its threads are those of who called it first, and of arrays too."""
    count, again, same = ran("""
text = '''#include <omp.h>
int threads(void) { int n = 0;
#pragma omp parallel
#pragma omp atomic
n++;
return n; }'''
m = clinch.compile(text, flags=["-fopenmp"])
alone = len(os.listdir("/proc/self/task"))
assert m.threads() == 3
count = len(os.listdir("/proc/self/task")) - alone
x = clinch.vector("x")
import numpy
big = numpy.ones(300000)
f = clinch.function([x], clinch.exp(x) * 2, mode=clinch.Mode(threads=3))
assert f(big)[5] == 2 * numpy.exp(1)
other = ctypes.CDLL(_clinch.openmp())
again = len(os.listdir("/proc/self/task")) - alone
print(json.dumps([count, again, len(loaded()) == 1 and loaded() == [
    os.path.realpath(_clinch.openmp())]]))
""", RUNTIMES[runtime])
    assert (count, again, same) == (2, 2, True)


@pytest.mark.parametrize("there, named", [("libgomp.so.1", "libomp"), ("libomp", "gomp")])
def test_a_second_runtime_is_refused_by_name(ran, there, named):
    said, file, files = ran("""
name = sys.argv[2] if sys.argv[2] != "libomp" else os.environ["LIBOMP"]
try:
    clinch.compile("int f(void) { return 1; }", libraries=[name])
    said = ""
except clinch.LinkError as error:
    said = str(error)
print(json.dumps([said, before[0], loaded()]))
""", there, named)
    assert re.search("The library `.*" + named, said)
    [path] = re.findall("would be a second OpenMP in this process, which has `(.*?)`", said)
    assert [os.path.realpath(path)] == [file] == files


def test_the_one_that_is_there_may_be_named(ran):
    assert ran("""
m = clinch.compile("int omp_get_max_threads(void); int f(void) {"
                   " return omp_get_max_threads(); }", libraries=[os.environ["LIBOMP"]])
print(m.f())
""", "libomp") == 3


def test_what_gccs_runtime_does_not_have_is_refused(ran):
    """And the function, the file that lacks it are named."""
    said, file = ran("""
try:
    clinch.compile('''int f(void) { int n = 0;
#pragma omp teams num_teams(2)
n = 1;
return n; }''', flags=["-fopenmp"])
except clinch.LinkError as error:
    print(json.dumps([str(error), before[0]]))
""", "libgomp.so.1")
    [path] = re.findall("The OpenMP of this process is GCC's, `(.*?)`, on which Clinch "
                        "has no `teams`", said)
    assert os.path.realpath(path) == file
    assert "text:2:1: error: `__kmpc_fork_teams` is used" in said


def test_without_any_it_is_an_error(ran, tmp_path):
    """A library that hides them from dlopen stands for a machine without."""
    (tmp_path / "hide.c").write_text("""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <string.h>
        void *dlopen(const char *path, int flags) {
          void *(*next)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
          return path && strstr(path, "omp.so") ? 0 : next(path, flags);
        }""")
    hide = tmp_path / "hide.so"
    if not shutil.which("gcc"):
        pytest.skip("there is no gcc")
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "hide.c", "-o", hide, "-ldl"],
                   check=True)
    said = ran("""
try:
    clinch.compile('''int f(void) { int n = 0;
#pragma omp parallel
n = 1;
return n; }''', flags=["-fopenmp"])
except clinch.LinkError as error:
    print(json.dumps(str(error)))
""", "", LD_PRELOAD=":".join(filter(None, [os.environ.get("LD_PRELOAD"), str(hide)])))
    assert "No OpenMP is loaded in this process or installed" in said
    assert "libomp-dev" in said


TASKLOOPS = """if 1:
    import ctypes
    ctypes.CDLL("libgomp.so.1")
    import clinch
    code = clinch.compile('''
        int up(unsigned long begin, unsigned long end) {
          int count = 0;
          #pragma omp parallel num_threads(2)
          #pragma omp single
          #pragma omp taskloop shared(count)
          for (unsigned long i = begin; i < end; i += 3)
            #pragma omp atomic
            count += 1;
          return count;
        }
        int down(unsigned long begin, unsigned long end) {
          int count = 0;
          #pragma omp parallel num_threads(2)
          #pragma omp single
          #pragma omp taskloop shared(count)
          for (unsigned long i = begin; i > end; i -= 3)
            #pragma omp atomic
            count += 1;
          return count;
        }
        int between(long begin, long end) {
          int count = 0;
          #pragma omp parallel num_threads(2)
          #pragma omp single
          #pragma omp taskloop shared(count)
          for (long i = begin; i < end; i++)
            #pragma omp atomic
            count += 1;
          return count;
        }
    ''', flags=["-fopenmp"])
    top = 1 << 63
    print(code.up(top - 5, top + 5), code.down(top + 5, top - 5), code.up(top, top), code.up(top + 9, top),
          code.down(top, top + 9), code.between(-4, 5), code.between(5, 5),
          code.between(5, -4), code.between(-(1 << 62), -(1 << 62) + 6))
"""


def test_task_loops_over_unsigned_numbers():
    """Bounds from 2**63 on were taken for negative ones."""
    if subprocess.run(
            [sys.executable, "-c", "import ctypes; ctypes.CDLL('libgomp.so.1')"],
            capture_output=True).returncode:
        pytest.skip("there is no libgomp")
    made = subprocess.run([sys.executable, "-c", TASKLOOPS], text=True, capture_output=True)
    assert (made.returncode, made.stdout, made.stderr) == (0, "4 4 0 0 0 9 0 0 6\n", "")

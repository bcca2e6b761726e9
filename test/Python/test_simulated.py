"""Kernels of CUDA C++ that run without a device, and what is found in wrong ones."""

import ctypes
import os
import re
import signal
import subprocess
import sys
import threading

import numpy
import pytest

import clinch
import clinch.cuda
from kernel_cases import CASES, argument
from test_cuda import MATMUL, SAXPY


def simulated(text, **options):
    return clinch.cuda.compile(text, "author.cu", simulate=True, **options)


def found(launch, *arguments):
    """What is said to be wrong."""
    try:
        launch(*arguments)
    except clinch.RuleError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("schedule", [0, 1, 5])
@pytest.mark.parametrize("name, grid, block, arguments, wanted, text", CASES,
                         ids=[case[0] for case in CASES])
def test_what_is_wrong_is_found_and_nothing_else(name, grid, block, arguments, wanted,
                                                 text, schedule):
    if "__device__ unsigned count" in text and schedule:
        pytest.skip("its counter lives on")
    kernel = simulated(text, check=True)["k"]
    given = [argument(one) for one in arguments.split()]
    said = found(kernel(int(grid), eval(block), schedule=schedule), *given)
    assert bool(said) == bool(wanted) and re.search(wanted, said), said


@pytest.mark.parametrize("check", [False, True])
def test_kernels_compute_what_numpy_does(check):
    x, y = numpy.arange(1003, dtype="f"), numpy.ones(1003, "f")
    simulated(SAXPY, check=check)["saxpy"](8, 128)(1003, 2.0, x, y)
    assert numpy.array_equal(y, 2 * x + 1)
    a, b = numpy.random.default_rng(1).integers(0, 9, (2, 64, 64)).astype("f")
    product = numpy.zeros((64, 64), "f")
    for schedule in range(3):
        product[:] = 0
        simulated(MATMUL, check=check)["matmul"]((4, 4), (16, 16), schedule=schedule)(
            a, b, product, 64)
        assert numpy.array_equal(product, a @ b)


def test_mathematics_has_the_bits_of_the_processor():
    names = "exp log tanh sin cos tan cbrt erf erfc expm1 log1p atan".split()
    kernels = "".join(f"__global__ void {name}_(const double *x, double *y)\n"
                      f"{{ int i = blockIdx.x * 64 + threadIdx.x; y[i] = {name}(x[i]); }}\n"
                      for name in names)
    code = simulated(kernels)
    x = numpy.random.default_rng(2).standard_normal(640) ** 3 * 5
    for name in names:
        y = numpy.zeros(640)
        code[name + "_"](10, 64)(x, y)
        here = clinch.compile(f"#include <math.h>\ndouble f(double x) {{ return {name}(x); }}").f
        with numpy.errstate(all="ignore"):
            assert numpy.array_equal(y, [here(one) for one in x], equal_nan=True), name


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("kind", ["int", "unsigned", "long long", "unsigned long long",
                                  "signed char"])
def test_a_division_by_zero_does_not_trap(kind, check):
    code = simulated("""__global__ void k(KIND *x, int n) {
  for (int i = 0; i < n; i++, x += 4) {
    x[2] = x[0] / x[1];
    x[3] = x[0] % x[1];
  }
}""".replace("KIND", kind), check=check)
    dtype = numpy.dtype({"int": "i", "unsigned": "I", "long long": "q",
                         "unsigned long long": "Q", "signed char": "b"}[kind])
    least, most = numpy.iinfo(dtype).min, numpy.iinfo(dtype).max
    ones = -1 if least else most
    rows = [[7, 2, 3, 1], [most, most, 1, 0], [7, 0, ones, ones], [0, 0, ones, ones]]
    if least:
        rows += [[least, -1, least, 0], [-7, 2, -3, -1], [5, -1, -5, 0]]
    wanted = numpy.array(rows, dtype)
    x = wanted.copy()
    x[:, 2:] = 77
    code["k"](1, 1)(x, len(rows))
    x[wanted[:, 1] == 0, 3] = ones  # A device may give any remainder by zero.
    assert numpy.array_equal(x, wanted), x


def test_local_variables_that_a_device_refuses():
    with pytest.raises(clinch.CompileError, match="`k` has 600000 bytes of local variables: "
                       "expected at most 524288") as error:
        simulated("""__global__ void k(int *x) {
  volatile char b[600000];
  b[x[0]] = 1;
  x[0] = b[x[1]];
}""")
    assert error.value.diagnostics[0]["line"] == 1


#: Loops that never end: of a checked access, of nothing, and with a worker each.
ENDLESS = ["for (;;) x[0]++;", "for (;;) if (x[1]) x[0] *= 3;", "for (;;) asm volatile(\"\");",
           "while (blockIdx.x) asm volatile(\"\");"]


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("loop", ENDLESS)
def test_ctrl_c_ends_an_endless_kernel(loop, check):
    # A shell's background job ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code = simulated("__global__ void k(int *x) { %s }" % loop, check=check)
    x = numpy.zeros(4, "i")
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        code["k"](4, 2)(x)
    timer.join()
    simulated("__global__ void k(int *x) { x[0] = 5; }")["k"](1, 1)(x)
    assert x[0] == 5


def test_where_no_thread_can_be_made_one_runs_all_blocks():
    text = """
import numpy, resource, clinch.cuda
code = clinch.cuda.compile("__global__ void k(float *y) { y[blockIdx.x] = 1; }", simulate=True)
y = numpy.zeros(8, "f")
now = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (now + (5 << 20),) * 2)
code["k"](8, 1)(y)
print(y.sum())
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("8.0\n", 0), done.stderr


def test_a_race_is_shown_with_both_lines():
    code = simulated("""__global__ void k(int *o) {
  o[threadIdx.x / 2] = 1;
}
""", check=True)
    assert found(code["k"](1, 2), numpy.zeros(1, "i")) == """\
The kernel `k` is wrong: in kernel `k`, a race: thread (1, 0, 0) of block (0, 0, 0) writes \
4 bytes at offset 0 of argument 1, which thread (0, 0, 0) writes at line 2, and nothing \
orders the two.
author.cu:2:22: error: in kernel `k`, a race: thread (1, 0, 0) of block (0, 0, 0) writes \
4 bytes at offset 0 of argument 1, which thread (0, 0, 0) writes at line 2, and nothing \
orders the two
    o[threadIdx.x / 2] = 1;
                       ^
author.cu:2:22: note: the other access
    o[threadIdx.x / 2] = 1;
                       ^"""


def test_it_prints_where_python_does(capsys):
    code = simulated('__global__ void k(int n) { printf("%d of %d\\n", threadIdx.x, n); }')
    code["k"](1, 2)(7)
    assert capsys.readouterr().out == "0 of 7\n1 of 7\n"


WRONG = [
    (lambda k: k(0, 64), ValueError, "A device refuses the grid (0, 1, 1)"),
    (lambda k: k(1, 1025), ValueError, "A device refuses the block (1025, 1, 1)"),
    (lambda k: k(1, (33, 32)), ValueError, "of 1056 threads: expected at most 1024"),
    (lambda k: k(1, 1, shared=1 << 20), ValueError, "1048576 bytes of shared memory"),
    (lambda k: k((1, 1, 1, 1), 1), ValueError, "a grid has 1 to 3 numbers, not 4"),
    (lambda k: k(1, -1), ValueError, "-1 is no extent of a block"),
    (lambda k: k(1, 1, shared=-5), ValueError, "shared=-5 is no number of bytes"),
    (lambda k: k(1, 1, shared=2.5), ValueError, "shared=2.5 is no number of bytes"),
]


@pytest.mark.parametrize("launch, kind, said", WRONG)
def test_launches_that_a_device_refuses(launch, kind, said):
    kernel = simulated(SAXPY)["saxpy"]
    x = numpy.zeros(4, "f")
    with pytest.raises(kind, match=re.escape(said)):
        launch(kernel)(4, 1.0, x, x)


@pytest.mark.parametrize("arguments, said", [
    ((4, 1.0, numpy.zeros(4), numpy.zeros(4, "f")),
     "argument 3 is a `const float *`: expected an array of float32, not of float64"),
    ((4, 1.0, [1, 2], numpy.zeros(4, "f")), "expected a NumPy array, not a list"),
    ((4, 1.0, numpy.zeros(8, "f")[::2], numpy.zeros(4, "f")), "numpy.ascontiguousarray"),
    ((4, "a", numpy.zeros(4, "f"), numpy.zeros(4, "f")), "argument 2: "),
    ((4, 1.0), "takes 4 arguments, and 2 were given"),
])
def test_wrong_arguments(arguments, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        simulated(SAXPY)["saxpy"](1, 4)(*arguments)


@pytest.mark.parametrize("n, kind, said", [
    (1 << 31, OverflowError, "argument 1: 2147483648 is not between"),
    (2.5, TypeError, "argument 1: "), ("4", TypeError, "argument 1: "),
])
def test_numbers_that_do_not_fit(n, kind, said):
    x = numpy.zeros(4, "f")
    with pytest.raises(kind, match=said):
        simulated(SAXPY)["saxpy"](1, 4)(n, 1.0, x, x)


def test_a_choice():
    code = simulated("__global__ void k(bool up, int *y) { *y = up ? 1 : 2; }")
    y = numpy.zeros(1, "i")
    for up, wanted in ((True, 1), (False, 2)):
        code["k"](1, 1)(up, y)
        assert y[0] == wanted


def test_structs_are_given_as_structures():
    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_double)]

    code = simulated("struct Pair { float a; double b; };\n"
                     "__global__ void k(Pair p, double *y) { y[0] = p.a + p.b; }")
    y = numpy.zeros(1)
    code["k"](1, 1)(Pair(1.5, 2), y)
    assert y[0] == 3.5
    with pytest.raises(TypeError, match="argument 1 has 8 bytes, and `Pair` 16"):
        code["k"](1, 1)(numpy.zeros(1), y)


def test_an_array_that_may_not_be_written():
    y = numpy.zeros(4, "f")
    y.flags.writeable = False
    with pytest.raises(TypeError, match="argument 4 is a `float \\*`, and the array is "
                                        "read-only"):
        simulated(SAXPY)["saxpy"](1, 4)(4, 1.0, y, y)


def test_an_unknown_kernel_asks_which_was_meant():
    with pytest.raises(KeyError, match="no kernel `saxpi`; did you mean `saxpy`"):
        simulated(SAXPY)["saxpi"]


def test_what_is_not_simulated_is_refused_at_its_line():
    with pytest.raises(clinch.CompileError) as error:
        simulated('__global__ void k(int *x) {\n  asm("exit;");\n}')
    assert error.value.diagnostics[0]["line"] == 2
    assert "inline PTX" in str(error.value) or "assembly" in str(error.value)


def test_it_comes_from_the_cache(tmp_path):
    kept, clinch.config.cache_dir = clinch.config.cache_dir, str(tmp_path)
    try:
        told = []
        for _ in range(2):
            code = simulated(SAXPY.replace("saxpy", "cached"), check=True)
            x = numpy.ones(4, "f")
            code["cached"](1, 4)(4, 1.0, x, numpy.zeros(4, "f"))
            told.append(code._text.stats["cache"])
            del code
        assert told == ["miss", "hit"]
    finally:
        clinch.config.cache_dir = kept

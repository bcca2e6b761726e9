"""`clinch.compile(language="cuda")`: host code that launches its kernels, in the
simulator. What needs a driver is tested in test/Gpu."""

import ctypes
import os
import pickle
import subprocess
import sys
import threading

import numpy
import pytest

import clinch
import clinch.cuda

KERNEL = "__global__ void k(int *x) { x[threadIdx.x] = threadIdx.x; }\n"
SHARED = """__global__ void k(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = *x;
  *x = s[0];
}
"""


#: What host code has of CUDA's runtime.
OF_RUNTIME = (
    "cudaMalloc, cudaFree, cudaMemcpy, cudaMemcpyAsync, cudaMemset, cudaMemsetAsync, "
    "cudaMemcpyToSymbol, cudaMemcpyFromSymbol, cudaStreamCreate, cudaStreamSynchronize, "
    "cudaStreamDestroy, cudaEventCreate, cudaEventRecord, cudaEventSynchronize, "
    "cudaEventElapsedTime, cudaEventDestroy, cudaDeviceSynchronize, cudaGetLastError, "
    "cudaPeekAtLastError, cudaGetErrorName, cudaGetErrorString")


def missing(name):
    return f"`{name}` of CUDA is not among what texts have here: {OF_RUNTIME}"


def made(text, **options):
    return clinch.compile(text, "author.cu", language="cuda", **options)


def simulated(text, **options):
    return made(text, simulate=True, **options)


def places(error):
    return [(d["origin"], d["line"], d["message"]) for d in error.diagnostics]


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_a_host_function_launches(tier):
    code = simulated(KERNEL + "int f(int *x, int n) { k<<<1, n>>>(x); return x[n - 1]; }\n"
                     "double g(double x) { return 2 * x; }\n", tier=tier)
    x = numpy.zeros(40, "i")
    assert code.f(x, 40) == 39 and (x == numpy.arange(40)).all()
    assert code.g(1.5) == 3 and code.functions == {
        "f": "int f(int *, int)", "g": "double g(double)"}


def test_code_of_c_plus_plus_stands_beside_kernels():
    assert simulated("""#include <stdexcept>
        #include <vector>
        template <class T> __global__ void fill(T *x, T by) { x[threadIdx.x] = by; }
        static std::vector<double> kept(3, 1.0);
        double f() {
          try {
            fill<<<1, 2>>>(kept.data(), 2.5);
            throw std::runtime_error("x");
          } catch (const std::exception &) {}
          return kept[0] + kept[1] + kept[2];
        }""").f() == 6


def test_a_launch_may_stand_among_the_arguments_of_another():
    assert simulated("""__global__ void add(int *x, int n) { atomicAdd(x, n); }
        int inner(int *x) { add<<<2, 1>>>(x, 1); return 10; }
        int f() { int x = 0; add<<<1, 3>>>(&x, inner(&x)); return x; }""").f() == 32


def test_variables_of_a_device_are_not_the_hosts():
    code = simulated("""__device__ int v; __constant__ int c; int host = 3;
        static __device__ int hidden = 5;
        __global__ void k() { v += c + hidden; }
        int f() { int two = 2, r; cudaMemcpyToSymbol(c, &two, 4); k<<<1, 1>>>();
                  cudaMemcpyFromSymbol(&r, v, 4); return r; }
        void g() { int r[2]; cudaMemcpyFromSymbol(r, v, 8); }""")
    assert (code.f(), code.f(), code.host) == (7, 14, 3)
    with pytest.raises(AttributeError, match="defines no 'v'"):
        code.v
    with pytest.raises(clinch.cuda.LaunchError, match="`v` has less than 8 bytes") as caught:
        code.g()
    assert caught.value.code == 13


def test_what_kernels_print_comes_out_of_the_process():
    done = subprocess.run(
        [sys.executable, "-c", """import clinch
clinch.compile('''#include <cstdio>
__global__ void k() { printf("thread %d\\\\n", threadIdx.x); }
void f() { k<<<1, 2>>>(); }''', language="cuda", simulate=True).f()"""],
        capture_output=True, text=True, check=True)
    assert done.stdout == "thread 0\nthread 1\n"


def test_findings_are_raised_after_the_call():
    code = made(KERNEL.replace("[threadIdx.x]", "[0]")
                + "int f(int *x) { k<<<1, 64>>>(x); return 1; }\n"
                "void g(int *x) { k<<<1, 1>>>(x + 1); }\n", check=True)
    x = numpy.zeros(1, "i")
    with pytest.raises(clinch.RuleError) as caught:
        code.f(x)
    assert places(caught.value) == [(
        "author.cu", 1, "in kernel `k`, a race: thread (1, 0, 0) of block (0, 0, 0) writes "
        "4 bytes at offset 0 of argument 1, which thread (0, 0, 0) writes at line 1, and "
        "nothing orders the two")]
    found = caught.value.diagnostics[0]
    assert found["source_line"].startswith("__global__")
    assert [note["severity"] for note in found["notes"]] == ["note"]
    with pytest.raises(clinch.RuleError, match="offset 4 of argument 1, which has 4 bytes"):
        code.g(x)


def test_memory_of_the_device_is_checked():
    code = made(KERNEL + "void f(int n) { int *x; cudaMalloc(&x, 16); k<<<1, n>>>(x); "
                "cudaFree(x); }\n int g() { int x; return cudaFree(&x); }", check=True)
    assert code.f(4) is None
    with pytest.raises(clinch.RuleError, match="at offset 16 of memory of cudaMalloc, which "
                       "has 16 bytes"):
        code.f(5)
    with pytest.raises(clinch.cuda.LaunchError, match="`cudaMalloc` did not return"):
        code.g()


@pytest.mark.parametrize("launch, message", [
    ("k<<<0, 1>>>(x)", "A device refuses the grid (0, 1, 1): expected 1 to 2147483647, "
     "65535 and 65535 blocks."),
    ("k<<<1, 1025>>>(x)", "A device refuses the block (1025, 1, 1): expected 1 to 1024, "
     "1024 and 64 threads."),
    ("k<<<1, 1, 300000>>>(x)", "A device refuses 300000 bytes of shared memory: expected "
     "at most 232448."),
])
def test_a_launch_that_a_device_refuses(launch, message):
    code = simulated(SHARED + f"void f(int *x) {{ {launch}; }}\n"
                     f"int g(int *x) {{ {launch}; return cudaGetLastError(); }}\n")
    with pytest.raises(clinch.cuda.LaunchError) as caught:
        code.f(numpy.zeros(1, "i"))
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.code == 9
    assert error.message == f"The launch of `k` failed: {message}"
    assert [(d["origin"], d["line"]) for d in error.diagnostics] == [("author.cu", 6)]
    assert str(error).splitlines()[1:] == [
        "author.cu:6: note: it is launched here", f"  void f(int *x) {{ {launch}; }}"]
    assert code.g(numpy.zeros(1, "i")) == 9  # It asked: nothing is raised.


def test_a_text_is_pickled_with_its_kernels():
    code = pickle.loads(pickle.dumps(simulated(
        KERNEL + "int f(int *x) { k<<<1, 3>>>(x); return x[2]; }\n")))
    assert code.f(numpy.zeros(3, "i")) == 2


def test_python_h_and_numpy_are_in_reach():
    code = simulated("""__global__ void k(double *x) { x[threadIdx.x] *= 2; }
        PyObject *twice(PyObject *given) {
          double *x = (double *)PyArray_DATA((PyArrayObject *)given);
          k<<<1, PyArray_DIM((PyArrayObject *)given, 0)>>>(x);
          return PyFloat_FromDouble(x[1]);
        }""", python=True)
    assert code.twice(numpy.arange(3.0)) == 2


@pytest.mark.parametrize("text, expected", [
    # What is wrong with a kernel and with host code, each once.
    ("__global__ void k(int *x) { *x = f(); }\nint g() { return h(); }\n",
     [(1, "use of undeclared identifier 'f'"), (2, "use of undeclared identifier 'h'")]),
    (KERNEL + "int f() { return 1 }\n", [(2, "expected ';' after return statement")]),
    ("int h() { return 1; }\n__global__ void k(int *x) { *x = h(); }\n",
     [(2, "no matching function for call to 'h'")]),
    ("__device__ int d() { return 1; }\nint f() { return d(); }\n",
     [(2, "no matching function for call to 'd'")]),
    ("__device__ int d();\n__global__ void k(int *x) { *x = d(); }\nint f() { return g(); }",
     [(3, "use of undeclared identifier 'g'")]),
    ("__device__ int d();\n__global__ void k(int *x) { *x = d(); }\nint f() { return 1; }",
     [(2, "`d()` is used on the device, and nothing defines it there.")]),
    ("__device__ thread_local int y;\nint f() { return 1; }\n",
     [(1, "thread-local storage is not supported for the current target")]),
    ("__global__ void k(int *x) { try { *x = 1; } catch (...) {} }\nint f() { return 1; }\n",
     [(1, "cannot use 'try' in __global__ function")]),
    ("__global__ void k() { throw 1; }\nvoid f() { k<<<1, 1>>>(); }\n",
     [(1, "cannot use 'throw' in __global__ function")]),
    (KERNEL + "void f(int *x) { k<<<1>>>(x); }\n",
     [(2, "too few execution configuration arguments to kernel function call, expected at "
       "least 2, have 1")]),
    (KERNEL + "void f(int *x) { k(x); }\n",
     [(2, "call to global function 'k' not configured")]),
    ("int f(void **p) { return cudaMallocManaged(p, 3); }\n",
     [(1, missing("cudaMallocManaged"))]),
    ("int f(void **p) {\n  return cudaMallocHost(p, 3); }\n",  # Clang would guess.
     [(2, missing("cudaMallocHost"))]),
    ("__managed__ int x;\n", [(1, missing("__managed__"))]),
    ("void f() { cudaDeviceProp p; }\n", [(1, missing("cudaDeviceProp"))]),
    ("int f(void **p) { return cuMemAlloc_v2(p, 3) + cuMemcpyHtoD(p); }\n",
     [(1, missing("cuMemAlloc_v2")), (1, missing("cuMemcpyHtoD"))]),
    ("int f(void **p) { return cudaMaloc(p, 3); }\n",
     [(1, "use of undeclared identifier 'cudaMaloc'; did you mean 'cudaMalloc'?")]),
    ("int f() { return cudart() + cub(); }\n",
     [(1, "use of undeclared identifier 'cudart'"),
      (1, "use of undeclared identifier 'cub'")]),
    ("#include <cuda_runtime.h>\n",
     [(1, "`cuda_runtime.h` is NVIDIA's, and cannot be used here: what kernels need is "
       "declared without it")]),
])
@pytest.mark.parametrize("simulate", [False, True])
def test_errors_of_both_passes(text, expected, simulate):
    with pytest.raises(clinch.CompileError) as caught:
        made(text, device="sm_90", simulate=simulate)
    assert places(caught.value) == [("author.cu", *one) for one in expected]


def test_what_host_code_has_of_the_runtime():
    uses = "\n".join(f"using ::{name};" for name in OF_RUNTIME.split(", "))
    assert simulated(f"namespace n {{ {uses} }}\nint f() {{ return 1; }}").f() == 1


EVENTS = """
    cudaStream_t stream; cudaEvent_t event;
    int unknown_stream() { return cudaStreamDestroy(cudaStream_t(&stream)); }
    int unknown_event() { return cudaEventRecord(cudaEvent_t(&stream)); }
    int event_as_stream() {
      cudaEventCreate(&event);
      return cudaStreamSynchronize(cudaStream_t(event));
    }
    int twice() {
      cudaEventCreate(&event);
      return cudaEventDestroy(event) + cudaEventDestroy(event);
    }
    float not_recorded() {
      float ms = -1;
      cudaEventCreate(&event);
      cudaEventElapsedTime(&ms, event, event);
      return ms;
    }
"""


@pytest.mark.parametrize("name, message", [
    ("unknown_stream", "`cudaStreamDestroy` failed: it is given no stream, or one that was "
     "destroyed."),
    ("unknown_event", "`cudaEventRecord` failed: it is given no event, or one that was "
     "destroyed."),
    ("event_as_stream", "`cudaStreamSynchronize` failed: it is given no stream, or one that "
     "was destroyed."),
    ("twice", "`cudaEventDestroy` failed: it is given no event, or one that was destroyed."),
    ("not_recorded", "`cudaEventElapsedTime` failed: it is given what is no event, or was "
     "not recorded."),
])
def test_what_is_no_stream_or_event(name, message):
    with pytest.raises(clinch.cuda.LaunchError) as caught:
        getattr(simulated(EVENTS), name)()
    assert (caught.value.code, caught.value.message) == (400, message)


def test_warnings_come_once():
    with pytest.warns(clinch.CompileWarning) as caught:
        simulated("int f() { int x; return x; }\n")
    assert [str(one.message) for one in caught] == [
        "author.cu, line 1: variable 'x' is uninitialized when used here"]


def test_what_host_code_needs_is_missing():
    with pytest.raises(clinch.LinkError, match="`other\\(int\\)` is used, and nothing"):
        simulated(KERNEL + "int other(int);\nint f() { return other(1); }\n")


def test_the_runtime_is_that_of_texts_in_cuda_alone():
    """Others, whose CUDA is a library of the process, get none of ours."""
    with pytest.raises(clinch.LinkError, match="`cudaPeekAtLastError`"):
        clinch.compile('extern "C" int cudaPeekAtLastError(void);\n'
                       "int f() { return cudaPeekAtLastError(); }", language="c++")


@pytest.mark.parametrize("simulate", [False, True])
def test_a_function_of_others_whose_name_begins_alike(simulate):
    helper = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)
    code = made('extern "C" int cudaHelper(void);\nint f() { return cudaHelper(); }\n' + KERNEL,
                device="sm_90", simulate=simulate,
                symbols={"cudaHelper": ctypes.cast(helper, ctypes.c_void_p).value})
    assert code.f() == 7


def test_the_device_is_part_of_the_key():
    text = KERNEL + "void f(int *x) { k<<<1, 1>>>(x); }\n"
    keys = {made(text, device=device).key for device in ("sm_80", "sm_90")}
    keys |= {simulated(text).key, made(text, check=True).key,
             clinch.compile("void f(int *) {}", language="c++").key}
    assert len(keys) == 5
    assert ".target sm_75" in made(text, keep=["llvm"]).stage("llvm") \
        or clinch._clinch.first_device()


@pytest.mark.parametrize("options, kind, message", [
    (dict(language="cuda", device="sm_99"), ValueError, "no device `sm_99`"),
    (dict(language="cuda", device=90), TypeError, 'device is a str such as "sm_90", not a int'),
    (dict(language="cuda", device=""), ValueError, "device is empty"),
    (dict(language="c++", device="sm_90"), ValueError, 'are for `language="cuda"`'),
    (dict(simulate=True), ValueError, 'are for `language="cuda"`'),
    (dict(language="cude"), ValueError, "no language `cude`"),
])
def test_options(options, kind, message):
    with pytest.raises(kind, match=message):
        clinch.compile("int f() { return 1; }", **options)


def test_without_a_driver():
    """The text compiles; the launch says what is missing."""
    if clinch._clinch.first_device():
        pytest.skip("there is a driver of NVIDIA's here")
    code = made(KERNEL + "void f() { k<<<1, 1>>>(nullptr); }\n"
                "int g() { k<<<1, 1>>>(nullptr); return cudaGetLastError(); }\n"
                "const char *h(int *x) { return cudaGetErrorString(cudaMalloc(&x, 3)); }\n")
    with pytest.raises(clinch.cuda.LaunchError) as caught:
        code.f()
    assert caught.value.code == 35
    assert caught.value.message.startswith(
        "The launch of `k` failed: There is no driver of NVIDIA's here: libcuda.so.1: ")
    assert caught.value.diagnostics[0]["line"] == 2
    assert code.g() == 35
    with pytest.raises(clinch.cuda.LaunchError, match="There is no driver of NVIDIA's"):
        code.h(None)


def test_static_shared_memory_above_48_kib():
    def code(words):
        return simulated(f"""__global__ void k(int *x) {{
              __shared__ int s[{words}];
              s[threadIdx.x] = *x;
              __syncthreads();
              *x = s[(threadIdx.x + 1) % blockDim.x] + 1;
            }}
            void f(int *x) {{ k<<<1, 1>>>(x); }}""")
    x = numpy.zeros(1, "i")
    code(12288).f(x)
    assert x[0] == 1
    with pytest.raises(clinch.cuda.LaunchError) as caught:
        code(12289).f(x)
    assert (caught.value.code, caught.value.message) == (
        9, "The launch of `k` failed: The kernel `k` has 49156 bytes of shared variables: "
        "expected at most 49152, and more as dynamic shared memory.")
    assert caught.value.diagnostics[0]["line"] == 7 and x[0] == 1


def test_recursion_on_the_device():
    x = numpy.full(1, 15, "i")
    simulated("""__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        __global__ void k(int *x) { *x = fib(*x); }
        int f(int *x) { k<<<1, 1>>>(x); return 1; }""").f(x)
    assert x[0] == 610


def test_the_host_has_exceptions_and_thread_local_variables_beside_kernels():
    code = simulated(KERNEL + """thread_local int calls = 3;
        int f(int *x) {
          k<<<1, 4>>>(x);
          try { throw x[3]; } catch (int n) { return n + calls++; }
        }""")
    x = numpy.zeros(4, "i")
    assert (code.f(x), code.f(x)) == (6, 7)


CACHED = """
import sys, clinch, numpy
code = clinch.compile(sys.argv[1], language="cuda", simulate=True)
x = numpy.zeros(4, "i")
code.f(x)
print(code.stats["cache"], x)
"""


def test_a_damaged_entry_of_the_cache(tmp_path):
    text = KERNEL + "void f(int *x) { k<<<1, 4>>>(x); }\n"

    def run():
        done = subprocess.run(
            [sys.executable, "-c", CACHED, text], text=True, capture_output=True, check=False,
            env={**os.environ, "CLINCH_CACHE_DIR": str(tmp_path)})
        assert done.stderr == ""
        return done.stdout
    assert (run(), run()) == ("miss [0 1 2 3]\n", "hit [0 1 2 3]\n")
    for entry in tmp_path.glob("*.o.clinch"):
        with open(entry, "r+b") as file:
            file.seek(200)
            file.write(b"damaged")
    assert (run(), run()) == ("miss [0 1 2 3]\n", "hit [0 1 2 3]\n")


def test_problems_of_others_are_not_the_calls():
    """What code left that was not called by its function here."""
    code = simulated(KERNEL + """void left() { k<<<0, 1>>>(nullptr); }
        int nothing() { return 1; }
        int good(int *x) { k<<<1, 1>>>(x); return 2; }
        void bad() { k<<<1, 1025>>>(nullptr); }""")
    left = ctypes.CFUNCTYPE(None)(code.lookup("_Z4leftv"))
    x = numpy.ones(1, "i")
    for _ in range(2):
        left()
        assert code.nothing() == 1 and code.good(x) == 2
        with pytest.raises(clinch.cuda.LaunchError, match="1025"):
            code.bad()
    with pytest.raises(clinch.cuda.LaunchError):
        code.left()


def test_a_problem_of_another_thread_is_not_the_calls():
    code = simulated(KERNEL + """int elsewhere(void (*run)()) { run(); return 1; }
        void bad() { k<<<0, 1>>>(nullptr); }""")
    bad = ctypes.CFUNCTYPE(None)(code.lookup("_Z3badv"))

    def run():
        thread = threading.Thread(target=bad)
        thread.start()
        thread.join()
    bad()  # Is this thread's, and of before.
    assert code.elsewhere(run) == 1


def test_an_exception_of_pythons_leaves_no_problem():
    code = simulated(KERNEL + """PyObject *both() {
          k<<<0, 1>>>(nullptr);
          PyErr_SetString(PyExc_KeyError, "mine");
          return nullptr;
        }
        int asked() { return cudaGetLastError(); }""", python=True)
    with pytest.raises(KeyError, match="mine"):
        code.both()
    assert code.asked() == 0


def test_a_call_that_launches_nothing_asks_for_no_problem(monkeypatch):
    code = simulated(KERNEL + "int f(int x) { return x + 1; }\n"
                     "int g() { k<<<0, 1>>>(nullptr); return 1; }\n")
    asked = []
    monkeypatch.setattr(clinch._clinch, "take_problem", lambda: asked.append(1))
    assert code.f(2) == 3 and asked == []
    assert code.g() == 1 and asked == [1]
    monkeypatch.undo()
    assert clinch._clinch.take_problem()[0] == 9


def test_what_launches_nothing_looks_for_no_driver():
    done = subprocess.run(
        [sys.executable, "-c", """import clinch, os
code = clinch.compile("int f() { return 1; }", language="cuda", device="sm_90")
assert code.f() == 1
assert "libcuda" not in open("/proc/self/maps").read()"""],
        check=False, env={**os.environ, "LD_DEBUG": "libs"}, capture_output=True, text=True)
    assert done.returncode == 0 and "libcuda" not in done.stderr

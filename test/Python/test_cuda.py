"""`clinch.cuda.compile`: CUDA C++ to PTX, without a toolkit and without a GPU."""

import glob
import os
import re
import shutil
import subprocess
import sys

import pytest

import clinch
import clinch.cuda

SAXPY = """__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
MANY = """struct Pair { float a; double b; };
template <class T> __global__ void elem(Pair p, const T *x, T *y, int n) {
  __shared__ T s[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x % 32] = x[i];
  __syncthreads();
  if (i < n) y[i] = exp(x[i]) + tanh(s[0]) * p.a;
}
namespace sp {
__global__ void k(double *x) {
  *x = pow(*x, 0.3);
  atomicAdd(x, __shfl_down_sync(0xffffffffu, *x, 1));
  printf("%d\\n", __popc(__ballot_sync(~0u, *x > 0)));
}
}
void host(float *x) { elem<<<1, 2>>>(Pair{}, x, x, 3); }
"""
MATMUL = """__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
"""
ONE = "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 " \
      "log log10 log1p log2 sin sinh tan tanh tgamma sqrt rsqrt fabs floor ceil trunc rint " \
      "nearbyint round".split()
TWO = "atan2 hypot pow fmin fmax copysign".split()
MATHEMATICS = "".join(
    f"__global__ void {name}_{t}({t} *x) {{ *x = {name}({arguments}); }}\n"
    for t in ("float", "double")
    for names, arguments in ((ONE, "*x"), (TWO, "x[0], x[1]")) for name in names)
FMOD = "".join(f"__global__ void rest_{t}({t} *x) {{ *x = fmod(x[0], x[1]); }}\n"
               for t in ("float", "double"))
RECURSIVE = """__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void k(int *x) { *x = fib(*x); }
"""
TEXTS = (SAXPY, MANY, MATMUL, MATHEMATICS, FMOD, RECURSIVE)
DEVICES = ("sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103 sm_103a "
           "sm_110 sm_110a sm_120 sm_120a sm_121 sm_121a").split()
PTXAS = shutil.which("ptxas") or next(iter(
    glob.glob("/usr/local/cuda/bin/ptxas") + glob.glob(
        os.path.join(sys.prefix, "lib*/python*/site-packages/nvidia/*/bin/ptxas"))), None)


def test_kernels_and_what_they_take():
    code = clinch.cuda.compile(MANY, keep=["llvm-device"])
    elem = "_Z4elemIfEv4PairPKT_PS1_i"
    assert code.code_type == "ptx" and code.device == "sm_90"
    assert code.kernels == {elem: "elem<float>", "_ZN2sp1kEPd": "sp::k"}
    assert code.shared_bytes == {elem: 128, "_ZN2sp1kEPd": 0}
    assert code.parameters[elem] == [(16, 8), (8, 8), (8, 8), (4, 4)]
    assert code.signatures == {
        elem: "void elem(Pair, const float *, float *, int)",
        "_ZN2sp1kEPd": "void sp::k(double *)"}
    assert code.symbol("sp::k") == "_ZN2sp1kEPd"
    assert b".version 7.8\n.target sm_90\n" in code.ptx
    assert f".visible .entry {elem}(" in code.ptx.decode()
    assert f"define ptx_kernel void @{elem}(" in code.stage("llvm-device")
    assert repr(code) == "<DeviceCode for sm_90: elem<float>, sp::k>"
    with pytest.raises(KeyError, match="no kernel `sp::j`; did you mean `sp::k`"):
        code.symbol("sp::j")


def test_mathematics_is_our_own():
    """No approximate instruction of the device, no call, and as the processor's code
    it is multiplied and added in one only where lib/Math says so."""
    text = clinch.cuda.compile(MATHEMATICS).ptx.decode()
    assert ".extern" not in text and "approx" not in text and "call" not in text
    assert text.count(".visible .entry") == 2 * (len(ONE) + len(TWO))


@pytest.mark.parametrize("text", [
    "fmod(x[0], x[1])", "fmodf(x[0], x[1])", "__builtin_fmod(x[0], x[1])"])
def test_the_rest_of_a_division_is_no_instruction_that_errs(text):
    made = clinch.cuda.compile(f"__global__ void k(float *x) {{ *x = {text}; }}").ptx
    assert b"rem.u64" in made and b".extern" not in made


def test_contraction_is_what_the_text_writes():
    def made(text, *flags):
        return clinch.cuda.compile(
            f"__global__ void k(float *x) {{ {text} }}", flags=flags).ptx.decode()
    assert "fma.rn.f32" in made("*x = x[0] * x[1] + x[2];")
    assert "fma.rn" not in made("float y = x[0] * x[1]; *x = y + x[2];")
    assert "fma.rn" not in made("*x = x[0] * x[1] + x[2];", "-ffp-contract=off")


@pytest.mark.parametrize("device", DEVICES)
def test_ptxas_takes_all_of_it(device, tmp_path):
    texts = [clinch.cuda.compile(text, device=device).ptx for text in TEXTS]
    assert all(f".target {device}\n".encode() in text for text in texts)
    if not PTXAS:
        pytest.skip("no ptxas here (CUDA's, or PyPI's nvidia-cuda-nvcc)")
    for text in texts:
        (tmp_path / "a.ptx").write_bytes(text)
        done = subprocess.run([PTXAS, f"-arch={device}", "a.ptx", "-o", "a.cubin"],
                              cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def kernel(body, before=""):
    return f"{before}\n__global__ void k(int *x) {{\n  {body}\n}}\n"


@pytest.mark.parametrize("text, line, message", [
    (kernel("*x = 1"), 3, "expected ';' after expression"),
    (kernel("*x = f(1);", "__device__ int f(int);"), 3,
     "`f(int)` is used on the device, and nothing defines it there."),
    (kernel("*x = f(1);", "int f(int x) { return x; }"), 3,
     "no matching function for call to 'f'"),
    (kernel("*x = remainder(1.0, 2.0);"), 3, "use of undeclared identifier 'remainder'"),
    (kernel("*x = __builtin_ldexpf(*x, x[1]);"), None,
     "`ldexp` is used on the device, and nothing defines it there."),
    (kernel("*x = lgamma(1.0);", "#include <cmath>"), 3,
     "no matching function for call to 'lgamma'"),
    (kernel("throw 1;"), 3, "cannot use 'throw' in __global__ function"),
    ("__device__ thread_local int y;\n", 1,
     "thread-local storage is not supported for the current target"),
    (kernel("static thread_local int y; *x = y += *x;"), None,
     "`k(int*)::y` is thread_local, and a device has no such variables."),
    ("__device__ int f() { return 1; }\nint g() { return f(); }\n", 2,
     "no matching function for call to 'f'"),
    ("__global__ int k() { return 1; }\n", 1, "kernel function type 'int ()' must "
     "have void return type"),
    ("__global__ void k() {}\nvoid f() { k<<<1>>>(); }\n", 2,
     "too few execution configuration arguments to kernel function call, expected at "
     "least 2, have 1"),
    ("#include <cuda_runtime.h>\n", 1, "`cuda_runtime.h` is NVIDIA's, and cannot be "
     "used here: what kernels need is declared without it"),
    ("#include <cuda_of_nobody.h>\n", 1, "`cuda_of_nobody.h` is NVIDIA's, and cannot be "
     "used here: what kernels need is declared without it"),
])
def test_errors_are_at_the_authors_line(text, line, message):
    with pytest.raises(clinch.CompileError) as caught:
        clinch.cuda.compile(text, "author.cu")
    found = [(d["line"], d["message"]) for d in caught.value.diagnostics]
    assert found == [(line or 0, message)]
    if line:
        assert caught.value.diagnostics[0]["origin"] == "author.cu"


@pytest.mark.parametrize("device, message", [
    ("sm_91", "There is no device `sm_91` here; did you mean `sm_90`?"),
    ("hopper", "There is no device `hopper` here: devices are named as `sm_90` is."),
    ("", 'device is empty; it is a name such as "sm_90"')])
def test_devices_that_are_not(device, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        clinch.cuda.compile(SAXPY, device=device)


def test_arguments_that_are_not():
    with pytest.raises(TypeError, match="compile.. needs text, not a bytes"):
        clinch.cuda.compile(b"")
    with pytest.raises(ValueError, match="no stage 'llvm-devic'; did you mean `llvm-"):
        clinch.cuda.compile(SAXPY, keep=["llvm-devic"])
    with pytest.raises(ValueError, match="The flag `-lm` cannot be used here"):
        clinch.cuda.compile(SAXPY, flags=["-lm"])


SCRIPT = """
import glob, os, sys, clinch, clinch.cuda
text = sys.argv[1]
code = clinch.cuda.compile(text)
print(code.from_cache, code.kernels)
"""


def test_the_cache_on_disk(tmp_path):
    """Another process has it from there; a damaged entry is a miss."""
    environment = {**os.environ, "CLINCH_CACHE_DIR": str(tmp_path)}

    def run():
        done = subprocess.run([sys.executable, "-c", SCRIPT, SAXPY], text=True,
                              env=environment, capture_output=True, check=False)
        assert done.stderr == ""
        return done.stdout
    kernels = " {'_Z5saxpyifPKfPf': 'saxpy'}\n"
    assert run() == "False" + kernels
    assert run() == "True" + kernels
    entry, = glob.glob(str(tmp_path / "*.o.clinch"))
    with open(entry, "r+b") as file:
        file.seek(200)
        file.write(b"damaged")
    assert run() == "False" + kernels
    assert run() == "True" + kernels


def test_the_device_and_the_flags_are_of_the_key(tmp_path):
    clinch.cuda.compile(SAXPY, "keys")
    assert clinch.cuda.compile(SAXPY, "keys").from_cache
    for changed in ({"device": "sm_80"}, {"defines": ["Q=1"]}, {"flags": ["-O1"]}):
        text = clinch.cuda.compile(SAXPY + f"// {tmp_path}", "keys", **changed)
        assert text.kernels == {"_Z5saxpyifPKfPf": "saxpy"}
    assert b".target sm_80" in clinch.cuda.compile(SAXPY, "keys", device="sm_80").ptx

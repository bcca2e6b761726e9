"""Ops and Types that say "cuda" in `c_compiler`: blocks that launch kernels."""

import pickle

import numpy
import pytest

import clinch
import clinch.cuda
from clinch import Apply, Mode, Op, TensorType, double, function, vector

SIMULATED = Mode(simulate=True)


class Scale(Op):
    """Its input times `by`, on the device."""

    __props__ = ("by", "threads")

    def __init__(self, by, threads=64):
        self.by, self.threads = by, threads

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_compiler(self):
        return "cuda"

    def c_code_cache_version(self):
        return (1,)

    def c_support_code(self, **kwargs):
        return """
template <class T> __global__ void scale(T *x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
struct DeviceMemory {
  void *begin = nullptr;
  explicit DeviceMemory(size_t bytes) { cudaMalloc(&begin, bytes); }
  ~DeviceMemory() { cudaFree(begin); }
};
"""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
Py_XDECREF({z});
{z} = (PyArrayObject *)PyArray_NewLikeArray({x}, NPY_CORDER, NULL, 0);
if (!{z})
  {sub['fail']}
{{
  int n = PyArray_DIM({x}, 0);
  DeviceMemory there(PyArray_NBYTES({x}));
  cudaMemcpy(there.begin, PyArray_DATA({x}), PyArray_NBYTES({x}), cudaMemcpyHostToDevice);
  scale<<<(n + 63) / 64, {self.threads}>>>((double *)there.begin, double({self.by}), n);
  cudaMemcpy(PyArray_DATA({z}), there.begin, PyArray_NBYTES({x}), cudaMemcpyDeviceToHost);
}}
"""


class Sum(Op):
    """An ordinary Op of C."""

    __props__ = ("language",)

    def __init__(self, language=""):
        self.language = language

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_compiler(self):
        return self.language

    def c_code_cache_version(self):
        return (1,)

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
double sum = 0;
for (npy_intp i = 0; i < PyArray_DIM({x}, 0); ++i)
  sum += ((double *)PyArray_DATA({x}))[i];
{z} = sum;
"""


class Wrong(Scale):
    def __init__(self, support="", code="", by=2, threads=64):
        super().__init__(by, threads)
        self.support, self.code = support, code

    __props__ = ("support", "code")

    def c_support_code(self, **kwargs):
        return super().c_support_code() + self.support

    def c_code(self, *arguments):
        return self.code.replace("%(fail)s", arguments[-1]["fail"]) + super().c_code(
            *arguments)


def vectors():
    return vector("x")


@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_blocks_launch(form, tier):
    x = vectors()
    f = function([x], [Scale(3)(Scale(2)(x)), Sum()(Scale(2)(x))],
                 mode=Mode(tier, form=form, simulate=True))
    given = numpy.arange(100.0)
    for _ in range(2):
        scaled, total = f(given)
        assert (scaled == 6 * given).all() and total == 9900


@pytest.mark.parametrize("linker", ["graph", "op", "auto"])
def test_linkers(linker):
    x = vectors()
    f = function([x], Sum()(Scale(2)(x)), mode=Mode(linker=linker, simulate=True))
    assert f(numpy.ones(5)) == 10


def test_ops_of_other_languages():
    x = vectors()
    f = function([x], Sum("c++")(Scale(2)(x)), mode=SIMULATED)
    assert f(numpy.ones(5)) == 10
    with pytest.raises(clinch.HookError, match="`Sum.c_compiler` asks for `c`, but "
                       "`Scale.c_compiler` asks for `cuda`|`Scale.c_compiler` asks for "
                       "`cuda`, but `Sum.c_compiler` asks for `c`"):
        function([x], Sum("c")(Scale(2)(x)), mode=SIMULATED)


def test_a_launch_that_fails_is_an_exception_of_its_op():
    x = vectors()
    f = function([x], Sum()(Scale(2, threads=2048)(x)), mode=SIMULATED)
    with pytest.raises(clinch.cuda.LaunchError) as caught:
        f(numpy.ones(5))
    assert caught.value.code == 9
    assert caught.value.message == (
        "The launch of `scale<double>` failed: A device refuses the block (2048, 1, 1): "
        "expected 1 to 1024, 1024 and 64 threads.")
    place = caught.value.diagnostics[0]
    assert place["origin"].startswith("`Scale.c_code` for ") and place["line"] == 10
    assert "`Scale.c_code` for " in caught.value.__notes__[0]


def test_an_op_that_looks_at_what_cuda_returns():
    x = vectors()
    looks = Wrong("", """
        void *p;
        if (cudaMalloc(&p, size_t(1) << 60))
          %(fail)s
        cudaFree(p);
        """)
    f = function([x], looks(x), mode=SIMULATED)
    for _ in range(2):
        with pytest.raises(clinch.cuda.LaunchError, match="`cudaMalloc` failed") as caught:
            f(numpy.ones(5))
        assert caught.value.code == 2 and "`Wrong.c_code`" in caught.value.__notes__[0]


def test_findings_of_check():
    x = vectors()
    race = Wrong("__global__ void all(int *x) { *x = threadIdx.x; }\n",
                 "{ DeviceMemory d(4); all<<<1, 64>>>((int *)d.begin); }\n")
    f = function([x], race(x), mode=Mode(check=True))
    with pytest.raises(clinch.RuleError, match="in kernel `all`, a race"):
        f(numpy.ones(5))
    assert (function([x], Scale(2)(x), mode=Mode(check=True))(numpy.ones(5)) == 2).all()


@pytest.mark.parametrize("support, code, hook, line, message", [
    ("__global__ void j(int *x) { *x = f(1); }\n", "", "c_support_code", 11,
     "use of undeclared identifier 'f'"),
    ("", "int y = g();\n", "c_code", 1, "use of undeclared identifier 'g'"),
    ("__device__ int d() { return 1; }\n", "int y = d();\n", "c_code", 1,
     "no matching function for call to 'd'"),
    ("", "return 1;\n", "c_code", 1, None),
])
def test_errors_are_the_hooks(support, code, hook, line, message):
    x = vectors()
    with pytest.raises(clinch.CompileError) as caught:
        function([x], Wrong(support, code)(x), mode=SIMULATED)
    found = caught.value.diagnostics
    assert [(d["hook"], d["line"]) for d in found] == [(hook, line)]
    assert message is None or message in found[0]["message"]


def test_a_function_is_pickled():
    x = vectors()
    f = function([x], Sum()(Scale(2)(x)), mode=SIMULATED)
    assert pickle.loads(pickle.dumps(f))(numpy.ones(4)) == 8


def test_without_a_driver():
    if clinch._clinch.first_device():
        pytest.skip("there is a driver of NVIDIA's here")
    x = vectors()
    f = function([x], Scale(2)(x))
    with pytest.raises(clinch.cuda.LaunchError, match="There is no driver of NVIDIA's here"):
        f(numpy.ones(3))

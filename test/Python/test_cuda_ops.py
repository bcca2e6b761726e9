"""Ops and Types that say "cuda" in `c_compiler`: blocks that launch kernels."""

import pickle

import numpy
import pytest

import clinch
import clinch.cuda
from clinch import Apply, Mode, Op, double, function
from clinch.cuda import GpuArrayType

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
"""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
if (clinch_gpu_copy(&{z}, &{x}))
  {sub['fail']}
{{
  int n = {x}.shape[0];
  scale<<<(n + 63) / 64, {self.threads}>>>((double *){z}.data, double({self.by}), n);
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
for (Py_ssize_t i = 0; i < {x}.shape[0]; ++i)
  sum += ((double *){x}.data)[i];
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
    return GpuArrayType("float64", 1, simulate=True)("x")


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
    assert place["origin"].startswith("`Scale.c_code` for ") and place["line"] == 6
    assert "`Scale.c_code` for " in caught.value.__notes__[0]


def test_findings_of_check():
    x = vectors()
    class Race(Scale):
        def c_support_code(self, **kwargs):
            return super().c_support_code().replace("x[i] *= by", "x[0] *= by")

    f = function([x], Race(2)(x), mode=Mode(check=True))
    with pytest.raises(clinch.RuleError, match="in kernel `scale<double>`, a race: .* of an "
                                               "array, which"):
        f(numpy.ones(5))
    assert (function([x], Scale(2)(x), mode=Mode(check=True))(numpy.ones(5)) == 2).all()


@pytest.mark.parametrize("support, code, hook, line, message", [
    ("__global__ void j(int *x) { *x = f(1); }\n", "", "c_support_code", 6,
     "use of undeclared identifier 'f'"),
    ("", "int y = g();\n", "c_code", 1, "use of undeclared identifier 'g'"),
    ("__device__ int d() { return 1; }\n", "int y = d();\n", "c_code", 1,
     "no matching function for call to 'd'"),
    ("int f(void **p) { return cudaMalloc(p, 3); }\n", "", "c_support_code", 6,
     "`cudaMalloc` of CUDA is not here: blocks of a graph launch kernels, on its arrays; "
     "other hosts launch the PTX with the driver's own headers"),
    ("__managed__ int x;\n", "", "c_support_code", 6, "`__managed__` of CUDA is not here: "),
    ("int f() { return cudart(); }\n", "", "c_support_code", 6,
     "use of undeclared identifier 'cudart'"),
    ("#include <cuda_runtime.h>\n", "", "c_support_code", 6,
     "`cuda_runtime.h` is NVIDIA's, and cannot be used here: what kernels need is declared "
     "without it"),
    ("__device__ thread_local int y;\n", "", "c_support_code", 6,
     "thread-local storage is not supported for the current target"),
    ("__global__ void j() { throw 1; }\n", "", "c_support_code", 6,
     "cannot use 'throw' in __global__ function"),
    ("", "scale<<<1>>>((double *)0, 1.0, 2);\n", "c_code", 1,
     "too few execution configuration arguments to kernel function call, expected at least "
     "2, have 1"),
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


class Launches(Op):
    """Launches a kernel that needs no memory."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_compiler(self):
        return "cuda"

    def c_support_code(self, **kwargs):
        return "#include <cstdio>\n__global__ void k() { printf(\"thread %d\\n\", threadIdx.x); }"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"k<<<1, 2>>>(); {outputs[0]} = {inputs[0]};"


def test_what_kernels_print_comes_out_of_the_process(capfd):
    x = double("x")
    assert function([x], Launches()(x), mode=SIMULATED)(3.0) == 3
    assert capfd.readouterr().out == "thread 0\nthread 1\n"


def test_without_a_driver():
    if clinch._clinch.first_device():
        pytest.skip("there is a driver of NVIDIA's here")
    x = double("x")
    f = function([x], Launches()(x))
    with pytest.raises(clinch.cuda.LaunchError, match="There is no driver of NVIDIA's here"):
        f(3.0)


def test_a_text_is_not_of_cuda():
    with pytest.raises(ValueError, match="`clinch.cuda.compile` compiles kernels"):
        clinch.compile("int f() { return 1; }", language="cuda")

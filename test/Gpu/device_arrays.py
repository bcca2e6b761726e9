"""GpuArrayType with the arrays of packages that have some on a device."""

import numpy

import clinch
from clinch import deep_copy_op, function, shape, view_op
from clinch.cuda import DeviceArray, GpuArrayType

GIVEN = numpy.arange(12, dtype="f").reshape(3, 4)


class OnlyDlpack:
    """An array without the other protocol."""

    def __init__(self, array):
        self._array = array
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def _of_cupy():
    import cupy
    return cupy.asarray, cupy.asnumpy


def _of_torch():
    import torch
    return (lambda array: torch.as_tensor(array, device="cuda"),
            lambda array: array.cpu().numpy())


def _of_numba():
    from numba import cuda
    return (lambda array: cuda.as_cuda_array(array) if isinstance(array, DeviceArray)
            else cuda.to_device(array)), lambda array: array.copy_to_host()


def _check(report, name, make, back):
    x = GpuArrayType("float32", 2)("x")
    f = function([x], [deep_copy_op(x), view_op(x), shape(x), x.transfer("cpu")])
    given = make(GIVEN)
    for label, array, wanted in (("", given, GIVEN), (" in parts", given[:, 1:3],
                                                      GIVEN[:, 1:3])):
        copied, viewed, lengths, here = f(array)
        found = [copied.get(), back(make(viewed)), back(make(copied)), here]
        report.check(all(numpy.array_equal(one, wanted) for one in found)
                     and lengths.tolist() == list(wanted.shape), f"{name}{label}")
    w = clinch.shared(given, type=x.type)
    report.check(numpy.array_equal(function([], w.transfer("cpu"))(), GIVEN),
                 f"{name}, shared")
    if hasattr(given, "__dlpack__"):
        report.check(numpy.array_equal(f(OnlyDlpack(given))[3], GIVEN),
                     f"{name}, by DLPack alone")


def _refused(report):
    x = clinch.In(GpuArrayType("float32", 2)("x"), strict=True)
    try:
        function([x], view_op(x.variable))(GIVEN)
        report.check(False, "an array on the host: nothing was said")
    except TypeError as error:
        report.check("which is on the host" in str(error), "an array on the host")


def _there_and_back(report):
    v = clinch.TensorType("float32", (None, None))("v")
    there, here = function([v], [v.transfer("cuda"), v.transfer("cuda").transfer("cpu")])(
        GIVEN.T)
    report.check(numpy.array_equal(there.get(), GIVEN.T)
                 and numpy.array_equal(here, GIVEN.T), "transfers")


def _items(report):
    """Scalar Ops of items: the processor's bits."""
    generator = numpy.random.default_rng(3)
    x, y = (generator.standard_normal(shape).astype("f") * 4 for shape in (
        (1000, 1003), (1003,)))
    found = []
    for kind in (lambda n: clinch.TensorType("float32", (None,) * n),
                 lambda n: GpuArrayType("float32", n)):
        v, w = kind(2)("v"), kind(1)("w")
        f = function([v, w], [clinch.exp(v) - 2 * w, clinch.tanh(v) * w + v,
                              clinch.sqrt(v * v + w * w), v < w])
        found.append(f(x, y))
    for name, here, there in zip(("exp(x) - 2 y", "tanh(x) y + x", "sqrt(x x + y y)",
                                  "x < y"), *found):
        report.check(here.tobytes() == there.get().tobytes(), f"{name} of items")


def _chains(report):
    """A chain that is one kernel has the bits of one kernel for each operation."""
    generator = numpy.random.default_rng(5)
    values = [generator.standard_normal((700, 1001)).astype("f") for _ in range(2)]
    x, y = (GpuArrayType("float32", 2)(name) for name in "xy")
    t = clinch.exp(x) - 2 * y
    chain = t * t + clinch.tanh(t) * y
    asked = [("in one kernel", chain), ("in a sum's kernel", chain.sum()),
             ("in that of each column", chain.sum(axis=0)),
             ("in that of each row", chain.max(axis=1)),
             ("with rests of divisions", x % y + x // (y + 3) - x % 0.7)]
    fused, apart = (function([x, y], [one for _, one in asked],
                             mode=clinch.Mode(fuse=fuses))(*values)
                    for fuses in (True, False))
    for (name, _), one, other in zip(asked, fused, apart):
        report.check(one.get().tobytes() == other.get().tobytes(), f"a chain {name}")
    kind = clinch.TensorType("float32", (None, None))
    v, w = kind("v"), kind("w")
    here = function([v, w], v % w + v // (w + 3) - v % 0.7)(*values)
    report.check(here.tobytes() == fused[-1].get().tobytes(),
                 "rests of divisions, as on the processor")


def _whole_numbers(report):
    """`//` and `%` by a number, with NumPy's signs; by zero the host raises."""
    i, n = GpuArrayType("int32", 1)("i"), clinch.types.scalars.scalars["int32"]("n")
    values = numpy.arange(-5000, 5000, dtype="i4")
    f = function([i, n], [i // n, i % n, (i + 1) // 7 * 2])
    for by in (3, -4, 1000):
        found = [one.get().tolist() for one in f(values, by)]
        report.check(found == [(values // by).tolist(), (values % by).tolist(),
                               ((values + 1) // 7 * 2).tolist()], f"// and % by {by}")
    try:
        f(values, 0)
        report.check(False, "by zero: nothing was said")
    except ZeroDivisionError as error:
        report.check("integer division or modulo by zero" in str(error), "by zero")


def _reduced(report):
    """NumPy's results where no order rounds, and the simulator's bits where one does."""
    generator = numpy.random.default_rng(4)
    given = generator.integers(-9, 9, (1300, 401)).astype("f")
    asked = [(name, axis) for name in ("sum", "max", "min", "mean") for axis in (None, 0, 1)]
    x = GpuArrayType("float32", 2)("x")
    found = function([x], [getattr(x, name)(axis=axis) for name, axis in asked])(given)
    for (name, axis), one in zip(asked, found):
        wanted = getattr(given, name)(axis=axis)
        report.check(one.shape == wanted.shape and numpy.array_equal(one.get(), wanted),
                     f"{name}, axis {axis}")
    y = GpuArrayType("float32", 2, simulate=True)("y")
    rounded = generator.standard_normal((300, 70)).astype("f")
    there, here = ([v.sum(), v.sum(axis=0), v.prod(axis=1)] for v in (x, y))
    there = function([x], there)(rounded)
    here = function([y], here, mode=clinch.Mode(simulate=True))(rounded)
    report.check(all(one.get().tobytes() == other.tobytes()
                     for one, other in zip(there, here)), "the order of sums")


def arrays(report, machine):
    report.attempt("transfers", _there_and_back)
    report.attempt("refused", _refused)
    report.attempt("items", _items)
    report.attempt("chains", _chains)
    report.attempt("whole numbers", _whole_numbers)
    report.attempt("reductions", _reduced)
    for name, package in (("CuPy", _of_cupy), ("PyTorch", _of_torch),
                          ("Numba", _of_numba)):
        try:
            make, back = package()
        except ImportError as error:
            report.say(f"skipped {name}: {error}")
            continue
        report.attempt(name, _check, name, make, back)

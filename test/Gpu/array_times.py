"""What graphs of arrays on a device cost beside CuPy, PyTorch and NVRTC."""

import time

import numpy

import clinch
import clinch.cuda
from figures import _ratio
from nvrtc import Nvrtc

#: What a person who writes the chain below as a kernel would write.
CHAIN = """extern "C" __global__ void chain(const float *x, const float *y, float *z,
                                            long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) { float t = x[i] - 2 * y[i]; z[i] = t * t + sqrtf(fabsf(t)) * y[i]; }
}
"""


def _milliseconds(work, synchronize, rounds):
    """Returns the least time of a call and what it left the device to do."""
    found = []
    for _ in range(rounds + 2):
        start = time.perf_counter()
        work()
        synchronize()
        found.append(1000 * (time.perf_counter() - start))
    return min(found[2:])


def _of_cupy():
    import cupy
    return cupy, cupy.asarray, cupy.cuda.Device().synchronize


def _of_torch():
    import torch
    return torch, lambda a: torch.as_tensor(a, device="cuda"), torch.cuda.synchronize


def _packages(report):
    """Returns the packages that are here: their name, module, how they take an array
    and how one waits for the device."""
    found = []
    for name, package in (("cupy", _of_cupy), ("torch", _of_torch)):
        try:
            found.append((name, *package()))
        except ImportError as error:
            report.say(f"skipped {name}: {error}")
    return found


def _beside(report, what, ours, theirs, rounds, machine):
    """Says our time, and of each other: (name, call, wait)."""
    mine = _milliseconds(ours, machine.driver.synchronize, rounds)
    _ratio(report, f"{what}: ms", {"clinch": mine})
    for name, work, wait in theirs:
        _ratio(report, f"{what}: ms", {"clinch": mine,
                                       name: _milliseconds(work, wait, rounds)})


def _reductions(report, machine, packages):
    x = clinch.cuda.GpuArrayType("float32", 2)("x")
    for shape in ((10_000, 10_000), (100, 100)):
        given = machine.driver_array(shape)
        for name in ("sum", "max"):
            for axis in (None, 0, 1):
                f = clinch.function([x], getattr(x, name)(axis=axis))
                theirs = [(package, lambda a=take(given), n=_torch_name(package, name):
                           getattr(a, n)(**({} if axis is None else {"axis": axis})), wait)
                          for package, _, take, wait in packages]
                _beside(report, f"{name} of {shape[0]} x {shape[1]} floats, axis {axis}",
                        lambda f=f: f(given), theirs, 10, machine)


def _fused_reduction(report, machine, packages):
    """A chain that a sum alone reads."""
    x, y = (clinch.cuda.GpuArrayType("float32", 2)(name) for name in "xy")
    given = [machine.driver_array((10_000, 10_000)) for _ in range(2)]
    f = clinch.function([x, y], ((x - 2 * y) * (x - 2 * y)).sum(axis=1))
    theirs = [(name, lambda g=list(map(take, given)): (
        (g[0] - 2 * g[1]) * (g[0] - 2 * g[1])).sum(axis=1), wait)
        for name, _, take, wait in packages]
    _beside(report, "a chain and a sum of each row of 10000 x 10000 floats",
            lambda: f(*given), theirs, 10, machine)


def _torch_name(package, name):
    """torch's max with an axis finds where it is too; amax does not."""
    return "amax" if (package, name) == ("torch", "max") else name


def _chain_of(package, x, y):
    t = x - 2 * y
    return t * t + package.sqrt(abs(t)) * y


def _cupy_kernel(cupy):
    return cupy.ElementwiseKernel(
        "float32 x, float32 y", "float32 z",
        "float t = x - 2 * y; z = t * t + sqrtf(fabsf(t)) * y", "chain")


def _chains(report, machine, packages):
    x, y = (clinch.cuda.GpuArrayType("float32", 1)(name) for name in "xy")
    t = x - 2 * y
    chain = t * t + clinch.sqrt(abs(t)) * y
    for count in (10 ** 8, 10 ** 6, 10 ** 4):
        given = [machine.driver_array((count,)) for _ in range(2)]
        f = clinch.function([x, y], chain)
        theirs = [(f"{name}, each alone", lambda p=package, g=list(map(take, given)):
                   _chain_of(p, *g), wait) for name, package, take, wait in packages]
        theirs += [("cupy, one kernel", lambda k=_cupy_kernel(package),
                    g=list(map(take, given)): k(*g), wait)
                   for name, package, take, wait in packages if name == "cupy"]
        _beside(report, f"a chain of 6 on {count:.0e} floats", lambda: f(*given), theirs,
                20, machine)
        f(*given)
        _ratio(report, f"a chain of 6 on {count:.0e} floats, by events: ms",
               _events(machine, f, given, count))


def _events(machine, f, given, count):
    """The kernels alone: ours of a graph, and NVRTC's of the text above."""
    found = {"clinch": machine.driver.milliseconds(lambda: f(*given), 20)}
    rival = Nvrtc()
    if rival.found:
        module = machine.driver.load(
            rival.compile(CHAIN, machine.device.replace("sm", "compute")))
        addresses = [one.__cuda_array_interface__["data"][0] for one in given]
        result = machine.driver.allocate(4 * count)
        arguments = [*addresses, result, numpy.int64(count)]
        found["nvrtc"] = machine.driver.milliseconds(
            lambda: module.launch("chain", -(-count // 256), 256, arguments), 20)
        machine.driver.free(result)
        module.unload()
    return found


def _memory(report, machine):
    """What the driver asks for memory, which each result of a graph is given anew."""
    for size in (4 * 10 ** 8, 4 * 10 ** 4):
        spent = _milliseconds(lambda n=size: machine.driver.free(machine.driver.allocate(n)),
                              machine.driver.synchronize, 20)
        report.say(f"memory of {size:.0e} bytes, and back: {spent:.4f} ms")


def array_times(report, machine):
    packages = _packages(report)
    report.attempt("memory", _memory, machine)
    report.attempt("chains", _chains, machine, packages)
    report.attempt("reductions", _reductions, machine, packages)
    report.attempt("a chain and a sum", _fused_reduction, machine, packages)

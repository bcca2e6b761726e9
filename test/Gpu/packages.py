"""PTX of Clinch's in the packages that others launch kernels with."""

import os
import tempfile

import numpy

import clinch
from figures import SAXPY

COUNT = 1003
EXPECTED = 2.5 * numpy.arange(COUNT, dtype="f") + 1


def cuda_core(report, code):
    try:
        from cuda.core import Device, LaunchConfig, ObjectCode, launch
    except ImportError:
        from cuda.core.experimental import Device, LaunchConfig, ObjectCode, launch
    from cuda.bindings import driver
    device = Device()
    device.set_current()
    stream = device.create_stream()
    x, y = numpy.arange(COUNT, dtype="f"), numpy.ones(COUNT, "f")
    buffers = [device.allocate(x.nbytes, stream=stream) for _ in range(2)]
    stream.sync()
    for array, buffer in zip((x, y), buffers):
        driver.cuMemcpyHtoD(int(buffer.handle), array.ctypes.data, array.nbytes)
    kernel = ObjectCode.from_ptx(code.ptx).get_kernel(code.symbol("saxpy"))
    launch(stream, LaunchConfig(grid=8, block=128), kernel, numpy.int32(COUNT),
           numpy.float32(2.5), *buffers)
    stream.sync()
    driver.cuMemcpyDtoH(y.ctypes.data, int(buffers[1].handle), y.nbytes)
    report.check(numpy.array_equal(y, EXPECTED), "cuda.core's ObjectCode.from_ptx")


def cupy_module(report, code):
    import cupy
    x, y = cupy.arange(COUNT, dtype="f"), cupy.ones(COUNT, "f")
    module = cupy.cuda.function.Module()
    module.load(code.ptx)
    module.get_function(code.symbol("saxpy"))(
        (8,), (128,), (numpy.int32(COUNT), numpy.float32(2.5), x, y))
    report.check(numpy.array_equal(y.get(), EXPECTED),
                 f"CuPy {cupy.__version__}'s Module().load")


def cupy_raw_module(report, code):
    import cupy
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "saxpy.ptx")
        with open(path, "wb") as file:
            file.write(code.ptx)
        x, y = cupy.arange(COUNT, dtype="f"), cupy.ones(COUNT, "f")
        cupy.RawModule(path=path).get_function("saxpy")(
            (8,), (128,), (numpy.int32(COUNT), numpy.float32(2.5), x, y))
        report.check(numpy.array_equal(y.get(), EXPECTED), "CuPy's RawModule(path=)")


def torch_arrays(report, code):
    import torch

    import driver
    x = torch.arange(COUNT, dtype=torch.float32, device="cuda")
    y = torch.ones(COUNT, device="cuda")
    stream = torch.cuda.current_stream().cuda_stream
    driver.Driver().load(code.ptx).launch(
        "saxpy", 8, 128, [numpy.int32(COUNT), numpy.float32(2.5), x.data_ptr(),
                          y.data_ptr()], 0, stream)
    torch.cuda.synchronize()
    report.check(numpy.array_equal(y.cpu().numpy(), EXPECTED),
                 f"PyTorch {torch.__version__}'s arrays and stream")


def numba_arrays(report, code):
    from numba import cuda

    import driver
    x, y = cuda.to_device(numpy.arange(COUNT, dtype="f")), cuda.to_device(
        numpy.ones(COUNT, "f"))
    addresses = [one.__cuda_array_interface__["data"][0] for one in (x, y)]
    made = driver.Driver()
    made.load(code.ptx).launch(
        "saxpy", 8, 128, [numpy.int32(COUNT), numpy.float32(2.5), *addresses])
    made.synchronize()
    report.check(numpy.array_equal(y.copy_to_host(), EXPECTED), "numba-cuda's arrays")


def packages(report, machine):
    code = clinch.cuda.compile(SAXPY, device=machine.device)
    for one in (cuda_core, cupy_module, cupy_raw_module, torch_arrays, numba_arrays):
        try:
            one(report, code)
        except ImportError as error:
            report.say(f"skipped {one.__name__}: {error}")
        except Exception as error:
            report.check(False, f"{one.__name__}: {type(error).__name__}: {error}")

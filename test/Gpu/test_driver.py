"""Kernels by way of a driver: Driver/'s, which is that of a machine with a GPU as far as
a program can tell, and runs them in the simulator."""

import ctypes
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy
import pytest

import cases
import clinch.cuda
import double
import driver
from figures import SAXPY


@pytest.fixture(scope="module")
def fake():
    return double.Double()


@pytest.fixture(scope="module")
def device(fake):
    return driver.Driver()


def failing(work, *arguments):
    with pytest.raises(driver.DriverError) as caught:
        work(*arguments)
    return caught.value


def script(text, **environment):
    """Runs a script in a process of its own, with a time limit, on the driver."""
    head = "import numpy, double, driver\nfrom figures import SAXPY\n"
    return subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(text)], text=True, timeout=120,
        capture_output=True, check=False, cwd=Path(__file__).parent,
        env={**__import__("os").environ, **environment})


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case.name)
def test_kernels_do_what_the_simulator_does(fake, device, case):
    code = fake.compile(case.text)
    given = case.arguments()
    driver.run(device, code, case.kernel, case.grid, case.block, given, case.shared)
    # Of another text, whose variables are not those that the driver has changed.
    wanted = case.expected(lambda text: clinch.cuda.compile(text + "//", simulate=True))
    for one, other in zip(given, wanted):
        if isinstance(one, numpy.ndarray):
            assert one.tobytes() == other.tobytes()


def test_what_is_done_is_recorded(fake, device):
    code = fake.compile(SAXPY)
    fake.record()
    x, y = numpy.ones(4, "f"), numpy.ones(4, "f")
    driver.run(device, code, "saxpy", 2, (2, 1, 1),
               [numpy.int32(4), numpy.float32(2), x, y])
    assert list(y) == [3, 3, 3, 3]
    assert fake.record() == [
        "load 1 kernels", "allocate 16", "copy 16", "allocate 16", "copy 16",
        "launch saxpy grid 2 1 1 block 2 1 1 shared 0", "copy 16", "free 16", "copy 16",
        "free 16", "unload"]


def test_a_stream_does_nothing_before_it_is_waited_for(fake, device):
    module = device.load(fake.compile(
        "__global__ void k(int *x) { *x += 1; }").ptx)
    streams = [ctypes.c_void_p() for _ in range(2)]
    for stream in streams:
        device("cuStreamCreate", ctypes.byref(stream), 1)
    x = device.to_device(numpy.zeros(1, "i"))
    seen = ctypes.cast(x, ctypes.POINTER(ctypes.c_int))
    module.launch("_Z1kPi", 1, 1, [x], stream=streams[0])
    event = ctypes.c_void_p()
    device("cuEventCreate", ctypes.byref(event), 0)
    device("cuEventRecord", event, streams[0])
    module.launch("_Z1kPi", 1, 1, [x], stream=streams[0])
    assert seen[0] == 0 and failing(device, "cuStreamQuery", streams[0]).number == 600
    assert seen[0] == 1, "a query lets time pass"
    device("cuStreamWaitEvent", streams[1], event, 0)
    module.launch("_Z1kPi", 1, 1, [x], stream=streams[1])
    device("cuStreamSynchronize", streams[1])
    assert seen[0] == 2, "the first stream's second launch is not waited for"
    device("cuCtxSynchronize")
    assert seen[0] == 3
    for stream in streams:
        device("cuStreamDestroy_v2", stream)
    device("cuEventDestroy_v2", event)
    assert failing(module.launch, "_Z1kPi", 1, 1, [x], 0, streams[0]).number == 400
    module.unload()


def test_the_null_stream_is_in_order_with_those_that_wait_for_it(fake, device):
    module = device.load(fake.compile(
        "__global__ void k(int *x, int n) { *x = *x * 10 + n; }").ptx)
    stream = ctypes.c_void_p()
    device("cuStreamCreate", ctypes.byref(stream), 0)
    x = device.to_device(numpy.zeros(1, "i"))
    for n, on in enumerate((stream, None, stream, None), 1):
        module.launch("_Z1kPii", 1, 1, [x, numpy.int32(n)], stream=on)
    got = numpy.zeros(1, "i")
    device.to_host(got, x)
    assert got[0] == 1234
    device("cuStreamDestroy_v2", stream)
    module.unload()


def test_variables_begin_anew_in_each_module(fake, device):
    code = fake.compile("__device__ int count = 5;\n"
                        "__global__ void k(int *x) { *x = ++count; }")
    x = numpy.zeros(1, "i")
    for _ in range(2):
        driver.run(device, code, "k", 1, 1, [x])
        assert x[0] == 6
    module = device.load(code.ptx)
    address, size = ctypes.c_uint64(), ctypes.c_size_t()
    device("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size),
           module.handle, b"count")
    assert size.value == 4
    device("cuMemsetD32_v2", address, 41, ctypes.c_size_t(1))
    there = device.to_device(x)
    module.launch("_Z1kPi", 1, 1, [there])
    device.to_host(x, there)
    assert x[0] == 42
    assert failing(device, "cuModuleGetGlobal_v2", ctypes.byref(address), None,
                   module.handle, b"counts").number == 500
    module.unload()


def test_the_host_sets_constants(fake, device):
    code = fake.compile("""namespace of { __constant__ int weights[4] = {1, 2, 3, 4}; }
        __global__ void k(int *x) { x[threadIdx.x] = of::weights[threadIdx.x]; }""")
    for wanted in ([7, 7, 3, 4], [1, 2, 3, 4]):
        module, address = device.load(code.ptx), ctypes.c_uint64()
        device("cuModuleGetGlobal_v2", ctypes.byref(address), None, module.handle,
               b"_ZN2of7weightsE")
        if wanted[0] == 7:
            device("cuMemsetD32_v2", address, 7, ctypes.c_size_t(2))
        x = numpy.zeros(4, "i")
        there = device.to_device(x)
        module.launch("_Z1kPi", 1, 4, [there])
        device.to_host(x, there)
        assert list(x) == wanted
        module.unload()


def test_errors(fake, device):
    code = fake.compile(SAXPY)
    module = device.load(code.ptx)
    x = device.allocate(16)

    def launch(grid=1, block=4, shared=0):
        module.launch("saxpy", grid, block, [numpy.int32(4), numpy.float32(1), x, x],
                      shared)
    assert failing(module.function, "saxpi").name == "CUDA_ERROR_NOT_FOUND"
    for wrong in ((0,), (1, 1025), (1, (1, 1, 65)), (1, 1, 1 << 20)):
        assert failing(launch, *wrong).name == "CUDA_ERROR_INVALID_VALUE"
    error = failing(device.load, b"no PTX")
    assert (error.number, error.log) == (
        200, "error   : Binary format for key='0', ident='' is not recognized")
    assert failing(device.load, code.ptx.replace(b"7.8", b"9.9")).number == 222
    error = failing(device.load, clinch.cuda.compile(SAXPY, device="sm_121").ptx)
    assert (error.number, error.log) == (
        218, "ptxas fatal   : SM version specified by .target is higher than default SM "
        "version assumed")
    assert "no program that stands" in failing(device.load, code.ptx + b"//").log
    other = ctypes.c_uint64(x + 8)
    assert failing(device, "cuMemcpyHtoD_v2", other, b"123456789", ctypes.c_size_t(9)
                   ).number == 1
    assert failing(device, "cuMemFree_v2", other).number == 1
    module.unload()
    assert failing(launch).number == 400
    assert failing(module.unload).number == 400


def test_a_kernel_that_fails_ends_its_context():
    done = script("""
        fake, device = double.Double(), driver.Driver()
        def what(text, *given):
            context = driver.ctypes.c_void_p()
            device("cuCtxCreate_v2", driver.ctypes.byref(context), 0, 0)
            try:
                driver.run(device, fake.compile(text, check=True), "k", 1, 2, list(given))
            except driver.DriverError as error:
                print(error)
            print(fake.said().partition(": ")[2].splitlines()[0])
            try:
                device.allocate(4)
            except driver.DriverError as error:
                print(error)
            device("cuCtxDestroy_v2", context)
        x = numpy.zeros(1, "i")
        what("__global__ void k(int *x) { assert(*x); }", x)
        what("__global__ void k(int *x) { x[99] = 1; }", x)
        what("__global__ void k(int *x) { __trap(); }", x)
        device.allocate(4)
    """)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "cuCtxSynchronize: CUDA_ERROR_ASSERT (710)",
        "in kernel `k`, thread (0, 0, 0) of block (0, 0, 0): assertion `*x` failed "
        "(k, text:1).", "cuMemAlloc_v2: CUDA_ERROR_ASSERT (710)",
        "cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700)",
        "in kernel `k`, thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes at offset 396 "
        "of memory of the device, which has 4 bytes.",
        "cuMemAlloc_v2: CUDA_ERROR_ILLEGAL_ADDRESS (700)",
        "cuCtxSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)", "in kernel `k`, thread (0, 0, 0) of block (0, 0, 0) traps.",
        "cuMemAlloc_v2: CUDA_ERROR_LAUNCH_FAILED (719)"]


def test_two_contexts():
    done = script("""
        fake, device = double.Double(), driver.Driver()
        code = fake.compile(SAXPY)
        first = device.load(code.ptx)
        x = device.to_device(numpy.ones(4, "f"))
        given = [numpy.int32(4), numpy.float32(1), x, x]
        f = first.function("saxpy")
        other = driver.ctypes.c_void_p()
        device("cuCtxCreate_v2", driver.ctypes.byref(other), 0, 0)
        def told(work, *arguments):
            try:
                print(work(*arguments))
            except driver.DriverError as error:
                print(error)
        print(other.value != device.context.value)
        told(first.launch, "saxpy", 1, 4, given)
        second = device.load(code.ptx)
        told(second.launch, "saxpy", 1, 4, given)
        told(device.synchronize)
        device("cuCtxDestroy_v2", other)
        told(device, "cuCtxSetCurrent", other)
        device("cuCtxSetCurrent", device.context)
        told(first.launch, "saxpy", 1, 4, given)
        y = numpy.zeros(4, "f")
        device.to_host(y, x)
        print(y)
        device("cuDevicePrimaryCtxRelease_v2", 0)
        told(first.launch, "saxpy", 1, 4, given)
    """)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "True", "cuModuleGetFunction: CUDA_ERROR_INVALID_HANDLE (400)", "None", "None",
        "cuCtxSetCurrent: CUDA_ERROR_INVALID_CONTEXT (201)", "None", "[4. 4. 4. 4.]",
        "cuModuleGetFunction: CUDA_ERROR_CONTEXT_IS_DESTROYED (709)"]


def test_an_old_driver():
    done = script("""
        fake, device = double.Double(), driver.Driver()
        print(device.version(), device.architecture())
        device.load(fake.compile(SAXPY, device="sm_80").ptx)
        device.load(fake.compile(SAXPY, device="sm_89").ptx)
    """, CLINCH_TEST_DRIVER_CUDA="11040", CLINCH_TEST_DRIVER_CAPABILITY="89")
    assert done.stdout == "11040 sm_89\n"
    assert done.stderr.splitlines()[-2:] == [
        "driver.DriverError: cuModuleLoadDataEx: CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)",
        "ptxas application ptx input, line 5; fatal   : Unsupported .version 7.8; current "
        "version is '7.4'"]


@pytest.mark.parametrize("devices, said", [
    ("0", "cuInit: CUDA_ERROR_NO_DEVICE (100)"), (None, "dlopen: ")])
def test_no_device_and_no_driver(devices, said):
    if devices:
        done = script("double.Double()\ndriver.Driver()", CLINCH_TEST_DRIVER_DEVICES=devices)
    elif driver.library()[0] and not double.PATH:
        pytest.skip("this machine has a driver")
    else:
        done = script("driver.Driver()")
    assert f"driver.DriverError: {said}" in done.stderr


def test_two_devices():
    done = script("""
        fake, devices = double.Double(), [driver.Driver(0), driver.Driver(1)]
        code, c = fake.compile(SAXPY), driver.ctypes
        addresses = []
        for device in devices:
            device("cuCtxSetCurrent", device.context)
            addresses.append(device.allocate(16))
        for address in addresses:
            number = c.c_int()
            device("cuPointerGetAttribute", c.byref(number), 9, c.c_uint64(address))
            print(number.value)
    """, CLINCH_TEST_DRIVER_DEVICES="2")
    assert (done.stdout, done.stderr) == ("0\n1\n", "")

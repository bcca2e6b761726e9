"""Host code that launches kernels: by the driver for tests, and in the simulator."""

import gc
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import clinch
import clinch.cuda
import double
import host

KERNEL = "__global__ void k(int *x) { x[threadIdx.x] = 1; }\n"


@pytest.fixture(scope="module")
def fake():
    return double.Double()


@pytest.fixture(scope="module")
def made(fake):
    fake.stand_in(host.ALL, device="sm_90")
    return host.compiled(device="sm_90")


@pytest.mark.parametrize("name", host.CHECKS)
def test_by_the_driver(name, made):
    host.check(name, made)


@pytest.mark.parametrize("name", host.CHECKS)
@pytest.mark.parametrize("check", [False, True])
def test_in_the_simulator(name, check):
    host.check(name, host.compiled(simulate=True, check=check))


def test_a_block_of_a_graph(fake):
    fake.stand_in(host.Scaled().c_support_code(), device="sm_90")
    host.check_block(device="sm_90")
    host.check_block(simulate=True)


def test_what_the_driver_is_asked_for(fake):
    """The image is loaded at the first launch, once, and unloaded with the code."""
    text = KERNEL + ("void f(int n) { int *x; cudaMalloc(&x, 4 * n);\n"
                     "  k<<<1, n>>>(x); k<<<dim3(1, 1), n, 64>>>(x); cudaFree(x); }\n")
    fake.stand_in(text)
    code = clinch.compile(text, language="cuda", device="sm_80")
    fake.record()
    assert clinch.compile("int g() { return 1; }", language="cuda").g() == 1
    assert fake.record() == []
    code.f(32)
    done = [line for line in fake.record() if not line.startswith("context")]
    launched = "launch _Z1kPi grid 1 1 1 block 32 1 1 shared "
    assert done == ["allocate 128", "load 1 kernels", launched + "0", launched + "64",
                    "free 128"]
    code.f(2)
    assert "load 1 kernels" not in fake.record()
    del code
    gc.collect()
    assert fake.record() == ["unload"]


def test_the_first_device_is_compiled_for(fake):
    assert clinch._clinch.first_device() == "sm_90"
    text = KERNEL + "void f(int *x) { k<<<1, 1>>>(x); }\n"
    asm = clinch.compile(text, language="cuda", keep=["llvm"]).stage("llvm")
    assert ".target sm_90" in asm
    asm = clinch.compile(text, language="cuda", device="sm_86", keep=["llvm"]).stage("llvm")
    assert ".target sm_86" in asm


def script(text, **environment):
    """Runs a script in a process of its own; returns what it prints."""
    head = "import clinch, clinch.cuda, double, host, numpy\n"
    done = subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(text)], text=True, timeout=120,
        capture_output=True, check=False, cwd=Path(__file__).parent,
        env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


RUN = """
made = host.compiled(device="sm_90")
try:
    made.run_scaled(numpy.zeros(1), 1)
except clinch.cuda.LaunchError as error:
    print(error.code, error.message)
"""


def test_an_old_driver():
    said = script("fake = double.Double()" + RUN, CLINCH_TEST_DRIVER_CUDA="11040")
    assert said.startswith(
        "222 The launch of `scaled` failed: NVIDIA's driver refuses the kernels: ")
    assert "; it is of CUDA 11.4, and compiling for an older device may help: " in said


def test_a_driver_without_a_device():
    said = script("fake = double.Double()\nprint(repr(clinch._clinch.first_device()))" + RUN,
                  CLINCH_TEST_DRIVER_DEVICES="0")
    first, *others = said.splitlines()
    assert first == "''" and others == [
        "100 NVIDIA's driver does not start: no CUDA-capable device is detected (100)."]


def test_an_older_device():
    """What was compiled for a later one has no code for it."""
    said = script("""
        fake = double.Double()
        made = host.compiled(device="sm_90")
        try:
            made.run_scaled(numpy.zeros(1), 1)
        except clinch.cuda.LaunchError as error:
            print(error.code)
    """, CLINCH_TEST_DRIVER_CAPABILITY="80")
    assert int(said) in (209, 218)


@pytest.mark.parametrize("make", [
    'host.compiled(device="sm_90")',
    'clinch.function([x], host.Scaled()(x), mode=clinch.Mode(device="sm_90"))',
    'clinch.function([x], host.Scaled()(x))'])
def test_pickles_of_a_later_device(make, tmp_path):
    """Their kernels are compiled again for the one that is here."""
    pickled = tmp_path / "pickled"
    text = "fake = double.Double()\nimport pickle\nx = clinch.vector('x')\n"
    script(f"{text}open({str(pickled)!r}, 'wb').write(pickle.dumps({make}))",
           CLINCH_TEST_DRIVER_CAPABILITY="90")
    said = script(text + f"""
for text in (host.ALL, host.Scaled().c_support_code()):
    fake.stand_in(text, device="sm_80")
made = pickle.load(open({str(pickled)!r}, "rb"))
if hasattr(made, "run_scaled"):
    given = numpy.arange(4.0)
    made.run_scaled(given, 4)
else:
    given = made(numpy.arange(4.0))
print(given.tolist())
""", CLINCH_TEST_DRIVER_CAPABILITY="80")
    assert said == "[0.0, 2.5, 5.0, 7.5]\n"


#: Code that is loaded in a context, which then dies.
CONTEXT_DIED = """
        import ctypes, gc
        fake = double.Double()
        library = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        library.cuInit(0)
        assert library.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
        text = "__global__ void k() {} void f() { k<<<1, 1>>>(); }"
        fake.stand_in(text)
        code = clinch.compile(text, language="cuda", device="sm_90")
        code.f()
        assert library.cuCtxDestroy_v2(context) == 0
        def loads():
            return [line for line in fake.record() if "load" in line]
"""


def test_code_is_freed_after_its_context():
    assert script(CONTEXT_DIED + """
        print(loads())
        code.f()                       # In another context: it is loaded again.
        print(loads())
        del code
        gc.collect()
        print(loads())
    """).splitlines() == ["['load 1 kernels']", "['load 1 kernels']", "['unload']"]


def test_code_is_freed_while_its_context_is_dead():
    assert script(CONTEXT_DIED + """
        del code
        gc.collect()
        print(loads())
    """) == "['load 1 kernels']\n"


def test_a_kernel_kills_its_context():
    """Every call says so from then on, and the code is freed all the same."""
    assert script("""
        import gc
        fake = double.Double()
        text = '''__global__ void k(int *x) { *x = 1; }
        int f(int *x) { k<<<1, 1>>>(x); return cudaDeviceSynchronize(); }
        int g() { void *p; k<<<1, 1>>>(nullptr); int launched = cudaGetLastError();
                  return cudaMalloc(&p, 4) == launched ? cudaGetLastError() : -1; }'''
        fake.stand_in(text, check=True)
        code = clinch.compile(text, "author.cu", language="cuda", device="sm_90")
        try:
            code.f(None)
        except clinch.cuda.LaunchError as error:
            print(error.code, error.message)
        print(code.g())
        del code
        gc.collect()
    """) == ("719 `cudaDeviceSynchronize` failed: unspecified launch failure (719).\n719\n")


def test_memory_of_another_device():
    assert script("""
        import ctypes, driver
        fake, devices = double.Double(), [driver.Driver(0), driver.Driver(1)]
        text = '''__global__ void k(int *x) { *x = 1; }
        int f(int *x) { k<<<1, 1>>>(x); return cudaDeviceSynchronize(); }'''
        fake.stand_in(text, check=True)
        code = clinch.compile(text, "author.cu", language="cuda", device="sm_90")
        addresses = []
        for device in devices:
            device("cuCtxSetCurrent", device.context)
            addresses.append(ctypes.c_void_p(device.allocate(16)))
        print(code.f(addresses[1]))
        devices[0]("cuCtxSetCurrent", devices[0].context)
        try:
            code.f(addresses[1])
        except clinch.cuda.LaunchError as error:
            print(error.code)
    """) in ("0\n700\n", "0\n719\n")  # As it lies far from the device's own, or near.


def test_two_contexts():
    assert script("""
        import ctypes
        fake = double.Double()
        library = ctypes.CDLL("libcuda.so.1")
        contexts = [ctypes.c_void_p(), ctypes.c_void_p()]
        library.cuInit(0)
        text = "__global__ void k() {} void f() { k<<<1, 1>>>(); }"
        fake.stand_in(text)
        code = clinch.compile(text, language="cuda", device="sm_90")
        for one in contexts:
            assert library.cuCtxCreate_v2(ctypes.byref(one), 0, 0) == 0
        for _ in range(2):
            for one in contexts:
                assert library.cuCtxSetCurrent(one) == 0
                code.f()
        print(fake.record().count("load 1 kernels"))
    """) == "2\n"

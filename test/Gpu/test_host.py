"""Blocks that launch kernels: by the driver for tests, and in the simulator."""

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


@pytest.fixture(scope="module")
def fake():
    return double.Double()


def test_a_block_of_a_graph(fake):
    fake.stand_in(host.Scaled().c_support_code(), device="sm_90")
    host.check_block(device="sm_90")
    host.check_block(simulate=True)
    host.check_block(check=True)


def test_what_the_driver_is_asked_for(fake):
    """The image is loaded at the first launch, once, and unloaded with the code."""
    fake.stand_in(host.Launches().c_support_code())
    f = host.launching(device="sm_80")
    fake.record()
    f(1.0)
    done = [line for line in fake.record() if not line.startswith("context")]
    assert done == ["load 1 kernels",
                    "launch _Z7nothingv grid 1 1 1 block 2 1 1 shared 64"]
    f(2.0)
    assert "load 1 kernels" not in fake.record()
    del f
    gc.collect()
    assert fake.record() == ["unload"]


def test_the_first_device_is_compiled_for(fake):
    assert clinch._clinch.first_device() == "sm_90"
    x = clinch.double("x")
    made = [clinch.function([x], host.Launches()(x),
                            mode=clinch.Mode(device=device)).emit("llvm")
            for device in (None, "sm_86")]
    assert ".target sm_90" in made[0] and ".target sm_86" in made[1]


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
f = host.launching(device="sm_90")
try:
    f(1.0)
except clinch.cuda.LaunchError as error:
    print(error.code, error.message)
"""


def test_an_old_driver():
    said = script("fake = double.Double()" + RUN, CLINCH_TEST_DRIVER_CUDA="11040")
    assert said.startswith(
        "222 The launch of `nothing` failed: NVIDIA's driver refuses the kernels: ")
    assert "; it is of CUDA 11.4, and compiling for an older device may help: " in said


def test_a_driver_without_a_device():
    said = script("fake = double.Double()\nprint(repr(clinch._clinch.first_device()))" + RUN,
                  CLINCH_TEST_DRIVER_DEVICES="0")
    assert said.splitlines() == [
        "''", "100 The launch of `nothing` failed: NVIDIA's driver does not start: no "
        "CUDA-capable device is detected (100)."]


def test_an_older_device():
    """What was compiled for a later one has no code for it."""
    said = script("fake = double.Double()" + RUN, CLINCH_TEST_DRIVER_CAPABILITY="80")
    assert int(said.split()[0]) in (209, 218)


@pytest.mark.parametrize("make", ['host.launching(device="sm_90")', "host.launching()"])
def test_pickles_of_a_later_device(make, tmp_path):
    """Their kernels are compiled again for the one that is here."""
    pickled = tmp_path / "pickled"
    text = "fake = double.Double()\nimport pickle\n"
    script(f"{text}open({str(pickled)!r}, 'wb').write(pickle.dumps({make}))",
           CLINCH_TEST_DRIVER_CAPABILITY="90")
    said = script(text + f"""
fake.stand_in(host.Launches().c_support_code(), device="sm_80")
print(pickle.load(open({str(pickled)!r}, "rb"))(2.5))
""", CLINCH_TEST_DRIVER_CAPABILITY="80")
    assert said == "2.5\n"


#: Code that is loaded in a context, which then dies.
CONTEXT_DIED = """
        import ctypes, gc
        fake = double.Double()
        library = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        library.cuInit(0)
        assert library.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
        fake.stand_in(host.Launches().c_support_code())
        f = host.launching(device="sm_90")
        f(1.0)
        assert library.cuCtxDestroy_v2(context) == 0
        def loads():
            return [line for line in fake.record() if "load" in line]
"""


def test_code_is_freed_after_its_context():
    assert script(CONTEXT_DIED + """
        print(loads())
        f(1.0)                         # In another context: it is loaded again.
        print(loads())
        del f
        gc.collect()
        print(loads())
    """).splitlines() == ["['load 1 kernels']", "['load 1 kernels']", "['unload']"]


def test_code_is_freed_while_its_context_is_dead():
    assert script(CONTEXT_DIED + """
        del f
        gc.collect()
        print(loads())
    """) == "['load 1 kernels']\n"


def test_two_contexts():
    assert script("""
        import ctypes
        fake = double.Double()
        library = ctypes.CDLL("libcuda.so.1")
        contexts = [ctypes.c_void_p(), ctypes.c_void_p()]
        library.cuInit(0)
        fake.stand_in(host.Launches().c_support_code())
        f = host.launching(device="sm_90")
        for one in contexts:
            assert library.cuCtxCreate_v2(ctypes.byref(one), 0, 0) == 0
        for _ in range(2):
            for one in contexts:
                assert library.cuCtxSetCurrent(one) == 0
                f(1.0)
        print(fake.record().count("load 1 kernels"))
    """) == "2\n"

"""device.py, on the device if there is one; and on the simulator, so that the script
itself is known to work."""

import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import device
import mathematics
import parts

SCRIPT = Path(device.__file__)


def run(folder, *options):
    return subprocess.run([sys.executable, SCRIPT, "--out", folder, *options], text=True,
                          capture_output=True, check=False)


def test_on_the_device(tmp_path):
    done = run(tmp_path)
    if done.returncode == device.SKIPPED:
        pytest.skip(done.stderr.strip())
    print(done.stdout)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 failed")


@pytest.mark.parametrize("part, said", [
    ("kernels", "ok      matmul"), ("locks", "ok      lock right"),
    ("mathematics", "ok      tanh of float: 0 of 4096 differ"),
    ("all_floats", "ok      expf of 4194304 floats"),
    ("compile_times", "text to PTX, saxpy: process ms: clinch "),
    ("instructions", "")])
def test_on_the_simulator(part, said, tmp_path):
    done = run(tmp_path, "--simulate", "--part", part)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 failed"), done.stdout
    assert said in (tmp_path / "device.txt").read_text()


def test_one_bit_that_differs_is_found():
    here = numpy.array([1.0, -0.0, numpy.nan, 2.0])
    there = numpy.array([1.0, 0.0, -numpy.nan, 2.0])
    found = mathematics.compare("double", [here], here, there)
    assert (found["differ"], found["nans"], found["nan_bits_differ"]) == (1, 1, 1)
    assert found["first"] == [{"given": ["-0x0.0p+0"], "processor": "8000000000000000",
                               "device": "0000000000000000"}]


def test_a_sum_tells_of_another_result():
    def off_by_one_bit(text, grid, block, arguments):
        wrong = text.replace(": x.u;", ": x.u ^ (x.u == 0x3f800000u);")
        parts.Machine(simulate=True).run(wrong, grid, block, arguments)
    chunk = [0x3F800000 // mathematics.CHUNK]
    assert mathematics.Processor().sums("fabs", chunk) != mathematics.device_sums(
        off_by_one_bit, "fabs", chunk)


def test_a_part_that_hangs_or_dies_hides_no_other(monkeypatch, tmp_path):
    monkeypatch.setattr(device, "__file__", str(tmp_path / "device.py"))
    (tmp_path / "device.py").write_text("import time; print('begun', flush=True); "
                                        "time.sleep(60)")
    assert device.run_part("kernels", True, 1)["lines"] == [
        "FAILED: it took more than 1 s\nbegun\n"]
    (tmp_path / "device.py").write_text("import os; print('begun', flush=True); "
                                        "os.abort()")
    died = device.run_part("kernels", True, 20)
    assert (died["failed"], died["lines"]) == (1, ["FAILED: it ended with status -6\n"
                                                   "begun\n"])

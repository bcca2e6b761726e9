"""What the driver says of wrong kernels and launches, each in a process of its own where
the context dies: `wrong.py NAME` runs one and prints the error's number."""

import subprocess
import sys

import numpy

import clinch
import clinch.cuda
import driver
from figures import SAXPY

#: What kills a context: a text, and the numbers of the errors that may follow.
DEADLY = {
    "illegal address": ("*(volatile int *)(1L << 44) = 1;", (700,)),
    "misaligned address": ("*(volatile int *)((char *)x + 1) = 1;", (716,)),
    "assertion": ("assert(*x == 7);", (710,)),
    "trap": ("__trap();", (715, 719)),
    "no stack left": ("volatile int a[1 << 14]; a[*x & 127] = 1; *x = a[5] + y(*x);",
                      (1, 2, 700, 717, 718, 719)),
}
RECURSIVE = """__device__ __attribute__((noinline)) int y(int n) {
  volatile int a[64];
  a[n & 63] = n;
  return n >= 0 ? y(n + 1) + a[(n + 1) & 63] : 0;
}
"""


def deadly(name):
    body, _ = DEADLY[name]
    device = driver.Driver()
    text = f"{RECURSIVE if 'y(' in body else ''}__global__ void k(int *x) {{\n {body}\n}}\n"
    code = clinch.cuda.compile(text, "author.cu", device=usable(device.architecture()))
    try:
        driver.run(device, code, "k", 1, 1, [numpy.zeros(4, "i")])
    except driver.DriverError as error:
        return error.number
    return 0


def usable(architecture):
    """The device that Clinch knows which code for this one is made for."""
    known = (75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121)
    return f"sm_{max(one for one in known if one <= int(architecture[3:]))}"


def _refused(report, name, numbers, work):
    try:
        work()
        report.check(False, f"{name}: nothing was said")
    except driver.DriverError as error:
        report.check(error.number in numbers,
                     f"{name}: {error.name} ({error.number}) {error.log[:200]}",
                     **{name: error.number})


def errors(report, machine):
    started = {name: subprocess.Popen([sys.executable, __file__, name],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True) for name in DEADLY}
    device, code = machine.driver, clinch.cuda.compile(SAXPY, device=machine.device)
    module = device.load(code.ptx)
    x = device.allocate(4096)

    def launch(grid=1, block=32, shared=0):
        module.launch("saxpy", grid, block, [numpy.int32(4), numpy.float32(1), x, x],
                      shared)
    launch()
    device.synchronize()
    _refused(report, "a text that is no PTX", (200, 218), lambda: device.load(b"nonsense"))
    _refused(report, "a PTX version to come", (222, 218), lambda: device.load(
        code.ptx.replace(b".version 7.8", b".version 19.9")))
    _refused(report, "PTX of a newer device", (209, 218, 221), lambda: device.load(
        clinch.cuda.compile(SAXPY, device="sm_121").ptx))
    _refused(report, "an unknown kernel", (500,), lambda: module.function("saxpi"))
    _refused(report, "no block", (1,), lambda: launch(0))
    _refused(report, "too many threads", (1,), lambda: launch(1, 1025))
    _refused(report, "too much shared memory", (1,), lambda: launch(1, 32, 1 << 20))
    launch()
    device.synchronize()
    for name, process in started.items():
        try:
            said = process.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = "it took more than 20 s"
        number = said.strip().rpartition("number ")[2]
        report.check(number.isdigit() and int(number) in DEADLY[name][1],
                     f"{name}: {said.strip()[-300:]}", **{name: number})


if __name__ == "__main__":
    print("number", deadly(sys.argv[1]))

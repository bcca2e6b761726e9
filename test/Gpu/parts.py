"""The parts of device.py. Each is called with a report and the machine."""

import os
import platform
import tempfile

import numpy

import cases
import clinch
import clinch.cuda
import clinch.device.memory
import driver
import host
import mathematics
import wrong
from array_times import array_times
from device_arrays import arrays
from figures import (compile_times, count_instructions, kernel_times, libdevice,
                     mathematics_times)
from packages import packages
from wrong import errors


class Machine:
    """The device, or the simulator in its place."""

    def __init__(self, simulate):
        self.simulate, self.driver, self.device = simulate, None, "sm_90"
        if not simulate:
            self.driver = driver.Driver()
            self.device = wrong.usable(self.driver.architecture())
        self.rounds = 3 if simulate else 20
        self.numbers = 1 << (12 if simulate else 22)

    def driver_array(self, shape):
        """Returns floats from 0 to 1 on the device, of one seed."""
        given = numpy.random.default_rng(1).random(shape, "f")
        return clinch.device.memory.from_host(given, 0)

    def simulated(self, text):
        return clinch.cuda.compile(text, device=self.device, simulate=True)

    def run(self, text, grid, block, arguments, shared=0, kernel="k"):
        """Runs a kernel; the arrays of `arguments` get what it writes."""
        if self.simulate:
            self.simulated(text)[kernel](grid, block, shared=shared)(
                *map(cases.plain, arguments))
        else:
            driver.run(self.driver, clinch.cuda.compile(text, device=self.device), kernel,
                       grid, block, arguments, shared)


def machine(report, there):
    """What it is that the rest is run on."""
    report.say(f"Clinch {clinch.__version__}, Python {platform.python_version()}, NumPy "
               f"{numpy.__version__}, {os.cpu_count()} processors")
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.partition(":")[2].strip() for line in file
                      if line.startswith("model name")), "unknown")
    report.say(f"processor: {model}", processor=model)
    if there.driver:
        name, version = there.driver.device_name(), there.driver.version()
        report.say(f"device: {name}, {there.driver.architecture()}; the driver's CUDA "
                   f"{version // 1000}.{version % 1000 // 10}; code for {there.device}",
                   device=name, driver=version, architecture=there.device)


def _run_case(report, there, case):
    there_given = case.arguments()
    there.run(case.text, case.grid, case.block, there_given, case.shared, case.kernel)
    here_given = case.expected(there.simulated)
    differ = [i for i, (a, b) in enumerate(zip(here_given, there_given), 1)
              if isinstance(a, numpy.ndarray) and a.tobytes() != b.tobytes()]
    report.check(not differ, f"{case.name}" + "".join(
        f"; argument {i}: {_first_difference(here_given[i - 1], there_given[i - 1])}"
        for i in differ))


def _first_difference(here, there):
    at = numpy.flatnonzero(here.view("u1") != there.view("u1"))[0] // here.itemsize
    return (f"[{at}] is {there.flat[at]} and should be {here.flat[at]}, and "
            f"{int((here != there).sum())} of {here.size} differ")


def kernels(report, there):
    """Right kernels compute on the device what they do in the simulator, to the bit."""
    for case in cases.CASES:
        if case.name not in cases.LOCKS:
            report.attempt(case.name, _run_case, there, case)
    report.attempt("printf", _printf, there)


def _printf(report, there):
    """What the driver prints comes out of the process's own output."""
    if there.simulate:
        return
    with tempfile.TemporaryFile() as file:
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            there.run(cases.TEXT, 1, 32, [numpy.int32(32)], kernel="says")
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        said = file.read()
    report.check(said == b"thread 3 of 32, 1.500 text\n", f"printf: {said!r}")


def locks(report, there):
    """Kernels that wait for each other."""
    for case in cases.CASES:
        if case.name in cases.LOCKS:
            report.attempt(case.name, _run_case, there, case)


def check_mathematics(report, there):
    """Each function of many numbers: the device's bits are the processor's."""
    processor, total = mathematics.Processor(), 0
    for kind in mathematics.TYPES:
        for name in mathematics.FUNCTIONS + mathematics.INSTRUCTIONS:
            try:
                found = mathematics.check(there.run, processor, name, kind, there.numbers)
            except Exception as error:
                report.check(False, f"{name} of {kind}: {type(error).__name__}: {error}")
                continue
            total += found["numbers"]
            report.check(
                found["differ"] == 0, f"{name} of {kind}: {found['differ']} of "
                f"{found['numbers']} differ{_shown(found)}", **{f"{name} {kind}": found})
    report.say(f"{total} results were compared")


def _shown(found):
    return "".join(f"\n          of {', '.join(one['given'])}: processor "
                   f"{one['processor']}, device {one['device']}" for one in found["first"])


def all_floats(report, there):
    """The same of all 2^32 floats, by sums of each 4 million results."""
    processor = mathematics.Processor()
    chunks = range((1 << 32) // mathematics.CHUNK)
    names = mathematics.FUNCTIONS + mathematics.INSTRUCTIONS
    if there.simulate:
        chunks, names = range(254, 255), ["exp", "sqrt"]
    for name in names:
        if name in mathematics.OF_TWO:
            continue
        here = processor.sums(name, chunks)
        found = mathematics.device_sums(there.run, name, chunks)
        differ = [one for one, (a, b) in zip(chunks, zip(here, found)) if a != b]
        report.check(not differ, f"{name}f of {len(chunks) * mathematics.CHUNK} floats"
                     + (f": parts {differ[:5]} differ" if differ else ""),
                     **{name: len(differ)})


PARTS = {"machine": machine, "kernels": kernels, "host": host.host, "locks": locks,
         "errors": errors, "mathematics": check_mathematics, "packages": packages,
         "arrays": arrays, "array_times": array_times,
         "compile_times": compile_times, "instructions": count_instructions,
         "kernel_times": kernel_times, "libdevice": libdevice, "mathematics_times": mathematics_times,
         "all_floats": all_floats}

"""The assembler, and compiling what it assembles, against g++."""

import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

from run import row


class Program:
    """bench-assembler: one process for each measurement."""

    def __init__(self, build):
        self.path = os.path.join(build, "benchmarks", "bench-assembler")
        self.environment = dict(os.environ, PYTHONHOME=sys.base_prefix)

    def run(self, *words):
        done = subprocess.run(
            [self.path, *map(str, words)], env=self.environment, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout

    def assemble(self, kind, applies, rounds):
        """Median milliseconds from a graph to its text."""
        return float(self.run("assemble", kind, applies, rounds))

    def compile(self, kind, applies, rounds):
        """Medians of seconds to a callable and of the peak of memory in MB."""
        pairs = [self.run("compile", kind, applies, "struct").split()
                 for _ in range(rounds)]
        seconds = statistics.median(float(pair[0]) for pair in pairs) / 1e3
        memory = statistics.median(int(pair[1]) for pair in pairs) / 1024
        return seconds, memory


def gxx(program, applies, folder):
    """Seconds that g++ takes for the same chain, nested in one function."""
    source = os.path.join(folder, f"chain{applies}.cpp")
    with open(source, "w") as file:
        file.write(program.run("text", "scalar", applies))
    begin = time.perf_counter()
    subprocess.run(
        ["g++", "-O2", "-shared", "-fPIC", "-w",
         "-I" + sysconfig.get_paths()["include"],
         "-I" + os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                             "python", "clinch", "include"), source,
         "-o", source + ".so"], check=True)
    return time.perf_counter() - begin


def text_rows(program):
    small = program.assemble("sum", 0, 2000)
    chain = program.assemble("scalar", 10_000, 15)
    long = program.assemble("scalar", 100_000, 5)
    return [
        row("assemble (x+y)*z", small, None, None, "ms", "<= 0.1 ms",
            small <= 0.1),
        row("assemble a chain of 10,000", chain, None, None, "ms",
            "<= 100 ms", chain <= 100),
        row("assemble a chain of 100,000", long, chain, "10,000", "ms",
            "<= 12 times 10,000's", long <= 12 * chain, long / chain)]


def chain_rows(program, folder):
    short, _ = program.compile("scalar", 100, 15)
    long, memory = program.compile("scalar", 10_000, 5)
    each, at_100 = long / 10_000 * 1e6, short / 100 * 1e6
    rows = [
        row("graph to callable, 10,000 scalar applies", long, None, None, "s",
            "<= 1.5 s", long <= 1.5),
        row("  for one apply of 10,000", each, at_100, "one of 100", "us",
            "<= 1.3 times one of 100", each <= 1.3 * at_100, each / at_100),
        row("  peak of memory", memory, None, None, "MB", "<= 400 MB",
            memory <= 400)]
    for applies in (1_000, 3_000):
        ours, _ = program.compile("scalar", applies, 5)
        rival = gxx(program, applies, folder)
        rows.append(row(f"graph to callable, {applies:,} scalar applies", ours,
                        rival, "g++ -O2, nested", "s", "beside it", True))
    return rows


def object_rows(program):
    seconds, memory = program.compile("object", 10_000, 3)
    return [
        row("the same, every cleanup releases an object", seconds, None, None,
            "s", "<= 5 s", seconds <= 5),
        row("  peak of memory", memory, None, None, "MB", "<= 400 MB",
            memory <= 400)]


def rows(build):
    program = Program(build)
    with tempfile.TemporaryDirectory() as folder:
        return (text_rows(program) + chain_rows(program, folder) +
                object_rows(program))

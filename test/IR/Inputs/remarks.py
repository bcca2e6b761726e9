"""Prints "function: remark" for what Clang says of vectors in a file of C."""

import re
import subprocess
import sys
import sysconfig

import numpy

import clinch

done = subprocess.run(
    ["clang-22", "-std=gnu23", "-O2", "-w", "-Rpass=loop-vectorize",
     "-Rpass-missed=loop-vectorize", "-I" + sysconfig.get_path("include"),
     "-I" + numpy.get_include(), f"-I{clinch.__path__[0]}/include", "-c", sys.argv[1], "-o", "/dev/null"],
    stderr=subprocess.PIPE, text=True, check=True)


def function_at(path, number):
    """The function of a header of ours that a line is in."""
    with open(path) as file:
        above = "".join(file.readlines()[:number])
    return re.findall(r"^(?:static .*)?CLINCH_OF\((\w+)\)\(", above, re.M)[-1]


for block in re.split(r"\n(?=\S)", done.stderr):
    said = re.search(r"remark: (.*)", block)
    if said is None:
        continue
    where = re.match(r"(.*/clinch/\w+\.h):(\d+):", block)
    named = re.search(r"(\w+)\(", "\n".join(block.splitlines()[1:]))
    name = function_at(where[1], int(where[2])) if where else named[1] if named else "?"
    print(f"{name}: {said[1]}")

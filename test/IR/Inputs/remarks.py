"""Prints "function: remark" for what Clang says of vectors in a file of C."""

import re
import subprocess
import sys
import sysconfig

import numpy

done = subprocess.run(
    ["clang-22", "-std=gnu23", "-O2", "-w", "-Rpass=loop-vectorize",
     "-Rpass-missed=loop-vectorize", "-I" + sysconfig.get_path("include"),
     "-I" + numpy.get_include(), "-c", sys.argv[1], "-o", "/dev/null"],
    stderr=subprocess.PIPE, text=True, check=True)
for block in re.split(r"\n(?=\S)", done.stderr):
    said = re.search(r"remark: (.*)", block)
    if said is None:
        continue
    named = re.search(r"(\w+)\(", "\n".join(block.splitlines()[1:]))
    print(f"{named[1] if named else '?'}: {said[1]}")

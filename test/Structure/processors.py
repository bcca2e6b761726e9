"""No test expects another result where the processor is another: what asks for its
features is listed here, with the reason. IR and assembly are compared for a processor
that the test names (`CompileOptions::CPU`, `cpu=`, `-march=`).
"""
# RUN: %python %s %source

import os
import re
import sys

SOURCE = sys.argv[1]
ASKS = re.compile(r"__builtin_cpu_(supports|is)|/proc/cpuinfo|getHostCPU(Name|Features)|"
                  r"Processor::host")
ALLOWED = {
    "test/Fuzz/loop_script.py": "prints where a finding was found",
    "test/Fuzz/processors.py": "which code can run here",
    "test/Gpu/parts.py": "prints where it was measured",
    "test/Math/functions.py": "which code can run here",
    "test/PyTensor/test_processors.py": "which code can run here",
    "test/Python/test_machine.py": "__builtin_cpu_supports itself is tested",
    "test/Structure/processors.py": "this list",
    "unittests/Compiler/FingerprintTest.cpp": "the host's own name in keys",
    "unittests/Compiler/ProcessorsTest.cpp": "which code can run here",
    "unittests/Loader/MachineTest.cpp": "__builtin_cpu_supports itself is tested",
}


def asking():
    for folder in ("test", "unittests"):
        for path, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in names:
                if name.endswith((".c", ".clinch", ".cpp", ".h", ".py", ".sh", ".test")):
                    file = os.path.join(path, name)
                    with open(file, encoding="utf-8", errors="replace") as opened:
                        if ASKS.search(opened.read()):
                            yield os.path.relpath(file, SOURCE)


found = set(asking())
for name in sorted(found - ALLOWED.keys()):
    print(f"{name}: asks for the processor it runs on; name one instead")
for name in sorted(ALLOWED.keys() - found):
    print(f"{name}: asks no more; take it off the list")
sys.exit(found != ALLOWED.keys())

# RUN: rm -rf %t
# RUN: env CLINCH_BUILD=%build PYTHONPATH=%S/Inputs %python %s %t cold | FileCheck %s --check-prefix=COLD
# RUN: env CLINCH_BUILD=%build PYTHONPATH=%S/Inputs %python %s %t warm | FileCheck %s --check-prefix=WARM
# A process that finds all its code in the cache loads neither Clang nor LLVM.
import ctypes
import re
import sys

import compiler

session = compiler.Session(sys.argv[1])
# COLD: c: miss 5
# COLD-NEXT: c++: miss 5
# WARM: c: disk 5
# WARM-NEXT: c++: disk 5
for language in ("c", "c++"):
    module = session.compile(
        ('extern "C" ' if language == "c++" else "")
        + "int f(PyObject *x) { return 5; }",
        language=language, python=True)
    print(f"{language}: {module.cache}",
          module.function("f", ctypes.c_int, ctypes.py_object)(None))
# COLD-NEXT: loaded: clinch-compiler, clinch-engine
# WARM-NEXT: loaded: clinch-compiler
# WARM-NOT: {{.}}
loaded = set(re.findall(r"/lib(clang-cpp|LLVM|clinch-\w+)[^/]*\.so",
                        open("/proc/self/maps").read()))
print("loaded:", ", ".join(sorted(loaded, key=str.lower)))

# RUN: rm -rf %t
# RUN: env CLINCH_BUILD=%build PYTHONPATH=%S/Inputs %python %s %t | FileCheck %s
# Eight processes compile the same texts at once, with one cache folder.
import ctypes
import os
import sys

import compiler


def work():
    session = compiler.Session(sys.argv[1])
    for number in range(6):
        module = session.compile(f"int f(int x) {{ return x + {number}; }}",
                                 tier="fast")
        if module.function("f", ctypes.c_int, ctypes.c_int)(1) != number + 1:
            os._exit(1)
        module.release()
    os._exit(0)


# The parent has compiled already, so its children begin with all it had.
before = compiler.Session().compile("int f(int x) { return x - 1; }")
children = []
for _ in range(8):
    child = os.fork()
    if not child:
        work()
    children.append(child)
# CHECK: [0, 0, 0, 0, 0, 0, 0, 0]
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
       for child in children])
# CHECK-NEXT: the parent's: 1
print("the parent's:", before.function("f", ctypes.c_int, ctypes.c_int)(2))
# CHECK-NEXT: 6 files, each an entry: True
names = os.listdir(sys.argv[1])
print(f"{len(names)} files, each an entry:",
      all(name.endswith(".o.clinch") for name in names))

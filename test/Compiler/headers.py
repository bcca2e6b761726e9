# RUN: rm -rf %t && mkdir -p %t/first %t/second
# RUN: env CLINCH_BUILD=%build PYTHONPATH=%S/Inputs %python %s %t | FileCheck %s
# A header on the disk is part of what a cached copy depends on: its content,
# and that no other header stands before it.
import ctypes
import os
import sys

import compiler

root = sys.argv[1]
TEXT = '#include "value.h"\nint f(void) { return VALUE; }\n'


def write(place, text):
    with open(os.path.join(root, place), "w") as file:
        file.write(text)


def show(when, keep=False):
    module = session.compile(TEXT, include_dirs=[os.path.join(root, "first"),
                                                 os.path.join(root, "second")])
    value = module.function("f", ctypes.c_int)()
    print(f"{when}: {value} {module.cache}")
    if keep:
        return module
    module.release()


session = compiler.Session(os.path.join(root, "cache"))
# CHECK: as written: 1 miss
write("second/value.h", "#define VALUE 1\n")
show("as written")
# CHECK-NEXT: again: 1 disk
show("again")
# CHECK-NEXT: kept: 1 disk
# CHECK-NEXT: while it lives: 1 memory
live = show("kept", keep=True)
show("while it lives")
# CHECK-NEXT: edited: 2 miss
write("second/value.h", "#define VALUE 2\n")
show("edited")
# CHECK-NEXT: put back: 1 {{memory|miss|disk}}
write("second/value.h", "#define VALUE 1\n")
show("put back")
# CHECK-NEXT: another before it: 3 miss
write("first/value.h", "#define VALUE 3\n")
show("another before it")
# CHECK-NEXT: and gone: 1
os.unlink(os.path.join(root, "first", "value.h"))
show("and gone")
# CHECK-NEXT: includes another: 4 miss
# CHECK-NEXT: which is edited: 5 miss
write("second/value.h", '#include "deep.h"\n')
write("second/deep.h", "#define VALUE 4\n")
show("includes another")
write("second/deep.h", "#define VALUE 5\n")
show("which is edited")
# CHECK-NEXT: of the same size and age: 6 miss
status = os.stat(os.path.join(root, "second", "deep.h"))
write("second/deep.h", "#define VALUE 6\n")
os.utime(os.path.join(root, "second", "deep.h"),
         ns=(status.st_atime_ns, status.st_mtime_ns))
show("of the same size and age")
# CHECK-NEXT: in first: 7 miss
# CHECK-NEXT: in second: 8 miss
# CHECK-NEXT: in first again: 7
for place, value in (("first", 7), ("second", 8), ("first", 7)):
    os.makedirs(os.path.join(root, place, "near"), exist_ok=True)
    write(f"{place}/near/value.h", f"#define VALUE {value}\n")
for place in ("first", "second", "first again"):
    os.chdir(os.path.join(root, place.split()[0]))
    module = session.compile(TEXT, include_dirs=["near"])
    print(f"in {place}:", module.function("f", ctypes.c_int)(), module.cache)
    module.release()

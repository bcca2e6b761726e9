# REQUIRES: mount-namespace
# RUN: env CLINCH_BUILD=%build PYTHONPATH=%S/Inputs %python %s | FileCheck %s
# Compiling needs no header, no compiler and no linker of the machine: here
# every folder and program of that kind is hidden.
import ctypes
import glob
import os
import sys

import numpy
import compiler

HIDDEN = ["/usr/include", "/usr/local/include", "/usr/lib/gcc",
          "/usr/lib/llvm-22/include", "/usr/lib/llvm-22/bin",
          "/usr/lib/llvm-22/lib/clang", numpy.get_include(),
          "/usr/lib/x86_64-linux-gnu/pkgconfig"]
PROGRAMS = ["gcc", "g++", "cc", "c++", "cpp", "as", "ld", "ld.lld", "clang",
            "clang++", "clang-22", "clang++-22", "tcc", "x86_64-linux-gnu-*"]
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000


def hide():
    libc = ctypes.CDLL(None, use_errno=True)
    flags = CLONE_NEWNS | (0 if os.geteuid() == 0 else CLONE_NEWUSER)
    if libc.unshare(flags) != 0:
        sys.exit("no mount namespace")
    libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    for folder in filter(os.path.isdir, HIDDEN):
        libc.mount(b"none", folder.encode(), b"tmpfs", 0, None)
        assert os.listdir(folder) == []
    for pattern in PROGRAMS:
        for program in glob.glob("/usr/bin/" + pattern):
            if os.path.exists(program):
                libc.mount(b"/dev/null", os.path.realpath(program).encode(),
                           None, MS_BIND, None)


hide()

TEXT = """
#include <math.h>
#include <string.h>
double f(void *x) { return sqrt(12.25) + strlen(""); }
"""
PYTHON = TEXT + """
long g(PyObject *x) { return PyArray_NDIM((PyArrayObject *)x); }
"""
session = compiler.Session()
# CHECK-COUNT-4: f: 3.5
for language in ("c", "c++"):
    for python in (False, True):
        text = PYTHON if python else TEXT
        if language == "c++":
            text = text.replace("double f", 'extern "C" double f')
            text = text.replace("long g", 'extern "C" long g')
        module = session.compile(text, language=language, python=python)
        print("f:", module.function("f", ctypes.c_double, ctypes.c_void_p)(None))
# CHECK-NEXT: numpy: 2
print("numpy:", module.function("g", ctypes.c_long, ctypes.py_object)(
    numpy.zeros((2, 2))))
# CHECK-NEXT: no such header
try:
    session.compile("#include <no/such/header.h>")
except compiler.CompileError as error:
    assert "'no/such/header.h' file not found" in str(error), error
    print("no such header")

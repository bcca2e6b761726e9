"""Finds an OpenMP without a compiler.

Clang's code calls LLVM's runtime, `libomp`, and cannot use GCC's `libgomp`. If
`libomp` is installed, with its `omp.h`, Ops that ask for OpenMP get it. If not,
they run on one thread, with a warning, as in PyTensor if g++ has none.
"""

import functools
import glob
import os
import sys
import warnings
from copy import copy
from dataclasses import dataclass

from clinch.pytensor.c_ops import OpenMPOp

#: Folders with `libomp.so`, and the folder of `omp.h` relative to each.
_PLACES = (
    (os.path.join(sys.prefix, "lib"), "../include"),
    ("/usr/lib/llvm-*/lib", "clang/*/include"),
    ("/usr/lib64", "clang/*/include"),
    ("/usr/lib", "clang/*/include"),
)


@dataclass
class Runtime:
    """The folders of `libomp.so` and of `omp.h`."""

    library_folder: str
    header_folder: str


@functools.cache
def runtime():
    """Returns the newest OpenMP runtime for Clang, or None."""
    for libraries, headers in _PLACES:
        for library in sorted(glob.glob(f"{libraries}/libomp.so"), reverse=True):
            folder = os.path.dirname(library)
            for header in sorted(glob.glob(f"{folder}/{headers}/omp.h"), reverse=True):
                return Runtime(folder, os.path.dirname(header))
    return None


@functools.cache
def _warn():
    """Warns once, as PyTensor does."""
    warnings.warn(
        "Clinch finds no OpenMP: `libomp.so` and `omp.h` are installed in none of "
        "the usual folders. Ops that would use it run on one thread. To remove "
        "this warning set the PyTensor flag `openmp` to False.",
        stacklevel=2,
    )


class _OnLlvm:
    """Ahead of the class of an Op that uses OpenMP."""

    def update_self_openmp(self):
        if self.openmp and runtime() is None:
            _warn()
            self.openmp = False

    def c_compile_args(self, **how):
        given = super().c_compile_args(**how)
        return [*given, f"-idirafter{runtime().header_folder}"] if self.openmp else given

    def c_libraries(self, **how):
        given = super().c_libraries(**how)
        return [*given, "omp"] if self.openmp else given

    def c_lib_dirs(self, **how):
        given = super().c_lib_dirs(**how)
        return [*given, runtime().library_folder] if self.openmp else given


@functools.cache
def _on_llvm(kind):
    return type(kind.__name__, (_OnLlvm, kind), {})


def on_llvm(node):
    """Returns the apply with an Op whose OpenMP is LLVM's, instead of g++'s: a copy, if
    it uses OpenMP."""
    if not isinstance(node.op, OpenMPOp) or not node.op.openmp:
        return node
    own = copy(node)
    own.op = object.__new__(_on_llvm(type(node.op)))
    own.op.__dict__.update(node.op.__dict__)
    own.op.update_self_openmp()
    return own

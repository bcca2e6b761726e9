"""Finds an OpenMP without a compiler.

Clang's code calls LLVM's runtime, `libomp`; GCC's `libgomp` does not do. Where
`libomp` is installed, with its `omp.h`, Ops that ask for OpenMP get it; where
it is not, they run on one thread, with a warning, as PyTensor does where g++
has none.
"""

import functools
import glob
import os
import sys
import warnings
from dataclasses import dataclass

from pytensor.link.c.op import OpenMPOp

from clinch.pytensor.config import active

#: Where `libomp.so` is, and where below it or beside it `omp.h` is.
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
    """The newest OpenMP runtime for Clang; None where there is none."""
    for libraries, headers in _PLACES:
        for library in sorted(glob.glob(f"{libraries}/libomp.so"), reverse=True):
            folder = os.path.dirname(library)
            for header in sorted(glob.glob(f"{folder}/{headers}/omp.h"), reverse=True):
                return Runtime(folder, os.path.dirname(header))
    return None


@functools.cache
def _warn():
    """Once, as PyTensor does."""
    warnings.warn(
        "Clinch finds no OpenMP: `libomp.so` and `omp.h` are installed in none of "
        "the usual folders. Ops that would use it run on one thread. To remove "
        "this warning set the PyTensor flag `openmp` to False.",
        stacklevel=2,
    )


def install():
    """Lets PyTensor's Ops with OpenMP ask Clinch while Clinch compiles them."""
    update, arguments = OpenMPOp.update_self_openmp, OpenMPOp.c_compile_args

    @functools.wraps(update)
    def update_self_openmp(self):
        if not active():
            update(self)
        elif self.openmp and runtime() is None:
            _warn()
            self.openmp = False

    @functools.wraps(arguments)
    def c_compile_args(self, **kwargs):
        given = arguments(self, **kwargs)
        if active() and self.openmp:
            given = [*given, f"-idirafter{runtime().header_folder}"]
        return given

    OpenMPOp.update_self_openmp = update_self_openmp
    OpenMPOp.c_compile_args = c_compile_args
    _extend("c_libraries", lambda found: "omp")
    _extend("c_lib_dirs", lambda found: found.library_folder)


def _extend(hook, more):
    """Adds what `more` says to the list that `hook` returns."""
    original = getattr(OpenMPOp, hook)

    @functools.wraps(original)
    def extended(self, **kwargs):
        given = original(self, **kwargs)
        if not active():
            return given
        self.update_self_openmp()
        return [*given, more(runtime())] if self.openmp else given

    setattr(OpenMPOp, hook, extended)

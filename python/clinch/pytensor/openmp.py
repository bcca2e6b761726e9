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
from dataclasses import dataclass

from pytensor.link.c.op import OpenMPOp

from clinch.pytensor.config import active
from clinch.pytensor.patching import wrap

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


def patches():
    """Returns the patches of Ops with OpenMP, for when Clinch compiles them."""
    hooks = {
        "c_compile_args": lambda: f"-idirafter{runtime().header_folder}",
        "c_libraries": lambda: "omp",
        "c_lib_dirs": lambda: runtime().library_folder,
    }
    why = "OpenMP is LLVM's"
    return [
        wrap(OpenMPOp, "update_self_openmp", _update_self_openmp, why),
        *(
            wrap(OpenMPOp, hook, functools.partial(_extended, more), why)
            for hook, more in hooks.items()
        ),
    ]


def _update_self_openmp(original, self):
    if not active():
        original(self)
    elif self.openmp and runtime() is None:
        _warn()
        self.openmp = False


def _extended(more, original, self, **kwargs):
    """Returns what the hook returns, and for Clinch also `more()`."""
    given = original(self, **kwargs)
    if not active():
        return given
    self.update_self_openmp()
    return [*given, more()] if self.openmp else given

"""Answers what PyTensor would ask g++, without starting it.

PyTensor compiles small programs to learn about its BLAS, asks g++ for the
machine's flags and for its version, and builds helper modules with it. With
Clinch as the compiler each of these gets an answer that PyTensor can handle: that
there is no such program.
"""

import errno

import pytensor.configdefaults as configdefaults
import pytensor.link.c.basic as c_linker
import pytensor.link.c.cmodule as cmodule
from pytensor.link.c.exceptions import CompileError, MissingGXX

from clinch.pytensor._import import CXX
from clinch.pytensor.compileflags import compile_flags
from clinch.pytensor.config import active
from clinch.pytensor.patching import wrap


class NoModules(CompileError, MissingGXX):
    """Only g++ makes modules to import; Clinch compiles graphs."""


def patches():
    """Returns the patches of all code that uses g++."""
    return [
        *(
            wrap(module, name, _start, "starts no program for Clinch")
            for module in (cmodule, configdefaults)
            for name in ("subprocess_Popen", "output_subprocess_Popen")
            if hasattr(module, name)
        ),
        wrap(cmodule.GCC_compiler, "compile_args", _compile_args, "says Clinch's flags"),
        wrap(cmodule.GCC_compiler, "compile_str", _compile_str, "makes no modules"),
        wrap(c_linker, "get_module_cache", _get_module_cache, "there is no such cache"),
    ]


class _NoCache:
    """The empty module cache, which PyTensor refreshes before it profiles."""

    def refresh(self, *args, **kwargs):
        return []


def _get_module_cache(original, *args, **kwargs):
    return _NoCache() if active() else original(*args, **kwargs)


def _start(original, command, **how):
    """Starts a command, but never "clinch" as if it were g++."""
    if command[0] == CXX:
        raise FileNotFoundError(errno.ENOENT, "Clinch is no program to start", CXX)
    return original(command, **how)


def _compile_args(original, march_flags=True):
    return compile_flags() if active() else original(march_flags)


def _compile_str(original, module_name, *args, **kwargs):
    if active():
        raise NoModules(
            f"Clinch does not make modules: `{module_name}` would need g++. Set the "
            "PyTensor flag `cxx` to g++'s path for functions that need it."
        )
    return original(module_name, *args, **kwargs)

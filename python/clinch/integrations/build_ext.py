"""`import clinch.build_ext`: what setuptools builds is compiled by Clinch.

Every program that builds extension modules through setuptools or distutils (cffi,
Cython, pyximport, SymPy's autowrap) then runs as it is, without a C compiler: the Unix
compiler of distutils compiles in this process, and writes a file of machine code in
place of a shared library, which `import` loads.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import os
import pickle
import re
import runpy
import subprocess
import sys

import setuptools  # Its distutils is the one that is used from here on.
import setuptools.dist
from distutils.errors import CompileError, LibError, LinkError
from distutils.unixccompiler import UnixCCompiler

from .. import errors
from . import module_files
from ..base.annotations import Any, Sequence
from .entry_points import Metadata
from .source_files import LANGUAGES, describe_file, write_module

#: What Python was built with says nothing of what is built now: the tier and
#: `config.debug` say how.
_OF_PYTHON = re.compile(r"-O.?|-g.*|-Werror=format-security")
_FAILURES = (errors.CompileError, ValueError, OSError)


def _flags(compiler: Any, language: str, given: Sequence[str]) -> list[str]:
    command = compiler.compiler_so
    if language == "c++":  # Newer releases have one for C++ files.
        command = getattr(compiler, "compiler_so_cxx", command) or command
    start = next((at for at, word in enumerate(command) if word.startswith("-")),
                 len(command))
    own = [word for word in command[start:] if not _OF_PYTHON.fullmatch(word)]
    return [*own, *given]


def _compile(self: Any, obj: str, src: str, ext: str, cc_args: list[str],
             extra_postargs: list[str] | None, pp_opts: list[str]) -> None:
    """Is UnixCCompiler._compile; writes what load_described() takes."""
    flags = _flags(self, LANGUAGES.get(ext, ""), [*cc_args, *(extra_postargs or ())])
    try:
        made = describe_file(src, flags)
    except _FAILURES as error:
        raise CompileError(f"{src}: {error}") from None
    with open(obj, "wb") as file:
        file.write(pickle.dumps(made))


def _read_object(path: str) -> tuple[Any, ...]:
    """Returns (text, machine code, ...) of what _compile wrote, or another's object."""
    with open(path, "rb") as file:
        data = file.read()
    return ("", "", {}, data) if data.startswith(b"\x7fELF") else pickle.loads(data)


def _named(words: Sequence[str], option: str) -> list[str]:
    return [word[2:] for word in words if word.startswith(option) and len(word) > 2]


def _link(self: Any, target_desc: str, objects: Sequence[str], output_filename: str,
          output_dir: str | None = None, libraries: Any = None, library_dirs: Any = None,
          runtime_library_dirs: Any = None, export_symbols: Any = None,
          debug: Any = False, extra_preargs: Any = None, extra_postargs: Any = None,
          build_temp: Any = None, target_lang: Any = None) -> None:
    """Is UnixCCompiler.link; writes a module's file."""
    if target_desc == self.EXECUTABLE:
        raise LinkError(f"{output_filename}: Clinch makes modules, and no programs")
    path = os.path.join(output_dir or "", output_filename)
    libraries, library_dirs, runtime = self._fix_lib_args(
        libraries, library_dirs, runtime_library_dirs)
    words = [*(extra_preargs or ()), *(extra_postargs or ())]
    libraries = [name for name in [*libraries, *_named(words, "-l")]
                 if not re.fullmatch(r"python3\.\d+t?", name)]  # It is running.
    try:
        made = [_read_object(name) for name in [*objects, *self.objects]]
        self.mkpath(os.path.dirname(path))
        write_module(path, made, libraries,
                     [*library_dirs, *runtime, *_named(words, "-L")])
    except (*_FAILURES, pickle.UnpicklingError) as error:
        raise LinkError(f"{path}: {error}") from None


def _create_static_lib(self: Any, objects: Any, output_libname: str,
                       *others: Any, **named: Any) -> None:
    raise LibError(f"{output_libname}: Clinch makes no static libraries")


def _check_output(command: Any, *others: Any, **named: Any) -> Any:
    """Is subprocess.check_output; runs `python setup.py build_ext ...` here, where
    Clinch is."""
    if (not isinstance(command, list) or others or set(named) - {"stderr"}
            or command[:3] != [sys.executable, "setup.py", "build_ext"]):
        return _check_in_process(command, *others, **named)
    path, arguments = list(sys.path), sys.argv
    sys.path.insert(0, os.getcwd())
    sys.argv = ["setup.py", "--quiet", *command[2:]]
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            runpy.run_path("setup.py", run_name="__main__")
    except SystemExit as error:
        if error.code:
            raise subprocess.CalledProcessError(1, command, str(error).encode()) \
                from None
    finally:
        sys.path[:], sys.argv = path, arguments
    return printed.getvalue().encode()


def _install() -> None:
    for name, ours in (("_compile", _compile), ("link", _link),
                       ("create_static_lib", _create_static_lib)):
        if not hasattr(UnixCCompiler, name):
            raise ImportError(f"this setuptools {setuptools.__version__} has no "
                              f"`UnixCCompiler.{name}`", name="setuptools")
        setattr(UnixCCompiler, name, ours)
    # It asks six times in a build, which was half of a build's time.
    if getattr(setuptools.dist, "metadata", None) is importlib.metadata:
        setattr(setuptools.dist, "metadata", Metadata())
    module_files.import_them()
    setattr(subprocess, "check_output", _check_output)
    for module in list(sys.modules.values()):  # `from subprocess import check_output`
        if getattr(module, "__dict__", {}).get("check_output") is _check_in_process:
            module.__dict__["check_output"] = _check_output


_check_in_process = subprocess.check_output
_install()
__all__ = ["setuptools"]

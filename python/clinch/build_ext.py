"""`import clinch.build_ext`: what setuptools builds is compiled by Clinch.

Every program that builds extension modules through setuptools or distutils (cffi,
Cython, pyximport, SymPy's autowrap) then runs as it is, without a C compiler: the Unix
compiler of distutils compiles in this process, and writes a file of machine code in
place of a shared library, which `import` loads.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import re
import runpy
import subprocess
import sys

import setuptools  # Its distutils is the one that is used from here on.
from distutils.errors import CompileError, LibError, LinkError
from distutils.unixccompiler import UnixCCompiler

from . import errors, module_files
from .compiled_text import describe, described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any, Sequence

_LANGUAGES = {".c": "c", **dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".C"), "c++")}
#: What Python was built with says nothing of what is built now: the tier and
#: `config.debug` say how.
_OF_PYTHON = re.compile(r"-O.?|-g.*|-Werror=format-security")
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
#: Macros that a text defines for NumPy's headers, which the prefix has read by then.
_BEFORE_HEADERS = re.compile(r"PY_(ARRAY|UFUNC)_UNIQUE_SYMBOL|NO_IMPORT_(ARRAY|UFUNC)")
_FAILURES = (errors.CompileError, ValueError, OSError)


def _flags(compiler: Any, language: str, given: Sequence[str]) -> list[str]:
    command = compiler.compiler_so
    if language == "c++":  # Newer releases have one for C++ files.
        command = getattr(compiler, "compiler_so_cxx", command) or command
    start = next((at for at, word in enumerate(command) if word.startswith("-")),
                 len(command))
    own = [word for word in command[start:] if not _OF_PYTHON.fullmatch(word)]
    return [*own, *(word for word in given if word != "-c")]


def _beside(text: str, source: str) -> list[str]:
    """Returns flags to find the headers that lie in the folder of a source."""
    folder = os.path.dirname(source) or "."
    if any(os.path.isfile(os.path.join(folder, name))
           for name in _INCLUDED.findall(text)):
        return ["-iquote", os.path.abspath(folder)]
    return []


def _described(text: str, name: str, language: Any, flags: list[str]) -> Any:
    """Compiles a text, with Python's headers precompiled before it where that does not
    change what it means."""
    said = " ".join(flags) + text
    if "Python.h" in text and not _BEFORE_HEADERS.search(said):
        try:
            return describe(text, name, language=language, flags=flags, python=True)
        except errors.CompileError:
            pass  # It may define what those headers do, and only it says what is wrong.
    return describe(text, name, language=language, flags=flags)


def _compile(self: Any, obj: str, src: str, ext: str, cc_args: list[str],
             extra_postargs: list[str] | None, pp_opts: list[str]) -> None:
    """Is UnixCCompiler._compile; writes what load_described() takes."""
    language = _LANGUAGES.get(ext)
    if language is None:
        raise CompileError(f"{src}: Clinch compiles C and C++")
    with open(src, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    flags = _flags(self, language, [*cc_args, *(extra_postargs or ())])
    name = os.path.basename(src) if os.path.isabs(src) else src
    try:
        made = _described(text, name, language, [*_beside(text, src), *flags])
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
        made.sort(key=lambda one: "PyInit" not in one[0] and "PyMODINIT" not in one[0])
        text, name, options, code, *_ = made[0]
        options = {**options, "objects": [other[3] for other in made[1:]],
                   "libraries": libraries,
                   "library_dirs": [*library_dirs, *runtime, *_named(words, "-L")]}
        self.mkpath(os.path.dirname(path))
        module_files.write(path, described(text, name, options, code))
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
        setattr(UnixCCompiler, name, ours)
    module_files.import_them()
    setattr(subprocess, "check_output", _check_output)
    for module in list(sys.modules.values()):  # `from subprocess import check_output`
        if getattr(module, "__dict__", {}).get("check_output") is _check_in_process:
            module.__dict__["check_output"] = _check_output


_check_in_process = subprocess.check_output
_install()
__all__ = ["setuptools"]

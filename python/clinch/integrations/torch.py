"""`import clinch.torch`: what PyTorch compiles for the processor is compiled by Clinch.

Inductor prints C++ for `torch.compile` and starts g++ for each kernel; `load_inline` and
`load` of torch.utils.cpp_extension start ninja, which starts g++. Behind this import both
compile in this process, on the threads that torch compiles on, and what they leave in
torch's folders are files of machine code, which are loaded where this module is imported.
"""

from __future__ import annotations

import ctypes
import functools
import os
import pickle
import re
import shlex
import sysconfig

import torch

from ..base.installed import refuse_untested

#: The versions whose private functions are known.
TESTED = ("2.15",)
refuse_untested("torch", "torch", torch.__version__, TESTED)

import torch._inductor.config as inductor
from torch._inductor import codecache, cpp_builder, cpu_vec_isa
from torch._inductor.exc import CppCompileError
from torch.utils import cpp_extension

from .. import errors
from . import module_files
from ..base.annotations import Any, Sequence
from ..source.compiled_text import describe
from ..source.prefixes import PrecompiledHeaders
from .source_files import write_module

#: What Inductor takes for the name of its compiler: it asks names what they are.
_NAME = "clang-in-clinch"
#: A header of torch's -> what stands before the texts that include it.
_BEFORE = {
    "torch/csrc/inductor/cpp_prefix.h":
        "#include <torch/csrc/inductor/cpp_prefix.h>\n#define PY_SSIZE_T_CLEAN\n"
        "#include <Python.h>\n#include <sstream>\n#include <cstdlib>\n#include <cerrno>\n",
    "torch/extension.h": "#include <torch/extension.h>\n",
}
#: Code runs on the OpenMP that torch has brought.
_OPENMP = {"gomp", "omp", "iomp5"}
_FAILURES = (errors.CompileError, errors.LinkError, ValueError, OSError)
#: What torch has loaded; its functions may be called until the process ends.
_loaded: list[Any] = []


@functools.cache
def _prefix(header: str, folders: tuple[str, ...],
            flags: tuple[str, ...]) -> PrecompiledHeaders:
    return PrecompiledHeaders(_BEFORE[header], language="c++", include_dirs=folders,
                              flags=flags)


def _described(path: str, flags: Sequence[str]) -> tuple[Any, ...]:
    """Compiles a file; returns what write_module() takes."""
    if path.endswith(".o"):
        with open(path, "rb") as file:
            return pickle.load(file)
    if os.path.splitext(path)[1] not in (".cpp", ".cc", ".cxx"):
        raise ValueError(f"{path}: Clinch compiles C++ for the processor here")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for header in _BEFORE:
        if re.search(rf'^\s*#\s*include\s*[<"]{re.escape(header)}[>"]', text, re.M):
            folders = [flag[2:] for flag in flags if flag.startswith("-I")]
            others = [flag for flag in flags if not flag.startswith("-I")]
            return describe(text, path, language="c++",
                            prefix=_prefix(header, tuple(folders), tuple(others)))
    return describe(text, path, language="c++", flags=flags)


def _named(words: Sequence[str], option: str) -> list[str]:
    return [word[2:] for word in words if word.startswith(option)]


def _make(path: str, sources: Sequence[str], flags: Sequence[str],
          for_linker: Sequence[str]) -> None:
    """Writes the file of a module."""
    write_module(path, [_described(source, flags) for source in sources],
                 [name for name in _named(for_linker, "-l") if name not in _OPENMP],
                 _named(for_linker, "-L"))


def _build(self: Any) -> None:
    """Is CppBuilder.build."""
    if self._aot_mode or self._use_relative_path:
        raise RuntimeError("Clinch compiles what this process loads, and no libraries "
                           "for other programs (AOTInductor)")
    sources, path = shlex.split(self._sources_args), self.get_target_file_path()
    flags = shlex.split(f"{self._definitions_args} {self._cflags_args} "
                        f"{self._include_dirs_args} {self._passthrough_parameters_args}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        if self._do_link:
            _make(path, sources, flags,
                  shlex.split(f"{self._libraries_args} {self._libraries_dirs_args}"))
        else:
            [source] = sources
            made = _described(source, flags)
            with open(path, "wb") as file:
                pickle.dump(made, file)
    except _FAILURES as error:
        raise CppCompileError(shlex.split(self.get_command_line()), str(error)) from error


class _Library:
    """What ctypes has of a library: functions by their names."""

    def __init__(self, path: str) -> None:
        self._text = _read(path)

    def __getattr__(self, name: str) -> Any:
        address = self._text.lookup(name)
        if address is None:
            raise AttributeError(f"the library has no `{name}`")
        return ctypes.CFUNCTYPE(ctypes.c_int)(address)


def _read(path: str) -> Any:
    made = module_files.read(path)
    if made is None:
        raise OSError(f"{path} was not compiled by Clinch")
    _loaded.append(made)
    return made


def _build_extension(name: str, sources: Sequence[str], extra_cflags: Sequence[str],
                     extra_cuda_cflags: Any, extra_sycl_cflags: Any,
                     extra_ldflags: Sequence[str], extra_include_paths: Sequence[str],
                     build_directory: str, verbose: bool, with_cuda: Any, with_sycl: Any,
                     is_standalone: bool = False) -> None:
    """Is cpp_extension._write_ninja_file_and_build_library."""
    if with_cuda or with_sycl or is_standalone:
        raise RuntimeError(f"Error building extension {name!r}: Clinch compiles C++ for "
                           "the processor, and modules alone")
    folders = [*(os.path.abspath(folder) for folder in extra_include_paths),
               *cpp_extension.include_paths("cpu"), sysconfig.get_path("include")]
    flags = [f"-DTORCH_EXTENSION_NAME={name}", "-DTORCH_API_INCLUDE_EXTENSION_H",
             *(f"-I{folder}" for folder in folders), "-std=c++20",
             *(word for flag in extra_cflags for word in shlex.split(flag))]
    for_linker = cpp_extension._prepare_ldflags(
        list(extra_ldflags), False, False, verbose, False)
    os.makedirs(build_directory, exist_ok=True)
    try:
        _make(os.path.join(build_directory, name + cpp_extension.LIB_EXT), sources, flags,
              [word for flag in for_linker for word in shlex.split(flag)])
    except _FAILURES as error:
        raise RuntimeError(f"Error building extension {name!r}: {str(error)}") from error


def _import_library(module_name: str, path: str, is_python_module: bool) -> Any:
    """Is cpp_extension._import_module_from_library."""
    file = os.path.join(path, module_name + cpp_extension.LIB_EXT)
    if is_python_module:
        return _torchs_import(module_name, path, True)
    _read(file)  # It registers its operators.
    return file


def _install() -> None:
    for place, name, ours in (
            (cpp_builder, "cpp_compiler_search", lambda search: _NAME),
            (cpp_builder.CppBuilder, "build", _build),
            (codecache.CppCodeCache, "_load_library_inner",
             staticmethod(lambda path, key: _Library(path))),
            # The processor was asked before, and Clang knows all of them.
            (cpu_vec_isa.VecISA, "check_build", lambda self, code: True),
            (cpp_extension, "_write_ninja_file_and_build_library", _build_extension),
            (cpp_extension, "_import_module_from_library", _import_library),
            (cpp_extension, "_check_and_build_extension_h_precompiler_headers",
             lambda *given, **named: None)):
        if not hasattr(place, name):
            raise ImportError(f"this torch {torch.__version__} has no `{name}`")
        setattr(place, name, ours)
    for cached in (cpp_builder.is_gcc, cpp_builder.is_clang, cpp_builder.is_intel_compiler,
                   cpu_vec_isa.valid_vec_isa_list):
        cached.cache_clear()
    inductor.cpp_cache_precompile_headers = False
    module_files.import_them()


_torchs_import = cpp_extension._import_module_from_library
_install()
__all__ = ["TESTED"]

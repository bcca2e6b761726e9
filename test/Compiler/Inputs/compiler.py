"""The C interface as a few lines of Python, for the tests in here."""

import ctypes
import os
import re

_lib = None
P = ctypes.c_void_p
LANGUAGES = {"c": 0, "c++": 1}
TIERS = {"fast": 0, "default": 1, "max": 2}
CACHE = ("miss", "memory", "disk")
POINTERS = ("session_new", "unit_new", "unit_diagnostic", "module_symbol",
            "module_stage")
TEXTS = ("unit_error_text", "unit_error_message", "module_key",
         "diagnostic_message")


def python_prefix():
    """What assembled texts begin with."""
    root = os.path.join(os.path.dirname(__file__), "..", "..", "..")
    with open(os.path.join(root, "lib", "Contract", "PythonPrefix.h"), "rb") as file:
        return re.search(rb'R"\((.*?)\)"', file.read(), re.DOTALL).group(1)


class CompileError(Exception):
    """The error as a terminal shows it."""


def library():
    global _lib
    if _lib is None:
        path = os.path.join(os.environ["CLINCH_BUILD"], "lib",
                            "libclinch-compiler.so")
        _lib = ctypes.CDLL(path)
        _lib.clinch_compile.restype = P
        for name in POINTERS:
            getattr(_lib, "clinch_" + name).restype = P
        for name in TEXTS:
            getattr(_lib, "clinch_" + name).restype = ctypes.c_char_p
    return _lib


class Module:
    def __init__(self, pointer):
        self.pointer = P(pointer)

    def function(self, name, result, *arguments):
        address = library().clinch_module_symbol(self.pointer, name.encode())
        return ctypes.PYFUNCTYPE(result, *arguments)(address)

    @property
    def cache(self):
        return CACHE[library().clinch_module_cache_result(self.pointer)]

    def release(self):
        library().clinch_module_release(self.pointer)


class Session:
    """With `cache` None there is no disk cache."""

    def __init__(self, cache=None):
        self.pointer = P(library().clinch_session_new())
        library().clinch_session_set_cache_dir(
            self.pointer, cache.encode() if cache else None)

    def compile(self, text, name="text", language="c", tier="default",
                python=False, debug=False, flags=(), include_dirs=(),
                libraries=()):
        lib = library()
        unit = P(lib.clinch_unit_new(self.pointer))
        text = text if isinstance(text, bytes) else text.encode()
        lib.clinch_unit_set_bytes(unit, name.encode(), text,
                                  ctypes.c_size_t(len(text)))
        lib.clinch_unit_set_language(unit, LANGUAGES[language])
        lib.clinch_unit_set_tier(unit, TIERS[tier])
        lib.clinch_unit_set_prefix(unit, python_prefix() if python else None)
        lib.clinch_unit_set_debug(unit, int(debug))
        for call, values in ((lib.clinch_unit_add_flag, flags),
                             (lib.clinch_unit_add_include_dir, include_dirs),
                             (lib.clinch_unit_add_library, libraries)):
            for value in values:
                call(unit, value.encode())
        pointer = lib.clinch_compile(unit)
        error = lib.clinch_unit_error_text(unit, 0).decode()
        lib.clinch_unit_release(unit)
        if not pointer:
            raise CompileError(error)
        return Module(pointer)

"""Compiles C text to functions, without a graph."""

import re

from . import _clinch, generic_ops
from .configuration import config, limits

_TYPES = {
    "void": None, "bool": "c_bool", "_Bool": "c_bool", "char": "c_char",
    "signed char": "c_byte", "unsigned char": "c_ubyte", "short": "c_short",
    "unsigned short": "c_ushort", "int": "c_int", "unsigned": "c_uint",
    "unsigned int": "c_uint", "long": "c_long", "unsigned long": "c_ulong",
    "long long": "c_longlong", "unsigned long long": "c_ulonglong",
    "size_t": "c_size_t", "ssize_t": "c_ssize_t", "float": "c_float",
    "double": "c_double", "int8_t": "c_int8", "int16_t": "c_int16",
    "int32_t": "c_int32", "int64_t": "c_int64", "uint8_t": "c_uint8",
    "uint16_t": "c_uint16", "uint32_t": "c_uint32", "uint64_t": "c_uint64",
    "PyObject *": "py_object", "char *": "c_char_p", "void *": "c_void_p",
}
_SIGNATURE = re.compile(r"\s*(.*?[\s*])\s*(\w+)\s*\(([^()]*)\)\s*;?\s*$",
                        re.DOTALL)


class CompiledText:
    """Compiled C text. Get a function by name, as from a ctypes library (set
    its restype and argtypes), or by a C declaration, ready to call:
    m["double f(double, int)"]. Each function keeps the code loaded."""

    def __init__(self, text, made_of):
        self._text = text
        self._made_of = made_of  # Text, name, options.

    def __reduce__(self):
        from .pickling import reduce_text
        return reduce_text(*self._made_of)

    def lookup(self, name):
        """Returns the address of a symbol, or None."""
        return self._text.lookup(name)

    @property
    def stats(self):
        return self._text.stats

    @property
    def key(self):
        return self._text.key

    def stage(self, name):
        """Returns the text of a stage named in `keep`, or None."""
        return self._text.stage(name)

    def _function(self, name, result, arguments, uses_python):
        import ctypes
        address = self.lookup(name)
        if address is None:
            raise AttributeError(f"the text defines no {name!r}")
        make = ctypes.PYFUNCTYPE if uses_python else ctypes.CFUNCTYPE
        function = make(result, *arguments)(address)
        function.text = self  # Keeps the code loaded.
        return function

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        import ctypes
        address = self.lookup(name)
        if address is None:
            raise AttributeError(f"the text defines no {name!r}")
        class Function(ctypes._CFuncPtr):
            _flags_ = ctypes._FUNCFLAG_CDECL
            _restype_ = ctypes.c_int
        function = Function(address)
        function.text = self
        return function

    def __getitem__(self, declaration):
        match = _SIGNATURE.match(declaration)
        if not match:
            raise ValueError(f"{declaration!r} is no declaration of a "
                             f"function, such as 'double f(double, int)'")
        result, name, parameters = match.groups()
        parameters = parameters.strip()
        arguments = ([] if parameters in ("", "void") else
                     [_ctype(p) for p in parameters.split(",")])
        return self._function(name, _ctype(result), arguments,
                              "PyObject" in declaration)


def _ctype(text):
    """Returns the ctypes class of a C type; a parameter's name may follow it."""
    import ctypes
    text = re.sub(r"\b(const|volatile|restrict|static|inline|extern)\b", " ",
                  text)
    stars = text.count("*")
    words = text.replace("*", " ").split()
    for count in (len(words), len(words) - 1):
        base = " ".join(words[:count])
        if stars and base + " *" in _TYPES:
            name, stars = _TYPES[base + " *"], stars - 1
        elif base in _TYPES:
            name = _TYPES[base]
        elif stars and count == len(words):
            continue
        else:
            continue
        found = getattr(ctypes, name) if name else None
        for _ in range(stars):
            found = ctypes.POINTER(found)
        return found
    if stars:
        return ctypes.c_void_p
    raise ValueError(f"{text.strip()!r} is no C type that is known here")


def compile(text, name="text", *, language=None, tier=None, cpu="",
            python=False, include_dirs=(), defines=(), flags=(), libraries=(),
            library_dirs=(), symbols=None, keep=(), debug=None,
            time_limit=None, memory_limit=None, isolation=None):
    """Compiles C (or C++) text; returns a CompiledText.

    name: what diagnostics call the text. python: whether to include Python.h
    and NumPy's headers. symbols: {name: address} to link with. keep: stages
    ("llvm", "llvm-opt", "asm", "obj") that stage() returns.
    time_limit (seconds), memory_limit (bytes), isolation: as for `function`.
    """
    if not isinstance(text, str):
        raise TypeError(f"compile() needs text, not a {type(text).__name__}")
    options = dict(
        language=language or config.language, tier=tier or config.tier,
        cpu=cpu, python=python, include_dirs=include_dirs, defines=defines,
        flags=flags, libraries=libraries, library_dirs=library_dirs,
        symbols=symbols or {}, keep=keep, disk_cache=config.cache,
        debug=config.debug if debug is None else debug,
        **limits(time_limit, memory_limit, isolation))
    return CompiledText(_clinch.Text(text, name, options),
                        (text, name, options))


#: Theano's pages call the registries by this path.
compile.ops = generic_ops

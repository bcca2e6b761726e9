"""Compiles C text to functions, without a graph."""

from __future__ import annotations

import ctypes
import functools
import operator
import pickle
import re

import numpy

from . import _clinch
from .configuration import config, limits
from .pickling import digest, made_for_numpy, programs, unfit
from .text_warnings import warn_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any, Callable, Isolation, Language, Mapping, Sequence, Tier

_TYPES = {
    "void": None, "bool": "c_bool", "char": "c_char",
    "signed char": "c_byte", "unsigned char": "c_ubyte", "short": "c_short",
    "unsigned short": "c_ushort", "int": "c_int", "unsigned int": "c_uint",
    "long": "c_long", "unsigned long": "c_ulong", "long long": "c_longlong",
    "unsigned long long": "c_ulonglong", "float": "c_float",
    "double": "c_double", "long double": "c_longdouble",
    "_object *": "py_object", "char *": "c_char_p", "void *": "c_void_p",
}
#: What headers call them.
_ALIASES = {
    "_Bool": "bool", "PyObject": "_object", "size_t": "unsigned long",
    "ssize_t": "long", "Py_ssize_t": "long", "ptrdiff_t": "long",
    "intptr_t": "long", "uintptr_t": "unsigned long", "npy_intp": "long",
    "npy_uintp": "unsigned long", "npy_bool": "unsigned char",
    "npy_float": "float", "npy_double": "double", "npy_float32": "float",
    "npy_float64": "double",
    **{f"{sign}int{bits}{end}": ("unsigned " if sign.endswith("u") else
                                 "signed " if bits == 8 else "") + name
       for bits, name in ((8, "char"), (16, "short"), (32, "int"), (64, "long"))
       for sign, end in (("", "_t"), ("u", "_t"), ("npy_", ""), ("npy_u", ""))},
}
_INTEGER_WORDS = {"signed", "unsigned", "char", "short", "int", "long"}
_SIGNATURE = re.compile(r"\s*(.*?[\s*])\s*(\w+)\s*\(([^()]*)\)\s*;?\s*$",
                        re.DOTALL)


#: The class of ctypes' functions.
C_FUNCTION: Any = ctypes._CFuncPtr  # type: ignore[attr-defined]


class CompiledText:
    """Compiled C text. Its functions are attributes, called as the text defines
    them; m["double f(double, int)"] is the same function, and an error if the
    text defines it otherwise. Each function keeps the code loaded."""

    def __init__(self, text, made_of):
        self._text = text
        self._made_of = made_of  # Text, name, options.

    def __reduce__(self) -> Any:
        return _reduced(*self._made_of)

    def lookup(self, name: str) -> int | None:
        """Returns the address of a symbol, or None."""
        return self._text.lookup(name)

    @property
    def stats(self):
        return self._text.stats

    @property
    def key(self):
        return self._text.key

    def stage(self, name: str) -> Any:
        """Returns the text of a stage named in `keep`, or None."""
        return self._text.stage(name)

    def _named(self, name):
        """Returns the functions of that name, or of that symbol."""
        found = [f for f in self._text.functions if name in f[:2]]
        if not found:
            raise AttributeError(f"the text defines no {name!r}")
        return found

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_text", "_made_of"):
            raise AttributeError(name)
        found = self._named(name)
        if len(found) > 1:
            raise TypeError(f"the text defines {len(found)} functions `{name}`: "
                            f"{_listed(found)}; write text[...] with the "
                            f"declaration of one")
        return _function(self, found[0])

    def __getitem__(self, declaration: str) -> Callable[..., Any]:
        match = _SIGNATURE.match(declaration)
        if not match:
            raise ValueError(f"{declaration!r} is no declaration of a "
                             f"function, such as 'double f(double, int)'")
        result, name, parameters = match.groups()
        parameters = parameters.strip()
        parameters = ([] if parameters in ("", "void") else
                      parameters.split(","))
        found = self._named(name)
        for one in found:
            _, _, variadic, returned, taken = one
            dots = variadic and parameters[-1:] and parameters[-1].strip() == "..."
            given = parameters[:-1] if dots else parameters
            if (len(given) == len(taken) and bool(dots) == variadic
                    and _is_same(result, returned)
                    and all(map(_is_same, given, taken))):
                return _function(self, one, [result, *given])
        raise TypeError(f"the text defines {_listed(found)}, not "
                        f"`{' '.join(declaration.split()).rstrip(' ;')}`")


def _reduced(text, name, options):
    """Pickles a CompiledText: its text and code."""
    if options["symbols"]:
        raise TypeError("a text that was linked with addresses of this process "
                        "(symbols=) cannot be pickled")
    options = {**options, "keep": (*options["keep"], "obj")}
    machine_code = _clinch.Text(text, name, options).stage("obj")
    return _load, (text, name, options, machine_code, digest(machine_code),
                   _clinch.text_origin(options), made_for_numpy())


def _load(text, name, options, machine_code, sum_, origin, numpy_version):
    known = programs.get((sum_, text))
    if known is not None:
        return known
    if digest(machine_code) != sum_:
        raise pickle.UnpicklingError(
            "the machine code of this text was damaged on its way")
    why = unfit(origin, _clinch.text_origin(options), numpy_version)
    here = options if why else {**options, "object": machine_code}
    try:
        made = CompiledText(_clinch.Text(text, name, here),
                            (text, name, options))
    except OSError as error:
        raise OSError(f"this text cannot run here: {why}, and there is no "
                      f"compiler here: {error}" if why else str(error)) from None
    programs.put((sum_, text), made)
    return made


def _listed(functions):
    return ", ".join(f"`{_declaration(f)}`" for f in functions)


def _declaration(function):
    _, name, variadic, result, parameters = function
    shown = [written for _, written in parameters] + ["..."] * variadic
    space = "" if result[1].endswith("*") else " "
    return f"{result[1]}{space}{name}({', '.join(shown) or 'void'})"


def _function(text, described, given=()):
    """Returns the function, which knows its types and keeps `text` loaded. A type
    given as `void *` takes and gives an address."""
    symbol, name, variadic, result, parameters = described
    try:
        kinds = [_ctype(kind) for kind, _ in (result, *parameters)]
        for place, spelling in enumerate(given):
            if "void *" in _spellings(spelling):
                kinds[place] = ctypes.c_void_p
    except ValueError as error:
        raise TypeError(f"`{_declaration(described)}` cannot be called from "
                        f"Python: {error}") from None
    own = "_object *" in {kind for kind, _ in (result, *parameters)}

    class Function(C_FUNCTION):
        __doc__ = _declaration(described)
        _flags_ = ctypes._FUNCFLAG_CDECL | (ctypes._FUNCFLAG_PYTHONAPI if own
                                            else 0)
        _restype_ = kinds[0]
        _argtypes_ = [_checked(kind, "const" in said.partition("*")[0])
                      for kind, (said, _) in zip(kinds[1:], parameters)]

        def __call__(self, *arguments):
            count = len(self.argtypes)
            if len(arguments) < count or len(arguments) > count and not variadic:
                raise TypeError(f"`{self.__doc__}` takes {count} arguments, and "
                                f"{len(arguments)} were given")
            return super().__call__(*arguments)

    Function.__name__ = name
    function = Function(text.lookup(symbol))
    function.text = text
    return function


def _items_of(array, kind, constant):
    """Returns the address of an array's items, which keeps it."""
    if kind is not ctypes.c_void_p and array.dtype != numpy.dtype(kind._type_):
        raise TypeError(f"expected an array of {numpy.dtype(kind._type_)}, not of "
                        f"{array.dtype}")
    if not array.flags.c_contiguous:
        raise TypeError("expected an array whose items stand one after another; "
                        "`numpy.ascontiguousarray` makes one")
    if not (constant or array.flags.writeable):
        raise TypeError("the array is read-only, and the parameter is no pointer to "
                        "`const`")
    return array.ctypes.data_as(kind)


@functools.cache
def _checked(kind, constant=False):
    """Returns a subclass of a ctypes class that takes no number it cannot hold, and
    arrays for pointers."""
    if isinstance(kind, type) and (kind is ctypes.c_void_p
                                   or issubclass(kind, ctypes._Pointer)):
        def address(cls, value):
            if isinstance(value, numpy.ndarray):
                return _items_of(value, kind, constant)
            if isinstance(value, ctypes.c_void_p):
                return value  # An address is one of any type.
            return kind.from_param(value)
        return type(kind.__name__, (), {"from_param": classmethod(address)})
    if not isinstance(kind, type) or not issubclass(kind, ctypes._SimpleCData):
        return kind
    if kind._type_ in "fdg":
        def from_param(cls, value):
            if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
                return kind.from_param(value)
            return kind(float(value))
    elif kind._type_ in "bBhHiIlLqQ":
        bits, signed = 8 * ctypes.sizeof(kind), kind(-1).value < 0
        low = -(1 << bits - 1) if signed else 0
        high = (1 << bits - signed) - 1

        def from_param(cls, value):
            if isinstance(value, ctypes._SimpleCData):
                return kind.from_param(value)
            number = operator.index(value)
            if not low <= number <= high:
                raise OverflowError(f"{number} is not between {low} and {high}")
            return kind(number)
    else:
        return kind
    return type(kind.__name__, (kind,), {"from_param": classmethod(from_param)})


def _is_same(given, kind):
    """Whether `given` is the type `kind`. `void *` is any pointer."""
    spellings = _spellings(given)
    return (not spellings.isdisjoint(map(_normal, kind))
            or "void *" in spellings and "*" in kind[0])


def _spellings(given):
    """Returns a parameter's type with what may be its name, and without."""
    unnamed = re.sub(r"\w+\s*((?:\[[^\]]*\]\s*)*)$", r"\1", given.rstrip())
    return {_normal(given), _normal(unnamed)}


def _normal(text):
    """Returns one spelling of a C type for all that mean the same here."""
    text = re.sub(r"\[[^\]]*\]", "*", text)
    text = re.sub(r"\b(const|volatile|restrict|static|inline|extern|struct|union|"
                  r"enum|class)\b", " ", text)
    stars = text.count("*")
    words = text.replace("*", " ").split()
    base = _ALIASES.get(" ".join(words), " ".join(words))
    words = base.split()
    if words and _INTEGER_WORDS.issuperset(words):
        size = ("char" if "char" in words else "short" if "short" in words else
                " ".join(["long"] * words.count("long")) or "int")
        sign = ("unsigned " if "unsigned" in words else
                "signed " if "signed" in words and size == "char" else "")
        base = sign + size
    return base + (" " + "*" * stars if stars else "")


def _ctype(text):
    """Returns the ctypes class of a C type."""
    given, text = text, _normal(text)
    for depth in range(text.count("*") + 1):
        inner = text[:len(text) - depth].rstrip()
        if inner in _TYPES and not (depth and _TYPES[inner] is None):
            found = _TYPES[inner] and getattr(ctypes, _TYPES[inner])
            for _ in range(depth):
                found = ctypes.POINTER(found)
            return found
    if "*" in text and "&" not in text and "__attribute__" not in text:
        return ctypes.c_void_p
    raise ValueError(f"{given.strip()!r} is no C type that is known here")


def declared_ctype(text):
    """Returns the ctypes class of a C type; a parameter's name may follow it."""
    *first, last = text.split()
    try:
        return _ctype(text)
    except ValueError:
        if not first or not last.isidentifier():
            raise
        return _ctype(" ".join(first))


def compile(text: str, name: str = "text", *, language: Language | None = None,
            tier: Tier | None = None, cpu: str = "", python: bool = False,
            include_dirs: Sequence[str] = (), defines: Sequence[str] = (),
            flags: Sequence[str] = (), libraries: Sequence[str] = (),
            library_dirs: Sequence[str] = (),
            symbols: Mapping[str, int] | None = None, keep: Sequence[str] = (),
            debug: bool | None = None, time_limit: float | None = None,
            memory_limit: int | None = None,
            isolation: Isolation | None = None) -> CompiledText:
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
    made = CompiledText(_clinch.Text(text, name, options),
                        (text, name, options))
    warn_of_text(made.stats["warnings"])
    return made


"""C text that was compiled, and how Python calls its functions."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import re
import threading

from . import _clinch
from .annotations import Any, Callable, Diagnostic
from .c_types import BUILTINS, C_FUNCTION, Struct, Types, Union, Variable, member_of
from .launches import noted, problem, raise_problem, with_memory
from .remarks import of_lines as remarks_of
from .saving import save

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
_SIGNATURE = r"(?s)\s*(.*?[\s*])\s*([\w:]+(?:\s*<[^()]*>)?)\s*\(([^()]*)\)\s*;?\s*$"


#: In each thread, what Python functions raised that the innermost call was given.
_raised = threading.local()


class CompiledText:
    """Compiled C text. Its functions are attributes, called as the text defines
    them; m["double f(double, int)"] is the same function, and an error if the
    text defines it otherwise. Each function keeps the code loaded. Its variables,
    structs and enums are attributes too. `text_pickling` pickles it."""

    _text: Any
    _types: Types
    _made_of: tuple[Any, ...]
    #: Calls a function of ctypes with a tuple of arguments.
    _guard: Any = None

    def __init__(self, text: Any, made_of: Any) -> None:
        # Text, name, options.
        self.__dict__.update(_text=text, _types=Types(text.types), _made_of=made_of)

    def lookup(self, name: str) -> int | None:
        """Returns the address of a symbol, or None."""
        return self._text.lookup(name)

    @property
    def stats(self) -> Any:
        return self._text.stats

    @property
    def key(self) -> Any:
        return self._text.key

    @property
    def functions(self) -> dict[str, str]:
        """The declarations of its functions: {name: declaration}."""
        return {f[1]: declaration_of(f) for f in self._text.functions}

    def stage(self, name: str) -> Any:
        """Returns the text of a stage named in `keep`, or None."""
        return self._text.stage(name)

    @property
    def remarks(self) -> list[Diagnostic]:
        """What the inliner and the vectorisers say of the text, if it was compiled with
        `remarks=True`: diagnostics with `kind` (passed, missed, analysis), `by` (the
        pass) and `function`."""
        text, _, options = self._made_of
        return remarks_of(self.stage("remarks") or "", text) \
            if "remarks" in options["keep"] else []

    def save(self, path: str | os.PathLike[str], *, header: bool = False) -> None:
        """Writes the text as a shared library, which programs without Clinch load. It
        is code for any x86-64 unless `cpu` or a flag of the compile names a
        processor. header: whether `path`, with the ending `.h`, is to declare what
        the text defines."""
        save(self._made_of, os.fspath(path), header,
             {f[1]: declaration_of(f) for f in self._text.functions
              if f[0] == f[1] and f[0] in self._types.own})

    def _is_watched(self) -> bool:
        """Whether calls of its functions need the text itself."""
        options = self._made_of[2]
        return bool(options["language"] == "cuda" or self._guard or "kept" in vars(self))

    def _named(self, name: str) -> Any:
        """Returns the functions of that name, or of that symbol."""
        found = [f for f in self._text.functions if name in f[:2]
                 or name == f[1].partition("<")[0] and f[1].endswith(">")]
        if not found:
            raise AttributeError(f"the text defines no {name!r}")
        exact = [f for f in found if name in f[:2]]
        return exact or found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_text", "_types", "_made_of", "_guard"):
            raise AttributeError(name)
        if name in self._types.variables:
            return self._variable(name).get()
        if name in self._types.named and name not in self.functions:
            return self._types.tag(self._types.named[name])
        return self._only(name)

    def _only(self, name: str) -> Callable[..., Any]:
        """Returns the function of that name."""
        found = self._named(name)
        if len(found) > 1:
            raise TypeError(f"the text defines {len(found)} functions `{name}`: "
                            f"{_listed(found)}; write text[...] with the "
                            f"declaration of one")
        made = _function(self, found[0])
        if not self._is_watched():
            vars(self)[name] = made  # The next time it is an attribute.
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._types.variables:
            raise AttributeError(f"the text defines no variable {name!r}")
        self._variable(name).set(value)

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self.functions, *self._types.variables,
                *self._types.named]

    def _variable(self, name: str) -> Any:
        address = self.lookup(self._types.variables[name][0])
        if address is None:  # An inline variable of C++.
            raise AttributeError(f"the text defines `{name}` and does not use it, so that "
                                 f"the compiler left it out")
        try:
            return Variable(self._types, name, address, self)
        except ValueError as error:
            raise TypeError(f"`{name}` cannot be read from Python: {error}") from None

    def __getitem__(self, declaration: str) -> Callable[..., Any]:
        kind, _, name = declaration.partition(" ")
        if kind in ("struct", "union", "enum") and name in self._types.named:
            return self._types.tag(self._types.named[name])
        if declaration.endswith(">") or re.fullmatch(r"[\w:]+", declaration):
            return self._only(_closed(declaration))
        match = re.match(_SIGNATURE, declaration)
        if not match:
            raise ValueError(f"{declaration!r} is no declaration of a "
                             f"function, such as 'double f(double, int)'")
        result, name, parameters = match.groups()
        parameters = parameters.strip()
        parameters = ([] if parameters in ("", "void") else
                      parameters.split(","))
        found = self._named(_closed(name))
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


def _closed(name: str) -> str:
    """Returns the name of an instance of a template as Clang writes it."""
    return re.sub(r"\s*([<>,*&])\s*", r"\1", name.strip()).replace(",", ", ")


def _listed(functions: Any) -> Any:
    return ", ".join(f"`{declaration_of(f)}`" for f in functions)


def declaration_of(function: Any) -> str:
    _, name, variadic, result, parameters = function
    shown = [written for _, written in parameters] + ["..."] * variadic
    space = "" if result[1].endswith("*") else " "
    return f"{result[1]}{space}{name}({', '.join(shown) or 'void'})"


def _function(text: CompiledText, described: Any, given: Any = ()) -> Any:
    """Returns the function, which knows its types and keeps the code loaded. A type
    given as `void *` takes and gives an address."""
    symbol, name, variadic, result, parameters = described
    types = text._types.functions[symbol]
    try:
        kinds = [_passed(text._types.ctype(said), known) if said != "?" else
                 _ctype(known) for said, (known, _) in zip(types, (result, *parameters))]
        for place, spelling in enumerate(given):
            if "void *" in _spellings(spelling):
                kinds[place] = ctypes.c_void_p
    except ValueError as error:
        raise TypeError(f"`{declaration_of(described)}` cannot be called from "
                        f"Python: {error}") from None
    made = _class_of(text, described, kinds)(text.lookup(symbol))
    if text._is_watched():
        made.text = text
        return made
    made.text = text._text  # Not the text, which keeps its functions.
    if variadic or "*_object" in types or text._types.enumeration(types[0]):
        return made
    constant = [said.startswith("*const ") for said in types[1:]]
    return _native(made, symbol in text._types.brief, kinds, constant) or made


def _class_of(text: CompiledText, described: Any, kinds: Any) -> Any:
    """Returns the class of one function, of ctypes."""
    symbol, name, variadic, *_ = described
    types = text._types.functions[symbol]
    own = "*_object" in types
    made_of, guard = text._made_of, text._guard
    launches, checks = made_of[2]["language"] == "cuda", made_of[2].get("check")
    of_ctypes: Any = ctypes
    enumeration = text._types.enumeration(types[0])
    calls_back = any(issubclass(kind, C_FUNCTION) for kind in kinds[1:])

    # A class is freed when cycles are looked for: it holds no `text`, whose memory
    # comes back at once.
    class Function(C_FUNCTION):  # type: ignore[misc]
        __doc__ = declaration_of(described)
        _flags_ = of_ctypes._FUNCFLAG_CDECL | (
            of_ctypes._FUNCFLAG_PYTHONAPI if own else 0)
        _restype_ = kinds[0]
        _argtypes_ = [checked(kind, said.startswith("*const "))
                      for kind, said in zip(kinds[1:], types[1:])]

        def __call__(self, *arguments: Any) -> Any:
            count = len(self.argtypes)
            if len(arguments) < count or len(arguments) > count and not variadic:
                raise TypeError(f"`{self.__doc__}` takes {count} arguments, and "
                                f"{len(arguments)} were given")
            call = super().__call__
            if checks:
                call = functools.partial(with_memory, call)
            if guard:
                call = functools.partial(guard, call)
            before = noted.value if launches else 0
            try:
                result = _called(call, arguments) if calls_back else call(*arguments)
            except BaseException:
                if launches:
                    problem()  # Is nobody else's.
                raise
            if launches and noted.value != before:
                raise_problem(made_of, before)
            return member_of(enumeration, result) if enumeration else result

    Function.__name__ = name
    return Function


def _native(made: Any, brief: bool, kinds: Any, constant: Any) -> Any:
    """Returns the function as one that is called without ctypes, or None if that cannot
    be. It asks `made` about arguments that are not plain numbers and arrays."""
    result = "v" if kinds[0] is None else _letter(kinds[0])
    taken = [one for one in map(_parameter, kinds[1:], constant) if one is not None]
    letters = [one[0] for one in taken]
    floats = sum(letter in "df" for letter in letters)
    if (result is None or len(taken) < len(constant) or floats > 8
            or len(taken) - floats > 6):
        return None
    arrays = _known_arrays() if "P" in letters else None
    address = ctypes.cast(made, ctypes.c_void_p).value
    return _clinch.NativeFunction(address, brief, result, tuple(taken), made, arrays)


def _letter(kind: Any) -> str | None:
    """Returns ctypes' letter of a plain number, else None."""
    letter: str = getattr(kind, "_type_", "")
    plain = issubclass(kind, ctypes._SimpleCData) and letter in "dfbBhHiIlL?"
    return letter if plain else None


def _parameter(kind: Any, constant: bool) -> tuple[str, bool, Any] | None:
    """Returns what NativeFunction has of a parameter."""
    if kind is ctypes.c_void_p:
        return "P", not constant, None
    if issubclass(kind, ctypes._Pointer):
        import numpy
        item: Any = kind._type_
        return ("P", not constant, numpy.dtype(item)) if _letter(item) else None
    letter = _letter(kind)
    return (letter, False, None) if letter else None


@functools.cache
def _known_arrays() -> Any:
    """Returns the class of arrays, or None if their layout is not the known one."""
    import numpy
    return numpy.ndarray if _clinch.check_array_layout(numpy.zeros((2, 3))) else None


def _passed(kind: Any, known: Any) -> Any:
    """Returns a class whose data can be an argument or a result."""
    if issubclass(kind or int, (Struct, Union)) and not kind._by_value:
        raise ValueError(f"{known!r} cannot be passed but by its address")
    return kind


def _called(function: Any, arguments: Any) -> Any:
    """Calls it, and raises what a Python function raised that C has called."""
    outer, _raised.errors = getattr(_raised, "errors", None), []
    try:
        errors = _raised.errors
        result = function(*arguments)
        if errors:
            raise errors[0]
        return result
    finally:
        _raised.errors = outer


def _for_c(kind: Any, value: Any) -> Any:
    """Returns a function that C can call, of the ctypes class `kind`. It lives as
    long as the call that it is given to."""
    if value is None:
        return kind()
    if isinstance(value, ctypes.c_void_p):
        return ctypes.cast(value, kind)  # An address is one of any type.
    if isinstance(value, C_FUNCTION):
        return value if isinstance(value, kind) else ctypes.cast(value, kind)
    if not callable(value):
        raise TypeError(f"expected a function, not a {type(value).__name__}")

    errors = _raised.errors  # C may call it in another thread.
    numeric = getattr(kind._restype_, "_type_", " ") in "fdbBhHiIlLqQ"
    to_c = getattr(checked(kind._restype_), "from_param") if numeric else None

    def guarded(*arguments: Any) -> Any:
        try:
            result = value(*arguments)
            return result if to_c is None else to_c(result).value
        except BaseException as error:
            errors.append(error)
            return None if kind._restype_ in (None, ctypes.py_object) \
                else kind._restype_().value

    return kind(guarded)


def _items_of(array: Any, kind: Any, constant: Any) -> Any:
    """Returns the address of an array's items, which keeps it."""
    import numpy
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
def checked(kind: Any, constant: bool = False) -> Any:
    """Returns a subclass of a ctypes class that takes no number it cannot hold, and
    arrays for pointers."""
    if isinstance(kind, type) and issubclass(kind, C_FUNCTION):
        return type(kind.__name__, (), {
            "from_param": classmethod(lambda cls, value: _for_c(kind, value))})
    if isinstance(kind, type) and (kind is ctypes.c_void_p
                                   or issubclass(kind, ctypes._Pointer)):
        import numpy  # Takes 60 ms, and the prompt's C needs it not.

        def address(cls: Any, value: Any) -> Any:
            if isinstance(value, numpy.ndarray):
                return _items_of(value, kind, constant)
            if isinstance(value, ctypes.c_void_p):
                return value  # An address is one of any type.
            return kind.from_param(value)
        return type(kind.__name__, (), {"from_param": classmethod(address)})
    if not isinstance(kind, type) or not issubclass(kind, ctypes._SimpleCData):
        return kind
    code = getattr(kind, "_type_")
    if code == "z" and constant:
        def from_param(cls: Any, value: Any) -> Any:
            return kind.from_param(value.encode() if isinstance(value, str) else value)
    elif code in "fdg":
        def from_param(cls: Any, value: Any) -> Any:
            if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
                return kind.from_param(value)
            return kind(float(value))
    elif code in "bBhHiIlLqQ":
        bits, signed = 8 * ctypes.sizeof(kind), kind(-1).value < 0
        low = -(1 << bits - 1) if signed else 0
        high = (1 << bits - signed) - 1

        def from_param(cls: Any, value: Any) -> Any:
            if isinstance(value, ctypes._SimpleCData):
                return kind.from_param(value)
            number = operator.index(value)
            if not low <= number <= high:
                raise OverflowError(f"{number} is not between {low} and {high}")
            return kind(number)
    else:
        return kind
    return type(kind.__name__, (kind,), {"from_param": classmethod(from_param)})


def _is_same(given: Any, kind: Any) -> bool:
    """Whether `given` is the type `kind`. `void *` is any pointer."""
    spellings = _spellings(given)
    return (not spellings.isdisjoint(map(_normal, kind))
            or "void *" in spellings and "*" in kind[0])


def _spellings(given: Any) -> Any:
    """Returns a parameter's type with what may be its name, and without."""
    unnamed = re.sub(r"\w+\s*((?:\[[^\]]*\]\s*)*)$", r"\1", given.rstrip())
    return {_normal(given), _normal(unnamed)}


def _normal(text: str) -> Any:
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


def _ctype(text: str) -> Any:
    """Returns the ctypes class of a C type."""
    given, text = text, _normal(text)
    for depth in range(text.count("*") + 1):
        inner = text[:len(text) - depth].rstrip()
        if inner in BUILTINS and not (depth and BUILTINS[inner] is None):
            builtin = BUILTINS[inner]
            found: Any = builtin and getattr(ctypes, builtin)
            for _ in range(depth):
                found = ctypes.POINTER(found)
            return found
    if "*" in text and "&" not in text and "__attribute__" not in text:
        return ctypes.c_void_p
    raise ValueError(f"{given.strip()!r} is no C type that is known here")


def declared_ctype(text: str) -> Any:
    """Returns the ctypes class of a C type; a parameter's name may follow it."""
    *first, last = text.split()
    try:
        return _ctype(text)
    except ValueError:
        if not first or not last.isidentifier():
            raise
        return _ctype(" ".join(first))

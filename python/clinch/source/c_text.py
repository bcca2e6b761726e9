"""C text that was compiled, and how Python calls its functions."""

from __future__ import annotations

import os
import re

from .. import _clinch
from ..base.annotations import Any, Callable, Diagnostic
from .c_types import Types, builtin, function_type, pointer_to
from .remarks import of_lines as remarks_of
from .saving import save
from ..base.suggestions import did_you_mean, nearest

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


class CompiledText:
    """Compiled C text. Its functions are attributes, called as the text defines
    them; m["double f(double, int)"] is the same function, and an error if the
    text defines it otherwise. Each function keeps the code loaded. Its variables,
    structs and enums are attributes too, and of `lib`, which has no names but C's.
    `text_pickling` pickles it."""

    _text: Any
    _types: Types
    _made_of: tuple[Any, ...]
    _memory: Any
    #: Calls a function with its arguments, or None.
    _guard: Any = None

    def __init__(self, text: Any, made_of: Any) -> None:
        # Text, name, options.
        self.__dict__.update(_text=text, _types=Types(text.types), _made_of=made_of,
                             _memory=_clinch.CMemory(text))

    @property
    def lib(self) -> Any:
        """Its functions, variables and types, whatever their names."""
        return _Lib(self)

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
              if f[0] == f[1] and f[0] in self._types.own}, self._text.types)

    def _named(self, name: str) -> Any:
        """Returns the functions of that name, or of that symbol."""
        found = [f for f in self._text.functions if name in f[:2]
                 or name == f[1].partition("<")[0] and f[1].endswith(">")]
        if not found:
            names = [*self.functions, *self._types.variables, *self._types.named]
            raise AttributeError(f"the text defines no {name!r}" + (
                did_you_mean(name, names) if nearest(name, names) else ""))
        exact = [f for f in found if name in f[:2]]
        return exact or found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_text", "_types", "_made_of", "_memory"):
            raise AttributeError(name)
        return self._of_c(name)

    def _of_c(self, name: str) -> Any:
        """Returns what C calls by a name."""
        if name in self._types.variables:
            kind, address, constant = self._variable(name)
            return kind.read(address, self._memory, constant)
        tags = [tag for tag in self._types.named if name in (tag, tag.partition("<")[0])]
        if not tags or name in self.functions:
            return self._only(name)
        if len(tags) > 1:
            listed = ", ".join(f"`{tag}`" for tag in tags)
            raise TypeError(f"the text defines {listed}; write text[{tags[0]!r}]")
        return self._types.tag(self._types.named[tags[0]])

    def _only(self, name: str) -> Callable[..., Any]:
        """Returns the function of that name."""
        found = self._named(name)
        if len(found) > 1:
            raise TypeError(f"the text defines {len(found)} functions `{name}`: "
                            f"{_listed(found)}; write text[...] with the "
                            f"declaration of one")
        made = _function(self, found[0])
        if self._guard is None and not hasattr(type(self), name):
            vars(self)[name] = made  # The next time it is an attribute.
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            raise AttributeError(f"{name!r} is a name of Clinch's here; text.lib.{name} is "
                                 f"the text's")
        self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        if name not in self._types.variables:
            raise AttributeError(f"the text defines no variable {name!r}")
        kind, address, constant = self._variable(name)
        if constant:
            raise AttributeError(f"`{name}` is constant")
        kind.write(address, self._memory, value)

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self.functions, *self._types.variables,
                *self._types.named]

    def _variable(self, name: str) -> tuple[Any, int, bool]:
        """Returns the type of a variable, its address, and whether it is constant."""
        symbol, constant, kind = self._types.variables[name]
        address = self.lookup(symbol)
        if address is None:  # An inline variable of C++.
            raise AttributeError(f"the text defines `{name}` and does not use it, so that "
                                 f"the compiler left it out")
        try:
            return self._types.ctype(kind), address, constant
        except ValueError as error:
            raise TypeError(f"`{name}` cannot be read from Python: {error}") from None

    def __getitem__(self, declaration: str) -> Callable[..., Any]:
        kind, _, name = declaration.partition(" ")
        if kind in ("struct", "union", "enum") and name in self._types.named:
            return self._types.tag(self._types.named[name])
        if declaration.endswith(">") or re.fullmatch(r"[\w:]+", declaration):
            return self._of_c(_closed(declaration))
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


class _Lib:
    """What a text defines, by C's names alone."""

    def __init__(self, text: CompiledText) -> None:
        vars(self)["_clinch_text"] = text

    def __getattr__(self, name: str) -> Any:
        return self._clinch_text._of_c(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._clinch_text._set(name, value)

    def __dir__(self) -> Any:
        text = self._clinch_text
        return [*text.functions, *text._types.variables, *text._types.named]


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
    declaration, types = declaration_of(described), text._types
    try:
        for said, (known, _) in zip(types.functions[symbol], (result, *parameters)):
            if said in ("?", "&?", "&const ?"):
                raise ValueError(f"{known!r} is no C type that is known here")
        if variadic:
            raise ValueError("a function of variable arguments is called from C alone")
        kind = types.function(symbol, declaration)
    except ValueError as error:
        raise TypeError(f"`{declaration}` cannot be called from "
                        f"Python: {error}") from None
    if any("void *" in _spellings(spelling) for spelling in given):
        all_of = [pointer_to(builtin("void")) if "void *" in _spellings(spelling) else one
                  for one, spelling in zip((kind.item, *kind.parameters), given)]
        kind = function_type(all_of[0], all_of[1:], declaration)
    shown = "\n\n".join(filter(None, (declaration, types.comments.get(symbol))))
    made = _clinch.NativeFunction(kind, text.lookup(symbol), text._memory, declaration, shown,
                                  name, symbol in types.brief and text._guard is None)
    return made if text._guard is None else _Guarded(made, text)


class _Guarded:
    """A function of a text that may crash."""

    def __init__(self, function: Any, text: CompiledText) -> None:
        self._function, self._text = function, text
        self.__doc__ = function.__doc__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __repr__(self) -> str:
        return repr(self._function)

    def __call__(self, *arguments: Any) -> Any:
        return self._text._guard(self._function, *arguments)


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


def declared_type(text: str) -> Any:
    """Returns the CType of a declaration; a parameter's name may follow it."""
    *first, last = text.split()
    try:
        return _of_declared(text)
    except ValueError:
        if not first or not last.isidentifier():
            raise
        return _of_declared(" ".join(first))


def _of_declared(text: str) -> Any:
    plain = _normal(text)
    base, stars = plain.rstrip(" *"), plain.count("*")
    if stars and ("&" in text or "__attribute__" in text):
        raise ValueError(f"{text.strip()!r} is no C type that is known here")
    try:
        made = builtin(base)
    except ValueError:
        if not stars:
            raise ValueError(f"{text.strip()!r} is no C type that is known here") from None
        made, stars = builtin("void"), 1
    for _ in range(stars):
        made = pointer_to(made)
    return made

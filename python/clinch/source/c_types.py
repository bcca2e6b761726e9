"""The types of a source's data, as Clang lays them out: classes for its structs and
unions, enumerations, and the CTypes that read and write values in memory."""

from __future__ import annotations

import enum
import re

from .. import _clinch
from ..base.annotations import Any, Sequence

_INTEGERS = {"char": 1, "short": 2, "int": 4, "long": 8, "long long": 8, "__int128": 16}
#: C's own types: kind, size, bits, NumPy's name (`_clinch.CType` explains the kinds).
_BUILTINS: dict[str, tuple[str, int, int, str | None]] = {
    "void": ("v", 0, 0, None), "bool": ("?", 1, 1, "?"), "char": ("c", 1, 8, None),
    "signed char": ("i", 1, 8, "i1"), "char8_t": ("u", 1, 8, "u1"),
    "wchar_t": ("i", 4, 32, "i4"), "char16_t": ("u", 2, 16, "u2"),
    "char32_t": ("u", 4, 32, "u4"), "_object *": ("O", 8, 0, None),
    "_Float16": ("f", 2, 0, "f2"), "float": ("f", 4, 0, "f4"), "double": ("f", 8, 0, "f8"),
    "long double": ("f", 16, 0, "g"), "_Complex float": ("z", 8, 0, "c8"),
    "_Complex double": ("z", 16, 0, "c16"), "_Complex long double": ("z", 32, 0, "G"),
}
for _name, _size in _INTEGERS.items():
    _BUILTINS[f"unsigned {_name}"] = ("u", _size, 8 * _size,
                                      f"u{_size}" if _size < 16 else None)
    _BUILTINS.setdefault(_name, ("i", _size, 8 * _size,
                                 f"i{_size}" if _size < 16 else None))
#: Those that a value of Python's shows.
NUMBERS = _BUILTINS.keys() - {"void", "_object *"}
_REAL_OF = {8: "float", 16: "double", 32: "long double"}


def _ctype(kind: str, size: int, align: int, name: str, *, bits: int = 0,
           is_const: bool = False, count: int = 0, item: Any = None, cls: Any = None,
           code: str | None = None, parameters: tuple[Any, ...] = ()) -> Any:
    return _clinch.CType(kind, size, align, bits, is_const, count, item, cls, code, name,
                         parameters)


_known: dict[str, Any] = {}


def builtin(name: str) -> Any:
    """Returns one of C's own types; raises ValueError."""
    if name not in _known:
        wide = re.fullmatch(r"(unsigned )?_BitInt\((\d+)\)", name)
        if wide:
            bits = int(wide[2])
            align = min(8, 1 << (-(-bits // 8) - 1).bit_length())
            _known[name] = _ctype("u" if wide[1] else "i", -(-bits // (8 * align)) * align,
                                  align, name, bits=bits)
        elif name in _BUILTINS:
            kind, size, bits, code = _BUILTINS[name]
            item = builtin(_REAL_OF[size]) if kind == "z" else None
            _known[name] = _ctype(kind, size, item.align if item else max(size, 1), name,
                                  bits=bits, code=code, item=item)
        else:
            raise ValueError(f"{name!r} is no C type that is known here")
    return _known[name]


def pointer_to(item: Any, is_const: bool = False) -> Any:
    """Returns the type of a pointer."""
    return _ctype("*", 8, 8, f"{'const ' * is_const}{item.name} *", item=item,
                  is_const=is_const)


def reference_to(item: Any, is_const: bool) -> Any:
    """Returns the type of a reference of C++."""
    return _ctype("&", 8, 8, f"{'const ' * is_const}{item.name} &", item=item,
                  is_const=is_const)


def array_of(item: Any, count: int, is_vector: bool = False) -> Any:
    """Returns the type of an array; count -1: its length is unknown."""
    size = item.size * max(count, 0)
    return _ctype("[", size, size if is_vector else item.align,
                  f"{item.name}[{count if count >= 0 else ''}]", item=item, count=count)


def function_type(result: Any, parameters: Sequence[Any], name: str) -> Any:
    """Returns the type of a function, which calls can be made of; raises ValueError."""
    for passed in (result, *parameters):
        if not _is_by_value(passed):
            raise ValueError(f"`{passed.name}` has a vector, or an unnamed bit-field across "
                             f"eight bytes: take and return a pointer")
    return _ctype("F", 1, 1, name, item=result, parameters=tuple(parameters))


def _is_by_value(ctype: Any) -> bool:
    while ctype.kind == "[":
        if ctype.align != ctype.item.align:
            return False
        ctype = ctype.item
    return getattr(ctype.cls, "__by_value__", True)


def read_at(name: str, address: int, types: Types | None = None) -> Any:
    """Returns the value at an address, which the caller keeps."""
    kind = types.ctype(name) if types else builtin(name)
    return kind.read(address, _clinch.CMemory(None))


class Struct(_clinch.CView):  # type: ignore[misc]
    """A struct of C, or a union: memory of C's, or of its own."""

    __slots__ = ()
    __hash__: Any = None

    def __repr__(self) -> str:
        names = dict.fromkeys(field[0] for field in type(self).__ctype__.fields)
        fields = ", ".join(f"{name}={_plain(getattr(self, name))!r}" for name in names)
        return f"{type(self).__name__}({fields})"

    def __eq__(self, other: object) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        fields = type(self).__ctype__.fields
        return all(_plain(getattr(self, field[0])) == _plain(getattr(other, field[0]))
                   for field in fields)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


class Types:
    """What the lines of a source say (lib/Support/FunctionsSection.h)."""

    def __init__(self, lines: str) -> None:
        #: {symbol: types of the result and the parameters}
        self.functions: dict[str, list[str]] = {}
        #: Symbols of functions that neither loop nor call others.
        self.brief: set[str] = set()
        #: {symbol of a function: the comment before it}
        self.comments: dict[str, str] = {}
        #: {name: (symbol, whether it is constant, type)}
        self.variables: dict[str, tuple[str, bool, str]] = {}
        #: {name of a struct, union or enum: `#number`}
        self.named: dict[str, str] = {}
        self._rows: dict[str, tuple[str, ...]] = {}
        self._made: dict[str, Any] = {}
        own, *others = lines.split("\n\n")
        self._read(own)
        #: Symbols of the functions of the source itself, without those it is linked with.
        self.own = set(self.functions)
        for number, other in enumerate(others):
            self._read(self._renumbered(other, number))

    def _renumbered(self, lines: str, number: int) -> str:
        """Returns the lines of a further source with numbers that are not used yet. A
        struct that it has as another source has it is the same."""
        theirs = {row[1]: (row[0], *row[2:]) for row in
                  (line.split("\t") for line in filter(None, lines.split("\n")))
                  if row[1][:1] == "#"}
        alike = _alike(self._rows, theirs)
        known = {alike[0, first]: first for first, row in self._rows.items() if row[1]}
        numbers = {first: known.get(alike[1, first], f"#{number}.{first[1:]}")
                   for first in theirs}
        return re.sub(r"(?m)^d\t.*|#\d+", lambda found: numbers.get(found[0], found[0]),
                      lines)

    def _read(self, lines: str) -> None:
        for line in filter(None, lines.split("\n")):
            kind, first, *rest = line.split("\t")
            if kind == "f":
                self.functions.setdefault(first, rest)
            elif kind == "b":
                self.brief.add(first)
            elif kind == "d":
                self.comments[first] = rest[0].replace("\v", "\n").strip()
            elif kind == "v":
                self.variables.setdefault(rest[0], (first, bool(rest[1]), rest[2]))
            else:
                self._rows[first] = kind, *rest
                if rest[0]:
                    self.named.setdefault(rest[0], first)

    def tag(self, number: str) -> Any:
        """Returns the class of a struct or union, or the enumeration."""
        try:
            return self.ctype(number).cls
        except ValueError as error:
            raise TypeError(str(error)) from None

    def ctype(self, text: str) -> Any:
        """Returns the CType of a type; raises ValueError."""
        if text not in self._made:
            self._make(text)
        return self._made[text]

    def _make(self, text: str) -> None:
        if text.startswith("["):
            count, _, item = text[1:].partition("]")
            self._made[text] = array_of(self.ctype(item), int(count or -1))
        elif text.startswith("*("):
            try:
                self._made[text] = pointer_to(self._function(text[2:-1]))
            except ValueError:
                self._made[text] = pointer_to(builtin("void"))
        elif text.startswith("{"):  # A vector: an array that is aligned more.
            count, _, item = text[1:].partition("}")
            self._made[text] = array_of(self.ctype(item), int(count), is_vector=True)
        elif text == "*_object":
            self._made[text] = builtin("_object *")
        elif text.startswith("&"):
            inner = text[1:].removeprefix("const ")
            self._made[text] = reference_to(self.ctype(inner), inner != text[1:])
        elif text.startswith("*"):
            inner = text[1:].removeprefix("const ")
            self._made[text] = pointer_to(self._pointee(inner), inner != text[1:])
        elif not text.startswith("#"):
            self._made[text] = builtin(text)
        elif self._rows[text][0] == "e":
            self._made[text] = self._enumeration(text)
        else:
            self._record(text)

    def _pointee(self, inner: str) -> Any:
        try:
            return builtin("void") if inner == "?" else self.ctype(inner)
        except ValueError:
            return builtin("void")

    def _function(self, text: str) -> Any:
        result, *parameters = map(self.ctype, _split(text))
        listed = ", ".join(p.name for p in parameters) or "void"
        return function_type(result, parameters, f"{result.name} ({listed})")

    def _enumeration(self, number: str) -> Any:
        _, name, integer, *values = self._rows[number]
        names: dict[str, int] = {}
        # Python's enumerations have no such names.
        taken = re.compile(r"mro|_[^_](.*[^_])?_|__[^_](.*[^_])?__|"
                           rf"_{re.escape(_short(name))}__.*")
        for member, value in zip(values[::2], values[1::2]):
            while taken.fullmatch(member):
                member += "_"
            names[member] = int(value)
        of = self.ctype(integer)
        return _ctype(of.kind if of.kind in "iu" else "u" if of.kind == "?" else "i",
                      of.size, of.align, name or "enum", bits=8 * of.size, code=of.code,
                      cls=enum.IntEnum.__call__(_short(name), names))

    def _record(self, number: str) -> None:
        kind, name, *rest = self._rows[number]
        if kind == "c":
            raise ValueError(f"{name!r} is a class that only C++ can make and copy: give "
                             f"Python functions that take and return `{name} *`")
        made = _ctype("U" if kind == "u" else "s", int(rest[0]), int(rest[1]),
                      _short(name))
        self._made[number] = made  # Its fields may point to it.
        try:
            fields = list(self._fields(rest[2:], 0, True, kind == "u"))
            by_value = all((name or not width) and _is_by_value(of)
                           for name, of, _, width, *_ in fields)
            made.complete(type(_short(name), (Struct,), {
                "__slots__": (), "__ctype__": made, "__by_value__": by_value}), fields)
        except ValueError:
            del self._made[number]
            raise

    def _fields(self, rest: Sequence[str], begin: int, positional: bool, is_union: bool,
                is_inner: bool = False) -> Any:
        """Yields the fields of a record, and behind an unnamed member its fields."""
        for name, place, width, text in zip(*[iter(rest)] * 4):
            yield (name, self.ctype(text), begin + int(place), int(width or 0),
                   positional and bool(name), is_inner)
            if not name and not width:
                kind, _, _, _, *inner = self._rows[text]
                yield from self._fields(inner, begin + int(place), positional, kind == "u",
                                        True)
            positional = positional and not is_union

    def function(self, symbol: str, name: str) -> Any:
        """Returns the type of a function; raises ValueError."""
        result, *parameters = map(self.ctype, self.functions[symbol])
        return function_type(result, parameters, name)

    def size(self, text: str) -> int:
        """Returns the bytes that a value takes; raises ValueError."""
        if text.startswith("["):
            count, _, item = text[1:].partition("]")
            return int(count or 0) * self.size(item)
        if text.startswith("#") and self._rows[text][0] != "e":
            return int(self._rows[text][2])
        return int(self.ctype(text).size)


def _short(name: str) -> str:
    head, angle, rest = name.partition("<")
    return head.rpartition("::")[2] + angle + rest or "unnamed"


def _alike(*tables: Any) -> dict[tuple[int, str], int]:
    """Returns a number for each record of some tables, the same for those that have the
    same lines, and whose records in them have the same numbers."""
    lines = {(at, first): "\t".join(row) for at, table in enumerate(tables)
             for first, row in table.items()}
    found, count = dict.fromkeys(lines, 0), 0
    while len(set(found.values())) > count:
        count = len(set(found.values()))
        found = {(at, first): hash(re.sub(r"#[\d.]+", lambda one: str(
            found.get((at, one[0]))), line)) for (at, first), line in lines.items()}
    return found


def _split(text: str) -> list[str]:
    """Splits `R;A;*(B;C)` at the outer semicolons."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ";" and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]

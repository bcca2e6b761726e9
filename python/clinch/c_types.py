"""The data of a compiled text, as ctypes classes, NumPy's arrays and enumerations."""

from __future__ import annotations

import ctypes
import enum
import re

from .annotations import Any, Sequence

#: The class of ctypes' functions.
C_FUNCTION: Any = ctypes._CFuncPtr  # type: ignore[attr-defined]

#: C's own types.
BUILTINS = {
    "void": None, "bool": "c_bool", "char": "c_char",
    "signed char": "c_byte", "unsigned char": "c_ubyte", "short": "c_short",
    "unsigned short": "c_ushort", "int": "c_int", "unsigned int": "c_uint",
    "long": "c_long", "unsigned long": "c_ulong", "long long": "c_longlong",
    "unsigned long long": "c_ulonglong", "float": "c_float",
    "double": "c_double", "long double": "c_longdouble",
    "_object *": "py_object", "char *": "c_char_p", "void *": "c_void_p",
}
_POINTERS = {"_object": ctypes.py_object, "char": ctypes.c_char_p,
             "void": ctypes.c_void_p, "?": ctypes.c_void_p}


class Struct(ctypes.Structure):
    """A struct of C."""

    #: Whether ctypes can pass it by value: it is wrong for what an attribute lays out,
    #: unions and bit-fields.
    _by_value = True

    def __repr__(self) -> str:
        return _shown(self)


class Union(ctypes.Union):
    """A union of C."""

    _by_value = False

    def __repr__(self) -> str:
        return _shown(self)


def _shown(data: Any) -> str:
    fields = (f"{field[0]}={getattr(data, field[0])!r}" for field in data._fields_
              if not field[0].startswith("_pad"))
    return f"{type(data).__name__}({', '.join(fields)})"


class Types:
    """What the lines of a text say (lib/Support/FunctionsSection.h)."""

    def __init__(self, lines: str) -> None:
        #: {symbol: types of the result and the parameters}
        self.functions: dict[str, list[str]] = {}
        #: Symbols of functions that neither loop nor call others.
        self.brief: set[str] = set()
        #: {name: (symbol, whether it is constant, type)}
        self.variables: dict[str, tuple[str, bool, str]] = {}
        #: {name of a struct, union or enum: `#number`}
        self.named: dict[str, str] = {}
        #: {(file, line, name): (type, where its declaration ends, where the loop begins
        #: that declares it)} of a variable of a function; of several on a line no type.
        self.locals: dict[tuple[str, int, str], tuple[Any, ...]] = {}
        self._rows: dict[str, tuple[str, ...]] = {}
        self._made: dict[str, Any] = {}
        own, *others = lines.split("\n\n")
        self._read(own)
        #: Symbols of the functions of the text itself, without those it is linked with.
        self.own = set(self.functions)
        for number, other in enumerate(others):
            self._read(self._renumbered(other, number))

    def _renumbered(self, lines: str, number: int) -> str:
        """Returns the lines of a further text with numbers that are not used yet. A
        struct that it has as another text has it is the same."""
        known = {_shape(row): first for first, row in self._rows.items() if row[1]}
        numbers = {}
        for line in lines.splitlines():
            kind, first, *rest = line.split("\t")
            if first.startswith("#"):
                numbers[first] = known.get(_shape((kind, *rest)),
                                           f"#{number}.{first[1:]}")
        return re.sub(r"#\d+", lambda found: numbers.get(found[0], found[0]), lines)

    def _read(self, lines: str) -> None:
        for line in filter(None, lines.splitlines()):
            kind, first, *rest = line.split("\t")
            if kind == "f":
                self.functions.setdefault(first, rest)
            elif kind == "b":
                self.brief.add(first)
            elif kind == "v":
                self.variables.setdefault(rest[0], (first, bool(rest[1]), rest[2]))
            elif kind == "a":
                line_of, name, text, *places = rest
                known = first, int(line_of), name
                end, loop = zip(*[map(int, places)] * 2)
                other = self.locals.get(known, (text,))[0]
                self.locals[known] = text if text == other else "?", end, loop
            else:
                self._rows[first] = kind, *rest
                if rest[0] and kind in "sue":
                    self.named.setdefault(rest[0], first)

    def tag(self, number: str) -> Any:
        """Returns the class of a struct or union, or the enumeration."""
        if number in self._made:
            return self._made[number]
        kind, name, *rest = self._rows[number]
        name = name.rpartition("::")[2] or "unnamed"
        made: Any
        if kind == "e":
            members = list(zip(rest[1::2], map(int, rest[2::2])))
            made = enum.IntEnum.__call__(name, members)
        else:
            # Its fields may point to it.
            made = self._made[number] = type(name, (Union if kind == "u" else Struct,), {})
            try:
                self._lay_out(made, int(rest[0]), rest[2:])
            except ValueError:
                del self._made[number]
                raise
        self._made[number] = made
        return made

    def _lay_out(self, made: Any, size: int, fields: Sequence[str]) -> None:
        told, anonymous = [], []
        for at in range(0, len(fields), 4):
            name, place, width, text = fields[at:at + 4]
            if not name:
                name = f"_{at // 4}"
                anonymous.append(name)
            told.append((name, int(place), int(width or 0), self.ctype(text)))
        made._anonymous_ = anonymous
        made._by_value &= all(not width and getattr(_item(kind), "_by_value", True)
                              for _, _, width, kind in told)
        plain = type("plain", made.__bases__, {"_fields_": _fields(told)})
        if ctypes.sizeof(plain) == size and all(
                getattr(plain, name).offset == place // 8
                for name, place, width, _ in told if not width):
            made._fields_ = _fields(told)
        else:
            _pack(made, size, told)

    def ctype(self, text: str) -> Any:
        """Returns the ctypes class of a type, None for void; raises ValueError."""
        if text.startswith("["):
            count, _, item = text[1:].partition("]")
            return self.ctype(item) * int(count)
        if text.startswith("*"):
            return self._pointer(text[1:].removeprefix("const "))
        if text.startswith("#"):
            kind, tag, *rest = self._rows[text]
            if kind in "cl":
                raise ValueError(f"{tag!r} is a class that only C++ can make")
            return self.ctype(rest[0]) if kind == "e" else self.tag(text)
        name = BUILTINS.get(text, "")
        if name == "":
            raise ValueError(f"{text!r} is no C type that is known here")
        return name and getattr(ctypes, name)

    def _pointer(self, inner: str) -> Any:
        if inner.startswith("("):
            return ctypes.CFUNCTYPE(*map(self.ctype, _split(inner[1:-1])))
        if inner in _POINTERS:
            return _POINTERS[inner]
        try:
            return ctypes.POINTER(self.ctype(inner))
        except ValueError:
            return ctypes.c_void_p

    def size(self, text: str) -> int:
        """Returns the bytes that a value takes; raises ValueError."""
        if text.startswith("["):
            count, _, item = text[1:].partition("]")
            return int(count) * self.size(item)
        if text.startswith("#") and self._rows[text][0] != "e":
            return int(self._rows[text][2])
        return ctypes.sizeof(self.ctype(text))

    def enumeration(self, text: str) -> Any:
        """Returns the enumeration that a type is, or None."""
        return (self.tag(text) if text.startswith("#") and self._rows[text][0] == "e"
                else None)


def _shape(row: Sequence[str]) -> str:
    """Returns what a struct's line says but for the numbers of others."""
    return re.sub(r"#[\d.]+", "#", "\t".join(row))


def _item(kind: Any) -> Any:
    while issubclass(kind, ctypes.Array):
        kind = kind._type_
    return kind


def _fields(told: Sequence[tuple[str, int, int, Any]]) -> list[tuple[Any, ...]]:
    return [(name, kind, width) if width else (name, kind)
            for name, _, width, kind in told]


def _pack(made: Any, size: int, told: Sequence[tuple[str, int, int, Any]]) -> None:
    """Says where each field is, for a struct that an attribute lays out."""
    fields: list[tuple[str, Any]] = []
    end = 0
    for name, place, width, kind in told:
        if width:
            raise ValueError(f"`{made.__name__}` has bit-fields that ctypes lays out "
                             f"otherwise")
        if place // 8 > end:
            fields.append((f"_pad{end}", ctypes.c_char * (place // 8 - end)))
        fields.append((name, kind))
        end = place // 8 + ctypes.sizeof(kind)
    if size > end:
        fields.append((f"_pad{end}", ctypes.c_char * (size - end)))
    made._by_value = False
    made._layout_, made._pack_ = "ms", 1
    made._fields_ = fields


def _split(text: str) -> list[str]:
    """Splits `R;A;*(B;C)` at the outer semicolons."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ";" and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _as_array(data: Any) -> Any:
    import numpy  # Takes 60 ms, and the prompt's C needs it not.
    return numpy.ctypeslib.as_array(data)


class Variable:
    """A variable of a text at an address; `owner` keeps it there."""

    def __init__(self, types: Types, name: str, address: int, owner: object) -> None:
        _, self.constant, text = types.variables[name]
        self.name = name
        self.enumeration = types.enumeration(text)
        self.data = types.ctype(text).from_address(address)
        self.data._owner = owner

    def get(self) -> Any:
        """Returns a number, an address, an array that shows the items, or the struct."""
        if isinstance(self.data, ctypes._SimpleCData):
            value = self.data.value
            return member_of(self.enumeration, value) if self.enumeration else value
        if self._is_of_numbers():
            items = _as_array(self.data)
            items.flags.writeable = not self.constant
            return items
        return self.data

    def set(self, value: Any) -> None:
        if self.constant:
            raise AttributeError(f"`{self.name}` is constant")
        if isinstance(self.data, ctypes._SimpleCData):
            self.data.value = value
        elif self._is_of_numbers():
            _as_array(self.data)[...] = value
        else:
            given = type(self.data)(*value) if isinstance(value, tuple) else value
            if not isinstance(given, type(self.data)):
                raise TypeError(f"expected a {type(self.data).__name__}, not a "
                                f"{type(value).__name__}")
            ctypes.memmove(ctypes.addressof(self.data), ctypes.addressof(given),
                           ctypes.sizeof(self.data))

    def _is_of_numbers(self) -> bool:
        kind = _item(type(self.data))
        return (kind is not type(self.data) and issubclass(kind, ctypes._SimpleCData)
                and kind._type_ in "?bBhHiIlLqQfd")


def member_of(enumeration: Any, value: int) -> Any:
    """Returns the member of that value, or the value, if no member has it."""
    try:
        return enumeration(value)
    except ValueError:
        return value

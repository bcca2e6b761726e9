"""Values of C as the prompt shows them, by their types."""

from __future__ import annotations

import ctypes
import os

from ..c_types import BUILTINS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any
    from ..c_types import Types
    from .c_names import Names

_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f",
            13: "\\r", 34: '\\"', 92: "\\\\"}
_DEEPEST = 8


def read(address: int, size: int) -> bytes | None:
    """Returns bytes of this process, or None where it has no memory."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            found = os.pread(memory.fileno(), size, address)
    except (OSError, OverflowError):
        return None
    return found if len(found) == size else None


def is_there(types: Types, kind: str, address: int) -> bool:
    """Whether this process has memory where a value should be."""
    try:
        size = ctypes.sizeof(types.ctype(kind))
    except ValueError:
        size = 1
    return read(address, 1) is not None and read(address + max(size, 1) - 1, 1) is not None


class Value:
    """A value, what is shown of it, and its type of FunctionsSection.h. It is at the
    address until the next input is run."""

    def __init__(self, text: str, kind: str, types: Types, address: int) -> None:
        self.text, self.kind, self.types, self.address = text, kind, types, address

    def __str__(self) -> str:
        return self.text


class Printer:
    """Shows what lies at an address, with the names of the prompt."""

    def __init__(self, types: Types, names: Names, most: int = 100) -> None:
        self.types = types
        self.names = names
        self.places = names.places()
        self.most = most

    def show(self, kind: str, address: int, depth: int = 0) -> str:
        """Returns the text of a value of the type `kind` of FunctionsSection.h."""
        if kind.startswith("["):
            return self._array(kind, address, depth)
        if kind.startswith("*"):
            return self._pointer(kind[1:].removeprefix("const "), address, depth)
        if kind.startswith("#"):
            return self._tag(kind, address, depth)
        if kind not in BUILTINS or kind == "void":
            return "a value whose members are not C's"
        return _number(kind, address)

    def _array(self, kind: str, address: int, depth: int) -> str:
        count, _, item = kind[1:].partition("]")
        if item == "char":
            return _quoted(ctypes.string_at(address, int(count)).partition(b"\0")[0])
        try:
            size = ctypes.sizeof(self.types.ctype(item))
        except ValueError:
            return "an array whose items are not C's"
        shown = [self.show(item, address + at * size, depth + 1)
                 for at in range(min(int(count), self.most))]
        if int(count) > self.most:
            shown.append(f"... ({count} in all)")
        return "{" + ", ".join(shown) + "}"

    def _pointer(self, inner: str, address: int, depth: int) -> str:
        target = ctypes.c_size_t.from_address(address).value
        if not target:
            return "NULL"
        if inner == "char":
            text = self._string(target)
            return f"(char *) {target:#x}" if text is None else text
        name = f"&{self.places[target]}" if target in self.places else f"{target:#x}"
        if depth or inner.startswith("(") or inner in ("void", "?"):
            return name
        try:
            size = ctypes.sizeof(self.types.ctype(inner))
        except ValueError:
            return name
        if read(target, size) is None:
            return f"{name}, where no memory is"
        return f"{name} -> {self.show(inner, target, depth + 1)}"

    def _string(self, address: int) -> str | None:
        found = b""
        while len(found) <= 4 * self.most:
            more = read(address + len(found), 1)
            if more is None:
                return None
            if more == b"\0":
                return _quoted(found)
            found += more
        return _quoted(found) + "..."

    def _tag(self, kind: str, address: int, depth: int) -> str:
        what, _, *rest = self.types._rows[kind]
        if what == "e":
            number = _number(rest[0], address)
            found = dict(zip(rest[2::2], rest[1::2])).get(number, number)
            return self.names.as_typed(found)
        if depth > _DEEPEST:
            return "{...}"
        shown = []
        for at in range(2, len(rest), 4):
            name, place, width, inner = rest[at:at + 4]
            value = (_bits(inner, address, int(place), int(width), self.types) if width
                     else self.show(inner, address + int(place) // 8, depth + 1))
            shown.append(f"{self.names.as_typed(name)} = {value}" if name else value)
        return "{" + ", ".join(shown) + "}"


def _number(kind: str, address: int) -> str:
    made: Any = getattr(ctypes, BUILTINS[kind] or "").from_address(address)
    if kind == "bool":
        return "true" if made.value else "false"
    if kind == "char":
        return f"'{_escaped(made.value[0], chr(39))}'"
    if kind == "float":
        return _of_float(made.value)
    return repr(made.value)


def _of_float(value: float) -> str:
    """Returns the shortest number that a `float` of C has this value for."""
    for digits in range(9):
        short = float(f"{value:.{digits}e}")
        if ctypes.c_float(short).value == value:
            return repr(short)
    return repr(value)


def _bits(kind: str, address: int, place: int, width: int, types: Types) -> str:
    """Returns the value of a bit-field."""
    first, last = place // 8, (place + width - 1) // 8
    whole = int.from_bytes(ctypes.string_at(address + first, last - first + 1), "little")
    value = whole >> place % 8 & (1 << width) - 1
    if kind == "bool":
        return "true" if value else "false"
    made: Any = types.ctype(kind)
    if made(-1).value < 0 and value >> width - 1:
        value -= 1 << width
    return str(value)


def _quoted(text: bytes) -> str:
    try:
        inner = "".join(_escaped(ord(c), '"') if ord(c) < 128 else c
                        for c in text.decode())
    except UnicodeDecodeError:
        inner = "".join(_escaped(c, '"') for c in text)
    return f'"{inner}"'


def _escaped(code: int, quote: str) -> str:
    if code == ord(quote):
        return "\\" + quote
    if code in _ESCAPES and code != 34:
        return _ESCAPES[code]
    return chr(code) if 32 <= code < 127 else f"\\x{code:02x}"

"""Values of C as the prompt shows them, by their types."""

from __future__ import annotations

import ctypes
import struct

from ..source.c_types import NUMBERS, read_at
from .c_memory import escaped, quoted, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..source.c_types import Types
    from .c_names import Names

_DEEPEST = 8


def is_there(types: Types, kind: str, address: int) -> bool:
    """Whether this process has memory where a value should be."""
    try:
        size = types.size(kind)
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
        if kind not in NUMBERS:
            return "a value whose members are not C's"
        return _number(kind, address)

    def _array(self, kind: str, address: int, depth: int) -> str:
        count, _, item = kind[1:].partition("]")
        if item == "char":
            return quoted(ctypes.string_at(address, int(count)).partition(b"\0")[0])
        try:
            size = self.types.size(item)
        except ValueError:
            return "an array whose items are not C's"
        places = range(address, address + int(count) * size, size)
        shown = [self.show(item, place, depth + 1) for place in places[:self.most]]
        if len(places) > self.most:
            shown.append(f"... ({len(places)} in all)")
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
            size = self.types.size(inner)
        except ValueError:
            return name
        if read(target, size) is None:
            return f"{name} (no memory is there)"
        return f"{name} -> {self.show(inner, target, depth + 1)}"

    def _string(self, address: int) -> str | None:
        found = b""
        while len(found) <= 4 * self.most:
            more = read(address + len(found), 1)
            if more is None:
                return None
            if more == b"\0":
                return quoted(found)
            found += more
        return quoted(found) + "..."

    def _tag(self, kind: str, address: int, depth: int) -> str:
        what, name, *rest = self.types._rows[kind]
        if what == "e":
            number = _number(rest[0], address)
            found = dict(zip(rest[2::2], rest[1::2])).get(number, number)
            return self.names.as_typed(found)
        if depth > _DEEPEST:
            return "{...}"
        if name == "std::array":
            return self.show(rest[5], address, depth)
        shown = []
        for at in range(2, len(rest), 4):
            member, place, width, inner = rest[at:at + 4]
            value = (_bits(inner, address, int(place), int(width), self.types) if width
                     else self.show(inner, address + int(place) // 8, depth + 1))
            if member or not width:
                shown.append(f"{self.names.as_typed(member)} = {value}" if member else value)
        return "{" + ", ".join(shown) + "}"


def _number(kind: str, address: int) -> str:
    value = read_at(kind, address)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "char":
        return f"'{escaped(value[0], chr(39))}'"
    return _of_float(value) if kind == "float" else str(value)


def _of_float(value: float) -> str:
    """Returns the shortest number that a `float` of C has this value for."""
    for digits in range(9):
        short = float(f"{value:.{digits}e}")
        if abs(short) < 4e38 and struct.unpack("f", struct.pack("f", short))[0] == value:
            return repr(short)
    return repr(value)


def _bits(kind: str, address: int, place: int, width: int, types: Types) -> str:
    """Returns the value of a bit-field."""
    first, last = place // 8, (place + width - 1) // 8
    whole = int.from_bytes(ctypes.string_at(address + first, last - first + 1), "little")
    value = whole >> place % 8 & (1 << width) - 1
    if kind == "bool":
        return "true" if value else "false"
    if types.ctype(kind).kind != "u" and value >> width - 1:
        value -= 1 << width
    return str(value)

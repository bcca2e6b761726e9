"""Values of the C++ library's classes by their content, as libstdc++ lays them out."""

from __future__ import annotations

import struct

from .c_memory import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any, Iterator

_SETS = ("list", "set", "multiset", "map", "multimap", "unordered_set", "unordered_map")
#: What an ordered tree's node has before its value: colour, parent, left, right.
_NODE = 32
#: More is no container, but memory that has none yet or no more.
_MOST = 1 << 32


class Unreadable(Exception):
    """What should be a value is none."""


def show(printer: Any, template: str, content: str, address: int, depth: int) -> str:
    """Returns the text of a value of a class that is made from `template` and holds
    the type `content`."""
    try:
        if template in ("basic_string", "basic_string_view"):
            return _text(printer, template, content, address)
        if template == "vector":
            return _vector(printer, content, address, depth)
        if template == "optional":
            is_there = printer.read(address + printer.types.size(content), 1)
            return printer.show(content, address, depth + 1) if is_there != b"\0" \
                else "nullopt"
        if template in _SETS:
            return _set(printer, template, content, address, depth)
        return str(printer.show(content, address, depth))
    except (Unreadable, ValueError):
        return "a value that cannot be read"


def _words(printer: Any, address: int, count: int) -> tuple[int, ...]:
    found = printer.read(address, 8 * count)
    if found is None:
        raise Unreadable
    return struct.unpack(f"<{count}Q", found)


def _text(printer: Any, template: str, content: str, address: int) -> str:
    first, second = _words(printer, address, 2)
    place, size = (second, first) if template.endswith("view") else (first, second)
    if content != "char" or size > _MOST:
        raise Unreadable
    shown = min(size, 4 * printer.most)
    found = printer.read(place, shown) if shown else b""
    if found is None:
        raise Unreadable
    return quoted(found) + ("..." if shown < size else "")


def _vector(printer: Any, content: str, address: int, depth: int) -> str:
    begin, end = _words(printer, address, 2)
    if content == "bool":
        return _bits(printer, address)
    size = printer.types.size(content)
    if end < begin or (end - begin) % size or end - begin > _MOST:
        raise Unreadable
    return str(printer.items(content, range(begin, end, size), depth))


def _bits(printer: Any, address: int) -> str:
    """Returns the text of a vector<bool>: iterators are words and a bit in the last."""
    begin, _, end, rest = _words(printer, address, 4)
    count = (end - begin) * 8 + rest % 64
    if not 0 <= count < _MOST:
        raise Unreadable
    words = _words(printer, begin, -(-min(count, printer.most) // 64)) if count else ()
    shown = ["true" if words[at // 64] >> at % 64 & 1 else "false"
             for at in range(min(count, printer.most))]
    if count > printer.most:
        shown.append(f"... ({count} in all)")
    return "{" + ", ".join(shown) + "}"


def _set(printer: Any, template: str, content: str, address: int, depth: int) -> str:
    if template == "list":
        count, = _words(printer, address + 16, 1)
        nodes, before = _chain(printer, address, 0), 16
    elif template.startswith("unordered"):
        count, = _words(printer, address + 24, 1)
        nodes, before = _chain(printer, address + 16, 0), 8
    else:
        count, = _words(printer, address + 40, 1)
        nodes, before = _in_order(printer, address + 8), _NODE
    if count > _MOST:
        raise Unreadable
    shown = []
    for _, node in zip(range(min(count, printer.most)), nodes):
        place = node + before
        shown.append(printer.pair(content, place, depth) if "map" in template
                     else printer.show(content, place, depth + 1))
    if count > printer.most:
        shown.append(f"... ({count} in all)")
    return "{" + ", ".join(shown) + "}"


def _chain(printer: Any, address: int, offset: int) -> Iterator[int]:
    """Yields the nodes of a chain that begins at an address."""
    while True:
        address, = _words(printer, address + offset, 1)
        yield address


def _in_order(printer: Any, header: int) -> Iterator[int]:
    """Yields the nodes of a tree from the least one on."""
    node, = _words(printer, header + 16, 1)
    while node != header:
        yield node
        _, parent, _, right = _words(printer, node, 4)
        if right:
            node = right
            while (left := _words(printer, node + 16, 1)[0]):
                node = left
        else:
            while node == _words(printer, parent + 24, 1)[0]:
                node, parent = parent, _words(printer, parent + 8, 1)[0]
            node = parent

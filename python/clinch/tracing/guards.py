"""What code depends on of a value: of an argument, and of what a trace read."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types

import numpy

from ..base.annotations import Any

MISSING = object()
#: Values that are the same if they are equal and of one type.
ATOMS = (int, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range)
_CONTAINERS = (tuple, list, dict)
#: Values that are known by their identity.
_KNOWN = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, numpy.ufunc,
          numpy.dtype)


def flat(value: Any, leaves: Any, leaf: Any) -> Any:
    """Returns the hashable structure of a value: its containers, and what `leaf` says
    of the others, which are appended to `leaves`."""
    kind = type(value)
    if kind in _CONTAINERS:
        items = value.items() if kind is dict else enumerate(value)
        return kind, *[((type(name), name), flat(item, leaves, leaf))
                       for name, item in items]
    if is_record(kind):
        return kind, *[flat(item, leaves, leaf) for item in fields(value)]
    leaves.append(value)
    return leaf(value)


def is_record(kind: Any) -> bool:
    return (issubclass(kind, tuple) and hasattr(kind, "_fields")
            or dataclasses.is_dataclass(kind)) and is_plain(kind)


def fields(value: Any) -> Any:
    """Returns the items of a record."""
    if isinstance(value, tuple):
        return value
    return [getattr(value, field.name, None) for field in dataclasses.fields(value)]


@functools.cache
def is_plain(kind: Any) -> bool:
    """Whether a class is a namedtuple or a dataclass that Python wrote all of."""
    if kind.__mro__[1:] not in ((object,), (tuple, object)):
        return False
    if dataclasses.is_dataclass(kind) and any(
            field.default_factory not in (dataclasses.MISSING, list, dict)
            or not field.init for field in dataclasses.fields(kind)):
        return False
    return all(map(_is_generated, vars(kind).values()))


def _is_generated(value: Any) -> bool:
    """Whether an attribute of a class is no code that somebody wrote."""
    value = getattr(value, "__func__", value)
    if not isinstance(value, types.FunctionType):
        return not isinstance(value, (property, functools.cached_property))
    return value.__code__.co_filename == "<string>" or value.__globals__["__name__"] in (
        "collections", "dataclasses")


def rebuilt(value: Any, items: Any) -> Any:
    """Returns a record like `value` of other items."""
    if isinstance(value, tuple):
        return tuple.__new__(type(value), items)
    made = object.__new__(type(value))
    for field, one in zip(dataclasses.fields(value), items):
        object.__setattr__(made, field.name, one)
    return made


def is_usual(array: Any) -> bool:
    """Whether what is made of an array is in C order, as far as it depends on this one."""
    return array.ndim < 2 or bool(array.flags.c_contiguous) and min(array.shape) > 1


def _layout(array: Any) -> Any:
    """The order of dimensions in memory, of which that of results follows."""
    strides = array.strides
    return (tuple(sorted(range(array.ndim), key=lambda k: -abs(strides[k]))),
            tuple([s < 0 for s in strides]), tuple([min(n, 2) for n in array.shape]))


def loosely(value: Any) -> Any:
    """What code for arrays of any lengths, and for any float, depends on."""
    kind = type(value)
    if kind is numpy.ndarray:
        return (value.dtype, value.ndim) if is_usual(value) else (
            value.dtype, value.ndim, _layout(value))
    if kind is float or isinstance(value, numpy.generic):
        return kind
    if kind in ATOMS:
        return kind, value
    if kind is complex:
        return kind, value.real.hex(), value.imag.hex()
    return value if isinstance(value, _KNOWN) else (kind,)


def exactly(value: Any) -> Any:
    """What code for these lengths, and this float, depends on."""
    if type(value) is numpy.ndarray:
        return value.shape, loosely(value)
    return (float, value.hex()) if type(value) is float else loosely(value)


def _want(value: Any, exact: bool) -> Any:
    """Returns what a Dispatcher compares with a value, or None if it cannot."""
    kind = type(value)
    if kind is numpy.ndarray:
        shape = value.shape if exact else None
        return (kind, value.dtype, value.ndim, shape) if is_usual(value) else None
    if kind in (*_CONTAINERS, complex, range) or is_record(kind):
        return None
    if kind is float and exact or kind in ATOMS or isinstance(value, _KNOWN):
        return kind, value
    return (kind,)


def wanted(arguments: Any, exact: bool) -> Any:
    wants = tuple([_want(value, exact) for value in arguments])
    return None if None in wants else wants


class Read:
    """Something that the trace read: `name` of a dict, a cell, or an object, which is
    the number of a value, and its key then."""

    def __init__(self, owner: Any, name: Any, value: Any, leaf: Any) -> None:
        self.owner, self.name, self.value = owner, name, value
        leaves: list[Any] = []
        self.key = flat(value, leaves, leaf)
        self.count = len(leaves)
        #: Whether it is known by itself, and gives the code nothing.
        self.is_fixed = value is MISSING or type(value) not in (list, dict) and all(
            loosely(v) not in (float, type(v), (type(v),))
            and type(v) is not numpy.ndarray for v in leaves)
        if not self.is_fixed:
            self.value = None  # It may be large.
        self._want = (type(value), value) if self.is_fixed else _want(value, leaf is exactly)

    def lookup(self) -> Any:
        """Returns what a Dispatcher looks at, or None if it cannot."""
        if isinstance(self.owner, type) or self._want is None:
            return None
        if self.value is MISSING:
            return self.owner, self.name, None, False
        return self.owner, self.name, self._want, not self.is_fixed

    def now(self, values: Any) -> Any:
        owner = self.owner
        if type(owner) is types.CellType:
            return owner.cell_contents
        if type(owner) is int:
            owner = values[owner].__dict__
        elif isinstance(owner, type):
            return inspect.getattr_static(owner, self.name, MISSING)
        return owner.get(self.name, MISSING)


def by_itself(value: Any) -> Any:
    return value

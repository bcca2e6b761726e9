"""Values that DebugMode puts into the cells of outputs before a run."""

from __future__ import annotations

import copy

import numpy

from ..base.annotations import Any, Iterator


def copy_of(value: Any) -> Any:
    """Returns a copy that shares nothing, or the value if it cannot be copied."""
    if isinstance(value, numpy.ndarray):
        return value.copy()
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def storages_like(value: Any) -> Iterator[tuple[str, Any]]:
    """Yields (description, value) of values that an earlier run or a caller
    may have left in an output's cell."""
    if isinstance(value, numpy.ndarray):
        yield from arrays_like(value)
    elif isinstance(value, (float, numpy.generic)):
        yield "another number", type(value)(1 if value != 1 else 0)
    elif value is not None:
        yield "an object of another class", Stranger()
    if value is not None:
        yield "the output of another run", copy_of(value)


class Stranger:
    """An object of an unknown class, for a cell that may hold any object."""

    def __repr__(self) -> str:
        return "a Stranger"


def arrays_like(array: Any) -> Iterator[tuple[str, Any]]:
    def garbage(shape: Any, order: Any = "C") -> Any:
        made = numpy.empty(shape, array.dtype, order)
        made.view("uint8" if made.flags.c_contiguous and made.ndim
                  else array.dtype)[...] = 113
        return made

    shape = array.shape
    yield "garbage", garbage(shape)
    if array.ndim:
        yield "a longer array", garbage(tuple(n + 1 for n in shape))
        if all(shape):
            yield "a shorter array", garbage(tuple(n - 1 for n in shape))
        yield "an array with strides", garbage(
            tuple(2 * n for n in shape))[(slice(None, None, 2),) * array.ndim]
        yield "an array with negative strides", garbage(
            shape)[(slice(None, None, -1),) * array.ndim]
    if array.ndim > 1:
        yield "an array in Fortran's order", garbage(shape, "F")
    read_only = garbage(shape)
    read_only.flags.writeable = False
    yield "a read-only array", read_only

"""Keys in x[...]: integers, slices, None, Ellipsis, arrays of integers, masks.
The key is known when the graph is made, except the Variables and arrays in it,
which are inputs; what cannot fit raises then.
"""

from __future__ import annotations

import operator

import numpy

from ..base.annotations import Any, Iterator, Sequence
from ..graph.variables import Constant, Variable
from .api import as_integer, known
from .operands import (MOST_DIMS, SINCE_2, array_constant, as_operand,
                       broadcast_shape, ndim, shape_of)

# The kinds of parts of a key; another is an integer, or a slice: a tuple of three, each
# False if left out, True if an input, or (number,).
INTEGER, NEW, REST, ARRAY = "integer", "None", "...", "array"


def parse(x: Variable, key: Any) -> tuple[tuple[Any, ...], list[Variable]]:
    """Returns the (parts, inputs) of a key for an array with x's dimensions."""
    parts: list[Any] = []
    inputs: list[Variable] = []
    for item in key if isinstance(key, tuple) else (key,):
        if item is None or item is Ellipsis:
            parts.append(NEW if item is None else REST)
        elif isinstance(item, slice):
            ends = [_end(end) for end in (item.start, item.stop, item.step)]
            parts.append(tuple((int(known(end)),) if isinstance(end, Constant)
                               else end is not None for end in ends))
            inputs += [end for end in ends
                       if end is not None and not isinstance(end, Constant)]
        elif isinstance(value := _value(item), Constant) and is_integer(value):
            parts.append(int(known(value)))
        else:
            parts.append(INTEGER if is_integer(value) else ARRAY)
            inputs.append(value)
    if parts.count(REST) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    count = sum(takes for _, takes, _ in _with_values(parts, inputs))
    if count > ndim(x):
        raise IndexError(f"too many indices for array: array is "
                         f"{ndim(x)}-dimensional, but {count} were indexed")
    return tuple(parts), inputs


def _end(value: Any) -> Variable | None:
    """Converts one of the numbers of a slice to a Variable."""
    if value is None:
        return None
    if not isinstance(value, Variable) and not hasattr(value, "__index__"):
        raise TypeError("slice indices must be integers or None or have an "
                        "__index__ method")
    return as_integer(value)


def _value(item: Any) -> Variable:
    """Converts an integer, or an array of integers or bools, to a Variable."""
    if not isinstance(item, (Variable, numpy.ndarray, list, bool,
                             numpy.bool_)):
        try:
            return as_integer(operator.index(item))
        except TypeError:
            raise _no_index() from None
    if isinstance(item, list) and not item:
        item = numpy.empty(0, "int64")
    value = as_operand(item) if not isinstance(item, list) else \
        array_constant(item)
    if numpy.dtype(value.type.dtype).kind not in "biu":
        raise _no_index(value)
    return value


def _no_index(value: Variable | None = None) -> IndexError:
    if value is not None and ndim(value):
        return IndexError("arrays used as indices must be of integer (or "
                          "boolean) type")
    return IndexError("only integers, slices (`:`), ellipsis (`...`), "
                      "numpy.newaxis (`None`) and integer or boolean arrays "
                      "are valid indices")


def is_integer(value: Variable) -> bool:
    """Whether an input of a key is one integer."""
    return ndim(value) == 0 and numpy.dtype(value.type.dtype).kind in "iu"


def _is_mask(value: Variable) -> bool:
    return numpy.dtype(value.type.dtype).kind == "b"


def is_basic(parts: Sequence[Any]) -> bool:
    return ARRAY not in parts


def _with_values(parts: Sequence[Any],
                 inputs: Sequence[Variable]
                 ) -> Iterator[tuple[Any, int, Sequence[Any]]]:
    """Yields each part, how many dimensions it takes, and its inputs: for a slice
    three, with None for those left out."""
    values = iter(inputs)
    for part in parts:
        if part in (NEW, REST):
            yield part, 0, ()
        elif part in (INTEGER, ARRAY):
            value = next(values)
            yield part, ndim(value) if _is_mask(value) else 1, (value,)
        elif isinstance(part, int):
            yield INTEGER, 1, (array_constant(part),)
        else:
            yield part, 1, [array_constant(*there) if isinstance(there, tuple) else
                            next(values) if there else None for there in part]


def shape_of_index(x: Variable, parts: Sequence[Any],
                   inputs: Sequence[Variable]) -> tuple[int | None, ...]:
    """Returns the static shape of x[...]; raises NumPy's IndexError if something is
    known not to fit."""
    found = list(_with_values(parts, inputs))
    rest = ndim(x) - sum(takes for _, takes, _ in found)
    if REST not in parts:
        found.append((REST, 0, ()))
    axis = 0
    shape: list[int | None] = []
    arrays: list[tuple[int | None, ...]] = []
    for part, takes, values in found:
        if part == REST:
            takes = rest
            shape += x.type.shape[axis:axis + rest]
        elif part == NEW:
            shape.append(1)
        elif part == INTEGER:
            _check_indices(known(*values), axis, x.type.shape[axis])
        elif part == ARRAY:
            arrays.append(_checked_array(x, axis, *values))
        else:
            shape.append(_slice_length(part, values, x.type.shape[axis]))
        axis += takes
    if arrays:
        # They are broadcast; the dimensions of the result replace theirs.
        shape = [None] * (len(_broadcast(arrays)) + len(shape))
    if len(shape) > MOST_DIMS:
        raise IndexError(f"number of dimensions must be within [0, "
                         f"{MOST_DIMS}], indexing result would have "
                         f"{len(shape)}")
    return tuple(shape)


def _slice_length(part: Any, values: Sequence[Any], length: int | None) -> int | None:
    ends = [None if value is None else known(value) for value in values]
    if part == (False, False, False):
        return length
    if length is None or any(there and end is None
                             for there, end in zip(part, ends)):
        return None
    ends = [None if end is None else int(end) for end in ends]
    return len(range(*slice(*ends).indices(length)))


def _check_indices(indices: Any, axis: int, length: int | None) -> None:
    if indices is None or length is None:
        return
    for index in numpy.ravel(indices):
        if not -length <= index < length:
            raise IndexError(f"index {index} is out of bounds for axis {axis} "
                             f"with size {length}")


def _checked_array(x: Variable, axis: int, value: Variable) -> tuple[int | None, ...]:
    """Checks an array in a key and returns the shape with which it is broadcast."""
    if not _is_mask(value):
        _check_indices(known(value), axis, x.type.shape[axis])
        return shape_of(value)
    for k, n in enumerate(shape_of(value), axis):
        length = x.type.shape[k]
        if None not in (n, length) and n != length:
            raise IndexError("boolean index did not match indexed array along "
                             + (f"axis {k}; size of axis is {length} but size "
                                f"of corresponding boolean axis is {n}"
                                if SINCE_2 else
                                f"dimension {k}; dimension is {length} but "
                                f"corresponding boolean dimension is {n}"))
    return (None,)


def _broadcast(shapes: Sequence[Sequence[int | None]]) -> tuple[int | None, ...]:
    try:
        return broadcast_shape(shapes)
    except ValueError as error:
        said = str(error).partition("shapes ")[2]
        raise IndexError(f"shape mismatch: indexing arrays could not be "
                         f"broadcast together with shapes {said}") from None

"""What NumPy itself computes in the middle of compiled code, as sorting, which no text
of ours would make faster.

Variables among the arguments are inputs of the apply; all others are fixed. A call
with small arrays like those to come shows the result's dtype and dimensions.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import warnings

import numpy

from ..base.annotations import Any, Callable, Iterator
from ..types.array_type import TensorType, refuse_mask
from ..types.generic_type import generic
from ..graph.variables import Apply, Constant, Variable
from ..types.scalars import upcast
from .api import ApiOp
from .casts import astype
from .operands import as_array, as_operands, ndim


class _Input:
    """The place of an input among fixed arguments."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Several:
    """A list or tuple among the arguments that has inputs in it."""

    def __init__(self, kind: Any, items: Any) -> None:
        self.kind, self.items = kind, items


class _Call:
    """Calls NumPy's function of a name with fixed arguments and these arrays."""

    def __init__(self, name: str, arguments: Any, keywords: Any) -> None:
        self.name, self.arguments, self.keywords = name, arguments, keywords
        self._function = operator.attrgetter(name)(numpy)
        count = sum(isinstance(v, _Input) for v in arguments)
        more = *arguments[count:], *keywords.values()
        #: What comes after the arrays, if they come first, each once.
        self._rest = None if any(isinstance(v, (_Input, _Several)) for v in more) \
            or [v.number for v in arguments[:count]] != list(range(count)) \
            else arguments[count:]

    def __repr__(self) -> str:
        return f"numpy.{self.name}"

    def __deepcopy__(self, memo: Any) -> Any:
        return self  # Nothing changes it.

    def __reduce__(self) -> Any:
        return _Call, (self.name, self.arguments, self.keywords)

    def __call__(self, *arrays: Any) -> Any:
        """Returns the result with memory of its own, also if NumPy gives a view."""
        result = self.result(arrays)
        return result if getattr(result, "base", None) is None else result.copy()

    def result(self, arrays: Any) -> Any:
        if self._rest is not None:
            return self._function(*arrays, *self._rest, **self.keywords)

        def filled(value: Any) -> Any:
            if isinstance(value, _Several):
                return value.kind(map(filled, value.items))
            return arrays[value.number] if isinstance(value, _Input) else value

        return self._function(*map(filled, self.arguments),
                              **{name: filled(value)
                                 for name, value in self.keywords.items()})


class ByNumpy(ApiOp):
    """Calls its first input, a `_Call`, with the others; the result is new memory."""

    __props__ = ("name",)
    gives_numbers = True

    def __init__(self, name: str) -> None:
        self.name = name

    def make_node(self, call: Any, *arrays: Any) -> Any:
        found = _example(call, arrays)
        if not isinstance(found, (numpy.ndarray, numpy.generic)):
            raise TypeError(f"numpy.{self.name} gives more than one array, and has no "
                            f"Op that computes it in a graph")
        known = _has_known_shape(call) and all(None not in x.type.shape for x in arrays)
        made = TensorType(found.dtype.name, found.shape if known else (None,) * found.ndim)
        return Apply(self, [Constant(generic, call), *arrays], [made()])

    def c_code(self, node: Any, name: str, inputs: Any, outputs: Any, sub: Any) -> Any:
        given = ", ".join(f"(PyObject *){x}" for x in inputs)
        return self.result(node, outputs[0],
                           f"PyObject_CallFunctionObjArgs({given}, NULL)", sub["fail"])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        call, *arrays = inputs
        output_storage[0][0] = numpy.asarray(call(*arrays))

    def __str__(self) -> str:
        return f"numpy.{self.name}"


#: Function whose arguments' shapes say that of its result -> how many of its arguments
#: are arrays; the others must be fixed.
_SHAPED = {**dict.fromkeys(("argsort", "broadcast_to", "cumprod", "cumsum", "diag", "diagonal",
                              "repeat", "roll", "rot90", "sort", "tile", "trace", "tril",
                              "triu"), 1),
           **dict.fromkeys(("append", "cross", "inner", "kron", "linspace", "tensordot",
                            "vdot"), 2),
           **dict.fromkeys(("block", "column_stack", "dstack", "hstack", "vstack"), 1)}


def _has_known_shape(call: Any) -> bool:
    fixed = *call.arguments[_SHAPED.get(call.name, 0):], *call.keywords.values()
    return call.name in _SHAPED and not any(
        isinstance(v, (_Input, _Several)) for v in fixed)


#: An example of more items is too large to try, and so many are tried.
_MOST_ITEMS, _MOST_TRIES = 1 << 25, 500


def _example(call: Any, arrays: Any) -> Any:
    """Returns the result for ones, or raises NumPy's error if it accepts none.

    Unknown lengths are 3 or, where NumPy refuses that, those that fit the call."""
    first: Exception | None = None
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for like in itertools.islice(_examples(call, arrays), _MOST_TRIES):
            try:
                return call.result(like)
            except Exception as error:
                first = first or error
    raise first or ValueError(f"{call!r} needs more than {_MOST_ITEMS} items, too many "
                              f"to try it when a graph is made")


def _examples(call: Any, arrays: Any) -> Iterator[list[Any]]:
    """Yields arrays like these: of unknown lengths that are all the same, then of
    others; of ones, then, as integers may be indices, of zeros."""
    shapes = [x.type.shape for x in arrays]
    unknown = sum(shape.count(None) for shape in shapes)
    known = [n for shape in shapes for n in shape if n is not None]
    fixed = (call.arguments, tuple(call.keywords.values()))
    lengths = tuple(dict.fromkeys((3, *known, *_lengths(fixed), 1)))
    same = [(n,) * unknown for n in (lengths if unknown else lengths[:1])]
    others = itertools.product(lengths, repeat=unknown) if unknown > 1 else ()
    numbers = (1, 0) if any(numpy.dtype(x.type.dtype).kind in "iu"
                           for x in arrays) else (1,)
    for chosen, number in itertools.product((*same, *others), numbers):
        given = iter(chosen)
        filled = [[next(given) if n is None else n for n in shape] for shape in shapes]
        if max(map(math.prod, filled), default=0) <= _MOST_ITEMS:
            yield [x.data if isinstance(x, Constant)
                   else _full(shape, number, x.type.dtype, call.name)
                   for x, shape in zip(arrays, filled)]


def _lengths(value: Any) -> Iterator[int]:
    """Yields the lengths of arrays and lists, and the least that have these indices."""
    if isinstance(value, (tuple, list)):
        yield len(value)
        for item in value[:_MOST_TRIES]:
            yield from _lengths(item)
    elif isinstance(value, numpy.ndarray):
        yield from value.shape
        if value.dtype.kind in "iu" and value.size:
            yield max(int(value.max()), -int(value.min())) + 1
    elif isinstance(value, (int, numpy.integer)):
        yield abs(int(value)) + 1


def _full(shape: Any, number: int, dtype: Any, name: str) -> Any:
    made = numpy.full(shape, number, dtype)
    if name.startswith("linalg.") and len(shape) > 1:
        made += numpy.eye(shape[-2], shape[-1], dtype=dtype)  # It has an inverse.
    return made


def applied(name: str, *arguments: Any, **keywords: Any) -> Variable:
    """Returns what NumPy's function of this name makes of the arguments."""
    arrays: list[Any] = []
    if _SHAPED.get(name) == 2 and name != "append":
        # NumPy 1 takes the value of an array without dimensions for its dtype.
        pair = as_operands(arguments[:2])
        dtype = upcast(*(v.type.dtype for v in pair))
        arguments = *(astype(v, dtype) for v in pair), *arguments[2:]

    def placed(value: Any) -> Any:
        """Returns what stands for a Variable, or a copy that the caller can't change."""
        if isinstance(value, Variable):
            arrays.append(as_array(value))
            return _Input(len(arrays) - 1)
        if type(value) in (list, tuple):
            items = list(map(placed, value))
            if any(isinstance(v, (_Input, _Several)) for v in items):
                return _Several(type(value), items)
            return type(value)(items)
        refuse_mask(value)
        return value.copy() if isinstance(value, numpy.ndarray) else value

    call = _Call(name, tuple(map(placed, arguments)),
                 {name: placed(value) for name, value in keywords.items()})
    return ByNumpy(name)(call, *arrays)


@functools.cache
def __getattr__(name: str) -> Callable[..., Variable]:
    """Returns the function of Variables that NumPy's function of this name computes."""
    if not callable(getattr(numpy, name, None)):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = functools.partial(applied, name)
    functools.update_wrapper(made, getattr(numpy, name), ("__name__", "__doc__"), ())
    return made


#: NumPy function -> what replaces it, in the modules of NumPy's.
OF_MODULES = {operator.attrgetter(name)(numpy): functools.partial(applied, name)
              for name in (
                  *(f"linalg.{name}" for name in (
                      "inv", "pinv", "det", "solve", "cholesky", "eigvalsh", "cond",
                      "matrix_power", "matrix_rank")),
                  *(f"fft.{kind}{name}" for kind in ("", "i", "r", "ir")
                    for name in ("fft", "fft2", "fftn")))}


#: NumPy 2 renamed it.
trapz = trapezoid = functools.partial(
    applied, "trapezoid" if hasattr(numpy, "trapezoid") else "trapz")


def nonzero(x: Any) -> tuple[Variable, ...]:
    """Returns the indices, along each dimension, of the items that are not zero."""
    x = as_array(x)
    if ndim(x) == 1:
        return (applied("flatnonzero", x),)
    places = applied("ascontiguousarray", applied("argwhere", x))  # As NumPy's are.
    return tuple(places[:, k] for k in range(ndim(x)))

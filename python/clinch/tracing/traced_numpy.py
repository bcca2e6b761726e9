"""NumPy's functions, methods and attributes on the values of a trace."""

from __future__ import annotations

import functools
import operator

import numpy

from ..base.annotations import Any
from ..graph.variables import Variable
from ..tensor import by_numpy, formulas, names
from ..tensor.casts import astype
from ..tensor.indexing import inc_subtensor, index, set_subtensor
from ..tensor.making import stack, zeros
from ..tensor.operands import array_constant, as_array
from ..tensor.views import copy, transpose
from .traced import (Step, Traced, _value, _variable, check_weak, fitted, length,
                     replaced, traced_in)

METHODS = set("all any argmax argmin argsort conj cumprod cumsum diagonal dot max mean "
              "min nonzero prod ptp ravel repeat round searchsorted squeeze std sum swapaxes "
              "take trace var compress".split())


def attribute(traced: Any, name: str) -> Any:
    """Returns an attribute of an array or a number."""
    state = traced.clinch_state
    trace, value = state.trace, state.value
    if name in ("dtype", "ndim", "itemsize") or not hasattr(value, name):
        return getattr(value, name)  # Or its AttributeError.
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        if name == "shape":
            return tuple(length(state, axis) for axis in range(value.ndim))
        if name == "size":
            known = state.current.type.shape
            return value.size if None not in known else trace.holds(
                value.size, state.current.size)
        if name in _ATTRIBUTES:
            function = _ATTRIBUTES[name]
            if function is numpy.imag and value.dtype.kind != "c":
                trace.refuse("the imaginary part of real numbers is a read-only array")
            return called(trace, function, (traced,), {})
        if name in METHODS:
            return functools.partial(_method, traced, getattr(numpy, name, None))
        if name in _METHODS:
            return functools.partial(_METHODS[name], traced)
    return trace.refuse(f"`{name}` of {state.current!r} has no Op that computes it in a "
                        f"graph")


_ATTRIBUTES: dict[str, Any] = {"T": numpy.transpose, "real": numpy.real, "imag": numpy.imag}


def _method(traced: Any, function: Any, *arguments: Any, **keywords: Any) -> Any:
    return called(traced.clinch_state.trace, function, (traced, *arguments), keywords)


def _clip(traced: Any, min: Any = None, max: Any = None, **keywords: Any) -> Any:
    return _method(traced, numpy.clip, min, max, **keywords)


def _reshape(traced: Any, *shape: Any, **keywords: Any) -> Any:
    return called(traced.clinch_state.trace, numpy.reshape,
                  (traced, shape[0] if len(shape) == 1 else shape), keywords)


def _transpose(traced: Any, *axes: Any) -> Any:
    axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
    return called(traced.clinch_state.trace, numpy.transpose, (traced, axes), {})


def _astype(traced: Any, dtype: Any, **keywords: Any) -> Any:
    state = traced.clinch_state
    same = keywords.get("copy", True) and numpy.dtype(dtype) == state.value.dtype
    return state.trace.computed(lambda x: x.astype(dtype, **keywords),
                                lambda x: copy(x) if same else astype(x, dtype),
                                (traced,), {})


def _copy(traced: Any, order: str = "C") -> Any:
    return traced.clinch_state.trace.computed(
        lambda x: x.copy(order), lambda x: copy(x) if order == "K" or x.type.ndim < 2
        else by_numpy.applied("copy", x, order=order), (traced,), {})


def _flatten(traced: Any, order: str = "C") -> Any:
    return _copy(_method(traced, numpy.ravel, order))


def _fill(traced: Any, value: Any) -> None:
    traced[...] = value


def _sort(traced: Any, axis: Any = -1, **keywords: Any) -> None:
    def sort(x: Any) -> Any:
        x.sort(axis, **keywords)
    _in_place(traced, sort, lambda x: names.FUNCTIONS[numpy.sort](x, axis, **keywords))


def _in_place(traced: Any, real: Any, graph: Any) -> None:
    """Changes an array as a method of its own does."""
    state = traced.clinch_state
    state.trace.real(real, (traced,), {})
    state.write(graph)


_METHODS: dict[str, Any] = {
    "reshape": _reshape, "transpose": _transpose, "astype": _astype, "copy": _copy,
    "clip": _clip, "flatten": _flatten, "fill": _fill, "sort": _sort}


def item(traced: Any, key: Any) -> Any:
    """Returns x[key]: a view, if NumPy gives one."""
    state = traced.clinch_state
    value = state.trace.real(operator.getitem, (traced, key), {})
    parts = key if type(key) is tuple else (key,)
    is_view = isinstance(value, numpy.ndarray) and all(
        part is None or part is Ellipsis or type(part) in (int, slice)
        or isinstance(part, (numpy.ndarray, numpy.integer)) and part.ndim == 0
        and part.dtype.kind in "iu" for part in parts)
    fixed = replaced(key, _variable)
    if not is_view:
        return state.trace.holds(value, state.trace.graph(
            operator.getitem, (traced, key), {}))
    return state.view(value, Step(
        lambda x: index(x, fixed), lambda x, y: set_subtensor(index(x, fixed), y),
        None if traced_in(key) else lambda x: x[key]))


def called(trace: Any, function: Any, arguments: Any, keywords: Any,
           method: str = "__call__") -> Any:
    """Calls a function of NumPy's, or a ufunc's method."""
    if function in names.ANSWERS:
        return trace.real(function, arguments, keywords)
    if function in _CHANGES and traced_in(arguments[:1]):
        return _CHANGES[function](*arguments, **keywords)
    if method == "at" and function in (numpy.add, numpy.subtract):
        return _at(function, *arguments)
    place = keywords.get("out")
    place = place[0] if type(place) is tuple and len(place) == 1 else place
    if place is not None:
        return _into(trace, function, arguments, dict(keywords), method, place)
    real = function if method == "__call__" else getattr(function, method)
    given = traced_in((arguments, keywords))
    if function in (numpy.shape, numpy.size) and len(arguments) == 1 and given \
            and type(arguments[0]) is Traced:
        return getattr(arguments[0], function.__name__)
    if function in (numpy.array, numpy.asarray) and given:
        return _array(trace, function, *arguments, **keywords)
    if not given and function not in _MADE_BY_OPS:
        if function not in names.MAKERS and function not in names.FUNCTIONS \
                and not isinstance(function, numpy.ufunc):
            trace.refuse(_missing(function))
        return _fixed(trace, trace.real(real, arguments, keywords))
    if function is numpy.where and len(arguments) == 1:
        function = real = numpy.nonzero
    graph = _graph_of(trace, function, method)
    if function in names.VIEWS:
        return _viewed(trace, function, graph, arguments, keywords)
    made = trace.computed(real, graph, arguments, keywords)
    _check_fresh(trace, made, given)
    return made


#: Ufuncs whose `dtype` is that of what they compute with, and of the result.
_OF_ONE_DTYPE = names.known("add subtract multiply divide maximum minimum sqrt exp log")
_MADE_BY_OPS = names.known("zeros ones full arange linspace empty")


def _missing(function: Any) -> str:
    return (f"{getattr(function, '__module__', None) or 'numpy'}.{function.__name__} has "
            f"no Op that computes it in a graph")


def _graph_of(trace: Any, function: Any, method: str) -> Any:
    if isinstance(function, numpy.ufunc):
        return functools.partial(_ufunc, function, method)
    if function is numpy.empty:
        return lambda shape, dtype=float, order="C": zeros(shape, dtype)
    own = names.FUNCTIONS.get(function)
    if own is None or function is numpy.roots:  # Its dtype depends on values.
        return trace.refuse(_missing(function), exact=function in names.MAKERS)
    return functools.partial(names.bound, function, own)


def _ufunc(ufunc: Any, method: str, *arguments: Any, **keywords: Any) -> Any:
    if ufunc in _OF_ONE_DTYPE and method == "__call__" and keywords.get("dtype"):
        dtype = keywords.pop("dtype")
        arguments = tuple(astype(as_array(x), dtype) for x in arguments)
    return names.call_ufunc(ufunc, method, *arguments, **keywords)


def _fixed(trace: Any, value: Any) -> Any:
    """Returns what NumPy makes of numbers that are fixed: new arrays."""
    if type(value) in (tuple, list):
        return type(value)([_fixed(trace, one) for one in value])
    if isinstance(value, numpy.ndarray):
        if value.dtype.kind not in "biufc":
            trace.refuse(f"an array of dtype {value.dtype} is nothing that Clinch "
                         f"computes with")
        return trace.holds(value, array_constant(value))
    return value


def _array(trace: Any, function: Any, value: Any, dtype: Any = None, **keywords: Any
           ) -> Any:
    """Returns an array of what may be nested lists of numbers."""
    def graph(value: Any) -> Any:
        if type(value) in (list, tuple):
            return stack([as_array(graph(one)) for one in value])
        return value

    def made(value: Any, dtype: Any = None, copy: Any = True, ndmin: int = 0) -> Any:
        if ndmin:
            raise TypeError("numpy.array takes no ndmin in a graph")
        found = as_array(graph(value))
        return astype(found, dtype) if dtype is not None else found

    if type(value) is Traced and isinstance(_value(value), numpy.ndarray):
        if function is numpy.array and keywords.get("copy", True):
            return _astype(value, value.dtype if dtype is None else dtype, **keywords)
        return _viewed(trace, function, made, (value, dtype), keywords)
    return trace.computed(function, made, (value, dtype), keywords)


def _check_fresh(trace: Any, made: Any, given: Any) -> None:
    for one in traced_in(made):
        value = _value(one)
        if isinstance(value, numpy.ndarray) and not any(one is other for other in given) \
                and any(isinstance(_value(other), numpy.ndarray)
                        and numpy.may_share_memory(value, _value(other))
                        for other in given):
            trace.refuse("a function gives a view where the graph has a copy")


def _viewed(trace: Any, function: Any, graph: Any, arguments: Any, keywords: Any) -> Any:
    """Calls a function that may give views of its first argument."""
    found = trace.real(function, arguments, keywords)
    given = traced_in((arguments, keywords))
    for one in given:
        if _value(one) is found:
            return one
    base = arguments[0] if arguments else None
    if type(base) is not Traced or type(_value(base)) is not numpy.ndarray:
        made = trace.computed(function, graph, arguments, keywords)
        for one in given:
            one.clinch_state.memory.is_guess = True
        for one in traced_in(made):
            one.clinch_state.memory.is_guess = one.clinch_state.memory.is_unknown = True
        return made
    state, rest = base.clinch_state, arguments[1:]
    fixed = replaced((rest, keywords), _variable)
    is_fixed = len(given) == 1
    order = _order(function, rest, keywords, state.value.ndim) if is_fixed else None

    def view(value: Any, pick: Any) -> Any:
        return state.view(value, Step(
            lambda x: pick(graph(x, *fixed[0], **fixed[1])),
            order and (lambda x, y: transpose(y, numpy.argsort(order).tolist())),
            (lambda x: pick(function(x, *rest, **keywords))) if is_fixed else None))

    if order is None:
        state.memory.is_guess = True
    if type(found) in (tuple, list):
        return type(found)([view(value, operator.itemgetter(k))
                            for k, value in enumerate(found)])
    return view(found, lambda x: x)


def _order(function: Any, rest: Any, keywords: Any, ndim: int) -> Any:
    """Returns the order of dimensions that a function makes, if it does only that."""
    if function not in names.known("transpose swapaxes moveaxis rollaxis"):
        return None
    shape = list(range(2, 2 + ndim))
    made = function(numpy.broadcast_to(0, shape), *rest, **keywords)
    return [shape.index(n) for n in made.shape]


def _into(trace: Any, function: Any, arguments: Any, keywords: Any, method: str,
          place: Any) -> Any:
    """Calls a function that writes to `out`."""
    if type(place) is not Traced:
        trace.refuse("`out` is no array of the graph")
    real = function if method == "__call__" else getattr(function, method)
    trace.real(real, arguments, keywords)
    mask = keywords.pop("where", True)
    for name in ("out", "casting"):
        keywords.pop(name, None)
    check_weak(trace, traced_in((arguments, keywords)), arguments)
    made = trace.graph(_graph_of(trace, function, method), arguments, keywords)
    if not isinstance(made, Variable):
        trace.refuse("`out` of several arrays")
    mask = replaced(mask, _variable)
    place.clinch_state.write(lambda x: fitted(
        x, made if mask is True else formulas.where(mask, made, x)))
    return place


def _copyto(target: Any, source: Any, **keywords: Any) -> None:
    if set(keywords) - {"where"} or not numpy.can_cast(
            getattr(source, "dtype", type(source)), target.dtype, "same_kind"):
        target.clinch_state.trace.refuse("numpy.copyto casts here")
    if "where" in keywords:
        state = target.clinch_state
        mask = keywords["where"]
        state.trace.real(numpy.copyto, (target, source), keywords)
        new, mask = replaced((source, mask), _variable)
        return state.write(lambda x: fitted(x, formulas.where(mask, new, x)))
    target[...] = source
    return None


def _at(ufunc: Any, target: Any, key: Any, value: Any) -> None:
    state = target.clinch_state
    state.trace.real(ufunc.at, (target, key, value), {})
    key, value = replaced((key, value), _variable)
    state.write(lambda x: inc_subtensor(
        index(x, key), value if ufunc is numpy.add else -as_array(value)))


def _fill_diagonal(array: Any, value: Any) -> None:
    if array.ndim != 2 or numpy.ndim(_values(value)):
        array.clinch_state.trace.refuse("numpy.fill_diagonal is for matrices and numbers")
    places = numpy.arange(min(array.shape))
    array[places, places] = value


def _putmask(array: Any, mask: Any, value: Any) -> None:
    if numpy.ndim(_values(value)):
        array.clinch_state.trace.refuse("numpy.putmask is for numbers")
    array[mask] = value


def _values(value: Any) -> Any:
    return replaced(value, _value)


_CHANGES: dict[Any, Any] = {numpy.copyto: _copyto, numpy.fill_diagonal: _fill_diagonal,
            numpy.putmask: _putmask}

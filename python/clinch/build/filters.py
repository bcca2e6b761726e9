"""Filters the values of arguments before compiled code sees them."""

from __future__ import annotations

import sys

import numpy

from .. import _clinch
from ..base.annotations import Any
from ..types.array_type import TensorType
from ..graph.variables import own
from ..types.scalars import Double, Scalar

_arrays_known = _clinch.check_array_layout(numpy.zeros((2, 3)))


def quick_check(variable_type: Any) -> Any:
    """Returns the (class, (dtype, shape)) of values that need no filter. The
    extension compares with these before it calls the Type's filter."""
    cls = type(variable_type)
    if not {"filter", "filter_inplace"}.isdisjoint(
            getattr(variable_type, "__dict__", ())):
        return None, None
    if cls is Double:
        return float, None
    if cls is Scalar:
        return variable_type._class, None
    if cls is TensorType and _arrays_known and not variable_type.contiguous:
        return numpy.ndarray, (variable_type.numpy_dtype, variable_type.shape)
    return None, None


def filter_of(variable_type: Any, strict: bool = False,
              allow_downcast: bool | None = None) -> Any:
    """Returns a callable(value) that does what an `In` asks of the Type."""
    options = {}
    if strict:
        options["strict"] = True
    if allow_downcast is not None:
        options["allow_downcast"] = allow_downcast
    inplace = getattr(variable_type, "filter_inplace", None)
    if inplace is not None:
        return _reusing(inplace, options)
    plain = variable_type.filter
    return (lambda value: plain(value, **options)) if options else plain


def _sole() -> int:
    """Returns the reference count of what only a local variable holds."""
    old = [object()].pop()
    return sys.getrefcount(old)


_SOLE = _sole()


def _reusing(inplace: Any, options: dict[str, Any]) -> Any:
    """Returns a filter that gives `filter_inplace` what it made for the last call,
    once nobody else has that any more."""
    made: list[Any] = []

    def reuse(value: Any) -> Any:
        old = made.pop() if made else None
        if sys.getrefcount(old) > _SOLE:
            old = None
        new = inplace(value, old, **options)
        del old
        if own(new, value) is new and new is not value:
            made[:] = [new]
        return new
    return reuse

"""Converts between dtypes."""

from __future__ import annotations

import numpy

from ..base.annotations import Any
from ..ops.generic_ops import Cast
from .elemwise import Elemwise
from .operands import as_operand, is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


def astype(x: Any, dtype: str | None, copy: bool = True) -> Variable:
    """Converts an array to another dtype; returns it unchanged if it has that. A
    function gives its caller memory of his own, whatever `copy` is."""
    x = as_operand(x)
    dtype = numpy.dtype(dtype).name
    if x.type.dtype == dtype and not is_number(x):
        return x
    return Elemwise(Cast(dtype))(x)

"""Ops whose C calls NumPy's C API: they make or view arrays, or compute what
NumPy does at full speed."""

from __future__ import annotations

import operator

import numpy

from ..base.annotations import Any, Version
from ..graph.variables import Constant, Variable
from ..ops.op import COp
from ..types.scalars import scalars
from .operands import array_constant, is_number, ndim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply


class ApiOp(COp):
    """An Op whose one output is the value of a C expression."""

    #: The version of the hooks' text, a part of the cache key.
    version = 1

    def c_headers(self, c_compiler: Any = None) -> list[str]:
        return ["<numpy/arrayobject.h>"]

    def c_support_code(self, **kwargs: Any) -> list[str]:
        return ["#include <clinch/array_of.h>"]

    def c_init_code(self, **kwargs: Any) -> list[str]:
        return ["import_array();"]

    def c_code_cache_version(self) -> Version:
        return (type(self).__name__, self.version)

    def result(self, node: Apply, output: str, expression: str, fail: str,
               cleanup: str = "") -> str:
        """Returns C that stores the new reference `expression` in the output."""
        made = node.outputs[0].type
        typenum = numpy.dtype(made.dtype).num
        put = (f"clinch_put_array(&{output}, (PyObject *)({expression}), {typenum}, "
               f"{made.ndim})")
        return (f"int clinch_failed = {put};\n{cleanup}if (clinch_failed)\n{fail}"
                if cleanup else f"if ({put})\n{fail}")


def as_integer(value: Any) -> Variable:
    """Returns an integer operand: an integer Variable, or a constant."""
    if isinstance(value, Variable):
        dtype = getattr(value.type, "dtype", None)
        if ndim(value) != 0 or dtype not in scalars \
                or numpy.dtype(dtype).kind not in "iu":
            raise TypeError(f"{value!r} of type {value.type} is no whole "
                            f"number")
        return value
    return array_constant(numpy.int64(operator.index(value)))


def known(variable: Variable) -> Any:
    """Returns the value of a constant, or None for another Variable."""
    if isinstance(variable, Constant):
        return numpy.asarray(variable.data)[()]
    return None


def integer_text(variable: Any, name: str) -> str:
    """Returns the C expression of an operand from `as_integer`."""
    value = known(variable)
    if value is not None:
        return f"((npy_intp)({int(value)}ll))"
    if is_number(variable):
        return f"((npy_intp){name})"
    item = scalars[variable.type.dtype].c_element_type()
    return f"((npy_intp)*({item} *)PyArray_DATA({name}))"


def integer_value(value: Any) -> int:
    return int(numpy.asarray(value)[()])

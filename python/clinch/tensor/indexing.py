"""x[...], and copies of x with other items there. NumPy does the work, and
raises the errors of a call.
"""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Iterable, Iterator, Mapping, Sequence
from ..types.array_type import TensorType
from ..graph.variables import Apply
from ..types.type import what
from .api import ApiOp, integer_text, integer_value
from .casts import astype
from .keys import (ARRAY, INTEGER, NEW, REST, is_basic, is_integer, parse,
                   shape_of_index)
from .operands import as_array, check_fits, shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


class Keyed(ApiOp):
    """An Op with a key: its parts, and the inputs that complete it."""

    parts: tuple[Any, ...]

    def _filled(self, values: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yields each part of the key, and the number, array or three numbers there."""
        given = iter(values)
        for part in self.parts:
            if isinstance(part, tuple):
                yield part, [there[0] if isinstance(there, tuple) else
                             next(given) if there else None for there in part]
            else:
                yield part, next(given) if part in (INTEGER, ARRAY) else part
        if is_basic(self.parts) and REST not in self.parts:
            yield REST, None  # Otherwise NumPy would return a number, not an array.

    def _key_text(self, names: Sequence[str], variables: Sequence[Variable]) -> str:
        """Returns C that makes the key, a tuple, or NULL with an exception."""
        def number(value: Any) -> str:
            return value if isinstance(value, str) else f"(npy_intp){value}ll"

        letters, items = "", []
        for part, value in self._filled([integer_text(v, name) if is_integer(v) else name
                                         for v, name in zip(variables, names)]):
            letters += ("N" if isinstance(part, tuple) else
                        "O" if part in (NEW, REST, ARRAY) else "n")
            if isinstance(part, tuple):
                ends = ["NULL" if n is None else f"PyLong_FromSsize_t({number(n)})"
                        for n in value]
                items.append(f"clinch_slice({', '.join(ends)})")
            else:
                items.append({NEW: "Py_None", REST: "Py_Ellipsis"}.get(part)
                             or number(value))
        return ", ".join([f'Py_BuildValue("({letters})"', *items]) + ")"

    def c_support_code(self, **kwargs: Any) -> list[str]:
        return [*super().c_support_code(), "#include <clinch/slice.h>"]

    def _key(self, values: Sequence[Any]) -> Any:
        """Returns the key in Python."""
        key: list[Any] = []
        for part, value in self._filled(values):
            if isinstance(part, tuple):
                key.append(slice(*[None if n is None else integer_value(n)
                                   for n in value]))
            elif part in (NEW, REST):
                key.append(None if part == NEW else Ellipsis)
            else:
                key.append(value if part == ARRAY else integer_value(value))
        return tuple(key)

    def _said(self) -> str:
        said = [":".join(str(*there) if isinstance(there, tuple) else "i" * there
                         for there in part) if isinstance(part, tuple)
                else "i" if part == INTEGER else str(part) for part in self.parts]
        return f"[{', '.join(said)}]"


class Index(Keyed):
    """x[...]; a view if NumPy gives one."""

    __props__ = ("parts",)
    gives_numbers = True

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)
        self.view_map = {0: [0]} if is_basic(self.parts) else {}

    def make_node(self, x: Any, *values: Any) -> Apply:
        x = as_array(x)
        shape = shape_of_index(x, self.parts, values)
        return Apply(self, [x, *values], [TensorType(x.type.dtype, shape)()])

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        key = self._key_text(inputs[1:], node.inputs[1:])
        return self.result(node, outputs[0], f"clinch_item({inputs[0]}, {key})",
                           sub["fail"])

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        made = numpy.asarray(inputs[0][self._key(inputs[1:])])
        output_storage[0][0] = made

    def __str__(self) -> str:
        return f"Index{self._said()}"


class SetIndex(Keyed):
    """Copies x and sets x[...], or adds to it if `increment`; if `inplace`, it
    changes x itself."""

    __props__ = ("parts", "increment", "inplace")

    def __init__(self, parts: Sequence[Any], increment: bool = False,
                 inplace: bool = False) -> None:
        self.parts = tuple(parts)
        self.increment, self.inplace = bool(increment), bool(inplace)
        self.destroy_map = {0: [0]} if inplace else {}

    def make_node(self, x: Any, y: Any, *values: Any) -> Apply:
        x = as_array(x)
        y = astype(as_array(y), x.type.dtype)
        check_fits(shape_of(y), shape_of_index(x, self.parts, values))
        return Apply(self, [x, y, *values], [x.type()])

    def c_support_code(self, **kwargs: Any) -> list[str]:
        return [*super().c_support_code(), "#include <clinch/add_at.h>"]

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        x, y, z = inputs[0], inputs[1], outputs[0]
        made = (f"(PyArrayObject *)Py_NewRef((PyObject *){x})" if self.inplace
                else f"(PyArrayObject *)PyArray_NewCopy({x}, NPY_KEEPORDER)")
        call = ("clinch_add_at" if self.increment else "PyObject_SetItem")
        return f"""PyObject *key = {self._key_text(inputs[2:], node.inputs[2:])};
PyArrayObject *made = key ? {made} : NULL;
int failed = !made || {call}((PyObject *)made, key, (PyObject *){y}) < 0;
Py_XDECREF(key);
if (failed) {{
Py_XDECREF(made);
{sub['fail']}
}}
Py_XDECREF({z});
{z} = made;"""

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        made = inputs[0] if self.inplace else inputs[0].copy()
        key = self._key(inputs[2:])
        if self.increment:
            numpy.add.at(made, key, inputs[1])
        else:
            made[key] = inputs[1]
        output_storage[0][0] = made

    def __str__(self) -> str:
        how = "Increment" if self.increment else "Set"
        return f"{how}Index{self._said()}"


def index(x: Any, key: Any) -> Variable:
    """Returns x[key] as a Variable."""
    x = as_array(x)
    parts, inputs = parse(x, key)
    return Index(parts)(x, *inputs)


def _changed(place: Any, y: Any, increment: bool, inplace: bool) -> Variable:
    node = getattr(place, "owner", None)
    if node is None or not isinstance(node.op, Index):
        raise TypeError(f"the place to change is an index, as in "
                        f"set_subtensor(x[1:], y); it is {what(place)}")
    return SetIndex(node.op.parts, increment, inplace)(
        node.inputs[0], y, *node.inputs[1:])


def set_subtensor(place: Any, y: Any, inplace: bool = False) -> Variable:
    """Returns a copy of x with y at `place`, which is x[...]; if `inplace`, x
    itself."""
    return _changed(place, y, False, inplace)


def inc_subtensor(place: Any, y: Any, inplace: bool = False) -> Variable:
    """Returns a copy of x with y added at `place`, which is x[...]; if `inplace`,
    x itself. An item that the key names twice gets both."""
    return _changed(place, y, True, inplace)

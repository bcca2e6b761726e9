"""x[...], and copies of x with other items there. NumPy does the work, and
raises the errors of a call.
"""

from __future__ import annotations

import numpy

from ..annotations import Any, Mapping, Sequence
from ..array_type import TensorType
from ..graph import Apply
from ..type import what
from .api import ApiOp, integer_text, integer_value
from .casts import astype
from .keys import ARRAY, INTEGER, NEW, REST, is_basic, parse, shape_of_index
from .operands import as_array, check_fits, shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph import Variable


class Keyed(ApiOp):
    """An Op with a key: its parts, and the inputs that complete it."""

    parts: tuple[Any, ...]

    def _key_text(self, node: Apply, names: Sequence[str],
                  variables: Sequence[Variable]) -> str:
        """Returns C that makes the tuple `key`, or NULL with an exception."""
        values = iter(zip(variables, names))
        parts = list(self.parts)
        if is_basic(parts) and REST not in parts:
            parts.append(REST)  # Otherwise NumPy would return a number, not an array.
        items = []
        for part in parts:
            if part in (NEW, REST):
                items.append("Py_NewRef(Py_None)" if part == NEW
                             else "Py_NewRef(Py_Ellipsis)")
            elif part == ARRAY:
                items.append(f"Py_NewRef((PyObject *){next(values)[1]})")
            elif part == INTEGER:
                items.append(f"PyLong_FromSsize_t({integer_text(*next(values))})")
            else:
                ends = [f"PyLong_FromSsize_t({integer_text(*next(values))})"
                        if there else "NULL" for there in part]
                items.append(f"clinch_slice({', '.join(ends)})")
        lines = [f"PyObject *key = PyTuple_New({len(items)});"]
        lines += [f"if (key) PyTuple_SET_ITEM(key, {k}, {item});"
                  for k, item in enumerate(items)]
        return "\n".join(lines) + "\n"

    def c_support_code(self, **kwargs: Any) -> list[str]:
        return [*super().c_support_code(), "#include <clinch/slice.h>"]

    def _key(self, values: Sequence[Any]) -> Any:
        """Returns the key in Python."""
        given = iter(values)
        key: list[Any] = []
        for part in self.parts:
            if part in (NEW, REST):
                key.append(None if part == NEW else Ellipsis)
            elif part == ARRAY:
                key.append(next(given))
            elif part == INTEGER:
                key.append(integer_value(next(given)))
            else:
                key.append(slice(*[integer_value(next(given)) if there
                                   else None for there in part]))
        if is_basic(self.parts) and Ellipsis not in key:
            key.append(Ellipsis)
        return tuple(key)

    def _said(self) -> str:
        said = [":".join("i" if there else "" for there in part)
                if isinstance(part, tuple) else "i" if part == INTEGER
                else part for part in self.parts]
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
        return self._key_text(node, inputs[1:], node.inputs[1:]) + self.result(
            node, outputs[0],
            f"key ? PyObject_GetItem((PyObject *){inputs[0]}, key) : NULL",
            sub["fail"], "Py_XDECREF(key);\n")

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
        return self._key_text(node, inputs[2:], node.inputs[2:]) + f"""
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

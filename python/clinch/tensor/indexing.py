"""x[...]: integers, slices, None, Ellipsis, arrays of integers, masks.

The key is known when the graph is made but for the numbers and arrays in it,
which are inputs. NumPy does the rest, and says what is wrong.
"""

import operator

import numpy

from ..graph import Apply, Variable
from ..type import what
from .api import ApiOp, as_integer, integer_text, integer_value, known
from .operands import (array_constant, as_array, as_operand, check_fits,
                       ndim, shape_of)
from .type import TensorType

# What a part of a key is: an integer, None, Ellipsis, an array; or a tuple of
# three that says which parts of a slice there are.
INTEGER, NEW, REST, ARRAY = "integer", "None", "...", "array"


def parse(x, key):
    """(parts, inputs) of a key for an array of x's dimensions."""
    parts, inputs = [], []
    for item in key if isinstance(key, tuple) else (key,):
        if item is None or item is Ellipsis:
            parts.append(NEW if item is None else REST)
        elif isinstance(item, slice):
            ends = (item.start, item.stop, item.step)
            parts.append(tuple(end is not None for end in ends))
            inputs += [as_integer(end) for end in ends if end is not None]
        else:
            value = _value(item)
            parts.append(INTEGER if _is_integer(value) else ARRAY)
            inputs.append(value)
    if parts.count(REST) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    _check_count(x, parts, inputs)
    return tuple(parts), inputs


def _value(item):
    """An integer, or an array of integers or truth values, as a Variable."""
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


def _no_index(value=None):
    if value is not None and ndim(value):
        return IndexError("arrays used as indices must be of integer (or "
                          "boolean) type")
    return IndexError("only integers, slices (`:`), ellipsis (`...`), "
                      "numpy.newaxis (`None`) and integer or boolean arrays "
                      "are valid indices")


def _is_integer(value):
    return ndim(value) == 0 and numpy.dtype(value.type.dtype).kind in "iu"


def _is_mask(value):
    return numpy.dtype(value.type.dtype).kind == "b"


def _consumed(parts, inputs):
    """The dimensions that each part takes."""
    values = iter(inputs)
    for part in parts:
        if part in (NEW, REST):
            yield 0
        elif part in (INTEGER, ARRAY):
            value = next(values)
            yield ndim(value) if _is_mask(value) else 1
        else:
            for _ in range(sum(part)):
                next(values)
            yield 1


def _check_count(x, parts, inputs):
    count = sum(_consumed(parts, inputs))
    if count > ndim(x):
        raise IndexError(f"too many indices for array: array is "
                         f"{ndim(x)}-dimensional, but {count} were indexed")


def _is_basic(parts):
    return ARRAY not in parts


def _shape(x, parts, inputs):
    """The static shape of x[...]."""
    rest = ndim(x) - sum(_consumed(parts, inputs))
    if not _is_basic(parts):
        return (None,) * _advanced_ndim(parts, inputs, rest)
    lengths, shape, values = iter(x.type.shape), [], iter(inputs)
    at_end = parts if REST in parts else (*parts, REST)
    for part in at_end:
        if part == REST:
            shape += [next(lengths) for _ in range(rest)]
        elif part == NEW:
            shape.append(1)
        elif part == INTEGER:
            _check_index(known(next(values)), len(shape), next(lengths))
        else:
            ends = [known(next(values)) if there else None for there in part]
            unknown = any(there and end is None
                          for there, end in zip(part, ends))
            length = next(lengths)
            if part == (False, False, False):
                shape.append(length)
            elif unknown or length is None:
                shape.append(None)
            else:
                shape.append(len(range(*slice(*map(_plain, ends)).indices(
                    length))))
    return tuple(shape)


def _plain(value):
    return None if value is None else int(value)


def _check_index(index, axis, length):
    if index is not None and length is not None \
            and not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {axis} "
                         f"with size {length}")


def _advanced_ndim(parts, inputs, rest):
    """Arrays are broadcast to dimensions that come instead of theirs."""
    together, others, values = 0, rest, iter(inputs)
    for part in parts:
        if part == NEW:
            others += 1
        elif part in (INTEGER, ARRAY):
            value = next(values)
            if part == ARRAY:
                together = max(together, 1 if _is_mask(value) else ndim(value))
        elif part != REST:
            for _ in range(sum(part)):
                next(values)
            others += 1
    return together + others


class Keyed(ApiOp):
    """An Op with a key: its parts, and the inputs that complete it."""

    def _key_text(self, node, names, variables):
        """C that makes `key`, a tuple, or NULL with an exception."""
        values = iter(zip(variables, names))
        parts = list(self.parts)
        if _is_basic(parts) and REST not in parts:
            parts.append(REST)  # Or a number would come out of an array.
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

    def c_support_code(self, **kwargs):
        return [*super().c_support_code(), """
#ifndef CLINCH_SLICE
#define CLINCH_SLICE
static inline PyObject *clinch_slice(PyObject *start, PyObject *stop,
                                     PyObject *step) {
  PyObject *made = PySlice_New(start, stop, step);
  Py_XDECREF(start);
  Py_XDECREF(stop);
  Py_XDECREF(step);
  return made;
}
#endif
"""]

    def _key(self, values):
        """The key, in Python."""
        values, key = iter(values), []
        for part in self.parts:
            if part in (NEW, REST):
                key.append(None if part == NEW else Ellipsis)
            elif part == ARRAY:
                key.append(next(values))
            elif part == INTEGER:
                key.append(integer_value(next(values)))
            else:
                key.append(slice(*[integer_value(next(values)) if there
                                   else None for there in part]))
        if _is_basic(self.parts) and Ellipsis not in key:
            key.append(Ellipsis)
        return tuple(key)

    def _said(self):
        said = [":".join("i" if there else "" for there in part)
                if isinstance(part, tuple) else "i" if part == INTEGER
                else part for part in self.parts]
        return f"[{', '.join(said)}]"


class Index(Keyed):
    """x[...]; a view where NumPy gives one."""

    __props__ = ("parts",)

    def __init__(self, parts):
        self.parts = tuple(parts)
        self.view_map = {0: [0]} if _is_basic(self.parts) else {}

    def make_node(self, x, *values):
        x = as_array(x)
        shape = _shape(x, self.parts, values)
        return Apply(self, [x, *values], [TensorType(x.type.dtype, shape)()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self._key_text(node, inputs[1:], node.inputs[1:]) + self.result(
            node, outputs[0],
            f"key ? PyObject_GetItem((PyObject *){inputs[0]}, key) : NULL",
            sub["fail"], "Py_XDECREF(key);\n")

    def perform(self, node, inputs, output_storage):
        made = numpy.asarray(inputs[0][self._key(inputs[1:])])
        output_storage[0][0] = made

    def __str__(self):
        return f"Index{self._said()}"


class SetIndex(Keyed):
    """A copy of x with other items at x[...]; `increment`: with more added.
    inplace: x itself."""

    __props__ = ("parts", "increment", "inplace")

    def __init__(self, parts, increment=False, inplace=False):
        self.parts = tuple(parts)
        self.increment, self.inplace = bool(increment), bool(inplace)
        self.destroy_map = {0: [0]} if inplace else {}

    def make_node(self, x, y, *values):
        x = as_array(x)
        from .casts import astype
        y = astype(as_array(y), x.type.dtype)
        check_fits(shape_of(y), _shape(x, self.parts, values))
        return Apply(self, [x, y, *values], [x.type()])

    def c_support_code(self, **kwargs):
        return [*super().c_support_code(), """
#ifndef CLINCH_ADD_AT
#define CLINCH_ADD_AT
/* x[key] += y, where a key may name an item more than once. */
static inline int clinch_add_at(PyObject *x, PyObject *key, PyObject *y) {
  PyObject *numpy = PyImport_ImportModule("numpy");
  PyObject *add = numpy ? PyObject_GetAttrString(numpy, "add") : NULL;
  PyObject *done = add ? PyObject_CallMethod(add, "at", "OOO", x, key, y)
                       : NULL;
  Py_XDECREF(numpy);
  Py_XDECREF(add);
  Py_XDECREF(done);
  return done ? 0 : -1;
}
#endif
"""]

    def c_code(self, node, name, inputs, outputs, sub):
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

    def perform(self, node, inputs, output_storage):
        made = inputs[0] if self.inplace else inputs[0].copy()
        key = self._key(inputs[2:])
        if self.increment:
            numpy.add.at(made, key, inputs[1])
        else:
            made[key] = inputs[1]
        output_storage[0][0] = made

    def __str__(self):
        how = "Increment" if self.increment else "Set"
        return f"{how}Index{self._said()}"


def index(x, key):
    """x[key], a Variable."""
    x = as_array(x)
    parts, inputs = parse(x, key)
    return Index(parts)(x, *inputs)


def _changed(place, y, increment, inplace):
    node = getattr(place, "owner", None)
    if node is None or not isinstance(node.op, Index):
        raise TypeError(f"the place to change is an index, as in "
                        f"set_subtensor(x[1:], y); it is {what(place)}")
    return SetIndex(node.op.parts, increment, inplace)(
        node.inputs[0], y, *node.inputs[1:])


def set_subtensor(place, y, inplace=False):
    """A copy of x with y at `place`, which is x[...]; or x itself."""
    return _changed(place, y, False, inplace)


def inc_subtensor(place, y, inplace=False):
    """The same, with y added to what is there; an item that the key names
    twice gets both."""
    return _changed(place, y, True, inplace)

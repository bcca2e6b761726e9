"""Indexes arrays by arrays of integers: items by a loop, all else with NumPy's own
functions."""

import json

import pytensor.tensor.subtensor as subtensor

from clinch.pytensor.native.arrays import FLOATS, ArrayOp
from clinch.pytensor.native.op import are_tensors
from clinch.pytensor.registry import register

#: Makes the tuple of indices that NumPy's functions take.
_TUPLE = """
  PyObject *indices = PyTuple_Pack({count}, {names});
  if (!indices)
    {fail}
"""


class Taken(ArrayOp):
    """`x[i, j, ...]`."""

    file = "indices.c"

    #: How many items the loop takes at most; -1 for any number.
    most = "-1"

    def c_code(self, node, name, inputs, outputs, sub):
        x, *indices = inputs
        otherwise = self._otherwise(node, name, inputs, outputs, sub)
        if not _are_picked(node.inputs[0], node.inputs[1:]):
            return f"{{{otherwise}}}"
        return f"""{{
  PyArrayObject *places[] = {{{", ".join(indices)}}};
  int taken = clinchTake({x}, {len(indices)}, places, {self.most}, &{outputs[0]});
  if (taken < 0)
    {sub["fail"]}
  if (!taken) {{{otherwise}  }}
}}"""

    def _otherwise(self, node, name, inputs, outputs, sub):
        x, *indices = inputs
        (z,) = outputs
        return f"""{_tuple(indices, sub)}
  PyObject *taken = PyObject_GetItem((PyObject *){x}, indices);
  Py_DECREF(indices);
  if (!taken)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = (PyArrayObject *)taken;
"""


class FewTaken(Taken):
    """`x[i]`, for which PyTensor has C, too: the loop for few items."""

    most = "ClinchFew"

    def _otherwise(self, *arguments):
        return self.original.c_code(*arguments)


class Changed(ArrayOp):
    """`x[i, j, ...] = y`, `+= y`, or `numpy.add.at`."""

    file = "indices.c"

    def c_support_code_struct(self, node, name):
        return f"PyObject *addAt_{name};"

    def c_init_code_struct(self, node, name, sub):
        return f"""
  addAt_{name} = nullptr;
  {{
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *add = numpy ? PyObject_GetAttrString(numpy, "add") : nullptr;
    addAt_{name} = add ? PyObject_GetAttrString(add, "at") : nullptr;
    Py_XDECREF(add);
    Py_XDECREF(numpy);
  }}
  if (!addAt_{name})
    {sub["fail"]}
"""

    def c_cleanup_code_struct(self, node, name):
        return f"Py_XDECREF(addAt_{name});"

    def c_code(self, node, name, inputs, outputs, sub):
        x, y, *indices = inputs
        (z,) = outputs
        if self.original.inplace:
            own = f"Py_INCREF({x});\n  PyArrayObject *whole = {x};"
        else:
            own = f"PyArrayObject *whole = (PyArrayObject *)PyArray_NewCopy({x}, NPY_CORDER);"
        return f"""{{
  {self._broadcast(node, inputs, sub)}{own}
  if (!whole)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = whole;
  {self._by_loop(node, y, indices)}{_tuple(indices, sub)}
  int failed = 0;
  {self._change(name, y)}
  Py_DECREF(indices);
  if (failed)
    {sub["fail"]}
  }}
}}"""

    def _by_loop(self, node, y, names):
        """Returns a loop over the items, and the beginning of what else is done."""
        array, values, *indices = node.inputs
        if not _are_picked(array, indices) or not self._can_loop(array, values, indices):
            return "{"
        adds = int(not self.original.set_instead_of_inc)
        return f"""PyArrayObject *places[] = {{{", ".join(names)}}};
  if (!clinchPut(whole, {len(names)}, places, {y}, {adds})) {{"""

    def _can_loop(self, array, values, indices):
        """Whether the loop sets what is picked to `values` or adds these."""
        if array.type.dtype != values.type.dtype:
            return False
        if values.type.ndim not in (0, 1 + array.type.ndim - len(indices)):
            return False
        if self.original.set_instead_of_inc:
            return True
        # One by one, as `numpy.add.at` does it.
        one_by_one = not getattr(self.original, "ignore_duplicates", False)
        return one_by_one and array.type.dtype in FLOATS

    def _broadcast(self, node, inputs, sub):
        """Returns a check of PyTensor's: if a vector is the only index, it refuses a `y`
        that turns out at run time to be broadcast."""
        x, y, *indices = inputs
        told = getattr(self.original, "_runtime_broadcast_error_msg", None)
        if told is None or len(indices) != 1 or node.inputs[2].type.ndim != 1:
            return ""
        x_ndim, y_ndim = (v.type.ndim for v in node.inputs[:2])
        fixed = node.inputs[1].type.broadcastable
        count = f"PyArray_DIM({indices[0]}, 0)"
        # `AdvancedIncSubtensor1` compares with what is changed, along its first axis, too.
        older = _is_one(self.original)
        conditions = []
        if older and y_ndim and not fixed[0]:
            conditions.append(f"(PyArray_DIM({y}, 0) == 1 && {count} != 1)")
        for back in range(1, min(x_ndim, y_ndim) + 1):
            if fixed[-back]:
                continue
            axis = x_ndim - back
            size = f"PyArray_DIM({x}, {axis})" if axis or older else count
            conditions.append(f"(PyArray_DIM({y}, {y_ndim - back}) == 1 && {size} != 1)")
        if not conditions:
            return ""
        return f"""if ({" || ".join(conditions)}) {{
    PyErr_SetString(PyExc_ValueError, {json.dumps(told)});
    {sub["fail"]}
  }}
  """

    def _change(self, name, y):
        if self.original.set_instead_of_inc:
            return f"failed = PyObject_SetItem((PyObject *)whole, indices, (PyObject *){y});"
        if not getattr(self.original, "ignore_duplicates", False):
            return f"""PyObject *none = PyObject_CallFunctionObjArgs(
      addAt_{name}, (PyObject *)whole, indices, (PyObject *){y}, nullptr);
  failed = !none;
  Py_XDECREF(none);"""
        return f"""PyObject *part = PyObject_GetItem((PyObject *)whole, indices);
  PyObject *sum = part ? PyNumber_InPlaceAdd(part, (PyObject *){y}) : nullptr;
  failed = !sum || PyObject_SetItem((PyObject *)whole, indices, sum);
  Py_XDECREF(sum);
  Py_XDECREF(part);"""


def _are_picked(array, indices):
    """Whether the indices pick items of `array`, or rows."""
    return array.type.ndim - len(indices) in (0, 1) and all(
        v.type.ndim == 1 and v.type.dtype != "uint64" for v in indices
    )


def _is_one(op):
    """Whether it is the Op of one vector as index, before PyTensor 3.3."""
    return isinstance(op, getattr(subtensor, "AdvancedIncSubtensor1", ()))


def _tuple(indices, sub):
    names = ", ".join(f"(PyObject *){i}" for i in indices)
    return _TUPLE.format(count=len(indices), names=names, fail=sub["fail"])


def for_indices(node):
    takes = not hasattr(node.op, "set_instead_of_inc")
    arrays = node.inputs[:1] if takes else node.inputs[:2]
    indices = node.inputs[len(arrays) :]
    if not are_tensors(*node.inputs) or not indices:
        return None
    # Masks and slices are not handled here.
    if any(v.type.ndim == 0 or v.type.dtype[:3] not in ("int", "uin") for v in indices):
        return None
    wanted = getattr(node.op, "idx_list", None)
    if wanted is not None and tuple(wanted) != tuple(range(len(indices))):
        return None
    return (Taken if takes else Changed)(node.op)


def for_few(node):
    """The same for a vector as the only index, where PyTensor has C, too."""
    picked = len(node.inputs) == 2 and node.inputs[1].type.ndim == 1
    op = for_indices(node) if picked else None
    return FewTaken(node.op) if op and _are_picked(node.inputs[0], node.inputs[1:]) else None


register(subtensor.AdvancedSubtensor, for_indices, quicker=for_few, version=5)
register(subtensor.AdvancedIncSubtensor, for_indices, version=5)
# Before PyTensor 3.3 there are Ops of one vector as index.
if hasattr(subtensor, "AdvancedSubtensor1"):
    register(subtensor.AdvancedSubtensor1, quicker=for_few, version=2)
    register(subtensor.AdvancedIncSubtensor1, for_indices, version=5)

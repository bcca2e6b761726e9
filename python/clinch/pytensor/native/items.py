"""The C of picking items by vectors of integers, one for each axis: a loop.

NumPy's own functions take what the loop cannot: an index that is out of bounds, lengths
that differ, arrays that share memory.
"""

#: Whether two arrays may share memory: whether the bytes between their first and last
#: items do.
SUPPORT = """
static bool clinchMayShare(PyArrayObject *a, PyArrayObject *b) {
  char *low[2], *high[2];
  PyArrayObject *arrays[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    low[i] = PyArray_BYTES(arrays[i]);
    high[i] = low[i] + PyArray_ITEMSIZE(arrays[i]);
    for (int axis = 0; axis < PyArray_NDIM(arrays[i]); ++axis) {
      npy_intp last = PyArray_DIM(arrays[i], axis) - 1;
      if (last < 0)
        return false;
      npy_intp way = last * PyArray_STRIDE(arrays[i], axis);
      (way < 0 ? low[i] : high[i]) += way;
    }
  }
  return low[0] < high[1] && low[1] < high[0];
}
"""

_AXIS = """
    at = *(npy_{dtype} *)PyArray_GETPTR1({index}, k);
    at += at < 0 ? PyArray_DIM({x}, {axis}) : 0;
    if (at < 0 || at >= PyArray_DIM({x}, {axis}))
      return nullptr;
    item += at * PyArray_STRIDE({x}, {axis});"""


def are_picked(array, indices):
    """Whether the indices pick items of `array`, and not rows."""
    return len(indices) == array.type.ndim and all(
        v.type.ndim == 1 and v.type.dtype != "uint64" for v in indices
    )


def find(x, names, indices):
    """Returns C that declares `count`, the number of items; `find(k)`, the address of
    item `k`; and `plain`, whether there is one for each `k`."""
    axes = "".join(
        _AXIS.format(dtype=v.type.dtype, index=name, x=x, axis=axis)
        for axis, (name, v) in enumerate(zip(names, indices, strict=True))
    )
    alike = "".join(f" && PyArray_DIM({name}, 0) == count" for name in names[1:])
    return f"""npy_intp count = PyArray_DIM({names[0]}, 0);
  auto find = [&](npy_intp k) -> char * {{
    char *item = PyArray_BYTES({x});
    npy_intp at;{axes}
    return item;
  }};
  bool plain = true{alike};
  for (npy_intp k = 0; plain && k < count; ++k)
    plain = find(k);
"""


def take(node, z, fail):
    """Returns C that makes `z` of the items."""
    dtype = f"npy_{node.outputs[0].type.dtype}"
    number = node.outputs[0].type.dtype_specs()[2]
    return f"""
    if (!{z} || PyArray_DIM({z}, 0) != count || !PyArray_ISCARRAY({z})) {{
      Py_XDECREF({z});
      {z} = (PyArrayObject *)PyArray_SimpleNew(1, &count, {number});
      if (!{z})
        {fail}
    }}
    for (npy_intp k = 0; k < count; ++k)
      (({dtype} *)PyArray_DATA({z}))[k] = *({dtype} *)find(k);"""


def can_change(op, array, values):
    """Whether the loop sets the items of `array` to `values` or adds these."""
    if array.type.dtype != values.type.dtype or values.type.ndim > 1:
        return False
    if op.set_instead_of_inc:
        return True
    # One by one, as `numpy.add.at` does it.
    return not op.ignore_duplicates and array.type.dtype in ("float32", "float64")


def fits(y, values, names):
    """Returns a condition: `y` has a value for each item, and shares no memory."""
    apart = [f"!clinchMayShare(whole, {name})" for name in (y, *names)]
    if values.type.ndim:
        apart.insert(0, f"(PyArray_DIM({y}, 0) == count || PyArray_DIM({y}, 0) == 1)")
    return " && ".join(apart)


def change(op, y, values):
    """Returns C that sets the items to `y`, or adds it."""
    dtype = f"npy_{values.type.dtype}"
    how = "=" if op.set_instead_of_inc else "+="
    step = f"PyArray_DIM({y}, 0) == 1 ? 0 : PyArray_STRIDE({y}, 0)"
    return f"""
    npy_intp step = {step if values.type.ndim else 0};
    for (npy_intp k = 0; k < count; ++k)
      *({dtype} *)find(k) {how} *({dtype} *)(PyArray_BYTES({y}) + k * step);"""

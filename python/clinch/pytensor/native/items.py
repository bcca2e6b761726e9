"""The C of picking items by vectors of integers, one for each axis, or rows by one
vector less: a loop.

NumPy's own functions take what the loop cannot: an index that is out of bounds, lengths
that differ, arrays that share memory.
"""

#: Up to so many items a loop is quicker than NumPy's functions, which need long to begin.
FEW = 500

#: The functions of all Ops that change parts of arrays: one text, for a function of the
#: same name in another Op's text would be another's.
SUPPORT = """
/* Returns whether two arrays may share memory: whether the bytes between their first and
   last items do. */
static inline bool clinchMayShare(PyArrayObject *a, PyArrayObject *b) {
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

/* Returns a copy of `x`, in the memory of `z` if it fits. */
static inline PyArrayObject *clinchCopy(PyArrayObject *x, PyArrayObject *y,
                                        PyArrayObject *z) {
  if (!z || !PyArray_ISCARRAY(z) || !PyArray_ISCARRAY_RO(x) ||
      !PyArray_SAMESHAPE(z, x) || clinchMayShare(z, x) || clinchMayShare(z, y))
    return (PyArrayObject *)PyArray_NewCopy(x, NPY_KEEPORDER);
  memcpy(PyArray_DATA(z), PyArray_DATA(x), PyArray_NBYTES(x));
  Py_INCREF(z);
  return z;
}

/* Sets a part of `whole` to `y`, or adds it, as NumPy does; returns whether it could. */
static inline bool clinchChangePart(PyArrayObject *whole, char *part, int axes,
                                    npy_intp *sizes, npy_intp *along,
                                    PyArrayObject *y, bool set) {
  PyArray_Descr *type = PyArray_DESCR(whole);
  Py_INCREF(type);
  PyArrayObject *view = (PyArrayObject *)PyArray_NewFromDescr(
      &PyArray_Type, type, axes, sizes, along, part, PyArray_FLAGS(whole), nullptr);
  if (!view)
    return false;
  bool changed;
  if (set) {
    changed = PyArray_CopyInto(view, y) == 0;
  } else {
    PyObject *sum = PyNumber_InPlaceAdd((PyObject *)view, (PyObject *)y);
    changed = sum;
    Py_XDECREF(sum);
  }
  Py_DECREF(view);
  return changed;
}
"""

_AXIS = """
    at = *(npy_{dtype} *)PyArray_GETPTR1({index}, k);
    at += at < 0 ? PyArray_DIM({x}, {axis}) : 0;
    if (at < 0 || at >= PyArray_DIM({x}, {axis}))
      return nullptr;
    item += at * PyArray_STRIDE({x}, {axis});"""


def are_picked(array, indices):
    """Whether the indices pick items of `array`, or rows."""
    return array.type.ndim - len(indices) in (0, 1) and all(
        v.type.ndim == 1 and v.type.dtype != "uint64" for v in indices
    )


def find(x, names, array, indices, condition="true"):
    """Returns C that declares `count`, how many are picked; `find(k)`, the address of
    number `k`; `plain`, whether the condition holds and there is one for each `k`; and of
    a row `width`, the number of its items, and `along`, the bytes from one to the next."""
    axes = "".join(
        _AXIS.format(dtype=v.type.dtype, index=name, x=x, axis=axis)
        for axis, (name, v) in enumerate(zip(names, indices, strict=True))
    )
    alike = "".join(f" && PyArray_DIM({name}, 0) == count" for name in names[1:])
    width, along = "1", "0"
    if array.type.ndim > len(indices):
        width, along = (f"PyArray_{what}({x}, {len(indices)})" for what in ("DIM", "STRIDE"))
    return f"""npy_intp count = PyArray_DIM({names[0]}, 0);
  npy_intp width = {width}, along = {along};
  auto find = [&](npy_intp k) -> char * {{
    char *item = PyArray_BYTES({x});
    npy_intp at;{axes}
    return item;
  }};
  bool plain = {condition}{alike};
  for (npy_intp k = 0; plain && k < count; ++k)
    plain = find(k);
"""


def take(node, z, fail):
    """Returns C that makes `z` of what is picked."""
    type = node.outputs[0].type
    dtype, number = f"npy_{type.dtype}", type.dtype_specs()[2]
    same = "".join(
        f" || PyArray_DIM({z}, {axis}) != {size}"
        for axis, size in enumerate(("count", "width")[: type.ndim])
    )
    return f"""
    npy_intp sizes[] = {{count, width}};
    if (!{z}{same} || !PyArray_ISCARRAY({z})) {{
      Py_XDECREF({z});
      {z} = (PyArrayObject *)PyArray_SimpleNew({type.ndim}, sizes, {number});
      if (!{z})
        {fail}
    }}
    {dtype} *to = ({dtype} *)PyArray_DATA({z});
    for (npy_intp k = 0; k < count; ++k) {{
      char *item = find(k);
      for (npy_intp j = 0; j < width; ++j)
        *to++ = *({dtype} *)(item + j * along);
    }}"""


def can_change(op, array, values, indices):
    """Whether the loop sets what is picked to `values` or adds these."""
    if array.type.dtype != values.type.dtype:
        return False
    if values.type.ndim not in (0, 1 + array.type.ndim - len(indices)):
        return False
    if op.set_instead_of_inc:
        return True
    # One by one, as `numpy.add.at` does it.
    one_by_one = not getattr(op, "ignore_duplicates", False)
    return one_by_one and array.type.dtype in ("float32", "float64")


def fits(y, values, names):
    """Returns a condition: `y` has a value for each item, and shares no memory."""
    apart = [f"!clinchMayShare(whole, {name})" for name in (y, *names)]
    if values.type.ndim == 1:
        apart.insert(0, f"(PyArray_DIM({y}, 0) == count || PyArray_DIM({y}, 0) == 1)")
    elif values.type.ndim == 2:
        apart.insert(0, f"PyArray_DIM({y}, 0) == count && PyArray_DIM({y}, 1) == width")
    return " && ".join(apart)


def change(op, y, values):
    """Returns C that sets what is picked to `y`, or adds it."""
    dtype = f"npy_{values.type.dtype}"
    how = "=" if op.set_instead_of_inc else "+="
    step, next = "0", "0"
    if values.type.ndim:
        step = f"PyArray_DIM({y}, 0) == 1 ? 0 : PyArray_STRIDE({y}, 0)"
    if values.type.ndim == 2:
        next = f"PyArray_STRIDE({y}, 1)"
    return f"""
    npy_intp step = {step}, next = {next};
    for (npy_intp k = 0; k < count; ++k) {{
      char *item = find(k), *from = PyArray_BYTES({y}) + k * step;
      for (npy_intp j = 0; j < width; ++j)
        *({dtype} *)(item + j * along) {how} *({dtype} *)(from + j * next);
    }}"""

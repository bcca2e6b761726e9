"""`Join` of vectors: their bytes, one after another."""

from pytensor.graph.basic import Constant

from clinch.pytensor.native.items import SUPPORT
from clinch.pytensor.native.op import NativeOp, are_tensors


class Joined(NativeOp):
    """Vectors of one dtype, joined."""

    def c_support_code(self, **_):
        return SUPPORT

    def c_code(self, node, name, inputs, outputs, sub):
        (z,) = outputs
        item, number = node.outputs[0].type.dtype_specs()[1:]
        parts = [x for v, x in zip(node.inputs, inputs, strict=True) if v.type.ndim]
        return f"""{{
  PyArrayObject *parts[] = {{{", ".join(parts)}}};
  bool fits = {z} && PyArray_ISCARRAY({z});
  npy_intp count = 0;
  for (PyArrayObject *part : parts) {{
    count += PyArray_DIM(part, 0);
    fits = fits && !clinchMayShare({z}, part);
  }}
  if (!fits || PyArray_DIM({z}, 0) != count) {{
    Py_XDECREF({z});
    {z} = (PyArrayObject *)PyArray_SimpleNew(1, &count, {number});
    if (!{z})
      {sub["fail"]}
  }}
  {item} *to = ({item} *)PyArray_DATA({z});
  for (PyArrayObject *part : parts) {{
    npy_intp size = PyArray_DIM(part, 0), along = PyArray_STRIDE(part, 0);
    char *from = PyArray_BYTES(part);
    if (along == sizeof *to)
      memcpy(to, from, size * sizeof *to);
    else
      for (npy_intp k = 0; k < size; ++k)
        to[k] = *({item} *)(from + k * along);
    to += size;
  }}
}}"""


def for_join(node):
    vectors = node.inputs
    if not hasattr(node.op, "axis"):
        # Before PyTensor 3.3 the axis is an input, which need not be constant.
        axis, *vectors = node.inputs
        if not isinstance(axis, Constant):
            return None
    (z,) = node.outputs
    alike = are_tensors(z, *vectors) and all(v.type.dtype == z.type.dtype for v in vectors)
    return Joined(node.op) if alike and z.type.ndim == 1 else None

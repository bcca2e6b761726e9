"""`CumOp` of vectors: the loop that NumPy's function comes to."""

from clinch.pytensor.native.items import SUPPORT
from clinch.pytensor.native.op import NativeOp, are_tensors


class Cumulated(NativeOp):
    """The sums, or products, of the first 1, 2, ... items."""

    def c_support_code(self, **_):
        return SUPPORT

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        type = node.outputs[0].type
        dtype, number = f"npy_{type.dtype}", type.dtype_specs()[2]
        how = "+" if self.original.mode == "add" else "*"
        return f"""{{
  npy_intp count = PyArray_DIM({x}, 0);
  if (!{z} || PyArray_DIM({z}, 0) != count || !PyArray_ISCARRAY({z}) ||
      clinchMayShare({x}, {z})) {{
    Py_XDECREF({z});
    {z} = (PyArrayObject *)PyArray_SimpleNew(1, &count, {number});
    if (!{z})
      {sub["fail"]}
  }}
  {dtype} *to = ({dtype} *)PyArray_DATA({z});
  for (npy_intp k = 0; k < count; ++k) {{
    {dtype} item = *({dtype} *)PyArray_GETPTR1({x}, k);
    to[k] = k ? to[k - 1] {how} item : item;
  }}
}}"""


def for_cumulated(node):
    (x,) = node.inputs
    plain = are_tensors(x) and x.type.ndim == 1 and node.op.axis in (0, None)
    return Cumulated(node.op) if plain and x.type.dtype in ("float32", "float64") else None

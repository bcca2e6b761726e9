"""`Sum` of a vector: the loop of PyTensor's C, without NumPy's iterator around it."""

from clinch.pytensor.native.op import NativeOp


class Summed(NativeOp):
    """The sum of all items, in the order in which they are in memory."""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        item = node.inputs[0].type.dtype_specs()[1]
        _, made, number = node.outputs[0].type.dtype_specs()
        sum = f"npy_{_accumulated(self.original, node)}"
        return f"""{{
  if (!{z}) {{
    {z} = (PyArrayObject *)PyArray_SimpleNew(0, nullptr, {number});
    if (!{z})
      {sub["fail"]}
  }}
  npy_intp count = PyArray_DIM({x}, 0), along = PyArray_STRIDE({x}, 0);
  char *at = PyArray_BYTES({x});
  if (along < 0 && count) {{
    at += (count - 1) * along;
    along = -along;
  }}
  {sum} sum = 0;
  for (npy_intp k = 0; k < count; ++k, at += along)
    sum = sum + *({item} *)at;
  *({made} *)PyArray_DATA({z}) = sum;
}}"""


def _accumulated(op, node):
    return op.acc_dtype or node.outputs[0].type.dtype


def for_sum(node):
    op, (x,), (z,) = node.op, node.inputs, node.outputs
    floats = {x.type.dtype, z.type.dtype, _accumulated(op, node)} <= {"float32", "float64"}
    return Summed(op) if floats and x.type.ndim == 1 and z.type.ndim == 0 else None

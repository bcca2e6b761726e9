"""Reductions along one axis, of several results side by side, none of which waits for
another's last addition; each adds in the order of PyTensor's own loop.
"""

import functools
from types import SimpleNamespace

from pytensor.configdefaults import config
from pytensor.scalar.basic import Composite
from pytensor.tensor.elemwise import CAReduce

from clinch.integrations.pytensor.fused_text import ITEMS
from clinch.integrations.pytensor.small_text import identity, reduced, reduces
from clinch.integrations.pytensor.thunk import has_code
from clinch.integrations.pytensor.versions import altered

#: Beyond the last result are copies of it.
_LOOP = """
for (; left >= {least}; first += {width}, left -= {width}) {{
  const char *at[{width}];
  {result} *to[{width}], sums[{width}];
  bool joined = true;
  for (int k = 0; k < {width}; ++k) {{
    npy_intp place = first + (k < left ? k : left - 1), there = 0, here = 0;
    for (int d = {dims} - 1; d >= 0; --d) {{
      const npy_intp size = PyArray_DIM({z}, d), i = d ? place % size : place;
      there += i * PyArray_STRIDE({x}, d + (d >= {axis}));
      here += i * PyArray_STRIDE({z}, d);
      place = d ? place / size : 0;
    }}
    at[k] = PyArray_BYTES({x}) + there;
    to[k] = ({result} *)(PyArray_BYTES({z}) + here);
    sums[k] = {begin};
    joined = joined && at[k] == at[0] + k * sizeof({item});
  }}
  const auto add = [&](auto joined) {{
    for (npy_intp i = 0; i < length; ++i) {{
#pragma clang loop unroll(full)
      for (int k = 0; k < {width}; ++k) {{
        const char *from = joined ? at[0] + k * sizeof({item}) : at[k];
        const {item} x0 = *(const {item} *)(from + i * along);
        {result} &y0 = sums[k];
        {added}
      }}
    }}
  }};
  joined ? add(std::true_type()) : add(std::false_type());
  for (int k = 0; k < {width} && k < left; ++k)
    *to[k] = sums[k];
}}"""


def for_sums(node):
    """Returns the reduction with our loop, if it is along one axis and leaves another."""
    (x,), (z,), axes = node.inputs, node.outputs, node.op.axis
    fits = axes is not None and len(axes) == 1 < x.type.ndim and not config.openmp
    fits = fits and {x.type.dtype, z.type.dtype} <= set(ITEMS)
    fits = fits and getattr(node.op, "acc_dtype", None) in (None, z.type.dtype)
    if not fits or not reduces(node):
        return None
    return altered(node.op, _c_all=functools.partial(_side_by_side, node.op))


def from_identity(node):
    """Returns the Op of `node`; of a sum of a function of float16, which has no C, a copy
    whose `perform` begins with 0: PyTensor's takes the first item as it is."""
    op = node.op
    fused = isinstance(op, CAReduce) and isinstance(op.scalar_op, Composite)
    if not fused or has_code(node):
        return op
    begun = functools.partial(op.ufunc.reduce, initial=op.scalar_op.identity)
    return altered(op, _ufunc=SimpleNamespace(reduce=begun))


def _side_by_side(op, node, name, inputs, outputs, sub):
    declared, room, _, end = op._c_all(node, name, inputs, outputs, sub)
    (x,), (z,), (axis,) = inputs, outputs, op.axis
    item, result = (v.type.dtype_specs()[1] for v in (*node.inputs, *node.outputs))
    how = {"begin": identity(node), "added": reduced(node, name, sub), "axis": axis}
    how.update(x=x, z=z, item=item, result=result, dims=node.outputs[0].type.ndim)
    loops = "".join(_LOOP.format(width=w, least=n, **how) for w, n in ((16, 16), (4, 1)))
    text = f"""{{
  const npy_intp length = PyArray_DIM({x}, {axis}), along = PyArray_STRIDE({x}, {axis});
  npy_intp first = 0, left = PyArray_SIZE({z});{loops}
}}"""
    return declared, room, text, end

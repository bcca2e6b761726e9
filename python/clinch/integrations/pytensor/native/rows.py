"""Elemwise of matrices, and of more axes, in blocks that a loop goes through as vectors.

PyTensor's own loop has a step for each array. Where these differ, as with a transposed
matrix or one that is broadcast, Clang computes functions such as `exp` one by one.
"""

import re

from pytensor.configdefaults import config
from pytensor.tensor.elemwise import Elemwise

from clinch.integrations.pytensor.c_files import c_text
from clinch.integrations.pytensor.fused_text import ITEMS, may_fail, one_item
from clinch.integrations.pytensor.versions import altered

#: Functions that take so long that packing the items is quicker.
_FUNCTIONS = re.compile(r"\b(exp|log|pow|tanh|sinh?|cosh?|tan|erfc?|atan|tgamma)\w*\(")

#: Of so many arrays LLVM compares the steps with their items' sizes before PyTensor's loop,
#: and computes several items at once where these are equal; two comparisons for each are
#: its `-vectorize-scev-check-threshold`.
_MOST_COMPARED = 8

#: As many as `rows.c` has room for.
_MOST_DIMS = 8

_LOOP = """{{
  PyArrayObject *arrays[] = {{{arrays}}};
  enum {{ Count = sizeof arrays / sizeof *arrays }};
  npy_intp strides[Count][ClinchMostDims], first = 0;
  ClinchRows rows = {{0, Count, 0, 0, 0, 0, 0, {{}}, strides}};
  clinchBeginRows(&rows, {whole}, arrays);
  {begin}
  while (clinchNextBlock(&rows, &first)) {{
    {packed}
    const npy_intp length = rows.length;
#pragma clang loop vectorize(assume_safety)
    for (npy_intp k = 0; k != length; ++k) {{
      {taken}
      {computed}
      {stored}
    }}
    {back}
  }}
}}"""


class Rows(Elemwise):
    """An Elemwise with PyTensor's own checks and memory, and another loop."""

    def c_support_code(self, **how):
        own = c_text("native/arrays.c"), c_text("native/rows.c")
        return [*own, super().c_support_code(**how)]

    def _c_all(self, node, name, inputs, outputs, sub):
        declared, checked, made, _, end = super()._c_all(node, name, inputs, outputs, sub)
        return declared, checked, made, _loop(node, name, inputs, outputs, sub), end


def _loop(node, name, inputs, outputs, sub):
    parts = {key: [] for key in ("begin", "packed", "taken", "stored", "back")}
    arrays = []
    for i, (v, x) in enumerate(zip(node.inputs, inputs, strict=True)):
        item = v.type.dtype_specs()[1]
        if all(v.type.broadcastable):
            parts["begin"].append(f"const {item} x{i} = *(const {item} *)PyArray_DATA({x});")
            continue
        here = _room(parts, arrays, item, f"in{i}", x)
        parts["packed"].append(f"if (in{i} == room_in{i})\n  clinchPack({here}, 0);")
        parts["taken"].append(f"const {item} x{i} = in{i}[k];")
    for i, (v, z) in enumerate(zip(node.outputs, outputs, strict=True)):
        item = v.type.dtype_specs()[1]
        here = _room(parts, arrays, item, f"out{i}", z)
        parts["taken"].append(f"{item} y{i};")
        parts["stored"].append(f"out{i}[k] = y{i};")
        parts["back"].append(f"if (out{i} == room_out{i})\n  clinchPack({here}, 1);")
    return _LOOP.format(
        arrays=", ".join(arrays),
        whole=outputs[0],
        computed=one_item(node, name, sub),
        **{key: "\n".join(lines) for key, lines in parts.items()},
    )


def _room(parts, arrays, item, name, array):
    """Writes where the items of a block are; returns the arguments of `clinchPack`."""
    room = f"room_{name}"
    here = f"&rows, {len(arrays)}, PyArray_DATA({array}), sizeof({item}), {room}"
    arrays.append(array)
    parts["begin"].append(f"{item} {room}[ClinchBlock] __attribute__((uninitialized));")
    parts["packed"].append(f"{item} *{name} = ({item} *)clinchRoom({here});")
    return here


def for_rows(node):
    """Returns the Elemwise with our loop, where that is quicker."""
    first, variables = node.outputs[0], (*node.inputs, *node.outputs)
    many = len(variables) > _MOST_COMPARED
    least = 1 if many else 2
    fits = least <= first.type.ndim <= _MOST_DIMS and not all(first.type.broadcastable)
    fits = fits and all(v.type.dtype in ITEMS for v in variables) and not config.openmp
    if not fits or may_fail(node, one_item):
        return None
    plain = many and first.type.ndim == 1
    if not plain and not _FUNCTIONS.search(one_item(node, "probe", {"fail": ""})):
        return None
    return altered(node.op, __class__=Rows)

"""The base class of our Ops that stand for several applies of PyTensor's."""

import functools

import numpy as np
from pytensor.compile.mode import Mode
from pytensor.graph.basic import clone_get_equiv
from pytensor.link.c.type import generic

import pytensor
from clinch.pytensor.c_files import c_text
from clinch.pytensor.c_ops import COp


class JoinedOp(COp):
    """Its C computes what the applies do that `applies(inputs)` returns, in order, with
    their outputs. Where that cannot be, as with an index out of bounds, it calls its
    params with the inputs, which runs the Ops one by one and raises as they do."""

    params_type = generic

    def perform(self, node, inputs, outputs):
        order, made = self.applies(node.inputs)
        known = dict(zip(node.inputs, inputs, strict=True))
        for inner in order:
            inner.op.prepare_node(inner, None, None, "py")
            cells = [[None] for _ in inner.outputs]
            inner.op.perform(inner, [known[v] for v in inner.inputs], cells)
            known.update(zip(inner.outputs, (cell[0] for cell in cells), strict=True))
        for cell, v in zip(outputs, made, strict=True):
            cell[0] = known[v]

    def c_support_code(self, **_):
        return [c_text("native/arrays.c"), c_text("native/small.c")]

    def c_code_cache_version(self):
        return (1,)

    def get_params(self, node):
        return functools.partial(_one_by_one, self, node)


def _one_by_one(op, node, *values):
    from clinch.pytensor.linker import ClinchLinker

    linker = ClinchLinker()
    linker.required_rewrites = ("minimum_compile",)  # Without ours, which would join.
    linker.joins = False
    _, outputs = op.applies(node.inputs)
    given = dict(zip(node.inputs, values, strict=True))
    twin = {v: v.type() for v in given}
    clone_get_equiv(given, outputs, memo=twin)
    inputs, outputs = ([twin[v] for v in of] for of in (given, outputs))
    mode = Mode(linker, "minimum_compile")
    function = pytensor.function(inputs, outputs, mode=mode, accept_inplace=True)
    return tuple(map(np.asarray, function(*given.values())))

"""The base class of our Ops that stand for several applies of PyTensor's."""

import functools

import numpy as np
from pytensor.compile.mode import Mode
from pytensor.graph.basic import Constant, clone_get_equiv
from pytensor.link.c.type import generic

import pytensor
from clinch.integrations.pytensor.c_files import c_text
from clinch.integrations.pytensor.c_ops import COp


class JoinedOp(COp):
    """Its C computes what `made(inputs)` returns, variables of a graph of PyTensor's Ops,
    with the C of `scalars()`. Where that cannot be, as with an index out of bounds, it
    calls its params with the inputs, which runs the Ops one by one and raises as they
    do."""

    params_type = generic

    def as_written(self, node):
        """Returns what `made` does, with the lines that made the applies it stands for."""
        return self.made(node.inputs)

    def perform(self, node, inputs, outputs):
        for cell, value in zip(outputs, self._one_by_one(node, *inputs), strict=True):
            cell[0] = value

    def c_headers(self, **how):
        return [*self._all("c_headers", **how), "<numpy/arrayobject.h>"]

    def c_header_dirs(self, **how):
        return self._all("c_header_dirs", **how)

    def c_libraries(self, **how):
        return self._all("c_libraries", **how)

    def c_lib_dirs(self, **how):
        return self._all("c_lib_dirs", **how)

    def c_compile_args(self, **how):
        return self._all("c_compile_args", **how)

    def c_support_code(self, **how):
        own = c_text("native/arrays.c"), c_text("native/small.c")
        return [*own, *self._all("c_support_code", **how)]

    def _all(self, hook, **how):
        """Returns what a hook says of the scalar Ops, each once."""
        found = {}
        for scalar in self.scalars():
            said = getattr(scalar, hook)(**how)
            found.update(dict.fromkeys([said] if isinstance(said, str) else said))
        return [item for item in found if item]

    def c_code_cache_version(self):
        return (1,)

    def get_params(self, node):
        return functools.partial(self._one_by_one, node)

    def _one_by_one(self, node, *values):
        from clinch.integrations.pytensor.linker import ClinchLinker

        linker = ClinchLinker()
        linker.required_rewrites = ("minimum_compile",)  # Without ours, which would join.
        linker.joins = False
        # Errors name the inputs, and constants by their values.
        given = {
            v: value
            for v, value in zip(node.inputs, values, strict=True)
            if not isinstance(v, Constant)
        }
        twin = {v: v.type(v.name) for v in given}
        made = self.as_written(node)
        clone_get_equiv(given, made, memo=twin)
        inputs, outputs = ([twin[v] for v in of] for of in (given, made))
        mode = Mode(linker, "minimum_compile")
        function = pytensor.function(inputs, outputs, mode=mode, accept_inplace=True)
        return tuple(map(np.asarray, function(*given.values())))

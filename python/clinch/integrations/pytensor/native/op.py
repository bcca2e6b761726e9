"""The base classes of our Ops with C for PyTensor's Ops without."""

import functools

import numpy as np
from pytensor.link.c.type import Generic, generic
from pytensor.tensor.type import TensorType

from clinch.integrations.pytensor.c_files import c_text
from clinch.integrations.pytensor.c_ops import COp
from clinch.integrations.pytensor.versions import altered


class NativeOp(COp):
    """Replaces `original` in an assembled thunk, and nowhere else."""

    def __init__(self, original):
        self.original = original
        for name in ("destroy_map", "view_map"):
            if hasattr(original, name):
                setattr(self, name, getattr(original, name))

    def make_node(self, *inputs):
        return self.original.make_node(*inputs)

    def perform(self, node, inputs, outputs):
        self.original.perform(node, inputs, outputs)

    def c_headers(self, **_):
        return ["<numpy/arrayobject.h>"]

    def c_code_cache_version(self):
        return (1,)

    def __str__(self):
        return str(self.original)


class Asked(NativeOp):
    """Calls `perform` from the thunk, where what `tried` returns has not done it: C that
    is 1 if it has computed the outputs, 0 if `perform` must, and negative with an error;
    `given` has the inputs."""

    params_type = generic

    def tried(self, node, name, inputs, outputs):
        return "0"

    def prepare_node(self, node, storage_map, compute_map, impl):
        self.original.prepare_node(node, storage_map, compute_map, "py")

    def get_params(self, node):
        own = altered(node, op=self.original)
        dtypes = [v.type.numpy_dtype if are_tensors(v) else None for v in node.outputs]
        return functools.partial(_performed, self.perform, own, dtypes)

    def c_support_code(self, **_):
        return [c_text("native/arrays.c")]

    def c_code(self, node, name, inputs, outputs, sub):
        given = ", ".join(f"(PyObject *){v}" for v in inputs)
        made = ", ".join(f"(PyObject *){v}" for v in outputs)
        taken = taken_from_made(node, outputs)
        return f"""{{
  PyObject *given[] = {{{given}}};
  int done = {self.tried(node, name, inputs, outputs)};
  if (!done) {{
    PyObject *made[] = {{{made}}};
    done = clinchAsk({sub["params"]}, {len(inputs)}, given, {len(outputs)}, made);{taken}
  }}
  if (done < 0)
    {sub["fail"]}
}}"""


def _performed(perform, node, dtypes, *inputs):
    """Returns what `perform` gives, in the types that C expects."""
    cells = [[None] for _ in dtypes]
    perform(node, list(inputs), cells)
    return tuple([_fitting(*cell, of) for cell, of in zip(cells, dtypes, strict=True)])


def _fitting(value, dtype):
    if dtype is None or (type(value) is np.ndarray and value.dtype == dtype):
        return value
    return np.asarray(value).astype(dtype, casting="same_kind", copy=False)


def taken_from_made(node, outputs):
    """Returns C that takes the outputs from `made`, which has objects."""
    return "".join(
        f"\n    {v} = {'(PyArrayObject *)' if are_tensors(z) else ''}made[{i}];"
        for i, (v, z) in enumerate(zip(outputs, node.outputs, strict=True))
    )


def are_tensors(*variables):
    return all(isinstance(v.type, TensorType) for v in variables)


def for_asked(node):
    """Returns an Op that asks `perform`, if C can take and give the values."""
    fits = all(isinstance(v.type, TensorType | Generic) for v in node.inputs)
    return Asked(node.op) if fits and are_tensors(*node.outputs) else None

"""The base class of our Ops with C for PyTensor's Ops without."""

from pytensor.tensor.type import TensorType

from clinch.pytensor.c_ops import COp


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


def are_tensors(*variables):
    return all(isinstance(v.type, TensorType) for v in variables)

"""Indexes arrays by arrays of integers: items and rows by a loop, all else by `perform`."""

import pytensor.tensor.subtensor as subtensor

from clinch.integrations.pytensor.c_files import c_text
from clinch.integrations.pytensor.native.op import Asked, are_tensors, for_asked
from clinch.integrations.pytensor.registry import register

#: Before PyTensor 3.3 there are Ops of one vector as index.
_ONE = getattr(subtensor, "AdvancedIncSubtensor1", ())


class Taken(Asked):
    """`x[i, j, ...]`."""

    def c_support_code(self, **how):
        return [*super().c_support_code(**how), c_text("native/indices.c")]

    def tried(self, node, name, inputs, outputs):
        count = len(inputs) - 1
        indices = "(PyArrayObject *const *)given + 1"
        return f"clinchTake({inputs[0]}, {count}, {indices}, &{outputs[0]})"


class Changed(Taken):
    """`x[i, j, ...] = y`, `+= y`, or `numpy.add.at`."""

    def tried(self, node, name, inputs, outputs):
        x, y, *indices = inputs
        op, count = self.original, len(indices)
        adds, in_place = int(not op.set_instead_of_inc), int(op.inplace)
        places = "(PyArrayObject *const *)given + 2"
        call = f"clinchPut({x}, {in_place}, {count}, {places}, {y}, {adds}, &{outputs[0]})"
        # PyTensor refuses what turns out to be broadcast at run time, each Op in its way.
        asks = isinstance(op, _ONE) and node.inputs[1].type.ndim
        return f"PyArray_DIM({y}, 0) == 1 ? 0 : {call}" if asks else call


def _can_loop(op, array, values, indices):
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


def _are_picked(op, array, indices):
    """Whether vectors of integers pick items of `array`, or rows."""
    wanted = getattr(op, "idx_list", None)
    if wanted is not None and tuple(wanted) != tuple(range(len(indices))):
        return False
    return (
        bool(indices)
        and array.type.ndim - len(indices) in (0, 1)
        and all(v.type.ndim == 1 and v.type.dtype[:3] in ("int", "uin") for v in indices)
        and all(v.type.dtype != "uint64" for v in indices)
    )


def for_taken(node):
    x, *indices = node.inputs
    fits = are_tensors(*node.inputs) and _are_picked(node.op, x, indices)
    return Taken(node.op) if fits else for_asked(node)


def for_changed(node):
    x, y, *indices = node.inputs
    fits = are_tensors(*node.inputs) and _are_picked(node.op, x, indices)
    fits = fits and _can_loop(node.op, x, y, indices)
    return Changed(node.op) if fits else for_asked(node)


register(subtensor.AdvancedSubtensor, for_taken, version=6)
register(subtensor.AdvancedIncSubtensor, for_changed, version=6)
if _ONE:
    register(_ONE, for_changed, version=6)

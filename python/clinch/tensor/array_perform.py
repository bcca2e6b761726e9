"""Computes scalar Ops on arrays in Python."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Sequence
from ..ops.scalar_perform import perform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply


def _item_by_item(op: Any, node: Apply, arrays: Sequence[Any]) -> list[Any]:
    """Computes an author's Op by calling its `perform` for each item."""
    if not hasattr(op, "perform"):
        raise NotImplementedError(f"{op} has no perform: Python cannot "
                                  f"compute it")
    arrays = numpy.broadcast_arrays(*arrays)
    results = [numpy.empty(arrays[0].shape, v.type.dtype)
               for v in node.outputs]
    for index in numpy.ndindex(arrays[0].shape):
        numbers = [v.type.filter(a[index])
                   for v, a in zip(node.inputs, arrays)]
        storage: list[list[Any]] = [[None] for _ in results]
        op.perform(node, numbers, storage)
        for result, cell in zip(results, storage):
            result[index] = cell[0]
    return results


def evaluate(op: Any, node: Apply, inputs: Sequence[Any]) -> Any:
    """Returns the outputs of a scalar apply on arrays, each with its dtype."""
    inner = getattr(op, "evaluate_arrays", None)
    if inner is not None:
        return inner(inputs)
    arrays = [numpy.asarray(value) for value in inputs]
    if hasattr(op, "_numpy_name"):
        results = [perform(op.name, op._numpy_name, arrays, node.outputs[0].type.dtype)]
    elif type(op).__name__ == "Cast":
        results = [arrays[0]]
    else:
        return _item_by_item(op, node, arrays)
    shape = numpy.broadcast_shapes(*(a.shape for a in arrays))
    with numpy.errstate(all="ignore"):
        return [numpy.broadcast_to(r.astype(v.type.dtype), shape)
                for r, v in zip(results, node.outputs)]

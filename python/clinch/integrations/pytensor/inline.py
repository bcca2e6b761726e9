"""Inlines inner graphs into the graph around them.

PyTensor compiles an `OpFromGraph` separately and calls it through Python. Once
inlined, its applies are fused with those around them and are part of one thunk.
"""

from pytensor.compile.builders import OpFromGraph
from pytensor.compile.mode import optdb
from pytensor.graph.rewriting.basic import copy_stack_trace, dfs_rewriter, in2out, node_rewriter
from pytensor.graph.rewriting.db import RewriteDatabaseQuery
from pytensor.scan.op import Scan
from pytensor.tensor.basic import shape_padleft
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.elemwise import DimShuffle
from pytensor.tensor.subtensor import AdvancedIncSubtensor

from clinch.integrations.pytensor import versions
from clinch.integrations.pytensor.config import options
from clinch.integrations.pytensor.native import scan
from clinch.integrations.pytensor.patching import register_rewrite
from clinch.integrations.pytensor.registry import with_code
from clinch.integrations.pytensor.versions import altered

#: The tag that `ClinchLinker` requires, so that only its functions are rewritten.
TAG = "clinch"

#: After the simplifying rewrites, which merge less once graphs are inlined, and
#: before fusion.
_POSITION = 48.5

#: After PyTensor has taken away batches of one.
_WITHOUT_BATCHES = 60.1


@node_rewriter(None)
def inline_graphs(fgraph, node):
    """Replaces an Op that is a graph by the applies of that graph."""
    if isinstance(node.op, Scan) and options.native_ops:
        scan.begin()
    graph = _graph_to_inline(node)
    if graph is None:
        return False
    # PyTensor removes a `Blockwise` that has no batch, or one of a single item, only later.
    batch = node.op.batch_ndim(node) if isinstance(node.op, Blockwise) else 0
    given = [v.squeeze(tuple(range(batch))) if batch else v for v in node.inputs]
    outside = dict(zip(graph.inputs, given, strict=True))
    for inner in graph.toposort():
        # PyTensor's `clone_replace` would clone the outer graph, too.
        twin = inner.clone_with_new_inputs([outside.get(v, v) for v in inner.inputs])
        outside.update(zip(inner.outputs, twin.outputs, strict=True))
    made = [shape_padleft(outside.get(v, v), batch) for v in graph.outputs]
    return copy_stack_trace(node.outputs, made)


def _graph_to_inline(node, within=()):
    """Returns the graph that may take the place of an apply, if there is one; the apply
    is within the graphs of the given Ops."""
    op = _graph_op(node)
    if op is None or not options.native_ops or getattr(op, "destroy_map", None):
        return None
    # What PyTensor recognises may be defined by one another.
    if any(_of_a_kind(op, outer) for outer in within):
        return None
    graph = _rewritten(op)
    # If an apply has no C, PyTensor's own function is faster.
    movable = all(_may_be_moved(inner, (*within, op)) for inner in graph.apply_nodes)
    return graph if movable else None


def _rewritten(op):
    """Returns a copy of an inner graph as PyTensor would have rewritten it until here.

    The graph around it has gone through what makes formulas stable, such as
    `log(1 + exp(x))`, before this one becomes a part of it.
    """
    query = RewriteDatabaseQuery(include=["fast_run"], position_cutoff=_POSITION)
    graph = versions.copied(op.fgraph)
    optdb.query(query).rewrite(graph)
    # PyTensor recognises the graph that defines `Softmax`, for one, as `Softmax`.
    if any(_of_a_kind(inner.op, op) for inner in graph.apply_nodes):
        return versions.copied(op.fgraph)
    return graph


def _of_a_kind(one, other):
    """Whether both are of one class with a graph of its own, such as `Softmax`."""
    return type(one) is type(other) is not OpFromGraph


def _graph_op(node):
    """Returns the Op of `node` if it is a graph, else None."""
    op = node.op
    if isinstance(op, Blockwise):
        batch = op.batch_ndim(node)
        if all(all(v.type.broadcastable[:batch]) for v in node.inputs):
            op = op.core_op
    return op if isinstance(op, OpFromGraph) else None


def _may_be_moved(node, within):
    """Whether an apply has C, or a graph, and destroys no input, which would need an
    order that the outer graph does not keep."""
    if getattr(node.op, "destroy_map", None):
        return False
    return with_code(node) is not None or _graph_to_inline(node, within) is not None


@node_rewriter([AdvancedIncSubtensor])
def pick_of_one(fgraph, node):
    """Replaces `x[:, i, j] = y` of a batch of one, as in gradients of factors: there is C
    for indices that are all vectors."""
    op, (x, y, *given) = node.op, node.inputs
    entries = getattr(op, "idx_list", given)
    picks = [v for v in given if not _is_whole(v)]
    batch = len(entries) - len(picks)
    if (
        not batch
        or len(picks) == 1  # PyTensor 3.3 refuses a broadcast `y` for `x[i]`, not for `x[:, i]`.
        or y.type.ndim != x.type.ndim - len(picks) + 1
        or not all(map(_is_whole, entries[:batch]))
        or not all(x.type.broadcastable[:batch] + y.type.broadcastable[:batch])
        or not all(getattr(v.type, "ndim", 0) == 1 and v.type.dtype != "bool" for v in picks)
    ):
        return False
    if hasattr(op, "idx_list"):
        op = altered(op, idx_list=op.idx_list[batch:])
    axes = tuple(range(batch))
    made = op(x.squeeze(axes), y.squeeze(axes), *picks)
    return copy_stack_trace(node.outputs, [shape_padleft(made, batch)])


def _is_whole(index):
    """Whether an index is `:`; before PyTensor 3.0 it is a constant."""
    index = getattr(index, "data", index)
    return isinstance(index, slice) and index == slice(None)


@node_rewriter([DimShuffle])
def join_views(fgraph, node):
    """Replaces a view of a view by one, as where a batch of one is taken away and put back."""
    within = node.inputs[0].owner
    if within is None or type(within.op) is not DimShuffle:
        return False
    order = [n if n == "x" else within.op.new_order[n] for n in node.op.new_order]
    return copy_stack_trace(node.outputs, [within.inputs[0].dimshuffle(order)])


def changes():
    """Returns the changes that register the rewrites."""
    inlined, joined = dfs_rewriter(inline_graphs, pick_of_one), in2out(join_views)
    return (
        register_rewrite(optdb, "clinch_inline_graphs", inlined, TAG, _POSITION),
        register_rewrite(optdb, "clinch_join_views", joined, TAG, _WITHOUT_BATCHES),
    )

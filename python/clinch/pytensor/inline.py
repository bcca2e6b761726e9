"""Inlines inner graphs into the graph around them.

PyTensor compiles an `OpFromGraph` separately and calls it through Python. Once
inlined, its applies are fused with those around them and are part of one thunk.
"""

from pytensor.compile.builders import OpFromGraph
from pytensor.compile.mode import optdb
from pytensor.graph.rewriting.basic import copy_stack_trace, dfs_rewriter, node_rewriter
from pytensor.tensor.blockwise import Blockwise

from clinch.pytensor.config import options
from clinch.pytensor.plan import with_code

#: The tag that `ClinchLinker` requires, so that only its functions are rewritten.
TAG = "clinch"

#: After the simplifying rewrites, which merge less once graphs are inlined, and
#: before fusion.
_POSITION = 48.5


@node_rewriter(None)
def inline_graphs(fgraph, node):
    """Replaces an Op that is a graph by the applies of that graph."""
    op = _graph_op(node)
    if op is None:
        return False
    if not options.native_ops or getattr(op, "destroy_map", None):
        return False
    # Since PyTensor 3.3 the graph is frozen, and its applies cannot be cloned.
    graph = op.fgraph.unfreeze() if hasattr(op.fgraph, "unfreeze") else op.fgraph
    # If an apply has no C, PyTensor's own function is faster.
    if not all(_may_be_moved(inner) for inner in graph.apply_nodes):
        return False
    outside = dict(zip(graph.inputs, node.inputs, strict=True))
    for inner in graph.toposort():
        # PyTensor's `clone_replace` would clone the outer graph, too.
        twin = inner.clone_with_new_inputs([outside.get(v, v) for v in inner.inputs])
        outside.update(zip(inner.outputs, twin.outputs, strict=True))
    made = [outside.get(v, v) for v in graph.outputs]
    copy_stack_trace(node.outputs, made)
    return made


def _graph_op(node):
    """Returns the Op of `node` if it is a graph, else None."""
    op = node.op
    # PyTensor removes a `Blockwise` that has no batch only later.
    if isinstance(op, Blockwise) and not op.batch_ndim(node):
        op = op.core_op
    return op if isinstance(op, OpFromGraph) else None


def _may_be_moved(node):
    """Whether an apply has C and destroys no input, which would need an order that
    the outer graph does not keep."""
    return with_code(node) and not getattr(node.op, "destroy_map", None)


def install():
    """Registers the rewrite with PyTensor, under a tag that only our linkers use."""
    if "clinch_inline_graphs" not in optdb.__db__:
        optdb.register(
            "clinch_inline_graphs",
            dfs_rewriter(inline_graphs),
            TAG,
            position=_POSITION,
        )

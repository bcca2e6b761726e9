"""Graphs within graphs become part of the graph around them.

PyTensor compiles an `OpFromGraph` by itself and calls it through Python; written
out, its applies are fused with those around them, and are part of one thunk.
"""

from pytensor.compile.builders import OpFromGraph
from pytensor.compile.mode import optdb
from pytensor.graph.rewriting.basic import copy_stack_trace, dfs_rewriter, node_rewriter
from pytensor.tensor.blockwise import Blockwise

from clinch.pytensor.config import options
from clinch.pytensor.plan import with_code

#: What `ClinchLinker` asks for, so that it is done for its functions alone.
TAG = "clinch"

#: After the simplifying rewrites, which merge less once graphs are inlined, and
#: before fusion.
_POSITION = 48.5


@node_rewriter(None)
def inline_graphs(fgraph, node):
    """The applies of an Op that is a graph, for the Op."""
    op = _graph_op(node)
    if op is None:
        return False
    if not options.native_ops or getattr(op, "destroy_map", None):
        return False
    # Since PyTensor 3.3 such a graph is frozen: its applies cannot be cloned.
    graph = op.fgraph.unfreeze() if hasattr(op.fgraph, "unfreeze") else op.fgraph
    # Where some of it has none, PyTensor's own function is quicker.
    if not all(_may_be_moved(inner) for inner in graph.apply_nodes):
        return False
    outside = dict(zip(graph.inputs, node.inputs, strict=True))
    for inner in graph.toposort():
        # Not with PyTensor's `clone_replace`, which clones what is around, too.
        twin = inner.clone_with_new_inputs([outside.get(v, v) for v in inner.inputs])
        outside.update(zip(inner.outputs, twin.outputs, strict=True))
    made = [outside.get(v, v) for v in graph.outputs]
    copy_stack_trace(node.outputs, made)
    return made


def _graph_op(node):
    """The Op of `node` that is a graph; None if there is none."""
    op = node.op
    # PyTensor takes the `Blockwise` from around what has no batch only later.
    if isinstance(op, Blockwise) and not op.batch_ndim(node):
        op = op.core_op
    return op if isinstance(op, OpFromGraph) else None


def _may_be_moved(node):
    """What destroys its input counts on an order that the graph around has not."""
    return with_code(node) and not getattr(node.op, "destroy_map", None)


def install():
    """Among PyTensor's rewrites, under a name that only our linkers name."""
    if "clinch_inline_graphs" not in optdb.__db__:
        optdb.register(
            "clinch_inline_graphs",
            dfs_rewriter(inline_graphs),
            TAG,
            position=_POSITION,
        )

"""The rewrite that makes a `FusedLoop` for an Elemwise with gathers, scatters or sums."""

from pytensor.compile.mode import optdb
from pytensor.configdefaults import config
from pytensor.graph.basic import Apply
from pytensor.graph.rewriting.basic import copy_stack_trace, dfs_rewriter, node_rewriter
from pytensor.tensor.elemwise import Elemwise
from pytensor.tensor.math import Sum

from clinch.integrations.pytensor.config import options
from clinch.integrations.pytensor.fused import FusedLoop
from clinch.integrations.pytensor.fused_text import (
    GATHERS,
    INTEGERS,
    ITEMS,
    is_scatter,
    may_fail,
    one_item,
)
from clinch.integrations.pytensor.inline import TAG
from clinch.integrations.pytensor.patching import register_rewrite
from clinch.integrations.pytensor.plan import is_small

#: After PyTensor's fusion of Elemwise, and before Ops work in place.
_POSITION = 49.4


@node_rewriter([Elemwise])
def fuse_loop(fgraph, node):
    """Joins gathers, the Elemwise that reads them, and sums and scatters behind it."""
    if not options.fused_gathers or config.openmp or not _is_plain(node):
        return False
    gathers = [_gather(fgraph, node, v) for v in node.inputs]
    behind = [
        (place, client)
        for place, v in enumerate(node.outputs)
        for client in dict.fromkeys(client for client, _ in fgraph.clients[v])
        if _follows(client, v) and not _leads_to(node, client.inputs, v)
    ]
    if not any(gathers) and not _gain(behind):
        return False
    return _fused(fgraph, node, gathers, behind)


def _gain(behind):
    """Whether a loop for these alone is quicker: one sum is not, but of several none
    waits for another. Few items are for a block."""
    if any(is_scatter(client.op) for _, client in behind):
        return True
    return len(behind) > 1 and not is_small(behind[0][1].inputs[0])


def _fused(fgraph, node, gathers, behind):
    inputs = []
    for v, gather in zip(node.inputs, gathers, strict=True):
        inputs += [v] if gather is None else gather.inputs
    joined = {client for _, client in behind}
    kept = tuple(
        place
        for place, v in enumerate(node.outputs)
        if any(client not in joined for client, _ in fgraph.clients[v])
    )
    replaced = [node.outputs[place] for place in kept]
    for _, client in behind:
        replaced += client.outputs
        if is_scatter(client.op):
            inputs += [client.inputs[0], client.inputs[2]]
    op = FusedLoop(
        node.op,
        tuple(gather and gather.op for gather in gathers),
        kept,
        tuple((place, client.op) for place, client in behind),
    )
    read = (g.inputs[1] if g else v for v, g in zip(node.inputs, gathers, strict=True))
    lengths = {v.type.shape[0] for v in read if not v.type.broadcastable[0]} - {None}
    types = [v.type for v in replaced]
    if len(lengths) == 1:
        # What reads these may be one of few items.
        types[: len(kept)] = [of.clone(shape=tuple(lengths)) for of in types[: len(kept)]]
    made = Apply(op, inputs, [of() for of in types])
    copy_stack_trace(node.outputs, made.outputs)
    applies = [*filter(None, gathers), node, *(client for _, client in behind)]
    made.tag.traces = [getattr(a.outputs[0].tag, "trace", []) for a in applies]
    return dict(zip(replaced, made.outputs, strict=True))


def _is_plain(node):
    """Whether the Elemwise is of vectors of numbers, of more than one item."""
    variables = (*node.inputs, *node.outputs)
    if node.op.inplace_pattern or not all(_is_vector(v, ITEMS) for v in variables):
        return False
    if any(v.type.broadcastable[0] for v in node.outputs) or not node.inputs:
        return False
    return not may_fail(node, one_item)


def _is_vector(v, dtypes):
    return getattr(v.type, "ndim", None) == 1 and v.type.dtype in dtypes


def _gather(fgraph, node, v):
    """Returns the apply that gathers `v` for this Elemwise only, or None."""
    made = v.owner
    if made is None or type(made.op) not in GATHERS or len(made.inputs) != 2:
        return None
    if not _is_vector(made.inputs[0], ITEMS) or not _is_vector(made.inputs[1], INTEGERS):
        return None
    if not _takes_a_vector(made.op) or made.inputs[1].type.broadcastable[0]:
        return None
    return made if all(client is node for client, _ in fgraph.clients[v]) else None


def _takes_a_vector(op):
    return tuple(getattr(op, "idx_list", None) or (0,)) == (0,)


def _follows(client, v):
    """Whether `client` sums `v`, or scatters it once, as the loop can."""
    op = getattr(client, "op", None)
    if v.type.dtype not in ("float32", "float64"):
        return False
    if type(op) is Sum:
        whole = op.axis in (None, (0,)) and client.outputs[0].type.dtype == "float64"
        return whole and v.type.dtype == "float64" and op.acc_dtype in (None, "float64")
    if op is None or not is_scatter(op) or len(client.inputs) != 3:
        return False
    if op.inplace or op.set_instead_of_inc or getattr(op, "ignore_duplicates", False):
        return False
    base, given, places = client.inputs
    if given is not v or base is v or base.type.dtype != v.type.dtype:
        return False
    if not _takes_a_vector(op) or base.type.broadcastable != (False,):
        return False
    fits = _is_vector(base, ITEMS) and _is_vector(places, INTEGERS)
    return fits and not places.type.broadcastable[0]


def _leads_to(node, inputs, made):
    """Whether what `node` makes is needed for inputs other than `made`."""
    waiting = [v for v in inputs if v is not made]
    seen = set()
    while waiting:
        owner = waiting.pop().owner
        if owner is node:
            return True
        if owner is not None and owner not in seen:
            seen.add(owner)
            waiting += owner.inputs
    return False


def change():
    """Returns the change that registers the rewrite."""
    return register_rewrite(optdb, "clinch_fuse_loops", dfs_rewriter(fuse_loop), TAG, _POSITION)

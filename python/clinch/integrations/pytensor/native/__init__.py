"""C for PyTensor's Ops that have none, so that a graph is one thunk, and where it rounds."""

from pytensor.scalar.basic import EQ, NEQ, Composite, Maximum, Minimum
from pytensor.scan.op import Scan
from pytensor.tensor.basic import Eye
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.elemwise import CAReduce, Elemwise
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.sort import ArgSortOp, SortOp

from clinch.integrations.pytensor.exact import for_exact
from clinch.integrations.pytensor.native import indices, linear  # noqa: F401
from clinch.integrations.pytensor.native.batch import for_batch
from clinch.integrations.pytensor.native.op import Asked, are_tensors, for_asked
from clinch.integrations.pytensor.native.rows import for_rows
from clinch.integrations.pytensor.native.scan import for_scan
from clinch.integrations.pytensor.native.sums import for_sums
from clinch.integrations.pytensor.registry import ours_for, register


def _for_blockwise(node):
    return for_batch(node, ours_for)


def _first_of(for_loop):
    return lambda node: for_loop(node) or for_exact(node)


def _for_draws(node):
    """Of any random variable that is drawn as PyTensor's are."""
    plain = type(node.op).perform is RandomVariable.perform
    return Asked(node.op) if plain and are_tensors(*node.inputs[2:], node.outputs[1]) else None


register(Scan, for_scan, version=2)
register(Blockwise, _for_blockwise)
for _kind in (Eye, SortOp, ArgSortOp):
    register(_kind, for_asked, version=2)
register(RandomVariable, _for_draws, derived=True)
register(Elemwise, quicker=_first_of(for_rows))
register(CAReduce, quicker=_first_of(for_sums), version=2, derived=True)
for _kind in (Maximum, Minimum, EQ, NEQ, Composite):
    register(_kind, quicker=for_exact)

"""C for PyTensor's Ops that have none, so that they need not run in Python, and for
some whose own C takes long over small arrays: all of it is registered here."""

import pytensor.tensor.random.basic as random
import pytensor.tensor.subtensor as subtensor
from pytensor.scan.op import Scan
from pytensor.tensor.basic import Eye, Join
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.extra_ops import CumOp
from pytensor.tensor.math import Sum
from pytensor.tensor.sort import ArgSortOp, SortOp
from pytensor.tensor.subtensor import (
    AdvancedIncSubtensor,
    AdvancedSubtensor,
    IncSubtensor,
)

from clinch.pytensor.native import linear  # noqa: F401  It registers its own.
from clinch.pytensor.native.batch import for_batch
from clinch.pytensor.native.cumulating import for_cumulated
from clinch.pytensor.native.draws import NAMES as DRAWN
from clinch.pytensor.native.draws import for_draws
from clinch.pytensor.native.eye import for_eye
from clinch.pytensor.native.indices import for_few, for_indices
from clinch.pytensor.native.joining import for_join
from clinch.pytensor.native.reducing import for_sum
from clinch.pytensor.native.scan import for_scan
from clinch.pytensor.native.slices import for_slices
from clinch.pytensor.native.sorting import for_sorting
from clinch.pytensor.registry import ours_for, register


def _for_blockwise(node):
    return for_batch(node, ours_for)


register(Eye, for_eye)
register(AdvancedSubtensor, for_indices, quicker=for_few, version=4)
register(AdvancedIncSubtensor, for_indices, version=4)
register(SortOp, for_sorting)
register(ArgSortOp, for_sorting)
register(Scan, for_scan, version=2)
register(Blockwise, _for_blockwise)
for _name in DRAWN:
    if _kind := getattr(random, _name, None):
        register(_kind, for_draws)

register(IncSubtensor, quicker=for_slices)
register(CumOp, quicker=for_cumulated)
register(Join, quicker=for_join)
register(Sum, quicker=for_sum)

# Before PyTensor 3.3 there are Ops of one vector as index.
if hasattr(subtensor, "AdvancedSubtensor1"):
    register(subtensor.AdvancedSubtensor1, quicker=for_few)
    register(subtensor.AdvancedIncSubtensor1, for_indices, version=4)

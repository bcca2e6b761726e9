"""C for PyTensor's Ops that have none, so that they need not run in Python, and for
some whose own C takes long over small arrays: each module registers its own."""

import pytensor.tensor.random.basic as random
from pytensor.scan.op import Scan
from pytensor.tensor.blockwise import Blockwise

from clinch.pytensor.native import arrays, indices, linear, slices  # noqa: F401
from clinch.pytensor.native.batch import for_batch
from clinch.pytensor.native.draws import NAMES as DRAWN
from clinch.pytensor.native.draws import for_draws
from clinch.pytensor.native.scan import for_scan
from clinch.pytensor.registry import ours_for, register


def _for_blockwise(node):
    return for_batch(node, ours_for)


register(Scan, for_scan, version=2)
register(Blockwise, _for_blockwise)
for _name in DRAWN:
    if _kind := getattr(random, _name, None):
        register(_kind, for_draws)

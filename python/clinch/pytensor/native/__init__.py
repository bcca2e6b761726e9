"""C for PyTensor's Ops that have none, so that they need not run in Python, and for
some whose own C takes long over small arrays.

PyTensor's Ops stay in the graph. In an assembled thunk, an apply of ours with the
same variables replaces the one without C. It does what the Op's `perform` does,
with the same functions of LAPACK and NumPy.
"""

from copy import copy

from clinch.pytensor.config import options
from clinch.pytensor.native.batch import for_batch
from clinch.pytensor.native.cumulating import for_cumulated
from clinch.pytensor.native.draws import NAMES as DRAWN
from clinch.pytensor.native.draws import for_draws
from clinch.pytensor.native.eigen import for_eigen
from clinch.pytensor.native.eigen_pairs import for_eigen_pairs
from clinch.pytensor.native.eye import for_eye
from clinch.pytensor.native.factors import for_factors, for_permutation
from clinch.pytensor.native.indices import for_few, for_indices
from clinch.pytensor.native.joining import for_join
from clinch.pytensor.native.lapack import for_lapack
from clinch.pytensor.native.reducing import for_sum
from clinch.pytensor.native.scan import for_scan
from clinch.pytensor.native.slices import for_slices
from clinch.pytensor.native.sorting import for_sorting
from clinch.pytensor.native.structured import for_solve

#: Each takes an apply, and returns an Op with its C, or None.
_MAKERS = {
    "Cholesky": for_lapack,
    "SolveTriangular": for_lapack,
    "CholeskySolve": for_factors,
    "LUFactor": for_factors,
    "MatrixInverse": for_factors,
    "Det": for_factors,
    "SLogDet": for_factors,
    "Solve": for_solve,
    "Eigh": lambda node: (for_eigen if len(node.inputs) == 1 else for_eigen_pairs)(node),
    "Eigvalsh": for_eigen_pairs,
    "PivotToPermutations": for_permutation,
    "Eye": for_eye,
    "AdvancedSubtensor": for_indices,
    "AdvancedIncSubtensor": for_indices,
    "AdvancedIncSubtensor1": for_indices,
    "SortOp": for_sorting,
    "ArgSortOp": for_sorting,
    "Scan": for_scan,
    **dict.fromkeys(DRAWN, for_draws),
    "Blockwise": lambda node: for_batch(node, native),
}

#: The same, for Ops that have C.
_QUICKER = {
    "IncSubtensor": for_slices,
    "AdvancedSubtensor": for_few,
    "AdvancedSubtensor1": for_few,
    "CumOp": for_cumulated,
    "Join": for_join,
    "Sum": for_sum,
}


def may_be_native(node, makers=_MAKERS):
    """Whether `native` knows Ops of this kind."""
    kind = type(node.op)
    known = kind.__name__ in makers and kind.__module__.startswith("pytensor.")
    return known and options.native_ops


def native(node):
    """Returns an apply with C that does what `node` does, or None."""
    return _made(node, _MAKERS)


def quicker(node):
    """Returns an apply with C that does what the C of `node` does, but sooner, or None."""
    return _made(node, _QUICKER)


def _made(node, makers):
    op = makers[type(node.op).__name__](node) if may_be_native(node, makers) else None
    if op is None:
        return None
    # A new Apply would become the owner of the variables.
    twin = copy(node)
    twin.op = op
    return twin

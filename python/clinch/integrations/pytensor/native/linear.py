"""Linear algebra: what log-densities compute in each evaluation by SciPy's LAPACK, whose
functions are called by address, and all else by `perform`, called from the thunk.

SciPy exports the addresses in `scipy.linalg.cython_lapack`; the C is in `lapack.c`.
"""

import functools
import importlib

import numpy as np

from clinch.integrations.pytensor.c_files import c_text
from clinch.integrations.pytensor.native.op import Asked, are_tensors, for_asked
from clinch.integrations.pytensor.registry import register
from clinch.integrations.pytensor.versions import find

#: Where version 3 of PyTensor has them, and version 2.
_PLACES = {
    "Cholesky": ("decomposition.cholesky", "slinalg"),
    "CholeskySolve": ("solvers.psd", "slinalg"),
    "Det": ("summary", "nlinalg"),
    "Eigh": ("decomposition.eigen", "nlinalg"),
    "Eigvalsh": ("decomposition.eigen", "slinalg"),
    "LUFactor": ("decomposition.lu", "slinalg"),
    "MatrixInverse": ("inverse", "nlinalg"),
    "PivotToPermutations": ("decomposition.lu", "slinalg"),
    "SLogDet": ("summary", "nlinalg"),
    "Solve": ("solvers.general", "slinalg"),
    "SolveTriangular": ("solvers.triangular", "slinalg"),
}

#: Our function, LAPACK's without its first letter, properties of the Op that are its
#: arguments, and the others that the Op may have.
_CALLS = {
    "Cholesky": ("clinchCholesky", "potrf", ("lower", "overwrite_a"), set()),
    "SolveTriangular": (
        "clinchSolveTriangular", "trtrs", ("lower", "unit_diagonal", "overwrite_b"), {"b_ndim"},
    ),
}  # fmt: skip

#: The first letter of LAPACK's names for each dtype.
_LETTERS = {"float32": "s", "float64": "d"}


class Linear(Asked):
    """An Op that LAPACK computes where all fits; where not, `perform` says so."""

    def __init__(self, original, function, routine, arguments):
        super().__init__(original)
        self.function, self.routine, self.arguments = function, routine, arguments

    def c_support_code(self, **how):
        return [*super().c_support_code(**how), c_text("native/lapack.c")]

    def c_support_code_struct(self, node, name):
        return f"void *lapack_{name};"

    def c_init_code_struct(self, node, name, sub):
        return f"""
  if (!(lapack_{name} = clinchRoutine("{self.routine}")))
    {sub["fail"]}"""

    def tried(self, node, name, inputs, outputs):
        values = (str(int(getattr(self.original, a))) for a in self.arguments)
        given = ", ".join([f"lapack_{name}", *inputs, f"&{outputs[0]}", *values])
        return f"{self.function}({given})"


class Solved(Asked):
    """`Solve`: NaN for a singular matrix in the shape of `b`, not of `a`."""

    def perform(self, node, inputs, outputs):
        op = self.original
        found = _by_factors(*inputs, op.overwrite_b) if op.assume_a == "gen" else None
        if found is not None:
            outputs[0][0] = found
            return
        super().perform(node, inputs, outputs)
        if outputs[0][0].ndim != inputs[1].ndim:
            outputs[0][0] = np.full_like(inputs[1], np.nan, outputs[0][0].dtype)


def _by_factors(a, b, over_b):
    """Returns what SciPy's `solve` does, which takes far longer for few items; None where
    it has more to do, or to say."""
    n, code = len(b), a.dtype.char
    if a.shape != (n, n) or n < 2 or not b.size or b.dtype != a.dtype or code not in "fd":
        return None
    (norm, factor, condition, solve), least = _routines(code)
    factors, pivots, failed = factor(a)
    if failed or not condition(factors, norm("1", a))[0] >= least:
        return None
    return solve(factors, pivots, b, overwrite_b=over_b)[0].reshape(b.shape)


@functools.cache
def _routines(code):
    linalg, names = importlib.import_module("scipy.linalg"), ("lange", "getrf", "gecon", "getrs")
    return linalg.get_lapack_funcs(names, dtype=code), np.finfo(code).eps


def for_real(node):
    """Not of complex matrices: PyTensor has other types for some of their results."""
    dtypes = (getattr(v.type, "dtype", "") for v in node.inputs)
    return None if any(d.startswith("complex") for d in dtypes) else for_asked(node)


def for_linear(node):
    function, routine, arguments, others = _CALLS[type(node.op).__name__]
    variables = (*node.inputs, *node.outputs)
    dtypes = {v.type.dtype for v in variables} if are_tensors(*variables) else ()
    letter = _LETTERS.get(*dtypes) if len(dtypes) == 1 else None
    # With other properties it may do more than this C.
    if letter is None or set(node.op.__props__) != {*arguments, *others}:
        return for_real(node)
    return Linear(node.op, function, letter + routine, arguments)


_WAYS = dict.fromkeys(_CALLS, for_linear)
_WAYS["Solve"] = lambda node: Solved(node.op) if for_real(node) else None
for _name, (_here, _before) in _PLACES.items():
    _kind = find(f"pytensor.tensor.linalg.{_here}:{_name}", f"pytensor.tensor.{_before}:{_name}")
    register(_kind, _WAYS.get(_name, for_real), version=2)

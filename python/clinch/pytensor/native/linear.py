"""Linear algebra with SciPy's LAPACK, called by address.

SciPy exports the addresses in `scipy.linalg.cython_lapack`. `perform` calls NumPy for
inverses and determinants, which has its own LAPACK; its operations are done in the same
order. The C is in `lapack.c`, `factors.c`, `solve.c` and `eigen.c`.
"""

from dataclasses import dataclass

import numpy as np

from clinch.pytensor.c_files import c_text
from clinch.pytensor.native.op import NativeOp, are_tensors
from clinch.pytensor.registry import register
from clinch.pytensor.versions import find

_HERE, _BEFORE = "pytensor.tensor.linalg", "pytensor.tensor"


def _find(name, module, before):
    """Finds an Op, which version 3 of PyTensor has moved."""
    return find(f"{_HERE}.{module}:{name}", f"{_BEFORE}.{before}:{name}")


Cholesky = _find("Cholesky", "decomposition.cholesky", "slinalg")
CholeskySolve = _find("CholeskySolve", "solvers.psd", "slinalg")
Det = _find("Det", "summary", "nlinalg")
Eigh = _find("Eigh", "decomposition.eigen", "nlinalg")
Eigvalsh = _find("Eigvalsh", "decomposition.eigen", "slinalg")
LUFactor = _find("LUFactor", "decomposition.lu", "slinalg")
MatrixInverse = _find("MatrixInverse", "inverse", "nlinalg")
PivotToPermutations = _find("PivotToPermutations", "decomposition.lu", "slinalg")
SLogDet = _find("SLogDet", "summary", "nlinalg")
Solve = _find("Solve", "solvers.general", "slinalg")
SolveTriangular = _find("SolveTriangular", "solvers.triangular", "slinalg")


@dataclass(frozen=True)
class Call:
    """How our C for an Op is called."""

    #: The file of C, its function, and LAPACK's functions without the first letter.
    file: str
    function: str
    routines: str = ""
    #: What follows the inputs and outputs; properties of the Op by their names.
    arguments: tuple = ()
    #: The name of a Python function here, for where something is wrong.
    ask: str | None = None
    #: What the Op may have for properties: in other versions it may do more than this C.
    props: frozenset = frozenset()


def _call(file, function, routines, *arguments, props=None):
    """Returns a call with properties of the Op as its arguments."""
    known = frozenset(arguments if props is None else props.split())
    return Call(file, function, routines, arguments, props=known)


_CALLS = {
    Cholesky: _call("factors.c", "clinchCholesky", "potrf", "lower", "overwrite_a"),
    SolveTriangular: _call(
        "factors.c", "clinchSolveTriangular", "trtrs",
        "lower", "unit_diagonal", "overwrite_b",
        props="lower unit_diagonal overwrite_b b_ndim",
    ),
    CholeskySolve: _call(
        "factors.c", "clinchSolveByFactor", "potrs", "lower", "overwrite_b",
        props="lower overwrite_b b_ndim",
    ),
    LUFactor: _call("factors.c", "clinchFactorLU", "getrf", props="overwrite_a"),
    MatrixInverse: _call("factors.c", "clinchInvert", "gesv"),
    Det: _call("factors.c", "clinchDet", "getrf"),
    SLogDet: _call("factors.c", "clinchSLogDet", "getrf"),
    PivotToPermutations: _call("factors.c", "clinchPermute", "", "inverse"),
}  # fmt: skip

#: LAPACK's functions for factors, condition and solution.
_SOLUTIONS = {"gen": "getrf gecon getrs", "pos": "potrf pocon potrs"}
_SOLVE = frozenset("assume_a lower b_ndim overwrite_a overwrite_b".split())


def solve_by_scipy(a, b, assumed, lower):
    """Does what `Solve.perform` does."""
    import scipy.linalg

    how = {"lower": bool(lower), "check_finite": False, "assume_a": assumed}
    try:
        return np.ascontiguousarray(scipy.linalg.solve(a, b, **how))
    except np.linalg.LinAlgError:
        # In the shape of `b`; `perform` uses that of `a`, which is never a vector.
        return np.full(b.shape, np.nan, dtype=a.dtype)


def eigh_by_scipy(lower, vectors, *matrices):
    import scipy.linalg

    how = {"lower": bool(lower), "eigvals_only": not vectors}
    return scipy.linalg.eigh(*matrices, **how)


def eigh_by_numpy(lower, vectors, x):
    return tuple(np.linalg.eigh(x, "L" if lower else "U"))


class Linear(NativeOp):
    """An Op that our C computes with LAPACK."""

    def __init__(self, original, call, inputs, letter):
        super().__init__(original)
        self.call = call
        #: How many inputs are matrices; one that is None is not.
        self.inputs = inputs
        self.names = [letter + name for name in call.routines.split()]

    def c_support_code(self, **_):
        return [c_text("native/lapack.c"), c_text(f"native/{self.call.file}")]

    def c_support_code_struct(self, node, name):
        return f"ClinchLapack lapack_{name};"

    def c_init_code_struct(self, node, name, sub):
        names = ", ".join(f'"{n}"' for n in self.names) or "nullptr"
        asked = f'"{__name__}", ' + (f'"{self.call.ask}"' if self.call.ask else "nullptr")
        return f"""
  {{
    const char *names[] = {{{names}}};
    if (clinchFind(&lapack_{name}, {len(self.names)}, names, {asked}) < 0)
      {sub["fail"]}
  }}"""

    def c_cleanup_code_struct(self, node, name):
        return f"Py_XDECREF(lapack_{name}.ask);"

    def c_code(self, node, name, inputs, outputs, sub):
        made = [f"&{z}" for z in outputs]
        arguments = ", ".join([f"&lapack_{name}", *self.given(inputs), *made, *self.more(outputs)])
        return f"""{{
  if ({self.call.function}({arguments}) < 0)
    {sub["fail"]}
}}"""

    def given(self, inputs):
        return inputs[: self.inputs]

    def more(self, outputs):
        values = (getattr(self.original, a) for a in self.call.arguments)
        return [f'"{v}"' if isinstance(v, str) else str(int(v)) for v in values]


class Eigen(Linear):
    """`Eigh` and `Eigvalsh`."""

    def given(self, inputs):
        return [*inputs[: self.inputs], "nullptr"][:2]

    def more(self, outputs):
        which = getattr(self.original, "UPLO", "L") == "L"
        lower = getattr(self.original, "lower", which)
        return [*(["nullptr"] if len(outputs) == 1 else []), str(int(lower))]


class System(Linear):
    """`Solve`."""

    def more(self, outputs):
        is_positive = self.original.assume_a == "pos"
        return [str(int(is_positive)), *super().more(outputs)]


def _dtype(variables):
    """Returns the dtype that all variables have, or None."""
    dtypes = {v.type.dtype for v in variables} if are_tensors(*variables) else ()
    return dtypes.pop() if len(dtypes) == 1 else None


#: The first letter of LAPACK's names for each dtype.
_LETTERS = {"float32": "s", "float64": "d"}


def _linear(kind, node, call, *variables):
    letter = _LETTERS.get(_dtype(variables))
    fits = letter and set(node.op.__props__) == call.props
    return kind(node.op, call, len(node.inputs), letter) if fits else None


def for_linear(node):
    call = _CALLS[type(node.op)]
    if type(node.op) is PivotToPermutations:
        x, z = node.inputs[0].type, node.outputs[0].type
        known = are_tensors(*node.inputs) and (x.dtype, z.dtype) == ("int32", "int64")
        return Linear(node.op, call, 1, "") if known and node.op.inverse in (0, 1) else None
    if type(node.op) is LUFactor:
        return _linear(Linear, node, call, *node.inputs, node.outputs[0])
    return _linear(Linear, node, call, *node.inputs, *node.outputs)


def for_solve(node):
    routines = _SOLUTIONS.get(getattr(node.op, "assume_a", None), "")
    how = ("assume_a", "lower"), "solve_by_scipy", _SOLVE
    call = Call("solve.c", "clinchSolve", routines, *how)
    return _linear(System, node, call, *node.inputs, *node.outputs)


def for_eigen(node):
    """`Eigvalsh`, and `Eigh`, which calls NumPy until PyTensor 2.38; of pairs since 3.0."""
    props, pairs = set(node.op.__props__), len(node.inputs) == 2
    routine, ask = "" if pairs else "syevr", "eigh_by_scipy"
    if props == {"UPLO"}:
        routine, ask = "", "eigh_by_numpy"
    elif not props <= {"lower", "overwrite_a", "overwrite_b", "driver"}:
        return None
    elif not pairs and getattr(node.op, "driver", "evr") != "evr":
        return None
    call = Call("eigen.c", "clinchEigen", routine, (), ask, frozenset(props))
    return _linear(Eigen, node, call, *node.inputs, *node.outputs)


for _kind in _CALLS:
    register(_kind, for_linear)
register(Solve, for_solve)
register(Eigh, for_eigen)
register(Eigvalsh, for_eigen)

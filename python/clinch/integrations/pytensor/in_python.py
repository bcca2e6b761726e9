"""The Ops that PyTensor itself always runs in Python, in the versions that were tested.

Only in other versions it matters which these are: see `registry.check_known`.
"""

import re

#: Modules all of whose Ops are.
_MODULES = re.compile(
    r"pytensor\.(breakpoint|printing|ifelse|conditional\.op|scan\.op|link\.jax\.ops"
    r"|sparse\.(basic|linalg|math)"
    r"|tensor\.(_?linalg\..*|nlinalg|slinalg|fft|fourier|optimize|random\.op|reshape|sort)"
    r"|xtensor\.(indexing|math|reduction|shape|vectorization))"
)

#: Their Ops that have C.
_WITH_C = {"StructuredDotGradCSC", "StructuredDotGradCSR"}

#: Of modules of which some have C.
_NAMES = {
    "pytensor.compile.ops": "FromFunctionOp",
    "pytensor.graph.fg": "Output",
    "pytensor.graph.op": "_NoPythonOp",
    "pytensor.tensor.basic": "Choose Default Eye Nonzero PermuteRowElements",
    "pytensor.tensor.blas": "Gemv Ger",
    "pytensor.tensor.blas.gemv": "Gemv",
    "pytensor.tensor.extra_ops": (
        "Bartlett FillDiagonal FillDiagonalOffset RavelMultiIndex Repeat Unique UnravelIndex"
    ),
    "pytensor.tensor.math": "Dot",
    "pytensor.tensor.signal.conv": "Convolve2d",
    "pytensor.tensor.subtensor": "AdvancedIncSubtensor AdvancedSubtensor",
    "pytensor.tensor.type_other": "MakeSlice",
    "pytensor.typed_list.basic": "Count Index MakeList Remove",
    "pytensor.xtensor.basic": "XOp",
}


def runs_in_python(kind):
    """Whether the class is one of them."""
    if _MODULES.fullmatch(kind.__module__):
        return kind.__name__ not in _WITH_C
    return kind.__name__ in _NAMES.get(kind.__module__, "").split()

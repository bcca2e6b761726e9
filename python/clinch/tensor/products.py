"""Products of vectors and matrices, with BLAS."""

from __future__ import annotations

import numpy

from ..base.annotations import Any
from ..types.array_type import TensorType
from ..graph.variables import Apply
from ..types.scalars import upcast
from .api import ApiOp
from .blas_library import find
from .casts import astype
from .operands import as_array, broadcast_shape, ndim, shape_of, shape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c",
            "complex128": "z"}

# What is in {output} stays there if the lengths do not fit.
_GEMM = r"""
if (PyArray_DIM({x}, 1) != PyArray_DIM({y}, 0)) {{
  {mismatch}
  {fail}
}}
{output} = clinch_gemm({gemm}, {x}, {y}, {output});
if (!{output})
  {fail}
"""


class Product(ApiOp):
    """x @ y, or numpy.dot(x, y), of arrays of one dtype."""

    __props__ = ("matmul", "blas")
    gives_numbers = True
    version = 2

    def __init__(self, matmul: bool = True, blas: Any = None) -> None:
        self.matmul, self.blas = matmul, blas

    def make_node(self, x: Any, y: Any) -> Any:
        x, y = as_array(x), as_array(y)
        dtype = upcast(x.type.dtype, y.type.dtype)
        x, y = astype(x, dtype), astype(y, dtype)
        shape = (_matmul_shape if self.matmul else _dot_shape)(
            shape_of(x), shape_of(y))
        return Apply(self, [x, y], [TensorType(dtype, shape)()])

    def _by_blas(self, node: Any) -> Any:
        """Returns the Blas for this product, or None."""
        x, y = node.inputs
        if ndim(x) != 2 or ndim(y) != 2 or x.type.dtype not in _LETTERS:
            return None
        return self.blas

    def _prefix(self, node: Any, blas: Any) -> Any:
        return blas.prefix + _LETTERS[node.inputs[0].type.dtype]

    def c_libraries(self, c_compiler: Any = None) -> Any:
        return self.blas.libraries if self.blas else []

    def c_lib_dirs(self, c_compiler: Any = None) -> Any:
        return self.blas.folders if self.blas else []

    def c_headers(self, c_compiler: Any = None) -> Any:
        return ["<limits.h>", *super().c_headers(c_compiler)]

    def c_support_code_apply(self, node: Any, name: str) -> Any:
        blas = self._by_blas(node)
        if blas is None:
            return ""
        return ("#include <clinch/gemm.h>\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                f"clinch_gemm_of_blas {self._prefix(node, blas)}gemm_;\n")

    def c_code(self, node: Any, name: str, inputs: Any, outputs: Any, sub: Any) -> Any:
        x, y = inputs
        blas = self._by_blas(node)
        if blas is None:
            call = ("PyNumber_MatrixMultiply" if self.matmul
                    else "PyArray_MatrixProduct")
            return self.result(node, outputs[0], f"{call}((PyObject *){x}, "
                               f"(PyObject *){y})", sub["fail"])
        return _GEMM.format(x=x, y=y, output=outputs[0], fail=sub["fail"],
                            mismatch=self._mismatch(x, y),
                            gemm=f"{self._prefix(node, blas)}gemm_")

    def _mismatch(self, x: Any, y: Any) -> str:
        if self.matmul:
            return ("PyErr_Format(PyExc_ValueError, \"matmul: Input operand 1 "
                    "has a mismatch in its core dimension 0, with gufunc "
                    "signature (n?,k),(k,m?)->(n?,m?) (size %zd is different "
                    f"from %zd)\", PyArray_DIM({y}, 0), PyArray_DIM({x}, 1));")
        return ("PyErr_Format(PyExc_ValueError, \"shapes (%zd,%zd) and "
                "(%zd,%zd) not aligned: %zd (dim 1) != %zd (dim 0)\", "
                f"PyArray_DIM({x}, 0), PyArray_DIM({x}, 1), PyArray_DIM({y}, 0), "
                f"PyArray_DIM({y}, 1), PyArray_DIM({x}, 1), PyArray_DIM({y}, 0));")

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        multiply: Any = numpy.matmul if self.matmul else numpy.dot
        made = multiply(*inputs)
        output_storage[0][0] = numpy.asarray(made, node.outputs[0].type.dtype)

    def __str__(self) -> str:
        return "matmul" if self.matmul else "dot"

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and self.matmul == other.matmul \
            and self.blas is other.blas

    def __hash__(self) -> int:
        return hash((Product, self.matmul))

    def __reduce__(self) -> Any:
        return _product, (self.matmul,)


def _product(matmul: Any) -> Any:
    return Product(matmul, find())


def _fits(a: Any, b: Any, message: str) -> None:
    if a is not None and b is not None and a != b:
        raise ValueError(message)


def _matmul_shape(a: Any, b: Any) -> Any:
    for number, shape in enumerate((a, b)):
        if not shape:
            raise ValueError(f"matmul: Input operand {number} does not have "
                             f"enough dimensions (has 0, gufunc core with "
                             f"signature (n?,k),(k,m?)->(n?,m?) requires 1)")
    inner = b[-2] if len(b) > 1 else b[0]
    _fits(a[-1], inner, f"matmul: Input operand 1 has a mismatch in its core "
          f"dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size "
          f"{inner} is different from {a[-1]})")
    batch = broadcast_shape([a[:-2], b[:-2]])
    return (*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def _dot_shape(a: Any, b: Any) -> Any:
    if not a or not b:
        return a or b
    inner = b[-2] if len(b) > 1 else b[0]
    _fits(a[-1], inner,
          f"shapes {shape_text(a)} and {shape_text(b)} not aligned: "
          f"{a[-1]} (dim {len(a) - 1}) != {inner} (dim {max(len(b) - 2, 0)})")
    return (*a[:-1], *(b[:-2] + b[-1:] if len(b) > 1 else ()))


def dot(x: Any, y: Any) -> Variable:
    """NumPy's dot: sums over the last dimension of x and the last but one of y."""
    return Product(False, find())(x, y)


def matmul(x: Any, y: Any) -> Variable:
    """NumPy's x @ y."""
    return Product(True, find())(x, y)

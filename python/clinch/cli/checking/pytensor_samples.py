"""Samples for PyTensor's Ops that need arguments or inputs that cannot be
guessed, taken from PyTensor's own tests."""

from __future__ import annotations

import pytensor.tensor as pt
from pytensor import scalar
from pytensor.compile.ops import DeepCopyOp, ViewOp

from ...base.annotations import Any

#: Classes that are only for isinstance() or for deriving others.
_ABSTRACT = {"Blockwise", "DenseTensorConstant", "DenseTensorType",
             "DenseTensorVariable", "OutputGuard", "TypeCastingOp",
             "XTypeCastOp", "_NoPythonExternalCOp"}
#: These inherit C code but cannot use it, because their Types have none.
_WITHOUT_C = {"RNGToXRNG", "Rename", "SparseTensorType", "TensorFromXTensor",
              "XRNGToRNG", "XTensorFromTensor"}
#: These are checked with the Ops that use them; they cannot be outputs.
_OF_OPS = {"ParamsType"}
NEVER_MADE = _ABSTRACT | _WITHOUT_C | _OF_OPS


def made(cls: Any) -> Any:
    """Returns sample variables for one of PyTensor's own classes, if known."""
    if not cls.__module__.startswith("pytensor."):
        return []
    make = _MAKERS.get(cls.__name__)
    return make(cls) if make else []


def _gemm(cls: Any) -> Any:
    m, a = pt.dmatrix, pt.dscalar
    return [cls(inplace=inplace)(m(), a(), m(), m(), a())
            for inplace in (False, True)]


def _gemv(cls: Any) -> Any:
    return [cls(inplace=inplace)(pt.dvector(), pt.dscalar(), pt.dmatrix(),
                                 pt.dvector(), pt.dscalar())
            for inplace in (False, True)]


def _ger(cls: Any) -> Any:
    return [cls(destructive=destructive)(pt.dmatrix(), pt.dscalar(),
                                         pt.dvector(), pt.dvector())
            for destructive in (False, True)]


def _composite(cls: Any) -> Any:
    x, y = scalar.float64(), scalar.float64()
    return [cls([x, y], [x * y + x])(scalar.float64(), scalar.float64())]


def _loop(cls: Any) -> Any:
    x, c = scalar.float64(), scalar.float64()
    op = cls(init=[x], update=[x * c], constant=[c])
    return [op(scalar.int64(), scalar.float64(), scalar.float64())]


def _elemwise(_: Any) -> Any:
    x, y = pt.dmatrix(), pt.dvector()
    return [x + y, pt.exp(x), pt.switch(pt.bvector(), y, 0), pt.cast(y, "int8"),
            pt.lvector() // pt.ivector(), pt.abs(pt.zvector())]


def _reductions(_: Any) -> Any:
    x = pt.dmatrix()
    return [x.sum(), x.sum(axis=0), x.prod(axis=1), x.max(axis=0),
            pt.all(pt.bmatrix(), axis=1), pt.ivector().sum()]


def _subtensors(_: Any) -> Any:
    x, i = pt.dmatrix(), pt.lscalar()
    return [x[i], x[1:i], x[:, ::-1], x[i, ::2]]


def _increments(_: Any) -> Any:
    x, i = pt.dmatrix(), pt.lscalar()
    return [pt.set_subtensor(x[i], 1.0), pt.inc_subtensor(x[1:i], pt.dvector())]


def _advanced(cls: Any) -> Any:
    return [cls()(pt.dmatrix(), pt.lvector())]


def _advanced_increments(cls: Any) -> Any:
    x, i = pt.dmatrix(), pt.lvector()
    return [cls(set_instead_of_inc=instead)(x, pt.dmatrix(), i)
            for instead in (False, True)]


def _list() -> Any:
    from pytensor.typed_list.type import TypedListType
    return TypedListType(pt.dvector().type)()


def _checks(_: Any) -> Any:
    from pytensor.raise_op import CheckAndRaise
    return [CheckAndRaise(ValueError, "no")(pt.dvector(), pt.bscalar())]


def _list_of_vectors(cls: Any) -> Any:
    return [cls(pt.dvector().type)()]


def _added_to_sparse(cls: Any) -> Any:
    from pytensor import sparse
    return [cls(form)(sparse.matrix(form, dtype="float64"), pt.dmatrix())
            for form in ("csc", "csr")]


def _sparse() -> Any:
    """Returns the data, indices and index pointers of a sparse matrix."""
    return pt.dvector(), pt.ivector(), pt.ivector()


def _sparse_product(cls: Any) -> Any:
    alpha = pt.tensor(dtype="float64", shape=(1, 1))
    return [cls(inplace)(alpha, *_sparse(), pt.iscalar(), pt.dmatrix(),
                         pt.dmatrix()) for inplace in (False, True)]


_MAKERS = {
    "AdvancedIncSubtensor1": _advanced_increments,
    "AdvancedSubtensor1": _advanced,
    "AddSD_ccode": _added_to_sparse,
    "Alloc": lambda _: [pt.alloc(1.0, pt.lscalar(), 3)],
    "AllocEmpty": lambda cls: [cls("float64")(pt.lscalar(), 3)],
    "ARange": lambda _: [pt.arange(pt.lscalar()),
                         pt.arange(pt.dscalar(), pt.dscalar(), 0.5)],
    "Assert": lambda cls: [cls()(pt.dvector(), pt.bscalar())],
    "Append": lambda cls: [cls()(_list(), pt.dvector())],
    "Argmax": lambda cls: [cls(axis=(0,))(pt.dmatrix())],
    "BatchedDot": lambda _: [pt.batched_dot(pt.dtensor3(), pt.dtensor3())],
    "CAReduce": _reductions,
    "Cast": lambda cls: [cls(scalar.int8)(scalar.float64()),
                         cls(scalar.complex128)(scalar.float64())],
    "CDataType": lambda cls: [cls("int *", "free")()],
    "CGemv": _gemv,
    "CGer": _ger,
    "CheckAndRaise": _checks,
    "Composite": _composite,
    "Convolve1d": lambda cls: [cls()(pt.dvector(), pt.dvector(), full)
                               for full in (scalar.constant(True, dtype="bool"),
                                            pt.scalar(dtype="bool"))],
    "CSMGradC": lambda cls: [cls()(*_sparse(), pt.ivector(), *_sparse(),
                                   pt.ivector())],
    "CumOp": lambda _: [pt.cumsum(pt.dmatrix(), axis=0),
                        pt.cumprod(pt.dvector())],
    "DeepCopyOp": lambda _: [DeepCopyOp()(pt.dvector()),
                             DeepCopyOp()(scalar.int64())],
    "DimShuffle": lambda _: [pt.dmatrix().T, pt.dvector().dimshuffle("x", 0),
                             pt.dtensor3().dimshuffle(2, 0, 1)],
    "Dot22": lambda cls: [cls()(pt.dmatrix(), pt.dmatrix())],
    "Dot22Scalar": lambda cls: [cls()(pt.dmatrix(), pt.dmatrix(),
                                      pt.dscalar())],
    "Elemwise": _elemwise,
    "Extend": lambda cls: [cls()(_list(), _list())],
    "Eye": lambda _: [pt.eye(pt.lscalar(), 3, 1)],
    "Gemm": _gemm,
    "GetItem": lambda cls: [cls()(_list(), pt.lscalar())],
    "Grad2F1Loop": _loop,
    "GradClip": lambda cls: [cls(0, 1)(pt.dvector())],
    "GradScale": lambda cls: [cls(2)(pt.dvector())],
    "IncSubtensor": _increments,
    "Insert": lambda cls: [cls()(_list(), pt.lscalar(), pt.dvector())],
    "Join": lambda _: [pt.join(0, pt.dvector(), pt.dvector()),
                       pt.join(pt.lscalar(), pt.dmatrix(), pt.dmatrix())],
    "Length": lambda cls: [cls()(_list())],
    "LogSoftmax": lambda cls: [cls(axis=1)(pt.dmatrix()),
                               cls(axis=None)(pt.dmatrix())],
    "Max": lambda cls: [cls(axis=(0,))(pt.dmatrix())],
    "Min": lambda cls: [cls(axis=(0,))(pt.dmatrix())],
    "MakeVector": lambda _: [pt.stack([pt.dscalar(), pt.dscalar()])],
    "Reshape": lambda _: [pt.dmatrix().reshape((pt.lscalar(), 3))],
    "Reverse": lambda cls: [cls()(_list())],
    "SamplingDotCSR": lambda cls: [cls()(pt.dmatrix(), pt.dmatrix(),
                                         *_sparse(), pt.iscalar())[0]],
    "ScalarLoop": _loop,
    "ScalarType": lambda cls: [cls(dtype)() for dtype in
                               ("float64", "int8", "bool", "complex64")],
    "Shape_i": lambda cls: [cls(0)(pt.dvector())],
    "Softmax": lambda cls: [cls(axis=1)(pt.dmatrix()),
                            cls(axis=None)(pt.dmatrix())],
    "SoftmaxGrad": lambda cls: [cls(axis=1)(pt.dmatrix(), pt.dmatrix())],
    "SpecifyAssumptions": lambda cls: [cls({})(pt.dvector())],
    "SpecifyShape": lambda _: [pt.specify_shape(pt.dmatrix(), (2, None))],
    "Split": lambda cls: [cls(2)(pt.dvector(), 0, pt.lvector())[0]],
    "Subtensor": _subtensors,
    "TensorFromScalar": lambda cls: [cls()(scalar.float64())],
    "TensorType": lambda cls: [cls("float64", shape=shape)() for shape in
                               ((), (None,), (2, None))],
    "TypedListType": _list_of_vectors,
    "UsmmCscDense": _sparse_product,
    "ViewOp": lambda _: [ViewOp()(pt.dvector())],
}

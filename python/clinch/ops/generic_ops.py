"""Ops for any Type: copy, view, shape. The register functions set their C code
for a class of Types."""

from __future__ import annotations

import copy

import numpy

from .. import _clinch
from ..base.annotations import Any, Sequence, Version
from ..types.array_type import TensorType
from ..device.memory import copied, layout_of
from ..graph.variables import Apply
from .native_op import NativeOp
from .scalar_ops import as_variable, on_values
from ..types.scalars import Scalar, scalars
from ..types.type import shipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable
    from ..types.type import Type


def _register(op: str, type_class: type, code: str, check_input: str,
              version: Version) -> None:
    if not isinstance(type_class, type):
        raise TypeError(f"C code is registered for a class of Types, not for "
                        f"{type_class!r}")
    text = repr(version) if version else "()"
    _clinch.register_code(op, type_class, code, check_input, text)


def register_deep_copy_op_c_code(type_class: type, code: str,
                                 version: Version = ()) -> None:
    """Registers C code that makes %(oname)s a copy of %(iname)s."""
    _register("deep_copy", type_class, code, "", version)


def register_view_op_c_code(type_class: type, code: str,
                            version: Version = ()) -> None:
    """Registers C code that makes %(oname)s the same as %(iname)s."""
    _register("view", type_class, code, "", version)


def register_shape_c_code(type_class: type, code: str,
                          version: Version = ()) -> None:
    """Registers C code that makes %(oname)s the shape of %(iname)s."""
    _register("shape", type_class, code, "", version)


def register_shape_i_c_code(type_class: type, code: str, check_input: str,
                            version: Version = ()) -> None:
    """Registers C code that makes %(oname)s the length of dimension %(i)s; the
    code `check_input` checks that it exists."""
    _register("shape_i", type_class, code, check_input, version)


class _GenericOp(NativeOp):
    """Its C code is looked up when a graph is compiled; without any it has
    only `perform`."""

    _kind: str

    def output_type(self, x: Variable) -> Type:
        raise NotImplementedError

    def make_node(self, x: Any) -> Apply:
        x = as_variable(x)
        return Apply(self, [x], [self.output_type(x)()])

    def has_c_code(self, node: Apply) -> bool:
        return _clinch.is_registered(self._kind, type(node.inputs[0].type))


def deep_copy(value: Any) -> Any:
    """Returns a copy that shares no memory with the value."""
    if isinstance(value, numpy.ndarray):
        return value.copy("K")
    if not hasattr(value, "__deepcopy__") and layout_of(value):
        return copied(value)
    return copy.deepcopy(value)


@shipped
class DeepCopyOp(_GenericOp):
    """Makes a copy that shares no memory with the original."""

    __props__ = ()
    _kind = "deep_copy"
    _native = _clinch.native_generic_op("deep_copy")

    def output_type(self, x: Variable) -> Type:
        return x.type

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = deep_copy(inputs[0])


@shipped
class ViewOp(_GenericOp):
    """The same value under another name."""

    __props__ = ()
    _kind = "view"
    _native = _clinch.native_generic_op("view")
    view_map = {0: [0]}

    def output_type(self, x: Variable) -> Type:
        return x.type

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = inputs[0]


@shipped
class Shape(_GenericOp):
    """The lengths of all dimensions."""

    __props__ = ()
    _kind = "shape"
    _native = _clinch.native_generic_op("shape")

    def output_type(self, x: Variable) -> Type:
        return TensorType("int64", (None,))

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = numpy.asarray(inputs[0].shape, dtype="int64")


@shipped
class Shape_i(_GenericOp):
    """The length of one dimension."""

    __props__ = ("i",)
    gives_numbers = True
    _kind = "shape_i"

    def __init__(self, i: int) -> None:
        self.i = int(i)
        if self.i < 0:
            raise ValueError(f"there is no dimension {i}")
        self._native = _clinch.native_generic_op("shape_i", self.i)

    def output_type(self, x: Variable) -> Type:
        ndim = getattr(x.type, "ndim", None)
        if ndim is not None and self.i >= ndim:
            raise TypeError(f"{x!r} has {ndim} dimensions, and none is "
                            f"number {self.i}")
        return TensorType("int64", ())

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = numpy.asarray(inputs[0].shape[self.i], "int64")

    def __reduce__(self) -> Any:
        return type(self), (self.i,)


deep_copy_op = DeepCopyOp()
view_op = ViewOp()
shape = Shape()


def shape_i(x: Any, i: int) -> Variable:
    """Returns the length of dimension `i` of x."""
    return Shape_i(i)(x)


@shipped
class Cast(NativeOp):
    """Converts a scalar to another dtype."""

    __props__ = ("dtype",)

    def __init__(self, dtype: str) -> None:
        self.dtype = numpy.dtype(dtype).name
        self._native = _clinch.native_cast_op(self.dtype)

    def __call__(self, x: Any, name: str | None = None) -> Variable:
        op = on_values(self, [x])
        return (super().__call__ if op is self else op)(x, name=name)

    def make_node(self, x: Any) -> Apply:
        x = as_variable(x)
        self._native.result_type([x.type])
        return Apply(self, [x], [Scalar(self.dtype)()])

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        with numpy.errstate(all="ignore"):
            output_storage[0][0] = numpy.asarray(inputs[0]).astype(
                self.dtype)[()]

    def __reduce__(self) -> Any:
        return type(self), (self.dtype,)


#: name -> Op: cast_bool to cast_complex128.
casts = {f"cast_{dtype}": Cast(dtype) for dtype in scalars}


def cast(x: Any, dtype: str) -> Variable:
    """Returns a scalar or an array converted to another dtype, as a Variable.

    Parameters
    ----------
    x : Variable, number or array
        The value to convert.
    dtype : str
        The dtype of the result.

    Returns
    -------
    Variable
        The converted value. Values that do not fit are converted as by
        `numpy.ndarray.astype`.

    Raises
    ------
    TypeError
        If `dtype` is not a dtype.
    ValueError
        If Clinch has no numbers of that dtype.

    Examples
    --------
    >>> from clinch import cast, function, vector
    >>> x = vector("x")
    >>> print(function([x], cast(x, "int32"))([1.5, -2.5]))
    [ 1 -2]
    """
    return Cast(dtype)(x)

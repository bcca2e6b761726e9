"""NumPy's arrays."""

from __future__ import annotations

import reprlib

import numpy

from .. import _clinch
from ..base.annotations import Any, Callable, ClassVar, Sequence
from .type import NativeType, shipped, what

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..ops.op import Op
    from ..graph.variables import Variable


def _static_shape(shape: Any, broadcastable: Any) -> Any:
    if shape is None:
        shape = broadcastable
    if shape is None:
        raise TypeError("a TensorType needs a shape, such as (None, 3), or "
                        "broadcastable")
    if isinstance(shape, int):
        raise TypeError("a shape is a tuple with a length or None for each dimension, "
                        f"such as (None, 3); {shape!r} is none")
    # Theano's second argument says which dimensions broadcast.
    return tuple(None if n in (None, False) and not n == 0 or n is False
                 else 1 if n is True else int(n) for n in shape)


@shipped
class TensorType(NativeType):
    """Arrays of one dtype and number of dimensions. A length of None allows any
    length; a length of 1 broadcasts. Strides are arbitrary unless `contiguous`,
    and items are aligned unless `aligned` is false."""

    is_array = True
    #: Makes the Op that computes a scalar Op of each item; `clinch.tensor` sets it.
    loop: ClassVar[Callable[[Op], Op]]

    def __init__(self, dtype: str, shape: Sequence[int | None] | None = None,
                 name: str | None = None,
                 broadcastable: Sequence[bool] | None = None,
                 contiguous: bool = False, aligned: bool = True) -> None:
        self.dtype = numpy.dtype(dtype).name
        self.shape = _static_shape(shape, broadcastable)
        self.name = name
        self.contiguous, self.aligned = bool(contiguous), bool(aligned)
        self._native = _clinch.native_tensor(self.dtype, self.shape,
                                             self.contiguous, self.aligned)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def broadcastable(self) -> Any:
        return tuple(n == 1 for n in self.shape)

    @property
    def numpy_dtype(self) -> Any:
        return numpy.dtype(self.dtype)

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        if not self._is_mine(value):
            if strict:
                raise TypeError(f"expected {self}, not {self._describe(value)}")
            value = self._cast(value, allow_downcast)
        for axis, (want, have) in enumerate(zip(self.shape, value.shape)):
            if want is not None and want != have:
                raise TypeError(f"expected a length of {want} in dimension "
                                f"{axis} of {self}, and found {have}")
        return value

    def _is_mine(self, value: Any) -> Any:
        return (isinstance(value, numpy.ndarray) and not hasattr(value, "mask")
                and value.dtype == self.numpy_dtype
                and value.dtype.isnative and value.ndim == self.ndim
                and (value.flags.aligned or not self.aligned)
                and (value.flags.c_contiguous or not self.contiguous))

    def _cast(self, value: Any, allow_downcast: Any) -> Any:
        refuse_mask(value, self)
        array = numpy.asarray(value)
        if array.dtype == object:
            array = self._from_integers(array, value, allow_downcast)
        if array.ndim != self.ndim:
            raise TypeError(f"expected {self.ndim} dimensions for {self}, and "
                            f"found {array.ndim}")
        if array.dtype.kind not in "biufc":
            raise TypeError(f"expected {self}, not {self._describe(value)}")
        if array.dtype.kind == "c" and self.numpy_dtype.kind != "c":
            fits, array = not array.imag.any(), array.real
            if not (fits or allow_downcast):
                raise self._loss(value)
        cast = numpy.require(array, self.numpy_dtype.newbyteorder("="),
                             ["A", "C"] if self.contiguous else ["A"])
        # A value with a dtype is checked by that, as in NumPy, so int64 may become
        # float64. Python's own numbers are checked one by one.
        lossless = (hasattr(value, "dtype")
                    and numpy.can_cast(array.dtype, self.dtype, "safe"))
        # A Python float is rounded to float32, as in NumPy.
        lossless |= isinstance(value, float) and cast.dtype.kind in "fc"
        if not (lossless or allow_downcast or self._same(array, cast)):
            raise self._loss(value)
        return cast

    def _loss(self, value: Any) -> Any:
        return TypeError(
            f"the values of {self._describe(value)} do not fit {self} "
            f"without a loss; allow_downcast=True permits it")

    def _from_integers(self, array: Any, value: Any, allow_downcast: Any) -> Any:
        """Casts Python integers beyond 64 bits, if the dtype can hold them."""
        if not all(type(item) is int for item in array.flat):
            raise TypeError(f"expected {self}, not {self._describe(value)}")
        if self.numpy_dtype.kind in "biu":
            raise TypeError(f"expected {self}, and found an integer beyond 64 "
                            f"bits")
        try:
            cast = array.astype(self.numpy_dtype)
        except OverflowError as error:
            raise TypeError(f"expected {self}: {error}") from None
        if not (allow_downcast or (cast.astype(object) == array).all()):
            raise self._loss(value)
        return cast

    def _same(self, array: Any, cast: Any) -> bool:
        """Whether the cast kept each value exactly; NaN equals NaN."""
        if array.dtype.kind != "c":
            cast = cast.real
        with numpy.errstate(all="ignore"):
            # Casts back, because a direct comparison would convert both to floats.
            same = cast.astype(array.dtype) == array
            if cast.dtype.kind in "iu":
                same &= (cast < 0) == (array < 0)
            return bool(numpy.all(same | ((cast != cast) & (array != array))))

    def _describe(self, value: Any) -> Any:
        if isinstance(value, numpy.ndarray):
            return f"an array of {value.dtype} with shape {value.shape}"
        odd = _odd_item(value)
        return what(value) + (f" whose item {odd}" if odd else "")

    @classmethod
    def applying(cls, scalar_op: Any) -> Any:
        """A scalar Op computes each item."""
        return cls.loop(scalar_op)

    def values_eq(self, a: Any, b: Any) -> bool:
        if not (isinstance(a, numpy.ndarray) and isinstance(b, numpy.ndarray)):
            return False
        return (a.shape == b.shape and a.dtype == b.dtype
                and bool(numpy.all((a == b) | ((a != a) & (b != b)))))

    def values_eq_approx(self, a: Any, b: Any, rtol: float = 1e-4,
                         atol: float = 1e-8) -> bool:
        if not (isinstance(a, numpy.ndarray) and isinstance(b, numpy.ndarray)):
            return False
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        if a.dtype.kind in "biu":
            return bool(numpy.array_equal(a, b))
        return bool(numpy.allclose(a, b, rtol, atol, equal_nan=True))

    def get_shape_info(self, obj: Any) -> Any:
        return obj.shape

    def get_size(self, shape_info: Any) -> int:
        return (int(numpy.prod(shape_info, dtype=numpy.int64))
                * self.numpy_dtype.itemsize)

    def may_share_memory(self, a: Any, b: Any) -> bool:
        if not (isinstance(a, numpy.ndarray) and isinstance(b, numpy.ndarray)):
            return False
        return numpy.may_share_memory(a, b)

    def clone(self, dtype: str | None = None,  # type: ignore[override]
              broadcastable: Any = None, shape: Any = None) -> TensorType:
        return TensorType(dtype or self.dtype,
                          shape if shape is not None
                          else broadcastable if broadcastable is not None
                          else self.shape, contiguous=self.contiguous,
                          aligned=self.aligned)

    def __eq__(self, other: Any) -> bool:
        return (type(other) is type(self)
                and other._identity() == self._identity())

    def _identity(self) -> Any:
        return self.dtype, self.shape, self.contiguous, self.aligned

    def __hash__(self) -> int:
        return hash((TensorType, self._identity()))

    def __str__(self) -> str:
        layout = ((", contiguous" if self.contiguous else "")
                  + ("" if self.aligned else ", unaligned"))
        return f"TensorType({self.dtype}, {self.shape}{layout})"

    def __reduce__(self) -> Any:
        return type(self), (self.dtype, self.shape, self.name, None,
                            self.contiguous, self.aligned)


def refuse_mask(value: Any, wanted: Any = "an array") -> None:
    """Raises a TypeError if the value is a masked array."""
    if isinstance(value, numpy.ndarray) and hasattr(value, "mask"):
        raise TypeError(f"expected {wanted}, not a masked array: its mask would be lost; "
                        f"`filled()` gives a plain one")


def _odd_item(value: Any) -> Any:
    """Says where in nested lists the first is that is no number, or nothing."""
    if not isinstance(value, (list, tuple)):
        return None
    for position, item in enumerate(value):
        if isinstance(item, (list, tuple)):
            odd = _odd_item(item)
            if odd:
                return f"[{position}]{odd}"
        elif numpy.asarray(item).dtype.kind not in "biufc" \
                and not isinstance(item, int):
            return f"[{position}] is {reprlib.repr(item)}, {what(item)}"
    return None


def _variable(name: str | None, dtype: Any, shape: Any, ndim: Any) -> Any:
    shape = (None,) * ndim if shape is None else tuple(shape)
    if len(shape) != ndim:
        raise ValueError(f"a shape of {ndim} dimensions is needed here, and {shape} "
                         f"has {len(shape)}")
    return TensorType(dtype, shape)(name)


def scalar(name: str | None = None, dtype: str = "float64") -> Variable:
    """Makes a Variable for arrays without dimensions."""
    return _variable(name, dtype, (), 0)


def vector(name: str | None = None, dtype: str = "float64",
           shape: Sequence[int | None] | None = None) -> Variable:
    """Returns a Variable for arrays of one dimension.

    Parameters
    ----------
    name : str, optional
        The name of the Variable.
    dtype : str, default "float64"
        The dtype of the arrays.
    shape : sequence of int or None, optional
        The length of the arrays, such as (3,). By default any length fits.

    Returns
    -------
    Variable
        The Variable. Its Type is a TensorType.

    Raises
    ------
    TypeError
        If `dtype` is not a dtype.
    ValueError
        If Clinch has no arrays of that dtype, or `shape` does not have one item.

    Examples
    --------
    >>> from clinch import function, vector
    >>> x = vector("x")
    >>> print(function([x], x + 1.0)([1.0, 2.0]))
    [2. 3.]
    """
    return _variable(name, dtype, shape, 1)


def matrix(name: str | None = None, dtype: str = "float64",
           shape: Sequence[int | None] | None = None) -> Variable:
    """Makes a Variable for arrays of two dimensions; `shape` says their lengths."""
    return _variable(name, dtype, shape, 2)


def tensor3(name: str | None = None, dtype: str = "float64",
            shape: Sequence[int | None] | None = None) -> Variable:
    """Makes a Variable for arrays of three dimensions; `shape` says their lengths."""
    return _variable(name, dtype, shape, 3)

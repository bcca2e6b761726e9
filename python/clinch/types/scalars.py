"""Numbers: Python's float, and NumPy's scalars."""

from __future__ import annotations

import reprlib

import numpy

from .. import _clinch
from ..base.annotations import Any
from .type import NativeType, shipped, what


def upcast(*dtypes: str) -> str:
    """Returns the name of the smallest dtype that holds all of these."""
    if not dtypes:
        raise TypeError("upcast() needs at least one dtype")
    return numpy.result_type(*(numpy.dtype(d) for d in dtypes)).name


def close(a: Any, b: Any, tolerance: float = 1e-4) -> bool:
    """Whether two numbers are nearly equal; NaN equals NaN."""
    if a == b or (a != a and b != b):
        return True
    size = abs(a) + abs(b)
    return bool(abs(a - b) < tolerance * size) and size != float("inf")


@shipped
class Double(NativeType):
    """The Type of Python's float, a C double. `clinch.double` is its instance.

    Call it to make a Variable.

    Parameters
    ----------
    name : str, optional
        The name of the Variable.

    Returns
    -------
    Variable
        A Variable for a float. Other numbers are converted if that loses nothing.

    Examples
    --------
    >>> from clinch import double, function
    >>> x = double("x")
    >>> function([x], x * x)(3)
    9.0
    """

    dtype = "float64"

    def __init__(self) -> None:
        self._native = _clinch.native_float()

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        if type(value) is float:
            return value
        if isinstance(value, float):
            return value if strict else float(value)
        if strict:
            raise TypeError(f"expected a float, not {what(value)}")
        if getattr(value, "ndim", 0):
            raise TypeError(f"expected a float, not an array of {value.ndim} "
                            f"dimensions")
        try:
            as_float = float(value)
        except OverflowError as error:
            raise TypeError(f"{reprlib.repr(value)} is no float: "
                            f"{error}") from None
        if isinstance(value, (str, bytes, bytearray)):
            raise TypeError(f"expected a float, not {what(value)}")
        if allow_downcast or as_float == value or as_float != as_float:
            return as_float
        raise _loss(value, "float")

    def values_eq(self, a: Any, b: Any) -> bool:
        return a == b or (a != a and b != b)

    def values_eq_approx(self, a: Any, b: Any, tolerance: float = 1e-4) -> bool:
        return close(a, b, tolerance)

    def get_size(self, shape_info: Any) -> int:
        return 8

    def __eq__(self, other: Any) -> bool:
        return type(other) is Double

    def __hash__(self) -> int:
        return hash(Double)

    def __str__(self) -> str:
        return "double"

    def __reduce__(self) -> Any:
        return Double, ()


@shipped
class Scalar(NativeType):
    """NumPy's scalar of one dtype, such as numpy.float32(1), as a C number."""

    def __init__(self, dtype: str) -> None:
        self.dtype = numpy.dtype(dtype).name
        self._native = _clinch.native_scalar(self.dtype)
        self._class = numpy.dtype(dtype).type

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        if type(value) is self._class:
            return value
        if strict:
            raise TypeError(f"expected a numpy.{self.dtype}, not "
                            f"{what(value)}")
        if isinstance(value, (list, tuple, dict, set, str, bytes)):
            raise TypeError(f"expected a number for {self}, not "
                            f"{what(value)}")
        if isinstance(value, numpy.ndarray) and value.ndim:
            raise TypeError(f"expected a number for {self}, not an array of "
                            f"{value.ndim} dimensions")
        return self._cast(value, allow_downcast)

    def _cast(self, value: Any, allow_downcast: bool | None) -> Any:
        if isinstance(value, (numpy.ndarray, numpy.generic)):
            fits = numpy.can_cast(value.dtype, self.dtype, "safe")
        else:
            fits = False
        if not (fits or allow_downcast):
            self._check_lossless(value)
        try:
            with numpy.errstate(all="ignore"):
                return self._class(numpy.asarray(value).astype(self.dtype)[()])
        except (OverflowError, ValueError, TypeError) as error:
            raise self._wrong(value, error) from None

    def _check_lossless(self, value: Any) -> None:
        try:
            with numpy.errstate(all="ignore"):
                cast = numpy.asarray(value).astype(self.dtype)[()]
        except (OverflowError, ValueError, TypeError) as error:
            raise self._wrong(value, error) from None
        same = _equal(cast, value)
        # A Python float is rounded to a float32, as in NumPy.
        rounds = isinstance(value, float) and cast.dtype.kind in "fc"
        if not (same or rounds):
            raise _loss(value, self.dtype)

    def _wrong(self, value: Any, error: Exception) -> TypeError:
        return TypeError(f"{reprlib.repr(value)} is no {self.dtype}: {error}")

    def values_eq(self, a: Any, b: Any) -> bool:
        return bool(a == b or (a != a and b != b))

    def values_eq_approx(self, a: Any, b: Any, tolerance: float = 1e-4) -> bool:
        if numpy.dtype(self.dtype).kind in "biu":
            return bool(a == b)
        return close(a, b, tolerance)

    def get_size(self, shape_info: Any) -> int:
        return numpy.dtype(self.dtype).itemsize

    def clone(self, dtype: str | None = None, **ignored: Any) -> Scalar:
        return self if dtype is None else Scalar(dtype)

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash((Scalar, self.dtype))

    def __str__(self) -> str:
        return f"Scalar({self.dtype})"

    def __reduce__(self) -> Any:
        return type(self), (self.dtype,)


def _equal(cast: Any, value: Any) -> bool:
    """Compares exactly; NumPy compares 2**53 + 1 and 2.0**53 as floats."""
    a, b = cast.item(), value.item() if hasattr(value, "item") else value
    return a == b or (a != a and b != b)


def _loss(value: Any, kind: str) -> TypeError:
    return TypeError(f"{reprlib.repr(value)} ({what(value)}) is no {kind} "
                     f"without a loss; allow_downcast=True permits it")


double = Double()
#: dtype -> its Scalar.
scalars = {name: Scalar(name) for name in (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "float16", "float32", "float64", "complex64", "complex128")}

"""NumPy's methods and protocols on Variables of arrays."""

from __future__ import annotations

from .annotations import Any, Callable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .graph import Variable

#: Name -> what computes it; `clinch.tensor`, whose Ops make Variables, fills it.
METHODS: dict[str, Callable[..., Any]] = {}


def _call(variable: Any, name: str, *arguments: Any, **more: Any) -> Any:
    """Calls what computes a method of arrays."""
    if name not in getattr(variable.type, "methods", ()):
        _array(variable, f"`{name}`")
    return METHODS[name](variable, *arguments, **more)


def _array(variable: Any, what: str) -> Any:
    if not getattr(variable.type, "is_array", False):
        raise AttributeError(f"{variable!r} has type {variable.type}, which "
                             f"is not an array: it has no {what}")
    return variable


class ArrayMethods:
    """What a Variable of arrays has of an array; see NumPy's page of each."""

    __slots__ = ()

    type: Any

    # Its shape.

    @property
    def T(self) -> Variable:
        return _call(self, "T")

    @property
    def shape(self) -> tuple[Any, ...]:
        return _call(self, "shape")

    @property
    def size(self) -> Any:
        return _call(self, "size")

    def ravel(self) -> Variable:
        return _call(self, "ravel")

    def flatten(self) -> Variable:
        return _call(self, "flatten")

    def reshape(self, *shape: Any) -> Variable:
        return _call(self, "reshape", *shape)

    def squeeze(self, axis: Any = None) -> Variable:
        return _call(self, "squeeze", axis)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Variable:
        return _call(self, "diagonal", offset, axis1, axis2)

    def repeat(self, repeats: Any, axis: Any = None) -> Variable:
        return _call(self, "repeat", repeats, axis)

    def swapaxes(self, axis1: int, axis2: int) -> Variable:
        return _call(self, "swapaxes", axis1, axis2)

    def transpose(self, *axes: Any) -> Variable:
        return _call(self, "transpose", *axes)

    # Its items.

    @property
    def real(self) -> Variable:
        return METHODS["real"](self)

    @property
    def imag(self) -> Variable:
        return METHODS["imag"](self)

    def astype(self, dtype: Any, copy: bool = True) -> Variable:
        return _call(self, "astype", dtype, copy)

    def clip(self, low: Any = None, high: Any = None) -> Variable:
        return _call(self, "clip", low, high)

    def conj(self) -> Variable:
        return _call(self, "conj")

    def copy(self) -> Variable:
        return _call(self, "copy")

    def round(self, decimals: int = 0) -> Variable:
        return _call(self, "round", decimals)

    def take(self, indices: Any, axis: Any = None) -> Variable:
        return _call(self, "take", indices, axis)

    def nonzero(self) -> tuple[Variable, ...]:
        return _call(self, "nonzero")

    def argsort(self, axis: Any = -1) -> Variable:
        return _call(self, "argsort", axis)

    def searchsorted(self, values: Any, side: str = "left") -> Variable:
        return _call(self, "searchsorted", values, side)

    def __getitem__(self, key: Any) -> Variable:
        return _call(self, "__getitem__", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(f"{_array(self, 'items')!r} does not change: "
                        f"`set_subtensor(x[...], value)` is a copy with other "
                        f"items there; with inplace=True it is x itself")

    def __len__(self) -> int:
        return self._length("len() of unsized object")

    def __iter__(self) -> Iterator[Variable]:
        return (self[k] for k in range(self._length("iteration over a 0-d array")))

    def _length(self, message: str) -> int:
        """Returns the length, or raises: NumPy's message, if there is none."""
        if not getattr(self.type, "is_array", False):
            raise TypeError(f"{self!r} has type {self.type}, which is not an "
                            f"array: it has no items")
        if self.type.ndim == 0:
            raise TypeError(message)
        length = self.type.shape[0]
        if length is None:
            raise TypeError(f"{self!r} has a length that only a call knows; in a graph "
                            f"it is `x.shape[0]`, and nothing can go through the items")
        return length

    def __contains__(self, value: Any) -> bool:
        raise TypeError(f"{self!r} has no values before a function computes it; "
                        f"`(x == value).any()` looks for one in a graph")

    # What is computed of all, or of those along axes.

    def all(self, axis: Any = None, keepdims: bool = False, **more: Any) -> Variable:
        return _call(self, "all", axis, keepdims, **more)

    def any(self, axis: Any = None, keepdims: bool = False, **more: Any) -> Variable:
        return _call(self, "any", axis, keepdims, **more)

    def argmax(self, axis: Any = None, keepdims: bool = False) -> Variable:
        return _call(self, "argmax", axis, keepdims)

    def argmin(self, axis: Any = None, keepdims: bool = False) -> Variable:
        return _call(self, "argmin", axis, keepdims)

    def cumsum(self, axis: Any = None, dtype: Any = None) -> Variable:
        return _call(self, "cumsum", axis, dtype)

    def cumprod(self, axis: Any = None, dtype: Any = None) -> Variable:
        return _call(self, "cumprod", axis, dtype)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Variable:
        return _call(self, "trace", offset, axis1, axis2)

    def max(self, axis: Any = None, keepdims: bool = False, **more: Any) -> Variable:
        return _call(self, "max", axis, keepdims, **more)

    def min(self, axis: Any = None, keepdims: bool = False, **more: Any) -> Variable:
        return _call(self, "min", axis, keepdims, **more)

    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
             **more: Any) -> Variable:
        return _call(self, "mean", axis, dtype, keepdims, **more)

    def prod(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
             **more: Any) -> Variable:
        return _call(self, "prod", axis, dtype, keepdims, **more)

    def std(self, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Variable:
        return _call(self, "std", axis, ddof, keepdims)

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
            **more: Any) -> Variable:
        return _call(self, "sum", axis, dtype, keepdims, **more)

    def var(self, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Variable:
        return _call(self, "var", axis, ddof, keepdims)

    def dot(self, other: Any) -> Variable:
        return _call(self, "dot", other)

    def __matmul__(self, other: Any) -> Variable:
        return METHODS["matmul"](self, other)

    def __rmatmul__(self, other: Any) -> Variable:
        return METHODS["matmul"](other, self)

    # NumPy's protocols.

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any,
                        **keywords: Any) -> Any:
        """Implements numpy.tanh(x) and numpy.add.reduce(x)."""
        return METHODS["__array_ufunc__"](ufunc, method, *inputs, **keywords)

    def __array_function__(self, function: Any, types: Any, arguments: Any,
                           keywords: Any) -> Any:
        return METHODS["__array_function__"](function, arguments, keywords)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(f"{self!r} has no values before a function computes it, "
                        f"and makes no array")

"""NumPy's methods and protocols on Variables of arrays."""

from __future__ import annotations

from ..base.annotations import Any, Callable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .variables import Variable

#: Name -> what computes it; `clinch.tensor`, whose Ops make Variables, fills it.
METHODS: dict[str, Callable[..., Any]] = {}
_PROPERTIES = ("T", "shape", "size", "real", "imag")
_OF_ALL_TYPES = ("real", "imag")
_METHODS = """all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal dot
    flatten max mean min nonzero prod ravel repeat reshape round searchsorted squeeze std sum
    swapaxes take trace transpose var __getitem__""".split()


def _method(name: str) -> Any:
    def method(variable: Any, *arguments: Any, **keywords: Any) -> Any:
        if name not in _OF_ALL_TYPES and name not in getattr(variable.type, "methods", ()):
            _array(variable, f"`{name}`")
        return METHODS[name](variable, *arguments, **keywords)
    method.__name__ = name
    method.__doc__ = f"See `numpy.ndarray.{name}`."
    return method


def _array(variable: Any, what: str) -> Any:
    if not getattr(variable.type, "is_array", False):
        raise AttributeError(f"{variable!r} has type {variable.type}, which "
                             f"is not an array: it has no {what}")
    return variable


class ArrayMethods:
    """What a Variable of arrays has of an array; see NumPy's page of each."""

    __slots__ = ()

    type: Any

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, key: Any) -> Any: ...

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


for _name in _METHODS:
    setattr(ArrayMethods, _name, _method(_name))
for _name in _PROPERTIES:
    setattr(ArrayMethods, _name, property(_method(_name)))

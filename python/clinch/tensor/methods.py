"""NumPy's operators and methods on Variables, and names in `clinch`.

Each imports what it needs when it is used, so that programs of scalars do not.
"""

from importlib import import_module

from ..graph import Variable
from ..ops import is_array, scalar_ops

#: Name in `clinch` -> (module of this package, name there).
NAMES = {
    "Elemwise": ("elemwise", "Elemwise"), "Reduce": ("reduce", "Reduce"),
    "set_subtensor": ("indexing", "set_subtensor"),
    "inc_subtensor": ("indexing", "inc_subtensor"),
    "where": ("names", "where"), "dot": ("dot", "dot"),
    "matmul": ("dot", "matmul"), "astype": ("casts", "astype"),
    **{name: ("views", name) for name in (
        "transpose", "swapaxes", "reshape", "ravel")},
    **{name: ("making", name) for name in (
        "concatenate", "stack", "arange", "full", "full_like", "zeros",
        "ones", "zeros_like", "ones_like")},
    **{name: ("reductions", name) for name in (
        "sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin",
        "var", "std")},
}


def named(module, name):
    """Imports a name from a module of this package."""
    return getattr(import_module(f".{module}", __package__), name)


def _array(variable, what):
    if not is_array(variable):
        raise AttributeError(f"{variable!r} has type {variable.type}, which "
                             f"is not an array: it has no {what}")
    return variable


def _method(name, module, function):
    def method(self, *arguments, **keywords):
        return named(module, function)(_array(self, f"`{name}`"), *arguments,
                                       **keywords)
    method.__name__ = name
    method.__doc__ = f"As NumPy's; see `clinch.{function}`."
    return method


def _property(name, module, function):
    return property(
        lambda self: named(module, function)(_array(self, f"`{name}`")))


def _iter(self):
    if not is_array(self):
        raise TypeError(f"{self!r} has type {self.type}, which is not an "
                        f"array: it has no items")
    if self.type.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    length = self.type.shape[0]
    if length is None:
        raise TypeError(f"{self!r} has a length that only a call knows; "
                        f"nothing can go through its items before that")
    return (self[k] for k in range(length))


def _setitem(self, key, value):
    raise TypeError(f"{_array(self, 'items')!r} does not change: "
                    f"`set_subtensor(x[...], value)` is a copy with other "
                    f"items there; with inplace=True it is x itself")


def _contains(self, value):
    raise TypeError(f"{self!r} has no values before a function computes it; "
                    f"`(x == value).any()` looks for one in a graph")


def _matmul(self, other):
    return named("dot", "matmul")(self, other)


def _rmatmul(self, other):
    return named("dot", "matmul")(other, self)


def _array_ufunc(self, ufunc, method, *inputs, **keywords):
    """Implements numpy.tanh(x) and numpy.add.reduce(x)."""
    names = import_module(".names", __package__)
    if method == "reduce" and ufunc in names.REDUCTIONS:
        keywords.setdefault("axis", 0)
        return names.REDUCTIONS[ufunc](*inputs, **keywords)
    op = names.UFUNCS.get(ufunc)
    if op is None or method != "__call__":
        called = ufunc.__name__ + ("" if method == "__call__"
                                   else f".{method}")
        raise TypeError(f"numpy.{called} has no Op that computes it in a "
                        f"graph")
    if keywords:
        raise TypeError(f"numpy.{ufunc.__name__} takes no "
                        f"{', '.join(keywords)} in a graph")
    return op(*inputs)


def _array_function(self, function, types, arguments, keywords):
    own = named("names", "FUNCTIONS").get(function)
    if own is None:
        raise TypeError(f"{function.__module__}.{function.__name__} has no Op "
                        f"that computes it in a graph")
    return own(*arguments, **keywords)


def _no_array(self, dtype=None, copy=None):
    raise TypeError(f"{self!r} has no values before a function computes it, "
                    f"and makes no array")


_METHODS = {
    **{name: ("reductions", name) for name in (
        "sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin",
        "var", "std")},
    "dot": ("dot", "dot"), "astype": ("casts", "astype"),
    "copy": ("views", "copy"),
    "ravel": ("views", "ravel"), "flatten": ("views", "ravel"),
    "reshape": ("views", "reshape_to"), "swapaxes": ("views", "swapaxes"),
    "transpose": ("views", "transpose_to"), "clip": ("names", "clip"),
    "round": ("names", "round"), "conj": ("names", "conj"),
    "__getitem__": ("indexing", "index"),
}


def install():
    """Adds the attributes of arrays to Variables."""
    for name, place in _METHODS.items():
        setattr(Variable, name, _method(name, *place))
    Variable.T = _property("T", "views", "transpose")
    Variable.shape = _property("shape", "shapes", "shape")
    Variable.size = _property("size", "shapes", "size")
    Variable.real = property(scalar_ops["real"])
    Variable.imag = property(scalar_ops["imag"])
    Variable.__iter__ = _iter
    Variable.__setitem__ = _setitem
    Variable.__contains__ = _contains
    Variable.__matmul__ = _matmul
    Variable.__rmatmul__ = _rmatmul
    Variable.__array_ufunc__ = _array_ufunc
    Variable.__array_function__ = _array_function
    Variable.__array__ = _no_array


install()

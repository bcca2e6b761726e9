"""NumPy's operators and methods on Variables."""

from ..generic_ops import shape as shape_op
from ..graph import Variable
from ..ops import is_array, scalar_ops
from . import names, reductions
from .casts import astype
from .dot import dot, matmul
from .indexing import index
from .operands import ndim
from .shapes import size
from .views import ravel, reshape, swapaxes, transpose


def _array(variable, what):
    if not is_array(variable):
        raise AttributeError(f"{variable!r} is of type {variable.type}, and "
                             f"no array: it has no {what}")
    return variable


def _method(name, function):
    def method(self, *arguments, **keywords):
        return function(_array(self, name), *arguments, **keywords)
    method.__name__ = name
    method.__doc__ = function.__doc__
    return method


def _property(name, function):
    return property(lambda self: function(_array(self, f"`{name}`")))


def _reshape(x, *shape):
    """x.reshape(2, 3), or x.reshape((2, 3))."""
    return reshape(x, shape[0] if len(shape) == 1 else shape)


def _transpose(x, *axes):
    """x.transpose(), x.transpose(1, 0) or x.transpose((1, 0))."""
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    return transpose(x, axes or None)


def _iter(self):
    if not is_array(self):
        raise TypeError(f"{self!r} is of type {self.type}, and no array: it "
                        f"has no items")
    if ndim(self) == 0:
        raise TypeError("iteration over a 0-d array")
    length = self.type.shape[0]
    if length is None:
        raise TypeError(f"{self!r} has a length that only a call knows; "
                        f"nothing can go through its items before that")
    return (self[k] for k in range(length))


def _matmul_operator(self, other):
    return matmul(self, other)


def _array_ufunc(self, ufunc, method, *inputs, **keywords):
    """numpy.tanh(x), and numpy.add.reduce(x)."""
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
    own = names.FUNCTIONS.get(function)
    if own is None:
        raise TypeError(f"numpy.{function.__name__} has no Op that computes "
                        f"it in a graph")
    return own(*arguments, **keywords)


def _no_array(self, dtype=None, copy=None):
    raise TypeError(f"{self!r} has no values before a function computes it, "
                    f"and makes no array")


_METHODS = {
    **{name: getattr(reductions, name) for name in (
        "sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin",
        "var", "std")},
    "dot": dot, "astype": astype, "ravel": ravel, "flatten": ravel,
    "reshape": _reshape, "transpose": _transpose, "swapaxes": swapaxes,
    "clip": names.clip, "round": names.round, "conj": scalar_ops["conj"],
}


def install():
    """Gives Variables what arrays have."""
    for name, function in _METHODS.items():
        setattr(Variable, name, _method(name, function))
    Variable.T = _property("T", transpose)
    Variable.shape = _property("shape", shape_op)
    Variable.size = _property("size", size)
    Variable.real = property(scalar_ops["real"])
    Variable.imag = property(scalar_ops["imag"])
    Variable.__getitem__ = _method("__getitem__", index)
    Variable.__iter__ = _iter
    Variable.__matmul__ = _matmul_operator
    Variable.__rmatmul__ = lambda self, other: matmul(other, self)
    Variable.__array_ufunc__ = _array_ufunc
    Variable.__array_function__ = _array_function
    Variable.__array__ = _no_array


install()

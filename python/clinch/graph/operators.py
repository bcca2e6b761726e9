"""Python's operators on Variables, which scalar Ops compute."""

from __future__ import annotations

import operator
from math import ceil, floor, trunc

from ..base.annotations import Any, Callable

#: Name -> scalar Op, or the product; `ops` and `tensor`, which make Variables, fill it.
OPS: dict[str, Callable[..., Any]] = {}
#: Name of a method -> scalar Op.
_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "true_div",
           "floordiv": "int_div", "mod": "mod", "pow": "pow", "and": "and_", "or": "or_",
           "xor": "xor", "lshift": "lshift", "rshift": "rshift", "lt": "lt", "le": "le",
           "gt": "gt", "ge": "ge", "eq": "eq", "ne": "neq", "matmul": "matmul"}
_UNARY = {"neg": "neg", "pos": "identity", "abs": "abs", "invert": "invert"}
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
#: Python's function -> scalar Op.
_OPS = {**{getattr(operator, f"__{name}__"): op for name, op in {**_BINARY, **_UNARY}.items()},
        round: "round", floor: "floor", ceil: "ceil", trunc: "trunc"}


def give_operators(made: Any, compute: Callable[..., Any], change: Any = None) -> None:
    """Gives a class Python's operators: `compute` gets a function of `operator`, and the
    operands in their order; `change` that function, the one in place, and the operands."""
    def method(function: Any) -> Any:
        return lambda *operands: compute(function, *operands)

    for name in _BINARY:
        function = getattr(operator, f"__{name}__")
        setattr(made, f"__{name}__", method(function))
        if name in _COMPARISONS:
            continue
        setattr(made, f"__r{name}__", lambda x, y, f=function: compute(f, y, x))
        if change:
            inplace = getattr(operator, f"__i{name}__")
            setattr(made, f"__i{name}__",
                    lambda x, y, f=function, g=inplace: change(f, g, x, y))
    for name in _UNARY:
        setattr(made, f"__{name}__", method(getattr(operator, f"__{name}__")))


def _computed(function: Any, *operands: Any) -> Any:
    op = OPS[_OPS[function]]
    if function in (operator.eq, operator.ne):  # Python would answer what the Op refuses.
        return NotImplemented if operands[1] is None else op(*operands)
    if function is operator.matmul:
        return op(*operands)
    try:
        return op(*operands)
    except TypeError:
        if all(isinstance(one, Operators) for one in operands):
            raise
        return NotImplemented


TYPE_CHECKING = False


class Operators:
    """What a Variable is for Python's operators."""

    __slots__ = ()

    if TYPE_CHECKING:
        def _binary(self, other: Any) -> Any: ...
        def _unary(self) -> Any: ...
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _binary
        __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _binary
        __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _binary
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _binary
        __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _binary
        __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _binary
        __neg__ = __pos__ = __abs__ = __invert__ = _unary

    # `==` makes a graph, so dictionaries and sets know a Variable by identity.
    __hash__ = object.__hash__

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __round__(self) -> Any:
        return _computed(round, self)

    def __floor__(self) -> Any:
        return _computed(floor, self)

    def __ceil__(self) -> Any:
        return _computed(ceil, self)

    def __trunc__(self) -> Any:
        return _computed(trunc, self)


give_operators(Operators, _computed)

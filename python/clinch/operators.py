"""Python's operators on Variables, which scalar Ops compute."""

from __future__ import annotations

from .annotations import Any, Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .graph import Variable

#: Name -> scalar Op; `ops`, whose Ops make Variables, fills it.
OPS: dict[str, Callable[..., Any]] = {}


def _binary(name: str, one: Any, other: Any) -> Any:
    try:
        return OPS[name](one, other)
    except TypeError:
        if isinstance(other, Operators):
            raise
        return NotImplemented


def _reflected(name: str, one: Any, other: Any) -> Any:
    try:
        return OPS[name](one, other)
    except TypeError:
        return NotImplemented


class Operators:
    """What a Variable is for Python's operators."""

    __slots__ = ()

    def __add__(self, other: Any) -> Variable:
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Variable:
        return _reflected("add", other, self)

    def __sub__(self, other: Any) -> Variable:
        return _binary("sub", self, other)

    def __rsub__(self, other: Any) -> Variable:
        return _reflected("sub", other, self)

    def __mul__(self, other: Any) -> Variable:
        return _binary("mul", self, other)

    def __rmul__(self, other: Any) -> Variable:
        return _reflected("mul", other, self)

    def __truediv__(self, other: Any) -> Variable:
        return _binary("true_div", self, other)

    def __rtruediv__(self, other: Any) -> Variable:
        return _reflected("true_div", other, self)

    def __floordiv__(self, other: Any) -> Variable:
        return _binary("int_div", self, other)

    def __rfloordiv__(self, other: Any) -> Variable:
        return _reflected("int_div", other, self)

    def __mod__(self, other: Any) -> Variable:
        return _binary("mod", self, other)

    def __rmod__(self, other: Any) -> Variable:
        return _reflected("mod", other, self)

    def __divmod__(self, other: Any) -> tuple[Variable, Variable]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Variable, Variable]:
        return other // self, other % self

    def __pow__(self, other: Any) -> Variable:
        return _binary("pow", self, other)

    def __rpow__(self, other: Any) -> Variable:
        return _reflected("pow", other, self)

    def __and__(self, other: Any) -> Variable:
        return _binary("and_", self, other)

    def __rand__(self, other: Any) -> Variable:
        return _reflected("and_", other, self)

    def __or__(self, other: Any) -> Variable:
        return _binary("or_", self, other)

    def __ror__(self, other: Any) -> Variable:
        return _reflected("or_", other, self)

    def __xor__(self, other: Any) -> Variable:
        return _binary("xor", self, other)

    def __rxor__(self, other: Any) -> Variable:
        return _reflected("xor", other, self)

    def __lshift__(self, other: Any) -> Variable:
        return _binary("lshift", self, other)

    def __rlshift__(self, other: Any) -> Variable:
        return _reflected("lshift", other, self)

    def __rshift__(self, other: Any) -> Variable:
        return _binary("rshift", self, other)

    def __rrshift__(self, other: Any) -> Variable:
        return _reflected("rshift", other, self)

    def __lt__(self, other: Any) -> Variable:
        return _binary("lt", self, other)

    def __le__(self, other: Any) -> Variable:
        return _binary("le", self, other)

    def __gt__(self, other: Any) -> Variable:
        return _binary("gt", self, other)

    def __ge__(self, other: Any) -> Variable:
        return _binary("ge", self, other)

    # Python would answer these for what the Op refuses.
    def __eq__(self, other: Any) -> Any:
        return NotImplemented if other is None else OPS["eq"](self, other)

    def __ne__(self, other: Any) -> Any:
        return NotImplemented if other is None else OPS["neq"](self, other)

    # `==` makes a graph, so dictionaries and sets know a Variable by identity.
    __hash__ = object.__hash__

    def __neg__(self) -> Variable:
        return OPS["neg"](self)

    def __pos__(self) -> Variable:
        return OPS["identity"](self)

    def __abs__(self) -> Variable:
        return OPS["abs"](self)

    def __invert__(self) -> Variable:
        return OPS["invert"](self)

    def __round__(self) -> Variable:
        return OPS["round"](self)

    def __floor__(self) -> Variable:
        return OPS["floor"](self)

    def __ceil__(self) -> Variable:
        return OPS["ceil"](self)

    def __trunc__(self) -> Variable:
        return OPS["trunc"](self)

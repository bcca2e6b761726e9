"""What a function takes and gives: inputs and outputs, and whose memory they are."""

from __future__ import annotations

import operator

from ..base.annotations import Any
from .filters import filter_of
from ..graph.variables import own
from ..types.type import is_array, what

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


class In:
    """An input with a default value, or its own rules for values and memory.

    borrow: an output that is borrowed too may be its memory. mutable: Ops may
    write to its memory, and an output may be what they make of it there. Neither
    holds for an input with a default value.
    """

    def __init__(self, variable: Variable, value: Any = None,
                 name: str | None = None, strict: bool = False,
                 allow_downcast: bool | None = None, borrow: bool = False,
                 mutable: bool = False) -> None:
        _check_variable(variable, "an In")
        self.variable = variable
        self.name = name if name is not None else variable.name
        self.strict = strict
        self.allow_downcast = allow_downcast
        self.borrow = bool(borrow or mutable)
        self.mutable = bool(mutable)
        self.value = (None if value is None
                      else own(self.filter()(value), value))

    def filter(self) -> Any:
        """Returns a callable(value) that checks the values of calls."""
        return filter_of(self.variable.type, self.strict, self.allow_downcast)

    @property
    def may_be_destroyed(self) -> bool:
        return self.mutable and self.value is None


class Out:
    """An output. If `borrow`, it may be the memory of an input that is borrowed
    too, or of another such output."""

    def __init__(self, variable: Variable, borrow: bool = False) -> None:
        _check_variable(variable, "an Out")
        self.variable = variable
        self.borrow = bool(borrow)


#: Makes NumPy's scalar of an array without dimensions.
number = operator.itemgetter(())


def gives_number(variable: Any) -> bool:
    """Whether a caller gets a scalar for this output, as from NumPy."""
    return (is_array(variable) and variable.type.ndim == 0
            and getattr(getattr(variable.owner, "op", None), "gives_numbers", False))


def _check_variable(variable: Any, user: str) -> None:
    if not hasattr(variable, "type"):
        raise TypeError(f"{user} must be of a Variable, not of "
                        f"{what(variable)}")


def as_in(item: Any, position: int) -> In:
    if isinstance(item, In):
        return item
    if isinstance(item, tuple) and len(item) == 2:
        return In(item[0], value=item[1])
    if not hasattr(item, "type"):
        raise TypeError(f"input {position} of a function must be a Variable, "
                        f"not a {type(item).__name__}")
    return In(item, name=getattr(item, "name", None))


def as_out(item: Any, position: int) -> Out:
    if isinstance(item, Out):
        return item
    if not hasattr(item, "type"):
        raise TypeError(f"output {position} of a function must be a "
                        f"Variable, not a {type(item).__name__}")
    return Out(item)

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
    """An input of `function` with a default value, or with its own rules for values and memory.

    Parameters
    ----------
    variable : Variable
        The input.
    value : object, optional
        The value if a call gives none. The function keeps a copy.
    name : str, optional
        The name of the argument, by default the Variable's.
    strict : bool, default False
        Whether an argument must have the exact type, instead of being converted.
    allow_downcast : bool, optional
        Whether converting may lose digits, as `numpy.ndarray.astype` does.
    borrow : bool, default False
        Whether a result may share the memory of the argument, if the `Out` also has `borrow`.
    mutable : bool, default False
        Whether Ops may write to the argument. A result may then be the argument. It
        includes `borrow`. Neither applies to an input with a default value.

    Raises
    ------
    TypeError
        If `variable` is not a Variable.
    TypeError, ValueError
        If `value` does not fit its Type.

    Examples
    --------
    >>> from clinch import In, double, function
    >>> x, y = double("x"), double("y")
    >>> f = function([x, In(y, value=10.0)], x + y)
    >>> f(1.0), f(1.0, y=2.0)
    (11.0, 3.0)
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
    """An output of `function` that may share memory with an input or another output.

    Parameters
    ----------
    variable : Variable
        The output.
    borrow : bool, default False
        Whether the result may share the memory of an input or output that also has `borrow`.
        By default Clinch copies it instead.

    Raises
    ------
    TypeError
        If `variable` is not a Variable.

    Examples
    --------
    >>> import numpy
    >>> from clinch import In, Out, function, vector
    >>> x = vector("x")
    >>> reverse = function([In(x, borrow=True)], Out(x[::-1], borrow=True))
    >>> a = numpy.array([1.0, 2.0])
    >>> numpy.shares_memory(reverse(a), a)
    True
    """

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

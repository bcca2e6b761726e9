"""Values that functions keep from call to call, and what replaces Variables."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Callable, Mapping, Sequence
from ..types.array_type import TensorType
from ..ops.generic_ops import deep_copy
from ..types.generic_type import generic
from ..graph.variables import Constant, Variable, own, rebuilt
from ..ops.scalar_ops import scalar_ops
from ..types.scalars import scalars
from ..types.type import is_array, what
from ..base.walks import applies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..types.type import Type


class SharedVariable(Variable):
    """An input that no call is given: the functions that use it share its value."""

    __slots__ = ("cell",)

    def __init__(self, type: Type, value: Any, name: str | None = None) -> None:
        super().__init__(type, None, None, name)
        self.cell = [value]  # The cell of each function that uses it.

    def get_value(self, borrow: bool = False) -> Any:
        """Returns a copy of the value; the value itself if `borrow`."""
        return self.cell[0] if borrow else deep_copy(self.cell[0])

    def set_value(self, value: Any, borrow: bool = False) -> None:
        """Sets the value to a copy of this one; if `borrow`, to itself."""
        self.cell[0] = _kept(self.type, value, borrow)

    def clone(self, name: str | None = None) -> Variable:
        """A new input of the same Type, which is not shared."""
        return Variable(self.type, None, None, name or self.name)

    def __repr__(self) -> str:
        return self.name if self.name is not None else f"<shared {self.type}>"


def _kept(type: Type, value: Any, borrow: bool) -> Any:
    made = type.filter(value)
    if borrow:
        return made
    return own(made, value) if isinstance(made, numpy.ndarray) else deep_copy(made)


def shared(value: Any, name: str | None = None, *, type: Type | None = None,
           borrow: bool = False) -> SharedVariable:
    """Returns a Variable with a value of its own, which functions use without an argument.

    All functions of the Variable share the value. `function(updates=)` changes it at the
    end of a call, and `set_value` from outside.

    Parameters
    ----------
    value : object
        The first value. The Variable gets a copy.
    name : str, optional
        The name of the Variable.
    type : Type, optional
        The Type of the value. By default a number or a NumPy array gets a TensorType of its
        dtype and number of dimensions, of any lengths, and any other object is Generic.
    borrow : bool, default False
        Whether to keep the value itself instead of a copy.

    Returns
    -------
    SharedVariable
        A Variable with the methods `get_value` and `set_value`, which copy.

    Raises
    ------
    TypeError, ValueError
        If the value does not fit `type`.

    Examples
    --------
    >>> from clinch import function, shared
    >>> count = shared(0, "count")
    >>> step = function([], count, updates={count: count + 1})
    >>> print(step(), step(), count.get_value())
    0 1 2
    """
    if type is None:
        type = generic
        if isinstance(value, (bool, int, float, complex, numpy.generic,
                              numpy.ndarray)):
            dtype = numpy.asarray(value).dtype
            if dtype.name in scalars:
                type = TensorType(dtype.name, (None,) * numpy.ndim(value))
    return SharedVariable(type, _kept(type, value, borrow), name)


def shared_among(given: Sequence[Variable],
                 outputs: Sequence[Variable]) -> list[SharedVariable]:
    """Returns the shared Variables from which `outputs` are computed."""
    needed = [v for node in applies(given, outputs) for v in node.inputs]
    return list(dict.fromkeys(v for v in (*needed, *outputs)
                              if isinstance(v, SharedVariable)))


def pairs_of(given: Any, name: str) -> dict[Variable, Variable]:
    """Returns the (Variable, new) pairs of `updates` or `givens`, each of a Variable
    of its own, and whose new values are Variables of its Type."""
    pairs = given.items() if hasattr(given, "items") else given or ()
    found = {}
    for item in pairs:
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise TypeError(f"`{name}` is a dict, or a list of pairs (variable, "
                            f"new); {what(item)} is no pair")
        variable, new = item
        if not isinstance(variable, Variable):
            raise TypeError(f"`{name}` has pairs (variable, new), and {what(variable)} "
                            f"is no Variable")
        if variable in found:
            raise ValueError(f"`{name}` has two new values for {variable!r}")
        found[variable] = _of_type(variable, new, name)
    return found


def _of_type(variable: Variable, new: Any, name: str) -> Variable:
    wanted = variable.type
    if not isinstance(new, Variable):
        return Constant(wanted, new)
    if is_array(variable) and not is_array(new) and new.type.dtype in scalars:
        new = TensorType.applying(scalar_ops["identity"])(new)
    if new.type != wanted and not _is_special(new.type, wanted):
        raise TypeError(f"`{name}` has for {variable!r}, of type {wanted}, a "
                        f"Variable of type {new.type}")
    return new


def _is_special(found: Type, wanted: Type) -> bool:
    """Whether each array of the Type `found` is one of `wanted`."""
    return (isinstance(found, TensorType) and isinstance(wanted, TensorType)
            and found.dtype == wanted.dtype and found.ndim == wanted.ndim
            and not (wanted.contiguous and not found.contiguous)
            and all(n in (None, m) for n, m in zip(wanted.shape, found.shape)))


def replaced(outputs: Sequence[Variable],
             givens: Mapping[Variable, Variable]) -> list[Variable]:
    """Returns the outputs of the graph with what `givens` has for its Variables; what
    that is computed from stays as it is."""
    new = dict(givens)
    for node in applies(givens, outputs):
        made = rebuilt(node, [new.get(v, v) for v in node.inputs])
        new.update((a, b) for a, b in zip(node.outputs, made.outputs)
                   if a is not b and a not in givens)
    return [new.get(v, v) for v in outputs]


def updating(variables: Sequence[SharedVariable], news: Sequence[Any],
             outputs: Sequence[Any]) -> tuple[Callable[[], None], list[Any]]:
    """Returns a step that moves new values into shared Variables, and the outputs to
    give then: one that is such a Variable is its value before. An output, as the
    extension knows it, is (cell, recycled, computed, copy)."""
    wanted = {id(cell) for cell, *_ in outputs}
    before = {id(v.cell): (v.cell, [None]) for v in variables if id(v.cell) in wanted}

    def step() -> None:
        values = [cell[0] if copy is None else copy(cell[0])
                  for cell, _, _, copy in news]
        for cell, old in before.values():
            old[0] = cell[0]
        for variable, (cell, _, computed, _), value in zip(variables, news, values):
            if computed:
                cell[0] = None  # The next run may not write there.
            variable.cell[0] = value

    return step, [(before[id(cell)][1], False, True, copy) if id(cell) in before
                  else (cell, recycled, computed, copy)
                  for cell, recycled, computed, copy in outputs]

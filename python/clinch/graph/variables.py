"""Variables, constants and applies: a graph as Python sees it."""

from __future__ import annotations

import functools
import numbers
import reprlib
import sys

import numpy

from ..base.annotations import Any, Callable, Sequence
from .array_methods import ArrayMethods
from .operators import Operators
from ..base.pictures import Pictured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..ops.op import Op
    from ..types.type import Type


class DtypeName(str):
    """The name of a dtype. As NumPy's own, it is equal to all that NumPy takes for the
    dtype, such as `numpy.float32`, and has its attributes."""

    def __eq__(self, other: Any) -> Any:
        if other is None:
            return False
        try:
            return numpy.dtype(other) == numpy.dtype(str(self))
        except TypeError:
            return NotImplemented

    def __ne__(self, other: Any) -> Any:
        same = self == other
        return same if same is NotImplemented else not same

    __hash__ = str.__hash__

    def __getattr__(self, name: str) -> Any:
        return getattr(numpy.dtype(str(self)), name)


class Variable(Operators, ArrayMethods, Pictured):
    """A value in a graph: an input, a constant, or an output of an Apply."""

    __slots__ = ("type", "owner", "index", "name", "tag", "__weakref__")

    def __init__(self, type: Type, owner: Apply | None = None,
                 index: int | None = None, name: str | None = None) -> None:
        self.type = type
        self.owner = owner
        self.index = index
        if name is not None and not isinstance(name, str):
            raise TypeError(f"the name of a Variable is a str or None, not a "
                            f"{_class_name(name)}")
        self.name = name

    # Attributes of the Type.
    @property
    def dtype(self) -> DtypeName:
        return DtypeName(self.type.dtype)

    @property
    def ndim(self) -> int:
        return self.type.ndim

    @property
    def broadcastable(self) -> Any:
        return self.type.broadcastable

    def __bool__(self) -> Any:
        raise TypeError(
            f"{self!r} has no truth value before it is computed: in a graph "
            f"`where(condition, one, other)` stands for `if`, `logical_and` "
            f"for `and`, `maximum` for `max`; `is` asks whether two "
            f"Variables are the same one")

    def __float__(self) -> Any:
        raise TypeError(
            f"{self!r} is no number before it is computed, as `float`, `range`, "
            f"`math.sin` or an item of an array must be; for a graph Clinch has `sin`, "
            f"`stack` and others of its own")

    __int__ = __index__ = __complex__ = __float__

    def clone(self, name: str | None = None) -> Variable:
        """A new input of the same Type."""
        return type(self)(self.type, None, None, name or self.name)

    def transfer(self, target: str) -> Variable:
        """Moves this variable to another place; see `register_transfer`."""
        return transfer(self, target)

    def __reduce__(self) -> Any:
        return _rebuild_variable, (type(self), _state(self))

    def __repr__(self) -> str:
        return _written(self, _SHOWN_DEPTH)


#: Calls within calls that the repr of a Variable writes out.
_SHOWN_DEPTH = 3


def _written(variable: Any, depth: int) -> Any:
    """Writes a Variable as its name, its value, or the call that computes it."""
    if variable.name is not None:
        return variable.name
    owner = variable.owner
    if owner is None:
        return repr(variable) if isinstance(variable, Constant) \
            else f"<{variable.type}>"
    given = ", ".join(_written(v, depth - 1) for v in owner.inputs) \
        if depth else "..."
    suffix = f".{variable.index}" if len(owner.outputs) > 1 else ""
    return f"{owner.op}({given}){suffix}"


class Constant(Variable):
    """A Variable whose value is known when the graph is made. An array is its
    own, and read-only."""

    __slots__ = ("data",)

    def __init__(self, type: Type, data: Any, name: str | None = None) -> None:
        super().__init__(type, None, None, name)
        self.data = _sealed(own(type.filter(data), data))

    def clone(self, name: str | None = None) -> Constant:
        return _rebuild_variable(type(self), {**_state(self),
                                              "name": name or self.name})

    def __repr__(self) -> str:
        return self.name if self.name is not None else repr(self.data)


def _class_name(value: Any) -> Any:
    return type(value).__name__


def _state(variable: Any) -> Any:
    names = [n for cls in type(variable).__mro__
             for n in getattr(cls, "__slots__", ()) if n != "__weakref__"]
    return {n: getattr(variable, n) for n in names if hasattr(variable, n)}


def _rebuild_variable(cls: Any, state: Any) -> Any:
    variable = cls.__new__(cls)
    for name, value in state.items():
        setattr(variable, name, value)
    if issubclass(cls, Constant):
        _sealed(variable.data)
    return variable


def own(value: Any, given: Any) -> Any:
    """Returns what a filter made of `given`, or a copy if it is an array that may
    be somebody else's memory."""
    if not isinstance(value, numpy.ndarray):
        return value
    is_new = (isinstance(given, (list, tuple, numbers.Number))
              or isinstance(given, numpy.ndarray) and value is not given)
    return value if is_new and value.base is None else value.copy("K")


def _sealed(value: Any) -> Any:
    """Returns the value, which nobody can write to if it is an array."""
    if isinstance(value, numpy.ndarray):
        value.flags.writeable = False
    return value


class Creation:
    """Where in the user's program something was made."""

    __slots__ = ("file", "line", "function")

    def __init__(self, file: Any, line: str, function: Any) -> None:
        self.file, self.line, self.function = file, line, function

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}"
        if self.function == "<module>":
            return where
        return f"{where} in {self.function}"


_PACKAGE = __name__.partition(".")[0]


@functools.lru_cache(1024)
def _is_in_package(name: str) -> Any:
    return name == _PACKAGE or name.startswith(_PACKAGE + ".")


def creation_of_caller() -> Any:
    """Returns the innermost frame outside the package and any `make_node`."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if (not _is_in_package(frame.f_globals.get("__name__", ""))
                and code.co_name != "make_node"):
            return Creation(code.co_filename, frame.f_lineno, code.co_name)
        frame = frame.f_back
    return None


class Apply(Pictured):
    """An Op applied to inputs, giving outputs."""

    __slots__ = ("op", "inputs", "outputs", "creation", "tag", "__weakref__")

    def __init__(self, op: Op, inputs: Sequence[Variable],
                 outputs: Sequence[Variable]) -> None:
        self.op = op
        self.inputs = self._listed("inputs", inputs)
        self.outputs = self._listed("outputs", outputs)
        self._check()
        for index, output in enumerate(self.outputs):
            output.owner = self
            output.index = index
        self.creation = creation_of_caller()

    def _listed(self, what: str, variables: Any) -> Any:
        if isinstance(variables, Variable) or not hasattr(variables,
                                                          "__iter__"):
            raise TypeError(
                f"the {what} of an Apply of {self.op} are a list of "
                f"Variables; {reprlib.repr(variables)} of type "
                f"{_class_name(variables)} is none")
        return list(variables)

    def _check(self) -> None:
        for what, variables in (("input", self.inputs),
                                ("output", self.outputs)):
            for position, variable in enumerate(variables, 1):
                if not hasattr(variable, "type"):
                    raise TypeError(
                        f"{what} {position} of an Apply of {self.op} must be "
                        f"a Variable; it is {reprlib.repr(variable)} of "
                        f"type {_class_name(variable)}")
        for position, variable in enumerate(self.outputs, 1):
            if variable.owner not in (None, self):
                raise ValueError(
                    f"output {position} of an Apply of {self.op} is made by "
                    f"an Apply already; give it a Variable of its own")

    @property
    def out(self) -> Any:
        """The only output."""
        if len(self.outputs) != 1:
            raise AttributeError(
                f"an Apply of {self.op} has {len(self.outputs)} outputs")
        return self.outputs[0]

    def default_output(self) -> Variable | list[Variable]:
        """Returns what calling the Op returns."""
        which = getattr(self.op, "default_output", None)
        if which is not None:
            return self.outputs[which]
        return self.outputs[0] if len(self.outputs) == 1 else self.outputs

    def __getstate__(self) -> Any:
        return {n: getattr(self, n) for n in self.__slots__
                if n != "__weakref__" and hasattr(self, n)}

    def __setstate__(self, state: Any) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.inputs))})"


def rebuilt(node: Any, inputs: Any, op: Any = None) -> Any:
    """Returns the same apply of other inputs, or of another Op; `node` itself if
    nothing differs."""
    op = node.op if op is None else op
    if op is node.op and all(a is b for a, b in zip(inputs, node.inputs)):
        return node
    made = Apply(op, inputs, [v.clone() for v in node.outputs])
    made.creation = node.creation
    if hasattr(node, "tag"):
        setattr(made, "tag", node.tag)
    return made


_transfers: list[Any] = []


def register_transfer(function: Callable[..., Any]) -> Any:
    """Registers `function(variable, target)`, which moves a variable and returns
    the new one, or None if it cannot."""
    if not callable(function):
        raise TypeError("register_transfer() needs a callable; it was given "
                        f"a {_class_name(function)}")
    _transfers.append(function)
    return function


def transfer(variable: Any, target: Any) -> Any:
    """Moves a variable by the registered functions, the latest first."""
    if target == "cpu":
        to_host = getattr(variable.type, "to_host", None)
        return to_host(variable) if to_host else variable
    for function in reversed(_transfers):
        moved = function(variable, target)
        if moved is not None:
            return moved
    raise ValueError(f"cannot transfer {variable!r} to {target!r}: none of "
                     f"the {len(_transfers)} registered transfers can")

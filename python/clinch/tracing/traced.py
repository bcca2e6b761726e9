"""Values of a function that `jit` traces.

A Traced holds a real value, of the call that is traced, and a Variable that computes it
in later calls. Whoever asks for what both know, as the dtype, is answered by the value;
whatever later calls may answer otherwise is Refused, and runs in Python.
"""

from __future__ import annotations

import operator

import numpy

from ..base.annotations import Any, Callable
from ..ops.generic_ops import Shape_i
from ..graph.variables import Variable
from ..graph.operators import give_operators
from ..tensor.casts import astype
from ..tensor.indexing import index, set_subtensor
from ..tensor.operands import as_array

#: Nodes of a graph from which on it is rather a loop that belongs in C.
MOST_NODES = 400
_NUMBERS = (bool, int, float, complex)


class Refused(BaseException):
    """Ends a trace. No `except Exception` of the traced function catches it, and the
    Trace remembers it. `exact`: a trace for these lengths and floats may succeed;
    `always`: no call of the function can."""

    def __init__(self, why: str, exact: bool = False, always: bool = False) -> None:
        super().__init__(why)
        self.exact, self.always = exact, always


class Trace:
    """One run of a function. `exact`: for arrays of just these lengths, and these
    floats; `lenient`: dtypes are NumPy 2's, also under an older NumPy; `numpy`: the
    module that knows NumPy's functions, which stands above this one."""

    def __init__(self, exact: bool, lenient: bool, numpy: Any) -> None:
        self.exact, self.lenient, self.numpy = exact, lenient, numpy
        self.refused: Refused | None = None
        #: All that was computed, also what nobody needs: it may raise.
        self.made: list[Any] = []
        #: Conditions on which it went on, each with what it was.
        self.guards: list[Any] = []

    def refuse(self, why: str, exact: bool = False, always: bool = False) -> Any:
        if self.refused is None:
            self.refused = Refused(why, exact and not self.exact, always)
        raise self.refused

    def quoting(self, ask: Callable[[Any], Any], variable: Any) -> Any:
        """Refuses with the message that a Variable has for a question."""
        try:
            ask(variable)
        except TypeError as error:
            self.refuse(str(error))
        raise AssertionError(variable)

    def value_of(self, state: State) -> Any:
        """Refuses to say what a number is; an exact trace may know it."""
        if type(state.value) in _NUMBERS and not self.exact:
            self.refuse("numbers decide what the function does", exact=True)
        return self.quoting(float, state.current)

    def holds(self, value: Any, variable: Any) -> Any:
        """Returns the Traced of a new value; what is no array or number is itself."""
        if type(value) in (tuple, list) and type(variable) in (tuple, list) \
                and len(value) == len(variable):
            return type(value)(map(self.holds, value, variable))
        if not isinstance(variable, Variable):
            if type(variable) is type(value) in (*_NUMBERS, str) and variable == value:
                return value
            self.refuse(f"{variable!r} stands for {value!r}")
        value = self.checked(value, variable)
        self.note(variable)
        return Traced(State(self, value, Memory(value, variable), ()))

    def note(self, variable: Any) -> None:
        self.made.append(variable)
        if len(self.made) > MOST_NODES:
            self.refuse(f"it would be a graph of more than {MOST_NODES} nodes: a loop "
                        f"of many steps is better written in C")

    def checked(self, value: Any, variable: Any) -> Any:
        dtype, ndim = _dtype_of(value), getattr(value, "ndim", 0)
        made = numpy.dtype(getattr(variable.type, "dtype", "O"))
        if dtype is None or ndim != getattr(variable.type, "ndim", 0):
            self.refuse(f"{variable!r} is no {type(value).__name__} in a graph", True)
        if dtype != made or not dtype.isnative:
            if not self.lenient or dtype.kind not in "biufc":
                self.refuse(f"{variable!r} would be of dtype {made}, and is of {dtype} "
                            f"with the NumPy that is installed")
            value = value.astype(made) if hasattr(value, "astype") else value
        return value

    def computed(self, real: Any, graph: Any, arguments: Any, keywords: Any) -> Any:
        """Returns what NumPy makes of the values, and a graph of the Variables."""
        found = self.real(real, arguments, keywords)
        if found is NotImplemented:
            return found
        given = traced_in((arguments, keywords))
        for one in given:
            if one.clinch_state.value is found:
                return one
        check_weak(self, given, arguments)
        return self.holds(found, self.graph(graph, arguments, keywords))

    def real(self, function: Any, arguments: Any, keywords: Any) -> Any:
        return function(*replaced(arguments, _value), **replaced(keywords, _value))

    def graph(self, function: Any, arguments: Any, keywords: Any) -> Any:
        try:
            made = function(*replaced(arguments, _variable),
                            **replaced(keywords, _variable))
        except Exception as error:
            return self.refuse(str(error), True)
        if made is NotImplemented:
            self.refuse(f"no Op computes {function.__name__}")
        return made


class Memory:
    """Items of an array: a Variable that computes what they are now. `source`: the
    number of the value that a call gives, if they are those of an argument.
    `is_guess`: whether another array may be a view of them, or may be none."""

    __slots__ = ("value", "variable", "version", "source", "is_guess", "is_unknown")

    def __init__(self, value: Any, variable: Any, source: int | None = None) -> None:
        self.value, self.variable, self.version = value, variable, 0
        self.source, self.is_guess, self.is_unknown = source, False, False


class Step:
    """From an array to a view of it. `forward`: from Variable to Variable; `back`:
    from both, the second changed, to the first, changed; `apply`: from array to array.
    None is what cannot be had."""

    def __init__(self, forward: Any, back: Any, apply: Any) -> None:
        self.forward, self.back, self.apply = forward, back, apply


class State:
    """What is known of a Traced: its value, and the steps from a Memory."""

    __slots__ = ("trace", "value", "memory", "steps", "_variable", "_version")

    def __init__(self, trace: Trace, value: Any, memory: Memory, steps: Any) -> None:
        self.trace, self.value, self.memory, self.steps = trace, value, memory, steps
        self._version = -1

    @property
    def current(self) -> Any:
        """The Variable that computes the value as it is now."""
        if self._version != self.memory.version:
            self._variable = self._path()[-1]
            self._version = self.memory.version
        return self._variable

    def _path(self) -> Any:
        path = [self.memory.variable]
        for step in self.steps:
            path.append(self.trace.graph(step.forward, (path[-1],), {}))
        return path

    def view(self, value: Any, step: Step) -> Traced:
        made = State(self.trace, value, self.memory, (*self.steps, step))
        self.trace.checked(value, made.current)
        self.trace.note(made.current)
        return Traced(made)

    def write(self, make: Any) -> None:
        """Changes the items; the value has been changed."""
        if self.memory.is_guess:
            self.trace.refuse("an array changes of which another one may be a view, or "
                              "may be none, as `ravel` and `reshape` give")
        *bases, place = self._path()
        new = self.trace.graph(make, (place,), {})
        for base, step in zip(reversed(bases), reversed(self.steps)):
            if step.back is None:
                self.trace.refuse("a view changes whose items have another order than "
                                  "the array's")
            new = self.trace.graph(step.back, (base, new), {})
        self.memory.variable = new
        self.memory.version += 1
        self.trace.note(new)


def _dtype_of(value: Any) -> Any:
    if type(value) in _NUMBERS:
        return numpy.dtype(type(value))
    return value.dtype if isinstance(value, (numpy.ndarray, numpy.generic)) else None


def _value(traced: Any) -> Any:
    return traced.clinch_state.value


def _variable(traced: Any) -> Any:
    return traced.clinch_state.current


def replaced(value: Any, pick: Callable[[Any], Any]) -> Any:
    """Returns the value with `pick` of each Traced in it."""
    kind = type(value)
    if kind is Traced:
        return pick(value)
    if kind in (tuple, list):
        return kind([replaced(item, pick) for item in value])
    if kind is dict:
        return {name: replaced(item, pick) for name, item in value.items()}
    if kind is slice:
        return slice(*(replaced(end, pick)
                       for end in (value.start, value.stop, value.step)))
    return value


def traced_in(value: Any) -> Any:
    found: list[Any] = []
    replaced(value, found.append)
    return found


def check_weak(trace: Trace, given: Any, arguments: Any) -> None:
    """Refuses numbers whose value may decide which dtype the result has."""
    values = [_value(one) for one in given]
    dtypes = [v.dtype for v in values if hasattr(v, "dtype")]
    for value in values:
        if type(value) is float:
            fits = all(dtype.kind in "biu" or dtype.itemsize >= 8 and dtype != "complex64"
                       for dtype in dtypes)
        elif type(value) is int:
            fits = all(dtype.name in ("int64", "float64", "complex128")
                       for dtype in dtypes)
        else:
            continue
        if not fits:
            trace.refuse("a number takes the dtype of an array", True)
    if trace.lenient or int(numpy.__version__.split(".")[0]) >= 2:
        return
    values += [v for v in _items(arguments) if isinstance(v, numpy.generic)]
    arrays = [v.dtype for v in values if getattr(v, "ndim", 0)]
    numbers = [v.dtype for v in values if getattr(v, "ndim", 1) == 0]
    if arrays and numbers and all(d.kind in "biufc" for d in arrays + numbers):
        whole, one = numpy.result_type(*arrays), numpy.result_type(*numbers)
        if _KINDS[one.kind] <= _KINDS[whole.kind] \
                and numpy.promote_types(whole, one) != whole:
            trace.refuse(f"NumPy before version 2 looks at the value of a number of "
                         f"dtype {one} beside an array of {whole}")


#: Of dtypes, to NumPy before version 2.
_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}


def _items(value: Any) -> Any:
    if type(value) in (tuple, list):
        for item in value:
            yield from _items(item)
    else:
        yield value


class Traced:
    """What a traced function has of an array, a NumPy number or a float."""

    __slots__ = ("clinch_state",)
    clinch_state: State

    def __init__(self, state: State) -> None:
        self.clinch_state = state

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # `isinstance` and `match` ask for it.
        return type(self.clinch_state.value)

    def __getattr__(self, name: str) -> Any:
        return self.clinch_state.trace.numpy.attribute(self, name)

    def __getitem__(self, key: Any) -> Any:
        return self.clinch_state.trace.numpy.item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        state = self.clinch_state
        state.trace.real(operator.setitem, (self, key, value), {})
        key, value = replaced((key, value), _variable)
        state.write(lambda x: set_subtensor(index(x, key), value))

    def __len__(self) -> Any:
        state = self.clinch_state
        count = len(state.value)
        found = length(state, 0)
        return count if type(found) is int else state.trace.value_of(found.clinch_state)

    def __iter__(self) -> Any:
        iter(self.clinch_state.value)  # Or its TypeError.
        return iter([self[k] for k in range(len(self))])

    def __bool__(self) -> Any:
        state = self.clinch_state
        found = bool(state.value)  # Or its error.
        if type(state.value) in (int, float) or numpy.ndim(state.value):
            return state.trace.value_of(state)
        state.trace.guards.append((astype(as_array(state.current), "bool"), found))
        return found

    def __hash__(self) -> Any:
        hash(self.clinch_state.value)
        return self.clinch_state.trace.value_of(self.clinch_state)

    def __contains__(self, value: Any) -> Any:
        return bool((self == value).any())

    def __array__(self, *_: Any, **__: Any) -> Any:
        state = self.clinch_state
        return state.trace.quoting(lambda x: x.__array__(), state.current)

    def __str__(self) -> Any:
        state = self.clinch_state
        if type(state.value) in _NUMBERS:
            state.trace.value_of(state)
        return state.trace.refuse(f"{state.current!r} has no text before it is computed")

    __repr__ = __str__

    def __format__(self, _: Any) -> Any:
        return str(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any
                        ) -> Any:
        trace = self.clinch_state.trace
        return trace.numpy.called(trace, ufunc, inputs, keywords, method)

    def __array_function__(self, function: Any, types: Any, arguments: Any,
                           keywords: Any) -> Any:
        trace = self.clinch_state.trace
        return trace.numpy.called(trace, function, arguments, keywords)


def length(state: State, axis: int) -> Any:
    """Returns the length of a dimension: an int if it is known, else a Traced."""
    known = state.current.type.shape[axis]
    if known is not None:
        return state.value.shape[axis]
    return state.trace.holds(state.value.shape[axis], Shape_i(axis)(state.current))


def _operated(function: Any, *operands: Any) -> Any:
    """Computes an operator."""
    given = [one for one in operands if type(one) is Traced]
    trace = given[0].clinch_state.trace
    values = [replaced(one, _value) for one in operands]
    if all(type(v) in _NUMBERS for v in values):
        # Python's own numbers, which have exceptions and are of any size.
        small = all(type(v) is float or type(v) is int and abs(v) < 2**31 for v in values)
        if not small or function not in (
                operator.add, operator.sub, operator.neg, operator.pos, operator.abs) \
                and (function is not operator.mul or int in map(type, values)):
            trace.value_of(given[0].clinch_state)
    return trace.computed(function, function, operands, {})


def _changed(function: Any, inplace: Any, traced: Any, other: Any) -> Any:
    """Computes an operator in place."""
    state = traced.clinch_state
    if type(state.value) is not numpy.ndarray:
        return _operated(function, traced, other)
    state.trace.real(inplace, (traced, other), {})
    check_weak(state.trace, traced_in((traced, other)), (other,))
    other = replaced(other, _variable)
    state.write(lambda x: fitted(x, function(x, other)))
    return traced


def fitted(x: Any, y: Any) -> Any:
    """Returns y with the dtype and the shape of x, or what raises in a call."""
    y = astype(as_array(y), x.type.dtype)
    if y.type.shape == x.type.shape and None not in x.type.shape and x.type.ndim < 2:
        return y  # Of matrices it might have another order in memory.
    return set_subtensor(index(x, ...), y)


def _refused(traced: Any, *_: Any) -> Any:
    return traced.clinch_state.trace.value_of(traced.clinch_state)


give_operators(Traced, _operated, _changed)
setattr(Traced, "__divmod__", lambda x, y: _operated(divmod, x, y))
setattr(Traced, "__rdivmod__", lambda x, y: _operated(divmod, y, x))
for _name in ("float", "int", "index", "complex", "round", "trunc", "floor", "ceil", "bytes",
              "copy", "deepcopy", "reduce", "reduce_ex"):
    setattr(Traced, f"__{_name}__", _refused)

"""What a trace gives: compiled code, what it takes, and what to make of its results."""

from __future__ import annotations

import collections
import contextlib
import itertools
import warnings

import numpy

from . import traced_numpy
from ..base.annotations import Any
from ..build.functions import function
from ..ops.generic_ops import Shape_i
from ..graph.variables import Constant
from .guards import ATOMS, fields, flat, is_record, rebuilt, wanted
from .sandbox import Sandbox
from .stand_ins import Object, stood_for
from .traced import Refused, Trace, Traced
from ..types.type import what
from ..base.walks import applies


class Changed(Exception):
    """A global, or another thing that the code depends on, is not what it was."""


class InPython(Exception):
    """This call is Python's: arrays overlap, or cannot be written to."""


class _Place:
    """In a result: the array or number of this index among those that are made."""

    def __init__(self, number: int) -> None:
        self.number = number


class Code:
    """What one call of the Python function gave: a compiled function, what it takes
    and what to make of its results."""

    def __init__(self, python: Any, name: str, given: Any, leaves: Any, exact: Any,
                 mode: Any, lenient: Any, jitted: Any) -> None:
        trace = Trace(exact, lenient, traced_numpy)
        sandbox = self._run(trace, python, given, len(leaves), jitted)
        self.exact, self.leaf, self.compares = exact, sandbox.leaf, sandbox.compares
        self.reads = sandbox.reads
        self.taken = tuple(sandbox.inputs)
        #: Numbers of arguments that change, each with the output that it becomes.
        self.changed = [(k, self._output(state.memory)) for k, state
                        in sandbox.states.items() if state.memory.version]
        inputs = list(sandbox.inputs.values())
        variables = [memory.variable for memory in self.outputs]
        self.guards = [wanted for _, wanted in trace.guards]
        variables += [variable for variable, _ in trace.guards]
        variables += _unneeded(trace.made, variables)
        self.single = len(variables) == 1
        self.code = function(inputs, variables[0] if self.single else variables, mode,
                             name=name)
        #: Calls whose conditions were not those of the trace.
        self.misses = 0
        self.kinds = [type(memory.value) for memory in self.outputs]
        self._try(leaves)
        del self.outputs

    def entry(self, arguments: Any) -> Any:
        """Returns what a Dispatcher needs to run the code for such arguments, or None."""
        wants = wanted(arguments, self.exact)
        lookups = [read.lookup() for read in self.reads]
        if wants is None or None in lookups:
            return None
        if (type(self.result) is _Place and self.single and not self.compares
                and not self.changed and self.makers == [(None, 0, ())]):
            (kind,) = self.kinds
            made = numpy.asarray if kind is numpy.ndarray else kind
            return wants, tuple(lookups), self.code, self.taken, kind, made
        return wants, tuple(lookups), self.run, None, None, None

    def _run(self, trace: Trace, python: Any, given: Any, count: int, jitted: Any
             ) -> Sandbox:
        sandbox = Sandbox(trace, jitted)
        self.outputs: list[Any] = []
        self.makers: list[Any] = []
        numbers = itertools.count()
        sandbox.count = count
        names = _names(python)
        with contextlib.suppress(Refused), numpy.errstate(all="ignore"), \
                warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            arguments = [sandbox.argument(value, name, numbers) for value, name in
                         itertools.zip_longest(given[0], names[:len(given[0])])]
            keywords = {name: sandbox.argument(value, name, numbers)
                        for name, value in given[1].items()}
            result = sandbox.called(python, arguments, keywords)
            self.result = self._shown(trace, sandbox, result, {})
            sandbox.check()
            for one in said:
                if not issubclass(one.category, RuntimeWarning):
                    trace.refuse(f"NumPy warns: {one.message}")
        if trace.refused is not None:
            raise trace.refused
        return sandbox

    def _output(self, memory: Any) -> int:
        if memory not in self.outputs:
            self.outputs.append(memory)
        return self.outputs.index(memory)

    def _shown(self, trace: Any, sandbox: Any, value: Any, seen: Any) -> Any:
        """Returns a result with a _Place for each Traced."""
        kind = type(value)
        if id(value) in seen:
            return seen[id(value)]
        if kind in (list, dict) and any(value is copy for copy, _ in sandbox.copies):
            trace.refuse("it returns a list or dict that it was given")
        if kind is Traced:
            made: Any = self._place(trace, value.clinch_state)
        elif kind in (tuple, list):
            made = kind([self._shown(trace, sandbox, v, seen) for v in value])
        elif kind in (dict, collections.OrderedDict):
            made = kind((self._plain(trace, k), self._shown(trace, sandbox, v, seen))
                        for k, v in value.items())
        elif is_record(kind):
            made = rebuilt(value, [self._shown(trace, sandbox, v, seen)
                                   for v in fields(value)])
        elif kind is Object and stood_for(value) is not None:
            made = self._made(None, stood_for(value), (), True)
        else:
            made = self._plain(trace, value)
        seen[id(value)] = made
        return made

    def _plain(self, trace: Any, value: Any) -> Any:
        if type(value) in (*ATOMS, float, complex) or isinstance(
                value, (numpy.dtype, numpy.generic, type)):
            return value
        getattr(value, "__class__")  # What is opaque says why.
        return trace.refuse(f"{what(value)} as a result may hold what is not computed yet")

    def _place(self, trace: Any, state: Any) -> Any:
        if any(step.apply is None for step in state.steps):
            trace.refuse("the result is a view at a place that only a call knows")
        if state.memory.is_guess and not state.steps and state.memory.source is None \
                and state.memory.is_unknown:
            trace.refuse("the result may be a view of another array, or may be none")
        memory, steps = state.memory, tuple(step.apply for step in state.steps)
        if memory.source is not None:
            return self._made(memory.source, 0, steps)
        return self._made(None, self._output(memory), steps)

    def _made(self, source: Any, number: int, steps: Any, is_object: bool = False) -> Any:
        self.makers.append((number if is_object else source, number, steps))
        return _Place(len(self.makers) - 1)

    def _try(self, leaves: Any) -> None:
        """Refuses code whose results are of other types or layouts than NumPy's."""
        if not self.outputs:
            return
        results = self._results(self._values(leaves))
        for result, memory in zip(results, self.outputs):
            want = memory.value
            if type(want) is numpy.ndarray:
                if result.shape != want.shape or want.size and _order(
                        result) != _order(want):
                    raise Refused("the items of a result have another order in memory "
                                  "than NumPy's")

    def _values(self, leaves: Any) -> Any:
        """Returns what the code may take, or raises Changed."""
        values = list(leaves)
        for read in self.reads:
            value = read.now(values)
            if read.is_fixed:
                if value is read.value:
                    continue
                found = flat(value, [], self.leaf)
            else:
                found = flat(value, values, self.leaf)
            if found != read.key:
                raise Changed
        return values

    def described(self) -> str:
        """Returns what `explain` says of the code."""
        lines = [f"is compiled, for arrays of {'these' if self.exact else 'any'} lengths"]
        names = sorted({str(read.name) for read in self.reads})
        if names:
            lines.append(f"each call compares or reads: {', '.join(names)}")
        if self.guards:
            count = len(self.guards)
            lines.append(f"each call checks {count} condition{'s' * (count > 1)}, and runs "
                         f"in Python if {'one' if count > 1 else 'it'} is not as it was")
        if self.changed:
            count = len(self.changed)
            lines.append(f"{count} argument{' changes' if count == 1 else 's change'}")
        ops = {str(node.op) for node in applies((), self.code.outputs)}
        calls = sorted(op for op in ops if op.startswith("numpy."))
        if calls:
            lines.append(f"NumPy computes: {', '.join(calls)}")
        return "\n".join([*lines, "the rest is compiled C; the graph:",
                          self.code.emit("graph").rstrip()])

    def _results(self, values: Any) -> Any:
        made = self.code(*[values[k] for k in self.taken])
        if self.guards:
            count = len(self.kinds)
            if any(bool(one) is not wanted for one, wanted in zip(
                    (made,) if self.single else made[count:], self.guards)):
                raise InPython
        return [one if type(one) is kind else numpy.asarray(one)
                if kind is numpy.ndarray else kind(one)
                for kind, one in zip(self.kinds, (made,) if self.single else made)]

    def __call__(self, leaves: Any) -> Any:
        return self.run(self._values(leaves))

    def run(self, values: Any) -> Any:
        """Returns the result for leaves of arguments, and for what was read."""
        if self.compares or self.changed:
            self._check_apart(values)
        results = self._results(values)
        if self.changed:
            self._places(values, results)  # What it raises, it raises before a change.
        for k, output in self.changed:
            values[k][...] = results[output]
        return _filled(self.result, self._places(values, results), {})

    def _places(self, values: Any, results: Any) -> Any:
        places = []
        for source, number, steps in self.makers:
            made = results[number] if source is None else values[source]
            for step in steps:
                made = step(made)
            places.append(made)
        return places

    def _check_apart(self, values: Any) -> None:
        arrays = [v for v in values if type(v) is numpy.ndarray]
        if len(set(map(id, arrays))) < len(arrays):
            raise InPython
        for k, _ in self.changed:
            one = values[k]
            if not one.flags.writeable or 0 in one.strides or any(
                    numpy.may_share_memory(one, other)
                    for other in arrays if other is not one):
                raise InPython


def _may_raise(node: Any) -> bool:
    """Whether a call may raise there: a length is known, and so is whether a view of known
    lengths with fixed indices is one."""
    return not (isinstance(node.op, Shape_i) or getattr(node.op, "view_map", None)
                and None not in getattr(node.inputs[0].type, "shape", (None,))
                and all(isinstance(one, Constant) for one in node.inputs[1:]))


def _unneeded(made: Any, wanted: Any) -> Any:
    """Returns what was made of which the wanted know nothing: it may raise in a call."""
    found: list[Any] = []
    known = {v for node in applies((), wanted) for v in node.outputs}
    for variable in reversed(made):
        if variable.owner and variable not in known and _may_raise(variable.owner):
            found.append(variable)
            known.update(v for node in applies((), [variable]) for v in node.outputs)
    return found


def _order(array: Any) -> Any:
    """Returns the strides that say how the items lie in memory."""
    return [stride for stride, length in zip(array.strides, array.shape)
            if length > 1 or array.ndim == 1]


def _names(python: Any) -> Any:
    code = getattr(python, "__code__", None)
    return code.co_varnames[:code.co_argcount] if code else ()


def _filled(value: Any, places: Any, seen: Any) -> Any:
    """Returns a result with what is made in place of each _Place."""
    kind = type(value)
    if kind is _Place:
        return places[value.number]
    if kind in (tuple, list):
        if kind is list and id(value) in seen:
            return seen[id(value)]
        made = kind([_filled(item, places, seen) for item in value])
    elif kind in (dict, collections.OrderedDict):
        if id(value) in seen:
            return seen[id(value)]
        made = kind((k, _filled(item, places, seen)) for k, item in value.items())
    elif is_record(kind):
        made = rebuilt(value, [_filled(item, places, seen) for item in fields(value)])
    else:
        return value
    seen[id(value)] = made
    return made

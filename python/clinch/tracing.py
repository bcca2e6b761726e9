"""Functions of arrays that compile themselves: `jit`, and `evaluate` of an
expression.

What a call is given decides which code runs. For each set of dtypes and dimensions the
Python function is called once in a Sandbox, with what `traced` says in place of arrays
and numbers; the graph that this makes is compiled, for arrays of any lengths. If it
needs to know more than that, as `range(len(x))` or `if n > 0` do, it is compiled for
just these lengths and numbers. What cannot be compiled runs in Python.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import functools
import itertools
import sys
import threading
import types
import warnings

import numpy

from . import tensor, traced_numpy
from .annotations import Any, Callable
from .functions import function
from .generic_ops import Shape_i
from .graph import Variable
from .sandbox import (ATOMS, MISSING, Sandbox, exactly, fields, flat, is_record, is_usual,
                      loosely, rebuilt, stood_for)
from .traced import Refused, Trace, Traced
from .type import what
from .walks import applies

#: A function that ran in Python so often, and never otherwise, is not looked at again.
ALWAYS = 16
#: Code runs in Python for good if so many calls took another branch.
MANY_MISSES = 8
#: Of one function: how often it is compiled before a warning says so.
MANY = 64


class _Changed(Exception):
    """A global, or another thing that the code depends on, is not what it was."""


class _InPython(Exception):
    """This call is Python's: arrays overlap, or cannot be written to."""


class _Place:
    """In a result: the array or number of this index among those that are made."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Code:
    """What one call of the Python function gave: a compiled function, what it takes
    and what to make of its results."""

    def __init__(self, python: Any, name: str, given: Any, leaves: Any, exact: Any,
                 mode: Any, lenient: Any) -> None:
        trace = Trace(exact, lenient, traced_numpy)
        sandbox = self._run(trace, python, given, len(leaves))
        self.leaf, self.compares = sandbox.leaf, sandbox.compares
        self.reads = [read for read in sandbox.reads if not read.is_fixed]
        self.fixed = [read for read in sandbox.reads if read.is_fixed]
        #: Those of globals.
        self.globals = [(read.owner, read.name, read.value) for read in self.fixed
                        if type(read.owner) is dict]
        self.taken = list(sandbox.inputs)
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
        #: Whether the code takes what the function takes, and gives what it gives.
        self.is_plain = (
            type(self.result) is _Place and self.single and not self.changed
            and self.makers == [(None, 0, ())] and not self.reads and not self.compares
            and len(inputs) == len(leaves) == len(given[0])
            and len(self.globals) == len(self.fixed)
            and all(type(v) is numpy.ndarray for v in leaves))
        self._try(leaves)
        del self.outputs

    def _run(self, trace: Trace, python: Any, given: Any, count: int) -> Sandbox:
        sandbox = Sandbox(trace, Jitted)
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
        elif kind.__name__ == "_Object" and stood_for(value) is not None:
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
        if self.is_plain and type(results[0]) is not type(
                self.code(*[leaves[k] for k in self.taken])):
            self.is_plain = False

    def is_same(self) -> bool:
        """Whether the globals are what they were."""
        for owner, name, value in self.globals:
            if owner.get(name, MISSING) is not value:
                return False
        return True

    def _values(self, leaves: Any) -> Any:
        """Returns what the code may take, or raises _Changed."""
        for read in self.fixed:
            value = read.now(leaves)
            if value is not read.value and flat(value, [], self.leaf) != read.key:
                raise _Changed
        if not self.reads:
            return leaves
        values = list(leaves)
        for read in self.reads:
            if flat(read.now(values), values, self.leaf) != read.key:
                raise _Changed
        return values

    def _results(self, values: Any) -> Any:
        made = self.code(*[values[k] for k in self.taken])
        if self.guards:
            count = len(self.kinds)
            if any(bool(one) is not wanted for one, wanted in zip(
                    (made,) if self.single else made[count:], self.guards)):
                self.misses += 1
                raise _InPython
        return [one if type(one) is kind else numpy.asarray(one)
                if kind is numpy.ndarray else kind(one)
                for kind, one in zip(self.kinds, (made,) if self.single else made)]

    def __call__(self, leaves: Any) -> Any:
        values = self._values(leaves)
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
            raise _InPython
        for k, _ in self.changed:
            one = values[k]
            if not one.flags.writeable or 0 in one.strides or any(
                    numpy.may_share_memory(one, other)
                    for other in arrays if other is not one):
                raise _InPython


def _unneeded(made: Any, wanted: Any) -> Any:
    """Returns what was made of which the wanted know nothing: it may raise in a call."""
    found: list[Any] = []
    known = {v for node in applies((), wanted) for v in node.outputs}
    for variable in reversed(made):
        if variable.owner and variable not in known \
                and not isinstance(variable.owner.op, Shape_i):
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


class _Kept(threading.local):
    """What a thread's calls made: structure -> _Code, or why there is none. A Function
    has one state, so each thread has its own."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}
        #: Dtypes and dimensions of arrays -> _Code, for calls with nothing else; None
        #: is Python.
        self.plain: dict[Any, Any] = {}


#: Of a key: the code is of the lengths and the floats too.
_EXACT = object()


_ARRAY = numpy.ndarray
_ERRORS = getattr(numpy, "geterrobj", None)  # Before NumPy 2.


def _raises() -> bool:
    """Whether NumPy raises or calls something for a floating-point error."""
    if _ERRORS:
        return bool(_ERRORS()[1] & 0o6666)
    return any(how not in ("ignore", "warn") for how in numpy.geterr().values())


class Jitted:
    """What `jit` makes of a function."""

    __qualname__: str

    def __init__(self, python: Any, strict: Any, mode: Any, lenient: bool = False) -> None:
        self.__name__ = "function"  # A partial has none.
        functools.update_wrapper(self, python)
        self.python, self._strict, self._mode = python, strict, mode
        self._lenient = lenient
        self._kept = _Kept()
        self._warned: set[Any] = set()
        #: Calls in Python; None if there is code.
        self._in_python_calls: int | None = 0
        self._is_python = False

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if self._is_python:
            return self.python(*arguments, **keywords)
        key = None
        if not keywords:
            key = tuple([(a.dtype, a.ndim) for a in arguments
                         if type(a) is _ARRAY and (a.ndim < 2 or is_usual(a))])
            if len(key) < len(arguments):
                key = None
            else:
                code = self._kept.plain.get(key, _EXACT)
                if code is None:
                    return self.python(*arguments)
                if code is not _EXACT and code.is_same() and not _raises():
                    try:
                        return code.code(*arguments)
                    except Exception:
                        pass  # Python says what is wrong.
                    return self.python(*arguments)
        return self._called(arguments, keywords, key)

    def _called(self, arguments: Any, keywords: Any, key: Any) -> Any:
        leaves: list[Any] = []
        given = arguments, keywords
        try:
            loose = flat(given, leaves, loosely)
        except RecursionError:
            return self.python(*arguments, **keywords)
        if any(isinstance(value, Variable) for value in leaves):
            return self.python(*arguments, **keywords)  # A part of another's graph.
        if _raises():
            return self.python(*arguments, **keywords)
        found = None
        for _ in range(2):
            found = self._found(given, leaves, loose)
            if not isinstance(found, _Code):
                return self._in_python(given, found, key)
            try:
                result = found(leaves)
            except _Changed:
                self._replace(found, None)
                continue
            except _InPython:
                if found.misses >= MANY_MISSES:
                    self._replace(found, TypeError(
                        "what it does depends on values, which differ from call to call"))
                break
            except Exception:
                break  # Python says what is wrong.
            if key is not None and found.is_plain and self._kept.made[loose] is found:
                self._kept.plain[key] = found
            return result
        return self.python(*arguments, **keywords)

    def _replace(self, code: Any, found: Any) -> None:
        """Replaces code that is not for the calls that there are."""
        for key in [k for k, v in self._kept.made.items() if v is code]:
            self._kept.made[key] = found
        self._kept.plain.clear()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self) -> Any:
        return self.__qualname__  # A pickle has its name, as of any function.

    def compiled(self, *arguments: Any, **keywords: Any) -> Any:
        """Returns the Function that a call with these arguments runs, or raises what
        keeps it from being compiled."""
        leaves: list[Any] = []
        given = arguments, keywords
        found = self._found(given, leaves, flat(given, leaves, loosely))
        if isinstance(found, _Code):
            return found.code
        raise found

    def _found(self, given: Any, leaves: Any, loose: Any) -> Any:
        """Returns the _Code for a call, or the exception that there is instead."""
        kept = self._kept.made
        found = kept.get(loose)
        if found is None:
            found = self._kept_new(loose, self._traced(given, leaves, False))
        if found is _EXACT:
            key = "exact", flat(given, [], exactly)
            found = kept.get(key)
            if found is None:
                found = self._kept_new(key, self._traced(given, leaves, True))
        return found

    def _kept_new(self, key: Any, found: Any) -> Any:
        kept = self._kept.made
        kept[key] = found
        if len(kept) >= MANY:
            self._warn(
                f"`{self.__name__}` has been compiled {MANY} times: it is for each number "
                f"that it is given; one that varies is better a numpy.float64 or "
                f"numpy.int64")
            del kept[next(iter(kept))]
        return found

    def _traced(self, given: Any, leaves: Any, exact: Any) -> Any:
        try:
            made = _Code(self.python, self.__name__, given, leaves, exact, self._mode,
                         self._lenient)
            self._in_python_calls = None
            return made
        except Refused as refused:
            if refused.always:
                self._in_python_calls = ALWAYS
            return _EXACT if refused.exact else TypeError(str(refused))
        except Exception as error:
            return error.with_traceback(None) if exact else _EXACT

    def _in_python(self, given: Any, error: Any, key: Any) -> Any:
        if self._strict:
            raise error
        result = self.python(*given[0], **given[1])  # Whose own errors come first.
        if key is not None and self._kept.made.get(
                flat(given, [], loosely)) is error:
            self._kept.plain[key] = None
        # NumPy says "setting an array element with a sequence." of what a Variable says.
        why = error.__cause__ or error
        self._warn(f"`{self.__name__}` runs in Python, as it does not compile: {why}")
        if self._in_python_calls is not None:
            self._in_python_calls += 1
            self._is_python = self._in_python_calls > ALWAYS
        return result

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            level, frame = 1, sys._getframe()
            while frame.f_back and frame.f_globals.get("__name__", "").startswith(
                    __package__ or "clinch"):
                level, frame = level + 1, frame.f_back
            warnings.warn(text, RuntimeWarning, stacklevel=level)


def jit(python: Callable[..., Any] | None = None, *, strict: bool = False,
        mode: Any = None) -> Any:
    """Compiles a function of arrays when it is called: once for each set of dtypes
    and dimensions, and for each value of what is no array, NumPy number or float.

    The result is that of the function. What cannot be compiled runs in Python, and a
    RuntimeWarning says why, once; with `strict` it is an error. The `mode` is that of
    `function`.
    """
    if python is None:
        return lambda python: Jitted(python, strict, mode)
    return Jitted(python, strict, mode)


@functools.lru_cache(256)
def _parsed(expression: Any) -> Any:
    """Returns the names of an expression: those of NumPy that it calls, and others."""
    tree = list(ast.walk(ast.parse(expression.strip(), mode="eval")))
    names = [node.id for node in tree if isinstance(node, ast.Name)]
    called = {node.func.id for node in tree if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name) and hasattr(tensor, node.func.id)}
    return called, [name for name in dict.fromkeys(names) if name not in called]


@functools.lru_cache(256)
def _jitted(expression: Any, names: Any) -> Any:
    called, _ = _parsed(expression)
    namespace: dict[str, Any] = {"__builtins__": {}}
    namespace.update((name, getattr(numpy, name, None) or getattr(tensor, name))
                     for name in called)
    python = eval(f"lambda {', '.join(names)}: ({expression.strip()})", namespace)
    python.__name__ = "evaluate"
    return Jitted(python, True, None, lenient=True)


def evaluate(expression: str, local_dict: Any = None, global_dict: Any = None) -> Any:
    """Computes an expression of arrays and numbers in one loop, as numexpr does:
    `evaluate("tanh(x*y) + 1")`.

    Its names are those of the caller, or of these dicts; its functions are NumPy's, as
    `clinch.tensor` has them. It is Python, so never evaluate what you do not trust.
    """
    caller = sys._getframe(1)
    places = (caller.f_locals if local_dict is None else local_dict,
              caller.f_globals if global_dict is None else global_dict)
    values = []
    _, names = _parsed(expression)
    for name in names:
        place = next((place for place in places if name in place), None)
        if place is None:
            raise NameError(f"name {name!r} of the expression is not defined")
        values.append(place[name])
    return _jitted(expression, tuple(names))(*values)

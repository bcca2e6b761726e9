"""Functions of arrays that compile themselves: `jit`, and `evaluate` of an
expression.

What a call is given decides which code runs. For each set of dtypes and dimensions
the Python function is called once with Variables; what it returns is compiled, for
arrays of any lengths. If it needs to know more than that, as `len(x)` or `if n > 0`
do, it is called with Variables of just these lengths, and with the numbers.
"""

from __future__ import annotations

import ast
import functools
import sys
import threading
import types
import warnings

import numpy

from . import draws, tensor
from .annotations import Any, Callable
from .array_type import TensorType
from .functions import function
from .graph import Variable
from .ops import constant
from .scalars import double
from .type import what
from .walks import applies

#: Of one function: how often it is compiled before a warning says so.
MANY = 64
_CONTAINERS = (tuple, list, dict)


def _flat(value: Any, leaves: Any, leaf: Any) -> Any:
    """Returns the hashable structure of a value: its containers, and what `leaf` says
    of the others, which are appended to `leaves`."""
    if type(value) not in _CONTAINERS:
        leaves.append(value)
        return leaf(value)
    items = value.items() if type(value) is dict else enumerate(value)
    return type(value), *[(name, _flat(item, leaves, leaf)) for name, item in items]


def _filled(value: Any, leaves: Any) -> Any:
    """Returns the value with these leaves, an iterator, in place of its own."""
    if type(value) is dict:
        return {name: _filled(item, leaves) for name, item in value.items()}
    if type(value) in _CONTAINERS:
        return type(value)([_filled(item, leaves) for item in value])
    return next(leaves)


def _loosely(value: Any) -> Any:
    """What code for arrays of any lengths, and for any float, depends on."""
    kind = type(value)
    if kind is numpy.ndarray:
        return value.dtype, value.ndim
    if isinstance(value, numpy.generic):
        return value.dtype, 0
    return kind if kind is float else (kind, value)


def _exactly(value: Any) -> Any:
    """What code for these lengths, and this float, depends on."""
    if type(value) is numpy.ndarray:
        return value.dtype, value.shape
    return (float, value.hex()) if type(value) is float else _loosely(value)


def _variable(value: Any, exact: Any) -> Any:
    """Returns what stands for a leaf while the function is traced."""
    if type(value) is numpy.ndarray or isinstance(value, numpy.generic):
        shape = value.shape if exact else (None,) * value.ndim
        return TensorType(value.dtype.name, shape)()
    return double() if type(value) is float and not exact else value


def _name(python: Any, arguments: Any, keywords: Any) -> None:
    """Gives Variables the names of the function's arguments, for messages."""
    code = getattr(python, "__code__", None)
    names = code.co_varnames[:code.co_argcount] if code else ()
    for name, value in (*zip(names, arguments), *keywords.items()):
        if isinstance(value, Variable):
            value.name = name


class _Traced:
    """What one call of the Python function gave: a compiled function of the leaves
    that are Variables, and what to make of its results."""

    def __init__(self, python: Any, name: str, given: Any, leaves: Any, exact: Any,
                 mode: Any) -> None:
        stand_ins = [_variable(value, exact) for value in leaves]
        self.taken = [k for k, v in enumerate(stand_ins) if isinstance(v, Variable)]
        arguments, keywords = _filled(given, iter(stand_ins))
        _name(python, arguments, keywords)
        with draws.none(python, leaves):
            self.result = python(*arguments, **keywords)
        found: list[Any] = []
        _flat(self.result, found, type)
        self.found = [constant(v) if isinstance(v, numpy.ndarray) else v for v in found]
        outputs = [v for v in self.found if isinstance(v, Variable)]
        inputs = [stand_ins[k] for k in self.taken]
        if not exact and any(v.type is double for v in inputs) \
                and _has_float32(inputs, outputs):
            raise _Weak
        single = isinstance(self.result, Variable)
        self.code = function(inputs, outputs[0] if single else outputs, mode, name=name)
        #: Whether the code takes what the function takes, and gives what it gives.
        self.is_plain = single and len(inputs) == len(leaves)

    def __call__(self, leaves: Any) -> Any:
        if self.is_plain:
            return self.code(*leaves)
        results = self.code(*[leaves[k] for k in self.taken])
        if isinstance(self.result, Variable):
            return results
        results = iter(results)
        if type(self.result) not in _CONTAINERS:
            return next(results, self.result)
        return _filled(self.result, (next(results) if isinstance(v, Variable) else v
                                     for v in self.found))


class _Weak(Exception):
    """A Variable of float64 stands for a Python float, and would make a float64 of a
    float32, as the float does not."""


def _has_float32(inputs: Any, outputs: Any) -> bool:
    return any(getattr(v.type, "dtype", None) in ("float16", "float32", "complex64")
               for node in applies(inputs, outputs)
               for v in (*node.inputs, *node.outputs))


class _Kept(threading.local):
    """What a thread's calls made: structure -> _Traced, or why there is none. A
    Function has one state, so each thread has its own."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}
        #: Dtypes and dimensions of arrays -> Function, for calls with nothing else.
        self.plain: dict[Any, Any] = {}


class Jitted:
    """What `jit` makes of a function."""

    __qualname__: str

    def __init__(self, python: Any, strict: Any, mode: Any) -> None:
        self.__name__ = "function"  # A partial has none.
        functools.update_wrapper(self, python)
        self._python, self._strict, self._mode = python, strict, mode
        self._kept = _Kept()
        self._warned: set[Any] = set()

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        arrays = [(a.dtype, a.ndim) for a in arguments if type(a) is numpy.ndarray]
        if keywords or len(arrays) < len(arguments):
            return self._called(arguments, keywords)
        plain, key = self._kept.plain, tuple(arrays)
        code = plain.get(key)
        if code is not None:
            return code(*arguments)
        result = self._called(arguments, keywords)
        found = self._kept.made.get(_flat((arguments, keywords), [], _loosely))
        if isinstance(found, _Traced) and found.is_plain:
            plain[key] = found.code
        return result

    def _called(self, arguments: Any, keywords: Any) -> Any:
        leaves: list[Any] = []
        given = arguments, keywords
        loose = _flat(given, leaves, _loosely)
        if any(isinstance(value, Variable) for value in leaves):
            return self._python(*arguments, **keywords)  # A part of another's graph.
        try:
            found = self._kept.made.get(loose)
        except TypeError:
            found = _unfit(leaves)
        else:
            if not isinstance(found, _Traced):
                found = self._found(given, leaves, loose)
        return (found(leaves) if isinstance(found, _Traced)
                else self._in_python(given, found))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self) -> Any:
        return self.__qualname__  # A pickle has its name, as of any function.

    def compiled(self, *arguments: Any, **keywords: Any) -> Any:
        """Returns the Function that a call with these arguments runs, or raises what
        keeps it from being compiled."""
        leaves: list[Any] = []
        given = arguments, keywords
        found = self._found(given, leaves, _flat(given, leaves, _loosely))
        if isinstance(found, _Traced):
            return found.code
        raise found

    def _found(self, given: Any, leaves: Any, loose: Any) -> Any:
        """Returns the _Traced for a call, or the exception that there is instead."""
        kept = self._kept.made
        for exact in (False, True):
            key = ("exact", _flat(given, [], _exactly)) if exact else loose
            found = kept.get(key)
            if found is None:
                found = kept[key] = self._traced(given, leaves, exact)
                if len(kept) >= MANY:
                    self._warn(
                        f"`{self.__name__}` has been compiled {MANY} times: it is for "
                        f"each number that it is given; one that varies is better a "
                        f"numpy.float64 or numpy.int64")
                    del kept[next(iter(kept))]
            if isinstance(found, _Traced):
                break
        return found

    def _traced(self, given: Any, leaves: Any, exact: Any) -> Any:
        try:
            return _Traced(self._python, self.__name__, given, leaves, exact,
                           self._mode)
        except Exception as error:
            return error.with_traceback(None)

    def _in_python(self, given: Any, error: Any) -> Any:
        if self._strict:
            raise error
        result = self._python(*given[0], **given[1])  # Whose own errors come first.
        # NumPy says "setting an array element with a sequence." of what a Variable says.
        why = error.__cause__ or error
        self._warn(f"`{self.__name__}` runs in Python, as it does not compile: {why}")
        return result

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            warnings.warn(text, RuntimeWarning, stacklevel=5)


def _unfit(leaves: Any) -> Any:
    """Returns the error of what cannot be a key."""
    for value in leaves:
        try:
            hash(_loosely(value))
        except TypeError:
            return TypeError(f"{what(value)} is no array, and no value that can be "
                             f"known again")
    raise AssertionError(leaves)


def jit(python: Callable[..., Any] | None = None, *, strict: bool = False,
        mode: Any = None) -> Any:
    """Compiles a function of arrays when it is called: once for each set of dtypes
    and dimensions, and for each value of what is no array, NumPy number or float.

    It is called with Variables then, and returns Variables; tuples, lists and dicts
    may hold either. What cannot be compiled runs in Python, and a RuntimeWarning says
    why, once; with `strict` it is an error. The `mode` is that of `function`.
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
    namespace.update((name, getattr(tensor, name)) for name in called)
    python = eval(f"lambda {', '.join(names)}: ({expression.strip()})", namespace)
    python.__name__ = "evaluate"
    return Jitted(python, True, None)


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

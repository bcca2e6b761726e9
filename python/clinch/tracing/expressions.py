"""Expressions of arrays that compile themselves."""

from __future__ import annotations

import ast
import functools
import sys

import numpy

from .. import tensor
from ..base.annotations import Any
from .jit import Jitted


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
    """Computes an expression of arrays and numbers in one compiled loop and returns its value.

    It works as `numexpr.evaluate` does. The expression is Python code: never evaluate an
    expression that you don't trust.

    Parameters
    ----------
    expression : str
        The expression. Its functions are NumPy's, as `clinch.tensor` has them.
    local_dict : mapping, optional
        The values of its names, by default the local variables of the caller.
    global_dict : mapping, optional
        The values of names that `local_dict` lacks, by default the caller's globals.

    Returns
    -------
    numpy.ndarray or number
        The value, as NumPy would return it.

    Raises
    ------
    NameError
        If a name of the expression has no value.
    SyntaxError
        If the expression is not valid Python.

    Examples
    --------
    >>> import clinch
    >>> import numpy
    >>> x = numpy.arange(3.0)
    >>> print(clinch.evaluate("x * x + 1"))
    [1. 2. 5.]
    >>> print(clinch.evaluate("maximum(a, 2)", {"a": x}))
    [2. 2. 2.]
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

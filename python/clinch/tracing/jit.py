"""Functions of arrays that compile themselves: `jit`.

The arguments of a call decide which code runs. For each set of dtypes and dimensions the
Python function is called once in a Sandbox, with what `traced` says in place of arrays
and numbers; the graph that this makes is compiled, for arrays of any lengths. If it
needs to know more than that, as `range(len(x))` or `if n > 0` do, it is compiled for
just these lengths and numbers. What cannot be compiled runs in Python. A Dispatcher, in
C, finds the code of later calls.
"""

from __future__ import annotations

import functools
import sys
import threading
import types
import warnings

import numpy

from .. import _clinch
from ..base.annotations import Any, Callable
from ..graph.variables import Variable
from .guards import exactly, flat, loosely, wanted
from .traced import Refused
from .traced_code import Changed, Code, InPython

#: A function that ran in Python so often, and never otherwise, is not looked at again.
ALWAYS = 16
#: Code runs in Python for good if so many calls took another branch.
MANY_MISSES = 8
#: Of one function: how often it is compiled before a warning says so.
MANY = 64


class _Kept(threading.local):
    """What a thread's calls made: structure -> Code, or why there is none. A Function
    has one state, so each thread has its own."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}


#: Of a key: the code is of the lengths and the floats too.
_EXACT = object()


_ERRORS = getattr(numpy, "geterrobj", None)  # Before NumPy 2.


def _raises() -> bool:
    """Whether NumPy raises or calls something for a floating-point error."""
    if _ERRORS:
        return bool(_ERRORS()[1] & 0o6666)
    return any(how not in ("ignore", "warn") for how in numpy.geterr().values())


class Jitted(_clinch.Dispatcher):
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

    def _called(self, *arguments: Any, **keywords: Any) -> Any:
        """Calls the function where the Dispatcher knows no code."""
        if self._is_python:
            self._add(None, (), (), None, None, None, None)
            return self.python(*arguments, **keywords)
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
        for _ in range(2):
            code, exact = self._found(given, leaves, loose)
            if not isinstance(code, Code):
                return self._in_python(given, code, exact)
            try:
                result = code(leaves)
            except Changed:
                self._replace(code, None)
                continue
            except InPython:
                code.misses += 1
                if code.misses >= MANY_MISSES:
                    self._replace(code, TypeError(
                        "what it does depends on values, which differ from call to call"))
                break
            except Exception:
                break  # Python says what is wrong.
            self._remember(keywords, code.entry([*arguments, *keywords.values()]))
            return result
        return self.python(*arguments, **keywords)

    def _remember(self, keywords: Any, entry: Any) -> None:
        if entry is not None:
            wants, *rest = entry
            self._add(wants, tuple(map(sys.intern, keywords)), *rest)

    def _replace(self, code: Any, found: Any) -> None:
        """Replaces code that is not for the calls that there are."""
        for key in [k for k, v in self._kept.made.items() if v is code]:
            self._kept.made[key] = found
        self._drop()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self) -> Any:
        return self.__qualname__  # A pickle has its name, as of any function.

    def compiled(self, *arguments: Any, **keywords: Any) -> Any:
        """Returns the Function that a call with these arguments runs, or raises what
        keeps it from being compiled."""
        leaves: list[Any] = []
        given = arguments, keywords
        found, _ = self._found(given, leaves, flat(given, leaves, loosely))
        if isinstance(found, Code):
            return found.code
        raise found

    def _found(self, given: Any, leaves: Any, loose: Any) -> Any:
        """Returns the Code for a call, or the exception that there is instead; and whether
        it is for these lengths and floats only."""
        kept = self._kept.made
        found = kept.get(loose)
        if found is None:
            found = self._kept_new(loose, self._traced(given, leaves, False))
        if found is not _EXACT:
            return found, False
        key = "exact", flat(given, [], exactly)
        found = kept.get(key)
        if found is None:
            found = self._kept_new(key, self._traced(given, leaves, True))
        return found, True

    def explain(self, *arguments: Any, **keywords: Any) -> str:
        """Returns text that says what a call with these arguments runs, what each call
        compares, and the graph that was traced; or why it runs in Python."""
        leaves: list[Any] = []
        given = arguments, keywords
        code, exact = self._found(given, leaves, flat(given, leaves, loosely))
        if isinstance(code, Code):
            return f"`{self.__name__}` {code.described()}"
        return (f"`{self.__name__}` runs in Python for "
                f"{'these lengths and numbers' if exact else 'such arguments'}, as it does "
                f"not compile: {code.__cause__ or code}")

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
            made = Code(self.python, self.__name__, given, leaves, exact, self._mode,
                         self._lenient, Jitted)
            self._in_python_calls = None
            return made
        except Refused as refused:
            if refused.always:
                self._in_python_calls = ALWAYS
            return _EXACT if refused.exact else TypeError(str(refused))
        except Exception as error:
            return error.with_traceback(None) if exact else _EXACT

    def _in_python(self, given: Any, error: Any, exact: Any) -> Any:
        if self._strict:
            raise error
        arguments, keywords = given
        result = self.python(*arguments, **keywords)  # Whose own errors come first.
        wants = wanted([*arguments, *keywords.values()], exact)
        self._remember(keywords, wants and (wants, (), None, None, None, None))
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
                    "clinch"):
                level, frame = level + 1, frame.f_back
            warnings.warn(text, RuntimeWarning, stacklevel=level)


def jit(python: Callable[..., Any] | None = None, *, strict: bool = False,
        mode: Any = None) -> Any:
    """Returns a function that Clinch compiles when you call it, with the same results.

    Use it as a decorator of a function that computes with NumPy arrays. Clinch compiles it
    once for each set of dtypes and dimensions. Arguments that are neither arrays nor
    NumPy numbers nor floats are constants of the code: each new value is a new compile.

    Parameters
    ----------
    python : callable, optional
        The function. Without it, `jit` returns a decorator with the other options.
    strict : bool, default False
        Whether a call that does not compile raises the reason. By default such a call runs
        in Python, and a RuntimeWarning gives the reason once.
    mode : Mode or str, optional
        How to compile, as for `function`.

    Returns
    -------
    Jitted
        A function with the same name and docstring. `explain(*arguments)` describes what a
        call runs, and `compiled(*arguments)` returns the Function behind it.

    Raises
    ------
    TypeError
        From a call with `strict`, if the function cannot be compiled for its arguments.

    Examples
    --------
    >>> import clinch
    >>> import numpy
    >>> @clinch.jit
    ... def norm(x):
    ...     return numpy.sqrt((x * x).sum())
    >>> print(norm(numpy.array([3.0, 4.0])))
    5.0
    """
    if python is None:
        return lambda python: Jitted(python, strict, mode)
    return Jitted(python, strict, mode)

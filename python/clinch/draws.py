"""Random numbers that a function draws while it is traced: they would be part of the
code, and the same at each call."""

from __future__ import annotations

import contextlib
import pickle
import sys
import types

from .annotations import Any, Callable, Iterable, Iterator


def _reached(python: Any) -> Iterator[tuple[str, Any]]:
    """Yields the names and values of the globals and closures that the code of a
    function names, and of the Python functions among them; of attributes called
    `random`, NumPy's own state."""
    seen, functions = set(), [python]
    while functions:
        function = functions.pop()
        function = getattr(function, "__wrapped__", function)
        if not isinstance(function, types.FunctionType) or function in seen:
            continue
        seen.add(function)
        code, known = function.__code__, function.__globals__
        values = [(name, known[name]) for name in code.co_names if name in known]
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            with contextlib.suppress(ValueError):  # It is empty yet.
                values.append((name, cell.cell_contents))
        yield from values
        if "random" in code.co_names and "numpy.random" in sys.modules:
            yield "numpy.random", sys.modules["numpy.random"].mtrand._rand
        functions += [value for _, value in values]


def _generators(python: Any, leaves: list[Any]) -> Iterable[tuple[str, Any]]:
    """Returns the names and the bit generators that a call may draw from."""
    found: dict[int, tuple[str, Any]] = {}
    for name, value in (*_reached(python), *[(type(v).__name__, v) for v in leaves]):
        value = getattr(value, "__self__", value)  # As `normal` of numpy.random has.
        # A Generator's, or a RandomState's.
        bits = getattr(value, "bit_generator", getattr(value, "_bit_generator", None))
        if hasattr(bits, "state"):
            found.setdefault(id(bits), (name, bits))
    return found.values()


@contextlib.contextmanager
def none(python: Callable[..., Any], leaves: list[Any]) -> Iterator[None]:
    """Undoes draws from the generators that can be found, and raises a TypeError if
    there were any."""
    before = [(name, bits, bits.state) for name, bits in _generators(python, leaves)]
    was = [pickle.dumps(state) for _, _, state in before]
    try:
        yield
    finally:
        drawn = [entry for entry, state in zip(before, was)
                 if pickle.dumps(entry[1].state) != state]
        for _, bits, state in drawn:
            bits.state = state
    if drawn:
        raise TypeError(f"{drawn[0][0]} would give the same numbers at each call: "
                        f"give random arrays as arguments")

"""Random numbers that a function draws while it is traced: they would be part of the
code, and the same at each call."""

from __future__ import annotations

import contextlib
import pickle
import sys
import types

from .annotations import Any, Callable, Iterable, Iterator


def _own(value: Any, name: str) -> Any:
    """Returns an attribute of the object itself, or None. No code of its class runs."""
    try:
        return object.__getattribute__(value, "__dict__").get(name)
    except AttributeError:
        return None


def _reached(python: Any) -> Iterator[tuple[str, Any]]:
    """Yields the names and values of the globals and closures that the code of a
    function names, and of the Python functions among them; of attributes called
    `random`, NumPy's own state."""
    seen, functions = set(), [python]
    while functions:
        function = functions.pop()
        function = _own(function, "__wrapped__") or function
        if type(function) is not types.FunctionType or function in seen:
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
    """Returns the names and the generators that a call may draw from."""
    found: dict[int, tuple[str, Any]] = {}
    for name, value in (*_reached(python), *[(type(v).__name__, v) for v in leaves]):
        if type(value) in (types.BuiltinMethodType, types.MethodType):
            value = value.__self__  # As `normal` of numpy.random has.
        # A Generator's, or a RandomState's. Other classes' properties don't run.
        bits = next((getattr(value, own) for own in ("bit_generator", "_bit_generator")
                     if hasattr(type(value), own)), None)
        if hasattr(bits, "state"):
            # A RandomState also keeps every second normal number.
            found.setdefault(id(bits), (name, value if hasattr(value, "get_state") else bits))
    return found.values()


@contextlib.contextmanager
def none(python: Callable[..., Any], leaves: list[Any]) -> Iterator[None]:
    """Undoes draws from the generators that can be found, and raises a TypeError if
    there were any."""
    def state_of(source: Any) -> Any:
        return (source.get_state(legacy=False) if hasattr(source, "get_state")
                else source.state)

    before = [(name, source, state_of(source))
              for name, source in _generators(python, leaves)]
    was = [pickle.dumps(state) for _, _, state in before]
    try:
        yield
    finally:
        drawn = [entry for entry, state in zip(before, was)
                 if pickle.dumps(state_of(entry[1])) != state]
        for _, source, state in drawn:
            if hasattr(source, "set_state"):
                source.set_state(state)
            else:
                source.state = state
    if drawn:
        raise TypeError(f"{drawn[0][0]} would give the same numbers at each call: "
                        f"give random arrays as arguments")

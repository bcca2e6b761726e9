"""What stands in a Sandbox for modules, functions of NumPy's and objects."""

from __future__ import annotations

import inspect
import types

import numpy

from ..base.annotations import Any
from .guards import MISSING, Read, by_itself
from ..types.type import what

#: Modules whose C functions only compute.
PURE = ("math", "cmath", "_operator")


class Module:
    """A module, of which each name is known again."""

    __slots__ = ("clinch_module",)

    def __init__(self, sandbox: Any, module: Any) -> None:
        object.__setattr__(self, "clinch_module", (sandbox, module))

    def __getattribute__(self, name: str) -> Any:
        sandbox, module = object.__getattribute__(self, "clinch_module")
        value = getattr(module, name)
        if module.__name__.partition(".")[0] in ("numpy", "clinch", *PURE, "operator",
                                                 "numbers", "itertools", "functools"):
            made = sandbox._of(value, f"{module.__name__}.{name}")
            if made is MISSING and type(value) in (float, int, type(None), str):
                return value
            if made is not MISSING:
                return made
            return sandbox.trace.refuse(f"{module.__name__}.{name} has no Op that "
                                        f"computes it in a graph")
        return sandbox.read(vars(module), name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        sandbox, _ = object.__getattribute__(self, "clinch_module")
        sandbox.trace.refuse("it assigns an attribute of a module")


class NumpyFunction:
    """A function of NumPy's, or a ufunc, in a sandbox."""

    __slots__ = ("_sandbox", "_function", "_method")

    def __init__(self, sandbox: Any, function: Any, method: str = "__call__") -> None:
        self._sandbox, self._function, self._method = sandbox, function, method

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        trace = self._sandbox.trace
        return trace.numpy.called(trace, self._function, arguments, keywords, self._method)

    def __getattr__(self, name: str) -> Any:
        if isinstance(self._function, numpy.ufunc) and name in (
                "reduce", "accumulate", "outer", "at", "reduceat"):
            return NumpyFunction(self._sandbox, self._function, name)
        return self._sandbox.trace.refuse(f"`{name}` of a function")


class Object:
    """An object with attributes, of which each is known again."""

    __slots__ = ("clinch_object",)

    def __init__(self, sandbox: Any, real: Any, number: int) -> None:
        object.__setattr__(self, "clinch_object", (sandbox, real, number))

    def __getattribute__(self, name: str) -> Any:
        sandbox, real, number = object.__getattribute__(self, "clinch_object")
        kind = type(real)
        if name == "__class__":
            return kind
        static: Any = inspect.getattr_static(kind, name, MISSING)
        if isinstance(static, property):
            return _bound(sandbox, kind, name, static.fget, self)()
        if hasattr(type(static), "__set__"):
            sandbox.trace.refuse(f"`{name}` of {what(real)} is computed by a descriptor")
        value = real.__dict__.get(name, MISSING)
        made = sandbox.read(number, name, value)
        if value is not MISSING:
            return made
        if static is MISSING:
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
        if isinstance(static, staticmethod):
            sandbox.reads.append(Read(kind, name, static, by_itself))
            return sandbox._of(static.__func__, name)
        if isinstance(static, types.FunctionType) or type(static) is sandbox.jitted:
            return _bound(sandbox, kind, name, static, self)
        if hasattr(type(static), "__get__"):
            sandbox.trace.refuse(f"`{name}` of {what(real)} is computed by a descriptor")
        return sandbox.read(kind, name, static)

    def __setattr__(self, name: str, value: Any) -> None:
        sandbox, _, _ = object.__getattribute__(self, "clinch_object")
        sandbox.trace.refuse(f"it assigns the attribute `{name}`")

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.__getattribute__("__call__")(*arguments, **keywords)


class Opaque:
    """A value of which nothing is known but that it is one."""

    __slots__ = ("clinch_object",)

    def __init__(self, sandbox: Any, why: str) -> None:
        object.__setattr__(self, "clinch_object", (sandbox, why))

    def __getattribute__(self, name: str) -> Any:
        sandbox, why = object.__getattribute__(self, "clinch_object")
        return sandbox.trace.refuse(why)


def _refused(instance: Any, *_: Any, **__: Any) -> Any:
    if type(instance) is Opaque:
        return instance.trace
    return object.__getattribute__(instance, "clinch_object")[0].trace.refuse(
        "an object is compared, looked up or gone through")


for _name in ("hash", "eq", "ne", "bool", "len", "iter", "getitem", "str", "repr", "format"):
    setattr(Object, f"__{_name}__", _refused)
    setattr(Opaque, f"__{_name}__", _refused)
setattr(Opaque, "__call__", _refused)


def unknown(value: Any, name: Any) -> str:
    """Says why a value cannot be used."""
    owner = getattr(value, "__self__", None) if type(value) in (
        types.BuiltinMethodType, types.MethodType) else value
    if type(owner).__module__.startswith("numpy.random"):
        return drawing(name if isinstance(name, str) else type(owner).__name__)
    return f"{what(value)} is no array, and no value that can be known again"


def drawing(name: str) -> str:
    return (f"{name} would give the same numbers at each call: give random arrays as "
            f"arguments")


def _bound(sandbox: Any, kind: Any, name: str, function: Any, instance: Any) -> Any:
    static = inspect.getattr_static(kind, name)
    sandbox.reads.append(Read(kind, name, static, by_itself))
    return types.MethodType(sandbox._of(function, name), instance)


def stood_for(instance: Any) -> Any:
    """Returns the number of the value that an Object is."""
    return object.__getattribute__(instance, "clinch_object")[2]

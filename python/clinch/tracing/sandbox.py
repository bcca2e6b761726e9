"""What a traced function sees of the world: copies of its globals, closures and
arguments, in which nothing that it does reaches the caller, and of which each is known
again at the next call, or Refused."""

from __future__ import annotations

import builtins
import collections
import dis
import functools
import inspect
import itertools
import types

import numpy

from ..base.annotations import Any
from ..types.array_type import TensorType
from ..build.functions import function as compiled
from ..graph.variables import Variable
from ..types.scalars import double
from .guards import ATOMS, MISSING, Read, exactly, fields, is_record, loosely, rebuilt
from .stand_ins import PURE, Module, NumpyFunction, Object, Opaque, drawing, unknown
from .traced import (Memory, State, Traced, _value, length, replaced,
                     traced_in)
from ..types.type import what

_BUILTINS = """abs all any bool bytes chr complex dict divmod enumerate filter float
    frozenset int iter list map max min next ord pow range repr reversed round set
    slice sorted str sum tuple zip True False None Ellipsis NotImplemented""".split()


class Sandbox:
    """`jitted` is the class of functions under `jit`, of which it takes what they wrap."""

    def __init__(self, trace: Any, jitted: Any) -> None:
        self.trace, self.jitted = trace, jitted
        self.leaf = exactly if trace.exact else loosely
        #: How many values the code may take: the leaves of arguments and of reads.
        self.count = 0
        #: Number of a value -> the Variable that is it.
        self.inputs: dict[int, Any] = {}
        self.states: dict[int, State] = {}
        self.reads: list[Read] = []
        self.seen: dict[Any, Any] = {}
        self.kept: list[Any] = []  # What `seen` knows by its address.
        self.copies: list[Any] = []
        self.cells: list[Any] = []
        self.builtins = _Builtins(self)
        #: Whether it asks for identity, which two arguments may have.
        self.compares = False

    # What there is.

    def argument(self, value: Any, name: Any, numbers: Any) -> Any:
        """Returns what stands for a value, whose leaves have these numbers."""
        kind = type(value)
        if kind in (list, dict):
            made = ({k: self.argument(v, k, numbers) for k, v in value.items()}
                    if kind is dict else
                    [self.argument(v, name, numbers) for v in value])
            self.copies.append((made, list(_parts(made))))
            return made
        if kind is tuple:
            return tuple([self.argument(v, name, numbers) for v in value])
        if is_record(kind):
            return rebuilt(value, [self.argument(v, name, numbers)
                                   for v in fields(value)])
        return self._leaf(value, name, next(numbers))

    def _leaf(self, value: Any, name: Any, number: int) -> Any:
        kind = type(value)
        if kind is numpy.ndarray or isinstance(value, numpy.generic) \
                or kind is float and not self.trace.exact:
            return self._input(value, name, number)
        if kind in ATOMS or kind in (float, complex):
            return value
        made = self._of(value, name)
        if made is not MISSING:
            return made
        if _is_object(value):
            return Object(self, value, number)
        return Opaque(self, unknown(value, name))

    def _input(self, value: Any, name: Any, number: int) -> Any:
        if type(value) is float:
            variable = double()
        else:
            shape = value.shape if self.trace.exact else (None,) * value.ndim
            if value.dtype.kind not in "biufc" or not value.dtype.isnative:
                self.trace.refuse(f"arrays of dtype {value.dtype} have no C type")
            variable = TensorType(value.dtype.name, shape)()
        variable.name = name if isinstance(name, str) else None
        self.inputs[number] = variable
        own = value.copy("K") if type(value) is numpy.ndarray else value
        own = self.trace.checked(own, variable)
        state = self.states[number] = State(
            self.trace, own, Memory(own, variable, number), ())
        return Traced(state)

    def _of(self, value: Any, name: Any) -> Any:
        """Returns what stands for a value that has no parts."""
        if id(value) in self.seen:
            return self.seen[id(value)]
        made = self._made(value, name)
        if made is not MISSING:
            self.seen[id(value)] = made
            self.kept.append(value)
        return made

    def _made(self, value: Any, name: Any) -> Any:
        if isinstance(value, self.jitted):
            return self._of(value.python, name)
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, numpy.ufunc) or callable(value) and _is_from("numpy", value):
            return NumpyFunction(self, value)
        if isinstance(value, Variable) or callable(value) and _is_from("clinch", value):
            return functools.partial(self._own, value)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, types.BuiltinFunctionType):
            if value.__module__ in PURE or id(value) == id(functools.reduce):
                return value
            if value.__self__ is builtins:
                return self.builtins[value.__name__]
        if isinstance(value, functools.partial):
            return functools.partial(
                self._of(value.func, name), *[self._constant(v) for v in value.args],
                **{k: self._constant(v) for k, v in value.keywords.items()})
        if isinstance(value, (numpy.dtype, numpy.finfo, numpy.iinfo)):
            return value
        return MISSING

    def _constant(self, value: Any) -> Any:
        if type(value) in (*ATOMS, float, complex):
            return value
        made = self._of(value, None)
        return Opaque(self, unknown(value, None)) if made is MISSING else made

    def read(self, owner: Any, name: Any, value: Any) -> Any:
        """Returns what stands for a value that was found somewhere."""
        place = (owner if type(owner) is int else id(owner)), name
        if place not in self.seen:
            self.kept.append(owner)
            read = Read(owner, name, value, self.leaf)
            self.reads.append(read)
            count = self.count
            if not read.is_fixed:
                self.count += read.count
            self.seen[place] = value if value is MISSING else self.argument(
                value, name, itertools.count(count))
        return self.seen[place]

    def _own(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        """Calls a function of Clinch's, or an Op, which knows Variables."""
        made = self.trace.graph(function, arguments, keywords)
        given = [one.clinch_state for one in traced_in((arguments, keywords))]
        if not isinstance(made, Variable):
            self.trace.refuse(f"{what(function)} gives no Variable")
        stand_ins = [one.current.type() for one in given]
        places = iter(stand_ins)
        again = function(*replaced(arguments, lambda _: next(places)),
                         **replaced(keywords, lambda _: next(places)))
        value = compiled(stand_ins, again)(*[one.value for one in given])
        return self.trace.holds(value, made)

    # Functions.

    def called(self, python: Any, arguments: Any, keywords: Any) -> Any:
        """Calls a function in the sandbox."""
        made = self._of(python, None)
        if made is MISSING:
            self.trace.refuse(f"{what(python)} is no function that can be traced")
        return made(*arguments, **keywords)

    def function(self, python: Any) -> Any:
        """Returns a function of the same code, whose globals and closure are copies."""
        why = _unfit(python.__code__)
        if why:
            self.trace.refuse(why, always=True)
        cells = [types.CellType() for _ in python.__closure__ or ()]
        made = types.FunctionType(python.__code__, _Globals(self, python.__globals__),
                                  python.__name__, None, tuple(cells))
        self.seen[id(python)] = made
        self.kept.append(python)
        for cell, given in zip(cells, python.__closure__ or ()):
            try:
                contents = given.cell_contents
            except ValueError:
                continue  # It is empty yet.
            name = python.__code__.co_freevars[cells.index(cell)] if cells.count(cell) == 1 \
                else None
            cell.cell_contents = self.read(given, name, contents)
            self.cells.append((cell, cell.cell_contents))
        self.compares |= _compares(python.__code__)
        made.__defaults__ = python.__defaults__ and tuple(
            [self._constant(v) for v in python.__defaults__])
        made.__kwdefaults__ = python.__kwdefaults__ and {
            k: self._constant(v) for k, v in python.__kwdefaults__.items()}
        return made

    def _module(self, module: Any) -> Any:
        if module.__name__.startswith("numpy.random") or module.__name__ == "random":
            return Opaque(self, drawing(module.__name__))
        return Module(self, module)

    def _class(self, kind: Any) -> Any:
        if getattr(builtins, kind.__name__, None) is kind:
            return self.builtins[kind.__name__]
        if kind.__module__ in ("numbers", "math", "itertools") or is_record(kind) \
                or issubclass(kind, (numpy.generic, numpy.ndarray)) \
                and _is_from("numpy", kind) \
                or issubclass(kind, BaseException) and "__init__" not in vars(kind) \
                or kind in (functools.partial, numpy.finfo, numpy.iinfo, numpy.dtype,
                            collections.OrderedDict, type(numpy.dtype("f8"))):
            return kind
        return self.trace.refuse(f"the class `{kind.__name__}` runs in Python")

    # What came of it.

    def check(self) -> None:
        """Refuses what the function changed of its world."""
        for made, parts in self.copies:
            now = list(_parts(made))
            if len(now) != len(parts) or any(a is not b for a, b in zip(now, parts)):
                self.trace.refuse("it changes a list or dict that it did not make")
        for cell, value in self.cells:
            if cell.cell_contents is not value:
                self.trace.refuse("it assigns a variable of the function around it")


def _parts(container: Any) -> Any:
    if type(container) is dict:
        for item in container.items():
            yield from item
    else:
        yield from container


def _is_from(package: str, value: Any) -> bool:
    module = getattr(value, "__module__", None) or getattr(
        getattr(value, "__objclass__", None), "__module__", None) or ""
    return module.partition(".")[0] == package and not module.startswith("numpy.random")


def _is_object(value: Any) -> bool:
    """Whether an object has its attributes in a dict, and says of each what it is."""
    kind: Any = type(value)
    return (hasattr(value, "__dict__") and kind.__getattribute__ is object.__getattribute__
            and not hasattr(kind, "__getattr__") and isinstance(kind, type)
            and not isinstance(value, (type, types.ModuleType, types.FunctionType))
            and all(one is object or one.__flags__ & 1 << 9 for one in kind.__mro__))


@functools.lru_cache(4096)
def _unfit(code: Any) -> str:
    """Says why code cannot be traced, if its instructions say so."""
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE
                        | inspect.CO_ASYNC_GENERATOR):
        return "it is a generator, which goes on after its call"
    return _unfit_inner(code)


def _unfit_inner(code: Any) -> str:
    for line in dis.get_instructions(code):
        if line.opname == "PUSH_EXC_INFO":
            return "`try` and `with` look at exceptions, which compiled code raises later"
        if line.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            return f"it assigns the global `{line.argval}`"
        if line.opname in ("STORE_ATTR", "DELETE_ATTR"):
            return f"it assigns the attribute `{line.argval}`"
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            why = _unfit_inner(one)
            if why:
                return why
    return ""


@functools.lru_cache(4096)
def _compares(code: Any) -> bool:
    """Whether code has an `is` of other than constants."""
    lines = list(dis.get_instructions(code))
    return any(line.opname == "IS_OP" and before.opname != "LOAD_CONST"
               for before, line in zip(lines, lines[1:])) or any(
        map(_compares, (one for one in code.co_consts if isinstance(one, types.CodeType))))


class _Globals(dict[str, Any]):
    def __init__(self, sandbox: Sandbox, real: Any) -> None:
        super().__init__(__builtins__=sandbox.builtins,
                         __name__=real.get("__name__") or "")
        self.sandbox, self.real = sandbox, real

    def __missing__(self, name: str) -> Any:
        value = self.real.get(name, MISSING)
        made = self.sandbox.read(self.real, name, value)
        if value is MISSING:
            raise KeyError(name)
        self[name] = made
        return made


class _Builtins(dict[str, Any]):
    """Python's builtins that do nothing but to answer, and answer of what is traced."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__({name: getattr(builtins, name) for name in _BUILTINS})
        self.sandbox = sandbox
        for function in (self.type, self.isinstance, self.hasattr, self.getattr,
                         self.callable, self.len, self.__import__):
            self[function.__name__] = function
        self["issubclass"] = issubclass

    def __missing__(self, name: str) -> Any:
        found = getattr(builtins, name, MISSING)
        if found is MISSING:
            raise KeyError(name)
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
        return self.sandbox.trace.refuse(f"`{name}` is a function that only Python has",
                                         always=True)

    def type(self, value: Any) -> Any:
        return getattr(value, "__class__") if type(value) in (Traced, Object, Opaque) \
            else builtins.type(value)

    def isinstance(self, value: Any, kind: Any) -> bool:
        kinds = [type if one == self.type else one
                 for one in (kind if builtins.type(kind) is tuple else (kind,))]
        if type(value) is Traced:
            value = _value(value)
        return builtins.isinstance(value, tuple(kinds))

    def hasattr(self, value: Any, name: str) -> bool:
        return builtins.hasattr(_value(value) if type(value) is Traced else value, name)

    def getattr(self, value: Any, name: str, *default: Any) -> Any:
        if default and not self.hasattr(value, name):
            return default[0]
        return builtins.getattr(value, name)

    def callable(self, value: Any) -> bool:
        return builtins.callable(self.type(value) and value)

    def len(self, value: Any) -> Any:
        if type(value) is Traced and isinstance(_value(value), numpy.ndarray) \
                and value.ndim:
            return length(value.clinch_state, 0)
        return builtins.len(value)

    def __import__(self, name: str, globals: Any = None, locals: Any = None,
                   fromlist: Any = (), level: int = 0) -> Any:
        module = builtins.__import__(name, globals and globals.real, None, fromlist, level)
        return self.sandbox._of(module, name)

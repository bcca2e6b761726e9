"""What a traced function sees of the world: copies of its globals, closures and
arguments, in which nothing that it does reaches the caller, and of which each is known
again at the next call, or Refused."""

from __future__ import annotations

import builtins
import collections
import dataclasses
import dis
import functools
import inspect
import itertools
import types

import numpy

from .annotations import Any
from .array_type import TensorType
from .functions import function as compiled
from .graph import Variable
from .scalars import double
from .traced import (Memory, State, Traced, _value, length, replaced,
                     traced_in)
from .type import what

MISSING = object()
#: Values that are the same if they are equal and of one type.
ATOMS = (int, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range)
#: Modules whose C functions only compute.
_PURE = ("math", "cmath", "_operator")
_BUILTINS = """abs all any bool bytes chr complex dict divmod enumerate filter float
    frozenset int iter list map max min next ord pow range repr reversed round set
    slice sorted str sum tuple zip True False None Ellipsis NotImplemented""".split()
_CONTAINERS = (tuple, list, dict)
#: Values that are known by their identity.
_KNOWN = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, numpy.ufunc,
          numpy.dtype)


def flat(value: Any, leaves: Any, leaf: Any) -> Any:
    """Returns the hashable structure of a value: its containers, and what `leaf` says
    of the others, which are appended to `leaves`."""
    kind = type(value)
    if kind in _CONTAINERS:
        items = value.items() if kind is dict else enumerate(value)
        return kind, *[((type(name), name), flat(item, leaves, leaf))
                       for name, item in items]
    if is_record(kind):
        return kind, *[flat(item, leaves, leaf) for item in fields(value)]
    leaves.append(value)
    return leaf(value)


def is_record(kind: Any) -> bool:
    return (issubclass(kind, tuple) and hasattr(kind, "_fields")
            or dataclasses.is_dataclass(kind)) and is_plain(kind)


def fields(value: Any) -> Any:
    """Returns the items of a record."""
    if isinstance(value, tuple):
        return value
    return [getattr(value, field.name, None) for field in dataclasses.fields(value)]


@functools.cache
def is_plain(kind: Any) -> bool:
    """Whether a class is a namedtuple or a dataclass that Python wrote all of."""
    if kind.__mro__[1:] not in ((object,), (tuple, object)):
        return False
    if dataclasses.is_dataclass(kind) and any(
            field.default_factory not in (dataclasses.MISSING, list, dict)
            or not field.init for field in dataclasses.fields(kind)):
        return False
    return all(map(_is_generated, vars(kind).values()))


def _is_generated(value: Any) -> bool:
    """Whether an attribute of a class is no code that somebody wrote."""
    value = getattr(value, "__func__", value)
    if not isinstance(value, types.FunctionType):
        return not isinstance(value, (property, functools.cached_property))
    return value.__code__.co_filename == "<string>" or value.__globals__["__name__"] in (
        "collections", "dataclasses")


def rebuilt(value: Any, items: Any) -> Any:
    """Returns a record like `value` of other items."""
    if isinstance(value, tuple):
        return tuple.__new__(type(value), items)
    made = object.__new__(type(value))
    for field, one in zip(dataclasses.fields(value), items):
        object.__setattr__(made, field.name, one)
    return made


def is_usual(array: Any) -> bool:
    """Whether what is made of an array is in C order, as far as it depends on this one."""
    return array.ndim < 2 or bool(array.flags.c_contiguous) and min(array.shape) > 1


def _layout(array: Any) -> Any:
    """The order of dimensions in memory, of which that of results follows."""
    strides = array.strides
    return (tuple(sorted(range(array.ndim), key=lambda k: -abs(strides[k]))),
            tuple([s < 0 for s in strides]), tuple([min(n, 2) for n in array.shape]))


def loosely(value: Any) -> Any:
    """What code for arrays of any lengths, and for any float, depends on."""
    kind = type(value)
    if kind is numpy.ndarray:
        return (value.dtype, value.ndim) if is_usual(value) else (
            value.dtype, value.ndim, _layout(value))
    if kind is float or isinstance(value, numpy.generic):
        return kind
    if kind in ATOMS:
        return kind, value
    if kind is complex:
        return kind, value.real.hex(), value.imag.hex()
    return value if isinstance(value, _KNOWN) else (kind,)


def exactly(value: Any) -> Any:
    """What code for these lengths, and this float, depends on."""
    if type(value) is numpy.ndarray:
        return value.shape, loosely(value)
    return (float, value.hex()) if type(value) is float else loosely(value)


def _want(value: Any, exact: bool) -> Any:
    """Returns what a Dispatcher compares with a value, or None if it cannot."""
    kind = type(value)
    if kind is numpy.ndarray:
        shape = value.shape if exact else None
        return (kind, value.dtype, value.ndim, shape) if is_usual(value) else None
    if kind in (*_CONTAINERS, complex, range) or is_record(kind):
        return None
    if kind is float and exact or kind in ATOMS or isinstance(value, _KNOWN):
        return kind, value
    return (kind,)


def wanted(arguments: Any, exact: bool) -> Any:
    wants = tuple([_want(value, exact) for value in arguments])
    return None if None in wants else wants


class Read:
    """Something that the trace read: `name` of a dict, a cell, or an object, which is
    the number of a value, and its key then."""

    def __init__(self, owner: Any, name: Any, value: Any, leaf: Any) -> None:
        self.owner, self.name, self.value = owner, name, value
        leaves: list[Any] = []
        self.key = flat(value, leaves, leaf)
        self.count = len(leaves)
        #: Whether it is known by itself, and gives the code nothing.
        self.is_fixed = value is MISSING or type(value) not in (list, dict) and all(
            loosely(v) not in (float, type(v), (type(v),))
            and type(v) is not numpy.ndarray for v in leaves)
        if not self.is_fixed:
            self.value = None  # It may be large.
        self._want = (type(value), value) if self.is_fixed else _want(value, leaf is exactly)

    def lookup(self) -> Any:
        """Returns what a Dispatcher looks at, or None if it cannot."""
        if isinstance(self.owner, type) or self._want is None:
            return None
        if self.value is MISSING:
            return self.owner, self.name, None, False
        return self.owner, self.name, self._want, not self.is_fixed

    def now(self, values: Any) -> Any:
        owner = self.owner
        if type(owner) is types.CellType:
            return owner.cell_contents
        if type(owner) is int:
            owner = values[owner].__dict__
        elif isinstance(owner, type):
            return inspect.getattr_static(owner, self.name, MISSING)
        return owner.get(self.name, MISSING)


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
            return _Object(self, value, number)
        return _Opaque(self, _unknown(value, name))

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
            if value.__module__ in _PURE or id(value) == id(functools.reduce):
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
        return _Opaque(self, _unknown(value, None)) if made is MISSING else made

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
            return _Opaque(self, _drawing(module.__name__))
        return _Module(self, module)

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
        return getattr(value, "__class__") if type(value) in (Traced, _Object, _Opaque) \
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


class _Module:
    """A module, of which each name is known again."""

    __slots__ = ("clinch_module",)

    def __init__(self, sandbox: Sandbox, module: Any) -> None:
        object.__setattr__(self, "clinch_module", (sandbox, module))

    def __getattribute__(self, name: str) -> Any:
        sandbox, module = object.__getattribute__(self, "clinch_module")
        value = getattr(module, name)
        if module.__name__.partition(".")[0] in ("numpy", "clinch", *_PURE, "operator",
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

    def __init__(self, sandbox: Sandbox, function: Any, method: str = "__call__") -> None:
        self._sandbox, self._function, self._method = sandbox, function, method

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        trace = self._sandbox.trace
        return trace.numpy.called(trace, self._function, arguments, keywords, self._method)

    def __getattr__(self, name: str) -> Any:
        if isinstance(self._function, numpy.ufunc) and name in (
                "reduce", "accumulate", "outer", "at", "reduceat"):
            return NumpyFunction(self._sandbox, self._function, name)
        return self._sandbox.trace.refuse(f"`{name}` of a function")


class _Object:
    """An object with attributes, of which each is known again."""

    __slots__ = ("clinch_object",)

    def __init__(self, sandbox: Sandbox, real: Any, number: int) -> None:
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
            sandbox.reads.append(Read(kind, name, static, _by_itself))
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


class _Opaque:
    """A value of which nothing is known but that it is one."""

    __slots__ = ("clinch_object",)

    def __init__(self, sandbox: Sandbox, why: str) -> None:
        object.__setattr__(self, "clinch_object", (sandbox, why))

    def __getattribute__(self, name: str) -> Any:
        sandbox, why = object.__getattribute__(self, "clinch_object")
        return sandbox.trace.refuse(why)


def _refused(instance: Any, *_: Any, **__: Any) -> Any:
    if type(instance) is _Opaque:
        return instance.trace
    return object.__getattribute__(instance, "clinch_object")[0].trace.refuse(
        "an object is compared, looked up or gone through")


for _name in ("hash", "eq", "ne", "bool", "len", "iter", "getitem", "str", "repr", "format"):
    setattr(_Object, f"__{_name}__", _refused)
    setattr(_Opaque, f"__{_name}__", _refused)
setattr(_Opaque, "__call__", _refused)


def _unknown(value: Any, name: Any) -> str:
    """Says why a value cannot be used."""
    owner = getattr(value, "__self__", None) if type(value) in (
        types.BuiltinMethodType, types.MethodType) else value
    if type(owner).__module__.startswith("numpy.random"):
        return _drawing(name if isinstance(name, str) else type(owner).__name__)
    return f"{what(value)} is no array, and no value that can be known again"


def _drawing(name: str) -> str:
    return (f"{name} would give the same numbers at each call: give random arrays as "
            f"arguments")


def _by_itself(value: Any) -> Any:
    return value


def _bound(sandbox: Sandbox, kind: Any, name: str, function: Any, instance: Any) -> Any:
    static = inspect.getattr_static(kind, name)
    sandbox.reads.append(Read(kind, name, static, _by_itself))
    return types.MethodType(sandbox._of(function, name), instance)


def stood_for(instance: Any) -> Any:
    """Returns the number of the value that an _Object is."""
    return object.__getattribute__(instance, "clinch_object")[2]

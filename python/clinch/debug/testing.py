"""What tests of Ops and Types need: `import clinch.testing`.

`assert_same_in_every_way(f, ...)` calls a function as it is compiled in every way.
Beside the Op or Type that is tested stand Ops that are a C text or a Python function,
and a Type to begin with.
"""

from __future__ import annotations

import itertools
import re

import numpy

from ..base.annotations import Any, Callable, Mapping, Sequence, Version
from .debugmode import DebugMode
from ..errors import DebugModeError
from ..build.functions import Function, function
from ..ops.generic_ops import deep_copy
from ..graph.variables import Apply
from ..build.modes import Mode
from ..ops.op import COp, Op
from ..types.type import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable

TIERS = ("fast", "default", "max")
#: How a graph may be compiled: each form by each linker at each tier, and at one tier
#: after another.
WAYS: list[dict[str, Any]] = [
    dict(form=form, linker=linker, tier=tier, first_tier=first)
    for form, linker, tier, first in itertools.product(
        ("struct", "function"), ("auto", "op"), TIERS, (None, *TIERS))
    if first is None
    or form == "struct" and TIERS.index(first) < TIERS.index(tier)]
_NAME = re.compile(r"\{(\w+)\}")


class Number(Type):
    """A C double, with the fewest hooks: a subclass has those that it tests."""

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> float:
        return float(value)

    def c_declare(self, name: str, sub: Mapping[str, str],
                  check_input: bool = True) -> str:
        return f"double {name};"

    def c_init(self, name: str, sub: Mapping[str, str]) -> str:
        return f"{name} = 0;"

    def c_extract(self, name: str, sub: Mapping[str, str],
                  check_input: bool = True) -> str:
        return f"""
        {name} = PyFloat_AsDouble(py_{name});
        if ({name} == -1 && PyErr_Occurred())
          {sub['fail']}
        """

    def c_sync(self, name: str, sub: Mapping[str, str]) -> str:
        return f"Py_XSETREF(py_{name}, PyFloat_FromDouble({name}));"

    def c_code_cache_version(self) -> Version:
        return (1,)


class _OfTypes(Op):
    """Takes anything; its outputs are of the Types `gives`, or one of the first
    input's."""

    gives: Type | Sequence[Type] | None = None

    def make_node(self, *inputs: Any) -> Apply:
        types = self.gives if self.gives is not None else inputs[0].type
        listed = types if isinstance(types, (list, tuple)) else (types,)
        return Apply(self, inputs, [kind.make_variable() for kind in listed])


class TextOp(_OfTypes, COp):
    """An Op of C texts. In each, `{x}`, `{y}` and `{w}` are the inputs, `{z}`, `{u}`
    and `{v}` the outputs, `{fail}`, `{params}` and `{name}` what the contract calls so;
    all other braces are C's.

    gives: the Type of the output, or those of several; that of the first input
    without it. cleanup, support, support_apply, struct, init, init_struct and
    cleanup_struct: the texts of the other hooks. perform: what computes the outputs in
    Python, of the values of the inputs. attributes: those of the Op, such as `nogil`,
    `destroy_map` or `params_type`.
    """

    __props__ = ("_texts", "_headers", "gives", "_version")

    def __init__(self, code: str, gives: Type | Sequence[Type] | None = None, *,
                 headers: Sequence[str] = (), version: Version = (),
                 perform: Callable[..., Any] | None = None, cleanup: str = "",
                 support: str = "", support_apply: str = "", struct: str = "",
                 init: str = "", init_struct: str = "", cleanup_struct: str = "",
                 **attributes: Any) -> None:
        self.gives = tuple(gives) if isinstance(gives, list) else gives
        self._version = version
        self._headers = tuple(headers)
        if perform is not None:
            self._computes = perform
            self.perform = self._perform
        self._texts = (code, cleanup, support, support_apply, struct, init,
                       init_struct, cleanup_struct)
        self.__dict__.update(attributes)

    def c_headers(self, c_compiler: Any = None) -> list[str]:
        return list(self._headers)

    def c_code_cache_version(self) -> Version:
        return self._version

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        return self._filled(0, name, inputs, outputs, sub)

    def c_code_cleanup(self, node: Apply, name: str, inputs: Sequence[str],
                       outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        return self._filled(1, name, inputs, outputs, sub)

    def c_support_code(self, **kwargs: Any) -> str:
        return self._texts[2]

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        return self._filled(3, name)

    def c_support_code_struct(self, node: Apply, name: str) -> str:
        return self._filled(4, name)

    def c_init_code(self, **kwargs: Any) -> list[str]:
        return [self._texts[5]] if self._texts[5] else []

    def c_init_code_struct(self, node: Apply, name: str,
                           sub: Mapping[str, str]) -> str:
        return self._filled(6, name, sub=sub)

    def c_cleanup_code_struct(self, node: Apply, name: str) -> str:
        return self._filled(7, name)

    def _filled(self, which: int, name: str, inputs: Sequence[str] = (),
                outputs: Sequence[str] = (), sub: Mapping[str, str] | None = None
                ) -> str:
        names = {**(sub or {}), "name": name, **dict(zip("xyw", inputs)),
                 **dict(zip("zuv", outputs))}
        return _NAME.sub(lambda match: names.get(match[1], match[0]),
                         self._texts[which])

    def _perform(self, node: Apply, inputs: Sequence[Any],
                 output_storage: Sequence[list[Any]]) -> None:
        _store(self._computes(*inputs), output_storage)

    def __str__(self) -> str:
        return str(getattr(self, "name", type(self).__name__))


class PythonOp(_OfTypes):
    """An Op without C: `function` computes the outputs of the values of the inputs.

    gives and attributes: as for a TextOp.
    """

    __props__ = ("function", "gives")

    def __init__(self, function: Callable[..., Any],
                 gives: Type | Sequence[Type] | None = None, **attributes: Any) -> None:
        self.function = function
        self.gives = tuple(gives) if isinstance(gives, list) else gives
        self.__dict__.update(attributes)

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        _store(self.function(*inputs), output_storage)

    def __str__(self) -> str:
        return str(getattr(self, "name", type(self).__name__))


def _store(made: Any, output_storage: Sequence[list[Any]]) -> None:
    values = (made,) if len(output_storage) == 1 else made
    for value, cell in zip(values, output_storage, strict=True):
        cell[0] = value


def assert_same_in_every_way(f: Function, *arguments: Any,
                             approximately: bool = False) -> None:
    """Calls f's graph as each of WAYS and DebugMode compile it, three times each, and
    raises an AssertionError unless all return what f returns, or raise what it raises.

    Each call gets copies of `arguments`. Values are compared by `values_eq` of their
    Types, or `approximately` by `values_eq_approx`; a DebugModeError says of which
    Op C and `perform` differ, or what promise it breaks.
    """
    if f.details.shared:
        raise ValueError(f"{f!r} has shared Variables, which each call may change: pass "
                         f"their values as inputs")
    wanted = _outcome(f, arguments)
    given = f.outputs[0] if f.details.single else f.outputs
    for mode in (*(Mode(**way) for way in WAYS), DebugMode()):
        made = function(f.details.ins, given, mode, name=f.__name__, progress=False)
        for call in ("first", "second", "third"):
            if call == "third":
                made.wait()
            found = _outcome(made, arguments)
            wrong = _difference(f.outputs, found, wanted, approximately)
            if wrong:
                raise AssertionError(f"{mode!r}, {call} call: {wrong}")


def _outcome(f: Function, arguments: Sequence[Any]) -> list[Any] | Exception:
    """Returns what a call returns, as a list, or the exception that it raises."""
    try:
        values = f(*map(deep_copy, arguments))
    except DebugModeError:
        raise
    except Exception as error:
        return error
    return [deep_copy(value) for value in ([values] if f.details.single else values)]


def _difference(outputs: Sequence[Variable], found: list[Any] | Exception,
                wanted: list[Any] | Exception, approximately: bool) -> str | None:
    if isinstance(found, Exception) or isinstance(wanted, Exception):
        if type(found) is type(wanted) and str(found) == str(wanted):
            return None
        return f"{found!r}, instead of {wanted!r}"
    for number, (variable, one, other) in enumerate(zip(outputs, found, wanted), 1):
        same = (variable.type.values_eq_approx if approximately
                else variable.type.values_eq)
        if type(one) is not type(other) or not same(_array(one), _array(other)):
            return f"output {number} is {one!r}, instead of {other!r}"
    return None


def _array(value: Any) -> Any:
    """Returns NumPy's scalar, which stands for an array without dimensions, as one."""
    return numpy.asarray(value) if isinstance(value, numpy.generic) else value

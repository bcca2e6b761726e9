"""The scalar Ops that come with Clinch."""

from __future__ import annotations

import numpy

from .. import _clinch
from ..base.annotations import Any, Sequence
from ..types.array_type import TensorType
from ..graph.variables import Apply, Constant, Variable
from ..base.integers import beyond
from .native_op import NativeOp
from ..graph.operators import OPS
from .scalar_perform import perform
from ..types.scalars import double, scalars
from ..types.type import NativeType, Type, shipped


def type_of_value(value: Any) -> Type:
    """Returns the Type of a plain value."""
    if isinstance(value, (bool, numpy.bool_)):
        return scalars["bool"]
    if isinstance(value, numpy.generic) and value.dtype.name in scalars:
        return scalars[value.dtype.name]
    if isinstance(value, float):
        return double
    if isinstance(value, int):
        return scalars["int64"]
    if isinstance(value, complex):
        return scalars["complex128"]
    if isinstance(value, numpy.ndarray):
        return TensorType(value.dtype, (None,) * value.ndim)
    raise TypeError(f"a {type(value).__name__} is no Variable, and none can "
                    f"be made of it")


def constant(value: Any, type: Type | None = None,
             name: str | None = None) -> Constant:
    """Makes a Constant; without a Type, of the value's own Type."""
    return Constant(type or type_of_value(value), value, name)


def as_variable(value: Any, like: Any = None) -> Variable:
    """Returns `value` if it is a Variable, else a Constant. A Python number takes
    the Type of the Variable it is used with, if that can hold it; only True and
    False become a bool."""
    if isinstance(value, Variable) or hasattr(value, "owner"):
        return value
    takes = (bool,) if getattr(like, "dtype", None) == "bool" \
        else (bool, int, float)
    if like is not None and type(value) in takes:
        try:
            return Constant(like, value)
        except (TypeError, ValueError, NotImplementedError):
            pass
    return constant(value)


def _as_variables(values: Sequence[Any], rule: str) -> list[Variable]:
    """Returns the operands of an Op, whose `rule` is for integers beyond 64 bits."""
    like = next((v.type for v in values if hasattr(v, "type")
                 and hasattr(v, "owner")), None)
    dtype = getattr(like, "dtype", None)
    dtype = numpy.dtype(dtype if dtype in scalars else "int64")
    made = []
    for value in values:
        if like is not None and rule == "truth" and type(value) in (int, float, complex):
            value = value != 0  # Which a dtype may round to 0.
        if type(value) is int and not -2**63 <= value < 2**63:
            if dtype.kind in "fc":
                value = float(value)
            elif not (dtype == "uint64" and 0 <= value < 2**64):
                value, name = beyond(value, dtype, rule)
                value = numpy.dtype(name).type(value)
        made.append(as_variable(value, like))
    return made


def on_values(op: Any, values: Sequence[Any]) -> Any:
    """Returns the Op that computes a scalar Op on these values: the Type of one of
    them decides."""
    for value in values:
        kind = getattr(value, "type", Type)
        if isinstance(value, numpy.ndarray):
            kind = TensorType
        made = getattr(kind, "applying", Type.applying)(op)
        if made is not op:
            return made
    return op


@shipped
class ScalarOp(NativeOp):
    """One row of the table of scalar Ops; the library has its C text."""

    __props__ = ("name",)

    def __init__(self, name: str, arity: int, numpy_name: str | None,
                 rule: str) -> None:
        self.name = self.__name__ = name
        self.arity = arity
        # Of a Python integer that the others' dtype does not hold; see `beyond`.
        self._beyond = rule
        self._numpy_name = numpy_name
        self._native = _clinch.native_scalar_op(name)

    def make_node(self, *inputs: Any) -> Apply:
        if len(inputs) != self.arity:
            plural = "s" * (self.arity != 1)
            were = "was" if len(inputs) == 1 else "were"
            raise TypeError(f"{self.name}() takes {self.arity} argument"
                            f"{plural}, and {len(inputs)} {were} given")
        variables = _as_variables(inputs, self._beyond)
        result = self._native.result_type([v.type for v in variables])
        if isinstance(result, _clinch.NativeType):
            result = scalars[result.dtype]
        return Apply(self, variables, [result()])

    def check_text(self, node: Apply, inputs: Sequence[str], fail: str) -> str:
        """Returns the part of `c_code` that fails, if there is one: it looks at the last
        input alone."""
        return self._native.text("c_code", node, "", inputs, ["z"],
                                 {"fail": fail, "part": "check"})

    def unchecked_text(self, node: Apply, inputs: Sequence[str],
                    outputs: Sequence[str]) -> str:
        """Returns the rest of `c_code`."""
        return self._native.text("c_code", node, "", inputs, outputs, {"part": "rest"})

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_type = node.outputs[0].type
        value = perform(self.name, self._numpy_name, inputs,
                        getattr(output_type, "dtype", None))
        if isinstance(output_type, NativeType):
            value = output_type.filter(value, allow_downcast=True)
        else:
            value = output_type.filter(value)
        output_storage[0][0] = value

    def __call__(self, *inputs: Any, name: str | None = None) -> Variable:
        output = on_values(self, inputs).make_node(*inputs).outputs[0]
        output.name = name
        return output

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        return _op_named, (self.name,)


#: name -> Op.
scalar_ops = {row[0]: ScalarOp(*row) for row in _clinch.scalar_ops()}
OPS.update(scalar_ops)


#: NumPy's name -> Op, if C's name is different.
ALIASES = {name: op for op in scalar_ops.values()
           if (name := op._numpy_name) and name not in ("asarray", "where")}
ALIASES.update({name: scalar_ops[own] for name, own in {
    "divide": "true_div", "remainder": "mod", "bitwise_not": "invert",
    "degrees": "rad2deg", "radians": "deg2rad",
    "positive": "identity"}.items()})
ALIASES.update({name: scalar_ops[name] for name in (
    "conj", "pow", "acos", "asin", "atan", "atan2", "acosh", "asinh", "atanh",
    "reciprocal", "abs")})


def _op_named(name: str) -> ScalarOp:
    return scalar_ops[name]

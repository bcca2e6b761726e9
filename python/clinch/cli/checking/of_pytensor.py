"""Checks Types and Ops of PyTensor and of packages that extend it."""

from __future__ import annotations

import pytensor.tensor as pt
from pytensor.graph.op import Op
from pytensor.graph.type import Type
from pytensor.graph.utils import MethodNotDefined
from pytensor.link.c.interface import CLinkerOp, CLinkerType
from pytensor.scalar.basic import ScalarOp

import clinch.pytensor  # noqa: F401  (Before PyTensor looks for a compiler.)

from ... import _clinch
from ...base.annotations import Any
from .kinds import Kind
from .pytensor_samples import NEVER_MADE, made


class PyTensorKind(Kind):
    """Types and Ops with PyTensor's C interface."""

    type_class, op_class = Type, Op
    no_code = (NotImplementedError, MethodNotDefined)

    def has_code(self, cls: Any) -> Any:
        if cls.__name__ in NEVER_MADE:
            return False
        if issubclass(cls, Type):
            return (issubclass(cls, CLinkerType)
                    and cls.c_declare is not CLinkerType.c_declare)
        return (issubclass(cls, CLinkerOp)
                and cls.c_code is not CLinkerOp.c_code)

    def known_samples(self, cls: Any) -> Any:
        return made(cls)

    def samples(self, module: Any) -> Any:
        return [pt.dvector, pt.dmatrix, pt.dscalar, pt.lvector, pt.lscalar,
                pt.bvector, pt.dtensor3, pt.dtensor4, pt.zvector, pt.lmatrix]

    def _rows(self, module: Any, op: Any) -> Any:
        if isinstance(op, ScalarOp):
            yield from _scalar_rows(op)
        else:
            yield from super()._rows(module, op)

    def prepare(self, node: Any) -> None:
        node.op.prepare_node(node, None, None, "c")
        # Scalar Ops with an inner graph name its applies when this is read.
        getattr(node.op, "c_code_template", None)

    def check(self, inputs: Any, outputs: Any) -> Any:
        return _clinch.check(inputs, outputs, form="struct", language="c++",
                             sync_may_fail=True, flags=["-fno-math-errno"])


def _scalar_rows(op: Any) -> Any:
    from pytensor import scalar
    counts = [op.nin] if getattr(op, "nin", -1) > 0 else [2, 1, 3]
    for count in counts:
        for kind in (scalar.float64, scalar.int64, scalar.bool,
                     scalar.complex128):
            yield [kind() for _ in range(count)]



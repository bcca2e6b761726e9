"""Ops: their base classes, Ops on numbers, and Ops for any Type."""

from .scalar_ops import ScalarOp, _op_named, as_variable, constant  # noqa: F401

"""Python's integers beside numbers of a dtype, as in NumPy 2."""

from __future__ import annotations

import numpy

from .annotations import Any


def _in_64_bits(value: int) -> bool:
    return -2**63 <= value < 2**64


def beyond(value: int, dtype: Any, rule: str) -> tuple[Any, str]:
    """Returns (value, dtype): what an Op computes with where the integer `value`
    stands beside numbers of the integer `dtype`, which does not hold it.

    rule: what the Op does with such an integer. "order": it compares exactly.
    "float", "float64": it computes in floats anyway. Else it is an OverflowError.
    """
    if rule == "order":
        if _in_64_bits(value):
            return value, numpy.min_scalar_type(value).name
        return (numpy.inf if value > 0 else -numpy.inf), "float64"
    if rule == "float":
        return value, numpy.result_type(dtype, "float16").name
    if rule == "float64":
        return value, rule
    # NumPy's words; Python writes no integer of more than 4,300 digits.
    raise OverflowError(f"Python integer {value} out of bounds for {dtype}"
                        if _in_64_bits(value) else
                        "Python int too large to convert to C long")

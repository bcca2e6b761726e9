"""NumPy's arrays."""

from .type import TensorType, matrix, scalar, vector

__all__ = ["TensorType", "matrix", "scalar", "vector"]

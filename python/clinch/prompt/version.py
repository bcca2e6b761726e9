"""The versions for --version and for the first line of the prompt."""

from __future__ import annotations

import numpy

from .. import _clinch


def describe() -> str:
    """Returns "Clinch 0.1.0, LLVM 22.1.8, Python 3.11.2, NumPy 1.24.2"."""
    import platform  # Takes 1 ms.
    return (f"Clinch {_clinch.version}, LLVM {_clinch.llvm_version}, "
            f"Python {platform.python_version()}, NumPy {numpy.__version__}")

"""The versions for the first line of the prompt, and for --version."""

from __future__ import annotations

from .. import _clinch


def describe() -> str:
    """Returns "Clinch 0.1.0, LLVM 22.1.8, Python 3.11.2"."""
    import platform  # Takes 1 ms.
    return (f"Clinch {_clinch.version}, LLVM {_clinch.llvm_version}, "
            f"Python {platform.python_version()}")


def describe_all() -> str:
    """Returns the same, and NumPy's, which takes 60 ms."""
    import numpy
    return f"{describe()}, NumPy {numpy.__version__}"

"""The versions for --version and for the first line of the prompt."""

import platform


def describe():
    """Returns "Clinch 0.1.0, LLVM 22.1.8, Python 3.11.2, NumPy 1.24.2"."""
    import clinch
    parts = [f"Clinch {clinch.__version__}"]
    llvm = getattr(clinch, "llvm_version", None)
    if llvm:
        parts.append(f"LLVM {llvm}")
    parts.append(f"Python {platform.python_version()}")
    parts.append(f"NumPy {_numpy_version()}")
    return ", ".join(parts)


def _numpy_version():
    import numpy
    return numpy.__version__

"""Checks PyTensor's version, and finds names that moved between versions."""

import importlib
from importlib.metadata import PackageNotFoundError, version

#: The first supported version, and the first that is not known to be.
FIRST, BEYOND = (2, 38), (4, 0)
SUPPORTED = "PyTensor 2.38 (Python 3.11) and 3.0 to 3.3 (Python 3.11 to 3.14)"


def installed():
    """Returns the first two numbers of PyTensor's version."""
    return tuple(map(int, version("pytensor").split(".")[:2]))


def check():
    """Raises ImportError for a PyTensor that Clinch does not run on."""
    try:
        installed = version("pytensor")
    except PackageNotFoundError:
        raise ImportError(
            "clinch.pytensor needs PyTensor, which is not installed: "
            "`pip install clinch[pytensor]` brings it."
        ) from None
    if not FIRST <= tuple(map(int, installed.split(".")[:2])) < BEYOND:
        raise ImportError(
            f"clinch.pytensor does not support PyTensor {installed}; it supports "
            f"{SUPPORTED}."
        )


def find(*places):
    """Returns the first `module:name`, or module, that this version has."""
    for place in places:
        module, _, name = place.partition(":")
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if not module.startswith(error.name or ""):
                raise
            continue
        if not name:
            return found
        if hasattr(found, name):
            return getattr(found, name)
    raise ImportError(
        f"PyTensor {version('pytensor')} has none of {', '.join(places)}; "
        f"clinch.pytensor supports {SUPPORTED}."
    )

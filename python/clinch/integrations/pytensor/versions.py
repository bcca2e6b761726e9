"""Checks PyTensor's version, and finds names that moved between versions."""

import functools
import importlib
import warnings
from copy import copy
from importlib.metadata import PackageNotFoundError, version

#: The versions that the tests have been run with.
TESTED = ((2, 38), (3, 0), (3, 3))
TESTED_NAMES = "2.38, 3.0 and 3.3"


@functools.cache
def installed_name():
    """Returns PyTensor's version."""
    return version("pytensor")


def installed():
    """Returns the first two numbers of PyTensor's version."""
    return tuple(map(int, installed_name().split(".")[:2]))


def is_tested():
    return installed() in TESTED


def check():
    """Raises ImportError for a PyTensor that Clinch does not run on, and warns of one
    with which it has not been tested."""
    try:
        name = installed_name()
    except PackageNotFoundError:
        raise ImportError(
            "clinch.pytensor needs PyTensor, which is not installed: "
            "`pip install pytensor` installs it."
        ) from None
    if installed() < TESTED[0]:
        raise ImportError(
            f"clinch.pytensor does not support PyTensor {name}; it has been tested with "
            f"{TESTED_NAMES}."
        )
    if not is_tested():
        warnings.warn(
            f"clinch.pytensor has not been tested with PyTensor {name}, but with "
            f"{TESTED_NAMES}. An Op of PyTensor's that it does not know is an error.",
            stacklevel=2,
        )


def copied(graph):
    """Returns a copy of an inner graph that can be changed; newer versions freeze some."""
    return graph.unfreeze() if hasattr(graph, "unfreeze") else graph.clone()


def altered(of, **attributes):
    """Returns a copy with other attributes; a new Apply would become the owner of its
    variables."""
    own = copy(of)
    for name, value in attributes.items():
        setattr(own, name, value)
    return own


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
        f"PyTensor {installed_name()} has none of {', '.join(places)}; clinch.pytensor "
        f"has been tested with {TESTED_NAMES}."
    )

"""Headers of Python and NumPy, precompiled while the user's imports go on."""

from clinch import _clinch, config
from clinch.pytensor.compileflags import compile_flags


def prepare():
    """Begins, in the background, what the first function would wait for: the headers
    of a NumPy that is not the build's take a second, once for a cache."""
    _clinch.prepare(
        {
            "language": "c++",
            "tier": "fast",
            "cpu": "",
            "python": True,
            "disk_cache": config.cache,
            "flags": compile_flags(),
        }
    )

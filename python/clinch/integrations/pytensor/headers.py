"""Headers of Python and NumPy, precompiled while the user's program goes on."""

import functools

from clinch import _clinch, config
from clinch.integrations.pytensor.compileflags import compile_flags


@functools.cache
def prepare():
    """Begins, in the background, what the first function would wait for: the headers
    of a NumPy that is not the build's take a second, once for a cache.

    A process that only runs functions of others, which it has unpickled, needs no
    compiler; so this is for those that make functions.
    """
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

"""Whose headers compiled text sees.

Those of the Python and the NumPy that Clinch was built with come with it. Code
for another Python, or another NumPy, needs that one's own: NumPy 2 refuses what
was compiled for NumPy 1.
"""

import os
import platform
import sysconfig

import numpy

from . import _clinch


def folders():
    """NumPy's and Python's, in the order of search; none for the build's own."""
    running = platform.python_version(), numpy.__version__
    if running == (_clinch.built_for_python, _clinch.built_for_numpy):
        return []
    # A folder of Python's headers may have some other NumPy's in it.
    found = [numpy.get_include(), sysconfig.get_path("include")]
    return [folder for folder in found if os.path.isdir(folder)]

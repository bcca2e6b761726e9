"""Whose headers compiled text sees.

Those of the Python and the NumPy that Clinch was built with come with it. They
serve every release of that Python's minor version, whose C interface does not
change, and every NumPy that runs what they make: NumPy 2's serve NumPy 1 too,
NumPy 1's serve later ones of NumPy 1. Others need headers of their own.
"""

import os
import re
import sys
import sysconfig

import numpy

from . import _clinch


def folders():
    """NumPy's and Python's, in the order of search; none for the build's own."""
    if (_release(_clinch.built_for_python) == sys.version_info[:2]
            and serve(_clinch.built_for_numpy)):
        return []
    # A folder of Python's headers may have some other NumPy's in it.
    found = [numpy.get_include(), sysconfig.get_path("include")]
    return [folder for folder in found if os.path.isdir(folder)]


def serve(version):
    """Whether code made with the headers of that NumPy runs on this one."""
    made, running = _release(version), _release(numpy.__version__)
    return made[0] >= 2 or (running[0] == made[0] and running >= made)


def _release(version):
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])

"""OpenMP without a compiler: Ops that ask for it run on the OpenMP that the process has,
or that is installed. If there is none they run on one thread, with a warning, as in
PyTensor if g++ has none.
"""

import functools
import warnings

from clinch import _clinch
from clinch.integrations.pytensor.c_ops import OpenMPOp
from clinch.integrations.pytensor.versions import altered


@functools.cache
def _warn():
    """Warns once, as PyTensor does."""
    warnings.warn(
        "Clinch finds no OpenMP: neither `libomp.so` nor `libgomp.so.1` is installed. "
        "Ops that would use it run on one thread. To remove this warning set the "
        "PyTensor flag `openmp` to False.",
        stacklevel=2,
    )


class _WithoutGxx:
    """Ahead of the class of an Op that uses OpenMP."""

    def update_self_openmp(self):
        if self.openmp and not _clinch.openmp():
            _warn()
            self.openmp = False


@functools.cache
def _without_gxx(kind):
    return type(kind.__name__, (_WithoutGxx, kind), {})


def without_gxx(node):
    """Returns the apply with an Op whose OpenMP is the process's, instead of g++'s: a
    copy, if it uses OpenMP."""
    if not isinstance(node.op, OpenMPOp) or not node.op.openmp:
        return node
    op = object.__new__(_without_gxx(type(node.op)))
    op.__dict__.update(node.op.__dict__)
    op.update_self_openmp()
    return altered(node, op=op)

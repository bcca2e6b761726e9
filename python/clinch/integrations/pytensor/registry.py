"""What computes each Op: a registry by the Op's class.

PyTensor's Ops stay in the graph. In a thunk, an apply with the same variables and the
Op that `clinch_funcify` returns takes the place of each. An Op of ours does what the
`perform` of PyTensor's does, with the same functions of LAPACK and NumPy.
"""

import functools
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

from pytensor.compile.builders import OpFromGraph
from pytensor.tensor.random.op import RandomVariable

from clinch.integrations.pytensor import versions
from clinch.integrations.pytensor.c_ops import COp
from clinch.integrations.pytensor.config import options
from clinch.integrations.pytensor.in_python import runs_in_python
from clinch.integrations.pytensor.thunk import has_code, lacks_code


@functools.singledispatch
def clinch_funcify(op, node):
    """Returns the Op with C that does what `node`, an apply of `op`, does; None if
    PyTensor runs it in Python."""
    return None


@clinch_funcify.register(COp)
def _with_its_own_c(op, node):
    """All Ops of PyTensor's and of authors' with C, unless they make their own thunks."""
    plain = type(op).make_thunk is COp.make_thunk
    return op if plain and has_code(node) else None


@dataclass(frozen=True)
class _Ours:
    """Our C for a class of Ops: each function takes an apply, and returns an Op of ours,
    or None."""

    kind: type
    #: For where the Op has no C.
    instead: Callable
    #: For where its own C takes longer, or rounds.
    quicker: Callable
    #: Increased when the C is changed.
    version: int
    #: Whether derived classes have it, too: others may compute something else.
    derived: bool

    def funcify(self, op, node):
        own = _with_its_own_c(op, node) if isinstance(op, COp) else None
        if not (self.derived or type(op) is self.kind) or not options.native_ops:
            return own
        if own is None or self.instead is not _nothing and lacks_code(node, 0):
            return self.instead(node)
        return self.quicker(node) or own


def _nothing(node):
    return None


_ours = {}


def register(kind, instead=_nothing, *, quicker=_nothing, version=1, derived=False):
    """Registers our C for Ops of the class `kind`."""
    _ours[kind] = entry = _Ours(kind, instead, quicker, version, derived)
    clinch_funcify.register(kind)(entry.funcify)


def registered() -> list[tuple[str, int]]:
    """Returns `[(the class of Ops, the version of the C for it), ...]`."""
    versions_of = {COp: 1, **{kind: entry.version for kind, entry in _ours.items()}}
    return sorted(
        (f"{kind.__module__}.{kind.__qualname__}", version) for kind, version in versions_of.items()
    )


def with_code(node):
    """Returns an apply whose C computes what `node` does: `node`, ours, or None."""
    return _twin(node, clinch_funcify(node.op, node))


def ours_for(node):
    """Returns an apply of ours that computes what `node`, which has no C, does, or
    None."""
    entry = _ours.get(type(node.op))
    return _twin(node, entry.instead(node) if entry and options.native_ops else None)


def _twin(node, op):
    if op is None or op is node.op:
        return None if op is None else node
    # Elemwise notes in the tag what its scalar Op is, which is pickled with the graph.
    return versions.altered(node, op=op, tag=copy(node.tag))


def check_known(node):
    """Raises an error for an Op of PyTensor's that may have C of which we do not know,
    instead of running it in Python without a word."""
    kind = type(node.op)
    if versions.is_tested() or not kind.__module__.startswith("pytensor."):
        return
    if isinstance(node.op, COp | OpFromGraph | RandomVariable) or runs_in_python(kind):
        return
    if clinch_funcify(node.op, node) is None:
        raise RuntimeError(
            f"clinch.pytensor does not know how to compile {kind.__module__}."
            f"{kind.__qualname__} of PyTensor {versions.installed_name()}, with which "
            f"it has not been tested: it has been with {versions.TESTED_NAMES}."
        )

"""Ops with a graph inside (Scan, OpFromGraph) get their function from Clinch too.

PyTensor links those with `cvm`, whatever the linker of the function around.
"""

import functools

from pytensor.compile.builders import OpFromGraph
from pytensor.configdefaults import config
from pytensor.scan.op import Scan

from clinch.pytensor.config import active
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.wrap import wrap


def install():
    """Wraps the one place where inner functions are made, by PyTensor's version."""
    try:
        from pytensor.compile.inner_function import HasInnerFunction
    except ImportError:
        _wrap_fn(Scan, _scan_fn)
        _wrap_fn(OpFromGraph, _op_from_graph_fn)
        return
    _wrap_link_mode(HasInnerFunction)


def _wrap_link_mode(owner):
    from pytensor.compile.inner_function import link_only_mode

    def link_mode(original, self, impl):
        if active() and impl != "py":
            return link_only_mode(ClinchLinker(allow_gc=_allow_gc(self)))
        return original(self, impl)

    wrap(owner, "link_mode", link_mode)


def _allow_gc(op):
    return getattr(op, "allow_gc", config.allow_gc)


def _wrap_fn(owner, make):
    original = owner.fn

    @functools.wraps(original.fget)
    def fn(self):
        if getattr(self, "_fn", None) is None and active():
            return make(original.fget, self)
        return original.fget(self)

    owner.fn = property(fn)


def _inner_mode(op):
    from pytensor.compile.mode import Mode

    return Mode(ClinchLinker(allow_gc=_allow_gc(op)), "fast_run")


def _scan_fn(original, op):
    if op.mode not in (None, "FAST_RUN"):
        return original(op)
    given = op.mode
    op.mode = _inner_mode(op)
    try:
        return original(op)
    finally:
        op.mode = given


def _op_from_graph_fn(original, op):
    with config.change_flags(mode=_inner_mode(op)):
        return original(op)

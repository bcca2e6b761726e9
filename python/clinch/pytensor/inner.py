"""Links the inner functions of Scan and OpFromGraph with Clinch.

PyTensor links them with `cvm`, whatever the linker of the outer function is.
"""

import functools

from pytensor.compile.builders import OpFromGraph
from pytensor.configdefaults import config
from pytensor.scan.op import Scan

from clinch.pytensor.config import active
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.patching import replace, wrap

_WHY = "links inner graphs with Clinch"


def patches():
    """Returns the patches of the code that makes inner functions, which is elsewhere
    in older versions of PyTensor."""
    try:
        from pytensor.compile.inner_function import HasInnerFunction
    except ImportError:
        return [
            _of_property(Scan, _scan_fn),
            _of_property(OpFromGraph, _op_from_graph_fn),
        ]
    return [wrap(HasInnerFunction, "link_mode", _link_mode, _WHY)]


def _link_mode(original, self, impl):
    from pytensor.compile.inner_function import link_only_mode

    if active() and impl != "py":
        return link_only_mode(ClinchLinker(allow_gc=_allow_gc(self)))
    return original(self, impl)


def _allow_gc(op):
    return getattr(op, "allow_gc", config.allow_gc)


def _of_property(owner, ours):
    def make(original):
        @functools.wraps(original.fget)
        def fn(self):
            if getattr(self, "_fn", None) is None and active():
                return ours(original.fget, self)
            return original.fget(self)

        return property(fn)

    return replace(owner, "fn", make, _WHY)


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

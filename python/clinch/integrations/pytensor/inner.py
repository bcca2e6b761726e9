"""Makes the inner functions of Scan, OpFromGraph and the like with Clinch.

PyTensor makes one when it is first asked for, with `cvm`, whatever the linker of the
outer function is, and keeps it at the Op. Here it is made before.
"""

from pytensor.compile.builders import OpFromGraph
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config
from pytensor.scan.op import Scan

from clinch.integrations.pytensor.native.sums import from_identity
from clinch.integrations.pytensor.versions import altered


def prepared(node):
    """Returns the apply with the Op that is run. Its inner function, if it has one, is
    Clinch's: that of a copy if PyTensor has made another one."""
    op = prepared_op(from_identity(node))
    return node if op is node.op else altered(node, op=op)


def prepared_op(op):
    """Returns the Op, or a copy of it, with an inner function of Clinch's."""
    from clinch.integrations.pytensor.linker import ClinchLinker

    core = getattr(op, "core_op", None)
    if core is not None:
        own = prepared_op(core)
        if own is not core:
            op = altered(op, core_op=own)
        return op
    if not isinstance(op, Scan | OpFromGraph) and not hasattr(op, "compile_fn"):
        return op
    if getattr(op, "mode", None) not in (None, "FAST_RUN"):
        return op  # What its author has asked for.
    made = getattr(op, "_fn", None)
    if made is not None and not isinstance(made.maker.linker, ClinchLinker):
        op, made = altered(op, _fn=None), None
    if made is None:
        allow_gc = getattr(op, "allow_gc", config.allow_gc)
        _make(op, ClinchLinker(allow_gc=allow_gc))
    return op


def _make(op, linker):
    """Lets PyTensor make the inner function, in each version in its own way."""
    if hasattr(op, "compile_fn"):
        from pytensor.compile.inner_function import link_only_mode

        op._fn = op.compile_fn(link_only_mode(linker))
        return
    mode = Mode(linker, "fast_run")
    if not isinstance(op, Scan):
        with config.change_flags(mode=mode):
            _ = op.fn
        return
    given = op.mode
    op.mode = mode
    try:
        _ = op.fn
    finally:
        op.mode = given

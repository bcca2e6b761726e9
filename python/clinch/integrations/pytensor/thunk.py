"""Compiles PyTensor applies into a Clinch thunk."""

import re
import warnings
import weakref

from pytensor.graph.basic import Constant
from pytensor.graph.utils import MethodNotDefined
from pytensor.link.c.interface import CLinkerOp, CLinkerType

from clinch import _clinch
from clinch.build.linkers import wait as wait_for_thunks
from clinch.integrations.pytensor import pickling
from clinch.integrations.pytensor.compileflags import compile_flags, user_flags
from clinch.integrations.pytensor.config import options, without_compiler

#: What an Op raises if it has no C.
NO_C = (NotImplementedError, MethodNotDefined)

#: Thunks that may still wait for the code of their final tier.
_waiting = weakref.WeakSet()


def wait(timeout: float | None = None) -> bool:
    """Waits until all functions have the code of their final tier, at most `timeout`
    seconds; returns whether they do. Raises the error of a compile that failed."""
    waiting = list(_waiting)
    try:
        return wait_for_thunks([thunk.run for thunk in waiting], timeout)
    finally:
        _waiting.difference_update(t for t in waiting if not t.run.pending)


class ClinchThunk:
    """A thunk as PyTensor calls it: without arguments, with values in cells."""

    lazy = False
    allow_gc = False

    def __init__(self, run, nodes):
        self.run = self.cthunk = run
        self.nodes = nodes
        if run.pending:
            _waiting.add(self)

    def __call__(self):
        self.run()

    @property
    def position_of_error(self):
        """The index in `nodes` of the apply that failed in the last run; raises
        AttributeError if none did."""
        failed = self.run.failed
        if failed is None or failed["of"] not in self.nodes:
            raise AttributeError("No apply failed.")
        return self.nodes.index(failed["of"])

    def __str__(self):
        return f"{type(self).__name__}({', '.join(map(str, self.nodes))})"


def has_code(node):
    """Whether `node` may have C; its hooks may still refuse."""
    op = node.op
    if not isinstance(op, CLinkerOp) or type(op).c_code is CLinkerOp.c_code:
        return False
    if not all(isinstance(v.type, CLinkerType) for v in node.inputs + node.outputs):
        return False
    return getattr(op, "_f16_ok", False) or not _has_float16(node)


def _has_float16(node):
    return any(getattr(v.type, "dtype", "") == "float16" for v in node.inputs + node.outputs)


def check_has_code(node):
    """Raises NotImplementedError for a node that `has_code` refuses."""
    if has_code(node):
        return
    if isinstance(node.op, CLinkerOp) and _has_float16(node):
        warnings.warn(f"Disabling C code for {node.op} due to unsupported float16", stacklevel=2)
        raise NotImplementedError("float16")
    for v in node.inputs + node.outputs:
        if not isinstance(v.type, CLinkerType):
            raise NotImplementedError(f"Type of {v} cannot produce C code")
    raise NotImplementedError(f"{node.op} cannot produce C code")


def lacks_code(node, number):
    """Calls `c_code` itself; returns whether it says that there is no C."""
    try:
        _code(node, _names(node, number), number)
    except NO_C:
        return True
    return False


def named_constants(order):
    """Returns the constants from whose C names an Op makes other names.

    Such an Op cannot use a literal instead of the name.
    """
    found = {}
    for number, node in enumerate(order):
        constants = [v for v in node.inputs if isinstance(v, Constant)]
        if not constants:
            continue
        names = _names(node, number)
        text = _code(node, names, number)
        found.update((v, 0) for v in constants if re.search(rf"\b{names[v]}\w", text))
    return list(found)


def _names(node, number):
    """Returns one name for each variable of `node`, as hooks may expect."""
    variables = node.inputs + node.outputs
    return {v: f"V{number}_{i}_" for i, v in enumerate(variables)}


def _code(node, names, number):
    inputs, outputs = ([names[v] for v in vs] for vs in (node.inputs, node.outputs))
    sub = {"fail": "{}", "id": number, "failure_var": "failure", "params": "params"}
    with without_compiler():
        return node.op.c_code(node, f"node_{number}", inputs, outputs, sub)


def build(inputs, outputs, order, no_recycling, cells, release_early=False):
    """Compiles `order` into one thunk.

    `cells` maps variables to PyTensor's storages, lists of one; missing ones (of
    params and constants) are made. With `release_early`, values that are not
    recycled are released after their last use.
    """
    how = {
        "order": [pickling.as_it_arrives(node) for node in order],
        "form": "struct",
        "language": "c++",
        "tier": options.tier,
        "no_recycling": no_recycling,
        "flags": compile_flags(),
        "sync_may_fail": True,
        "release_early": release_early,
    }
    try:
        with without_compiler():
            program = _clinch.Program(inputs, outputs, first_tier=options.first_tier, **how)
    except ValueError as error:
        if user_flags():
            said = " ".join(user_flags())
            error.add_note(f"PyTensor's flag `gcc__cxxflags` says: {said}")
        raise
    run = program.instantiate([cells.get(v) for v in program.cells])
    pickling.note(run)
    return ClinchThunk(run, list(order))

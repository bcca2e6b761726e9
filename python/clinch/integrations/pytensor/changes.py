"""Lists what Clinch changes in PyTensor: our linkers, mode and rewrites, and the
functions of PyTensor's that are replaced."""

import pytensor.compile.mode as modes
import pytensor.link.c.basic as c_linker
from pytensor.graph.rewriting.db import RewriteDatabaseQuery
from pytensor.link.basic import Container

from clinch.integrations.pytensor import flags, fusing, inline, native, patching  # noqa: F401
from clinch.integrations.pytensor._import import LINKERS
from clinch.integrations.pytensor.config import active
from clinch.integrations.pytensor.linker import ClinchLinker
from clinch.integrations.pytensor.maker import ClinchMode, maker_change
from clinch.integrations.pytensor.registry import with_code
from clinch.integrations.pytensor.thunk import build, check_has_code


def install():
    """Adds our changes of PyTensor to the list; returns our mode."""
    linkers = {name: ClinchLinker(**arguments) for name, arguments in LINKERS.items()}
    query = RewriteDatabaseQuery(include=["fast_run"])
    mode = ClinchMode(ClinchLinker(), query)
    where = modes.__name__
    patching.changes.add(
        patching.register(
            modes.predefined_linkers, linkers, "our linkers", f"{where}.predefined_linkers"
        ),
        patching.register(
            modes.predefined_modes, {"CLINCH": mode}, "our mode", f"{where}.predefined_modes"
        ),
        *inline.changes(),
        fusing.change(),
        maker_change(),
        flags.of_threads("cxx"),
        flags.of_threads("blas__ldflags"),
        patching.wrap(
            c_linker.CLinker,
            "make_thunk",
            _make_thunk,
            "the C of one apply, in PyTensor's virtual machines and its DebugMode",
        ),
    )
    return mode


def _make_thunk(
    original, self, input_storage=None, output_storage=None, storage_map=None, cache=None, **kwargs
):
    """Replaces CLinker.make_thunk, which `COp.make_thunk` calls."""
    if not active():
        return original(self, input_storage, output_storage, storage_map, cache, **kwargs)
    given = dict(storage_map or {})
    for variables, storages in ((self.inputs, input_storage), (self.outputs, output_storage)):
        for i, v in enumerate(variables):
            given[v] = storages[i] if storages is not None else given.get(v, [None])
    for node in self.node_order:
        check_has_code(node)
        node.op.prepare_node(node, storage_map, None, "c")
    order = [with_code(node) or node for node in self.node_order]
    thunk = build(self.inputs, self.outputs, order, self.no_recycling, given)
    return (
        thunk,
        [Container(v, given[v]) for v in self.fgraph.inputs],
        [Container(v, given[v], readonly=True) for v in self.fgraph.outputs],
    )

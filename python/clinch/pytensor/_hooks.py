"""Patches each place where PyTensor would use g++ to ask if Clinch is active.

It is active while `config.cxx` is "clinch": in one thread while one of our
linkers works there, or in the whole process.
"""

import pytensor.compile.mode as modes
import pytensor.link.c.basic as c_linker
from pytensor.link.basic import Container
from pytensor.link.vm import VMLinker

from clinch.pytensor import errors, flags, fusing, inline, inner, openmp, patching, probes
from clinch.pytensor.config import active
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.maker import ClinchMode, maker_patch
from clinch.pytensor.thunk import build, check_has_code
from clinch.pytensor.vm import make_python_vm

LINKERS = {
    "clinch": {},
    "clinch_nogc": {"allow_gc": False},
    "clinch_vm": {"whole_graph": False},
    "clinch_vm_nogc": {"whole_graph": False, "allow_gc": False},
}


def install():
    """Registers our linkers and mode with PyTensor; returns the mode."""
    for name, arguments in LINKERS.items():
        modes.register_linker(name, ClinchLinker(**arguments))
    inline.install()
    fusing.install()
    mode = ClinchMode("clinch", "fast_run")
    modes.register_mode("CLINCH", mode)
    modes.fast_run_linkers_to_mode["clinch"] = mode
    patching.names.add(
        maker_patch(), flags.take_mode({"CLINCH"}), flags.take_linkers(LINKERS)
    )
    patching.compiler.add(
        patching.wrap(c_linker.CLinker, "make_thunk", _make_thunk, "all C is Clinch's"),
        patching.wrap(VMLinker, "make_vm", _make_vm, "its machine in C is a module"),
        flags.of_threads("cxx"),
        flags.of_threads("blas__ldflags"),
        *errors.patches(),
        *inner.patches(),
        *openmp.patches(),
        *probes.patches(),
    )
    return mode


def _make_thunk(
    original,
    self,
    input_storage=None,
    output_storage=None,
    storage_map=None,
    cache=None,
    **kwargs,
):
    """Replaces CLinker.make_thunk, which compiles all C in PyTensor."""
    if not active():
        return original(
            self, input_storage, output_storage, storage_map, cache, **kwargs
        )
    given = dict(storage_map or {})
    for variables, storages in (
        (self.inputs, input_storage),
        (self.outputs, output_storage),
    ):
        for i, v in enumerate(variables):
            given[v] = storages[i] if storages is not None else given.get(v, [None])
    for node in self.node_order:
        check_has_code(node)
        node.op.prepare_node(node, storage_map, None, "c")
    thunk = build(self.inputs, self.outputs, self.node_order, self.no_recycling, given)
    return (
        thunk,
        [Container(v, given[v]) for v in self.fgraph.inputs],
        [Container(v, given[v], readonly=True) for v in self.fgraph.outputs],
    )


def _make_vm(original, self, *args, **kwargs):
    """Replaces VMLinker.make_vm, as PyTensor's VM in C is compiled by g++."""
    if not active() or isinstance(self, ClinchLinker):
        return original(self, *args, **kwargs)
    return make_python_vm(self, *args, **kwargs)

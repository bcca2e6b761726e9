"""Where PyTensor would reach for g++: each place asks whether Clinch is active.

`config.cxx` set to "clinch" makes it so, for the time that one of our linkers
works, or for good.
"""

import pytensor.compile.mode as modes
import pytensor.link.c.basic as c_linker
from pytensor.compile.maker import FunctionMaker
from pytensor.link.basic import Container
from pytensor.link.vm import VMLinker

from clinch.pytensor.config import accept_names, active, compiling
from clinch.pytensor.errors import install as install_errors
from clinch.pytensor.inner import install as install_inner
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.openmp import install as install_openmp
from clinch.pytensor.probes import install as install_probes
from clinch.pytensor.thunk import build, check_has_code
from clinch.pytensor.vm import make_python_vm
from clinch.pytensor.wrap import wrap

LINKERS = {
    "clinch": {},
    "clinch_nogc": {"allow_gc": False},
    "clinch_vm": {"whole_graph": False},
    "clinch_vm_nogc": {"whole_graph": False, "allow_gc": False},
}


def install():
    """Registers linkers and mode; returns the mode."""
    for name, arguments in LINKERS.items():
        modes.register_linker(name, ClinchLinker(**arguments))
    accept_names({"CLINCH"}, LINKERS)
    mode = modes.Mode("clinch", "fast_run")
    modes.register_mode("CLINCH", mode)
    modes.fast_run_linkers_to_mode["clinch"] = mode
    wrap(c_linker.CLinker, "make_thunk", _make_thunk)
    wrap(c_linker, "get_module_cache", _get_module_cache)
    wrap(VMLinker, "make_vm", _make_vm)
    _wrap_makers()
    install_errors()
    install_inner()
    install_openmp()
    install_probes()
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
    """CLinker.make_thunk: the way of all C in PyTensor."""
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


class _NoCache:
    """What PyTensor refreshes before it profiles."""

    def refresh(self, *args, **kwargs):
        return []


def _get_module_cache(original, *args, **kwargs):
    return _NoCache() if active() else original(*args, **kwargs)


def _make_vm(original, self, *args, **kwargs):
    """VMLinker.make_vm: PyTensor's machine in C is a module that g++ compiles."""
    if not active() or isinstance(self, ClinchLinker):
        return original(self, *args, **kwargs)
    return make_python_vm(self, *args, **kwargs)


class ClinchFunctionMaker(FunctionMaker):
    """Rewrites as for a compiler that is there, and starts none."""

    def __init__(self, *args, **kwargs):
        with compiling():
            super().__init__(*args, **kwargs)


def _wrap_makers():
    original = modes.Mode.function_maker

    def function_maker(self):
        if isinstance(self.linker, ClinchLinker) and type(self) is modes.Mode:
            return ClinchFunctionMaker
        return original.fget(self)

    modes.Mode.function_maker = property(function_maker)

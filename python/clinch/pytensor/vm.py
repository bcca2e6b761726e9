"""Makes PyTensor's virtual machines in Python, chosen as PyTensor does.

Its machine in C is a module that g++ compiles, so PyTensor's own
`VMLinker.make_vm`, which looks for that first, is not called.
"""

from pytensor.configdefaults import config
from pytensor.link.vm import Loop, Stack

from clinch.pytensor.errors import keeping_notes


class _KeepsNotes:
    """A PyTensor machine whose errors keep Clinch's notes."""

    def __call__(self, *args, **kwargs):
        with keeping_notes():
            return super().__call__(*args, **kwargs)


class NotedLoop(_KeepsNotes, Loop):
    """PyTensor's `Loop`, which computes all outputs, also if some are asked for."""

    def __call__(self, output_subset=None):
        return super().__call__()


class NotedStack(_KeepsNotes, Stack):
    """PyTensor's `Stack`."""


def make_python_vm(
    linker,
    nodes,
    thunks,
    input_storage,
    output_storage,
    storage_map,
    post_thunk_clear,
    computed,
    compute_map,
    updated_vars,
):
    """Makes a `Stack` if thunks are lazy or watched, else a `Loop`."""
    common = (
        linker.fgraph,
        nodes,
        thunks,
        [storage_map[v] for v in linker.no_recycling],
        storage_map,
        input_storage,
        output_storage,
        updated_vars,
    )
    if not _needs_stack(linker, thunks):
        return NotedLoop(*common, post_thunk_clear if linker.allow_gc else None)
    return NotedStack(
        *common,
        compute_map,
        linker.allow_gc,
        dependencies=linker.compute_gc_dependencies(storage_map),
        callback=linker.callback,
        callback_input=linker.callback_input,
    )


def is_watched(linker):
    """Whether a caller watches single applies, or may skip some."""
    return (
        linker.callback is not None
        or linker.callback_input is not None
        or bool(linker.allow_partial_eval)
    )


def _needs_stack(linker, thunks):
    """Whether thunks are watched or do not simply run one after another."""
    if is_watched(linker):
        return True
    if (config.profile or config.print_global_stats) and config.profile_memory:
        return True
    lazy = linker.lazy if linker.lazy is not None else config.vm__lazy
    return any(th.lazy for th in thunks) if lazy is None else lazy

"""`Scan` as one loop in C around the thunk of its inner graph.

Each step does what PyTensor's `scan_perform.pyx` does: it puts rows into the cells
of the inner function and takes rows out. Here a row is a view that moves, and a step
calls the thunk without any Python. States that are not stored, such as generators,
are passed from cell to cell.
"""

import ctypes
import functools
from threading import Thread

from pytensor.configdefaults import config
from pytensor.link.c.type import generic
from pytensor.scalar.basic import ScalarType

from clinch.integrations.pytensor.c_files import c_text, compiled_once
from clinch.integrations.pytensor.inner import prepared_op
from clinch.integrations.pytensor.machine import GraphMachine, PiecesMachine
from clinch.integrations.pytensor.native.op import NativeOp, are_tensors, taken_from_made


def _fields(kind, names):
    return [(name, kind) for name in names.split()]


def _text():
    return compiled_once("native/scan.h", "native/scan.c")


@functools.cache
def begin():
    """Begins to compile the loop, which takes as long as PyTensor's rewriting does."""
    thread = Thread(target=_text)
    thread.start()
    return thread


class _Loop(ctypes.Structure):
    """The struct `Loop` of `scan.h`."""

    _fields_ = (
        *_fields(ctypes.c_void_p, "run step explain finish"),
        *_fields(ctypes.c_int, "sequences mit_mots mit_sots sit_sots nit_sots states"),
        *_fields(ctypes.c_int, "mit_mot_outs inner_inputs inner_outputs is_while updates"),
        *_fields(ctypes.POINTER(ctypes.c_int), "min_taps taps_begin taps out_taps_begin"),
        *_fields(ctypes.POINTER(ctypes.c_int), "out_taps out_tap_input in_place types dims"),
        *_fields(ctypes.POINTER(ctypes.c_void_p), "in_cells out_cells"),
        *_fields(ctypes.POINTER(ctypes.c_void_p), "update_from update_to"),
    )


class Plan(int):
    """The address of a `_Loop`; it keeps alive what that points to."""

    @classmethod
    def of(cls, op, node, function):
        loop = _Loop()
        plan = cls(ctypes.addressof(loop))
        plan.kept = kept = [loop, function]
        plan.fill(loop, op, node, function, kept)
        return plan

    def fill(self, loop, op, node, function, kept):
        info, machine = op.info, function.vm
        begin().join()
        loop.run = _text().lookup("clinch_scan")
        direct = len(machine.steps) == 1 and machine.steps[0].compiled
        step = machine.steps[0].thunk.run if direct else machine
        pairs = _updates(machine) if direct else []
        finish = function.free if config.allow_gc and not op.allow_gc else None
        how = {
            "step": step,
            "explain": _explain(machine) if direct else None,
            # A direct loop empties the cells itself.
            "finish": None if direct else finish,
        }
        for name, value in how.items():
            kept.append(value)
            setattr(loop, name, None if value is None else id(value))
        cells = {
            "in_cells": [c.storage for c in function.input_storage],
            "out_cells": [c.storage for c in function.output_storage],
            "update_from": [source for source, _ in pairs],
            "update_to": [target for _, target in pairs],
        }
        for name, lists in cells.items():
            kept.append(lists)
            setattr(loop, name, (ctypes.c_void_p * len(lists))(*map(id, lists)))
        for name, numbers in _tables(op, node).items():
            setattr(loop, name, (ctypes.c_int * max(len(numbers), 1))(*numbers))
        loop.sequences = info.n_seqs
        loop.mit_mots, loop.mit_sots = info.n_mit_mot, info.n_mit_sot
        loop.sit_sots, loop.nit_sots = info.n_sit_sot, info.n_nit_sot
        loop.states, loop.mit_mot_outs = _states(info), info.n_mit_mot_outs
        loop.inner_inputs = len(function.input_storage)
        loop.inner_outputs = len(function.output_storage)
        loop.is_while, loop.updates = bool(info.as_while), len(pairs)


def _tables(op, node):
    """Returns the tables of integers in `_Loop`, by name."""
    info = op.info
    slices = (
        *info.mit_mot_in_slices,
        *info.mit_sot_in_slices,
        *info.sit_sot_in_slices,
        *((),) * info.n_nit_sot,
    )
    traced = node.outputs[: len(node.outputs) - _states(info)]
    inputs, cell = [], info.n_seqs
    numbers = iter(op.mitmots_preallocated)
    for taken, made in zip(info.mit_mot_in_slices, info.mit_mot_out_slices, strict=True):
        inputs += [cell + taken.index(tap) if next(numbers) else -1 for tap in made]
        cell += len(taken)
    return {
        "min_taps": [min(taps, default=0) for taps in slices],
        "taps_begin": _begins(slices),
        "taps": [tap for taps in slices for tap in taps],
        "out_taps_begin": _begins(info.mit_mot_out_slices),
        "out_taps": [tap for taps in info.mit_mot_out_slices for tap in taps],
        "out_tap_input": inputs,
        "in_place": [i in op.destroy_map for i in range(len(slices))],
        "types": [v.type.numpy_dtype.num for v in traced],
        "dims": [v.type.ndim for v in traced],
    }


def _states(info):
    """Returns how many states, such as generators, are passed from step to step."""
    count = getattr(info, "n_untraced_sit_sot", None)
    return info.n_shared_outs if count is None else count


def _begins(parts):
    begins = [0]
    for part in parts:
        begins.append(begins[-1] + len(part))
    return begins


def _updates(machine):
    """Returns pairs of cells: a step's result in the first is the next step's input
    in the second."""
    made = machine.output_storage
    return [(made[i], cell) for cell, i in machine.inp_storage_and_out_idx]


def _explain(machine):
    """Returns a function that raises what the machine would for a step's error."""

    def explain(error):
        try:
            raise error
        except Exception:
            machine._raise(machine.steps[0])

    return explain


class Looped(NativeOp):
    """`Scan`."""

    params_type = generic

    def __init__(self, original):
        super().__init__(original)
        self.plan = None

    def prepare_node(self, node, storage_map, compute_map, impl):
        self._function(node)

    def get_params(self, node):
        if self.plan is None:
            self.plan = Plan.of(self.original, node, self._function(node))
        return self.plan

    def _function(self, node):
        """Returns the inner function; raises NotImplementedError if its machine is not
        ours."""
        if getattr(self.original, "_fn", None) is None:
            self.original.validate_inner_graph()
        self.original = op = prepared_op(self.original)
        machine = op.fn.vm
        if not isinstance(machine, GraphMachine | PiecesMachine):
            raise NotImplementedError("The inner graph runs apply by apply.")
        return op.fn

    def c_support_code(self, **_):
        return c_text("native/scan.h")

    def c_code(self, node, name, inputs, outputs, sub):
        self._function(node)
        given = ", ".join(map(_as_object, inputs, node.inputs))
        made = ", ".join(f"(PyObject *){v}" for v in outputs)
        taken = taken_from_made(node, outputs)
        return f"""{{
  PyObject *given[] = {{{given}}}, *made[] = {{{made}}};
  const Loop *loop = (const Loop *)PyLong_AsVoidPtr({sub["params"]});
  int failed = loop->run(loop, given, made);{taken}
  if (failed)
    {sub["fail"]}
}}"""


def _as_object(name, variable):
    """Returns C for the object of a variable, whose C may be a number."""
    is_number = isinstance(variable.type, ScalarType)
    return f"py_{name}" if is_number else f"(PyObject *){name}"


def for_scan(node):
    op, states = node.op, _states(node.op.info)
    given = [*op.outer_non_seqs(node.inputs), *op.outer_untraced_sit_sot(node.inputs)]
    traced = [v for v in node.inputs if v not in given]
    if not are_tensors(*traced, *node.outputs[: len(node.outputs) - states]):
        return None
    if any(isinstance(v.type, ScalarType) for v in node.outputs):
        return None
    if config.profile or op.profile or op.mode not in (None, "FAST_RUN"):
        return None
    return Looped(op)

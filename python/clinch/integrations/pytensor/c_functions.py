"""Gives functions that are only compiled code a C function, by its address.

Its caller needs no Python: the C function takes the GIL, because arrays are Python
objects, copies the given doubles into arrays, runs the thunk, and copies the
results out. nutpie has C functions of the same kind, also of a function of which some
Ops run in Python.
"""

import copyreg
import ctypes
import threading

import numpy as np

from clinch.integrations.pytensor.c_files import compiled
from clinch.integrations.pytensor.machine import GraphMachine
from clinch.integrations.pytensor.versions import find

Function = find("pytensor.compile.executor:Function", "pytensor.compile.function.types:Function")


class _Call(ctypes.Structure):
    """The struct `Call` of `function.c`."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("run", "turn")),
        *((name, ctypes.c_int64) for name in ("inputs", "outputs")),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        *((name, ctypes.POINTER(ctypes.c_void_p)) for name in ("given", "made")),
    )


class Compiled:
    """The C functions of a function. They run a copy, which has its own state."""

    def __init__(self, function):
        self.dims = _check(function)
        own = function.copy()
        run = own.vm.run if isinstance(own.vm, GraphMachine) else own.vm
        given = [c.storage for c in own.input_storage[: len(self.dims)]]
        made, turn = [c.storage for c in own.output_storage], np.zeros(16, "uint64")
        call = _Call(
            id(run),
            turn.ctypes.data,
            len(given),
            len(made),
            (ctypes.c_int64 * len(given))(*self.dims),
            (ctypes.c_void_p * len(given))(*map(id, given)),
            (ctypes.c_void_p * len(made))(*map(id, made)),
        )
        # Equal texts share their variables, unless linked with different symbols.
        target = {"clinch_target": ctypes.addressof(call)}
        self.text = compiled("function.c", symbols=target)
        self.kept = own, run, given, made, turn, call

    def lookup(self, name):
        """Returns the address of one of them."""
        return self.text.lookup(name)


def ops_in_python(function):
    """Returns the sorted names of a function's Ops that run in Python."""
    steps = getattr(function.vm, "steps", None)
    if steps is None:
        return sorted({str(node.op) for node in function.maker.fgraph.apply_nodes})
    return sorted({str(node.op) for s in steps if not s.compiled for node in s.nodes})


def _check_alone(function):
    """Raises TypeError for a function of which something runs in Python."""
    if not isinstance(function.vm, GraphMachine):
        what = ops_in_python(function)
        why = f": in Python there run {', '.join(what)}" if what else ""
        raise TypeError(f"The function is not compiled code alone{why}.")


def _check(function):
    """Returns the rank of each input; raises TypeError for what is not of doubles."""
    inputs = [i.variable for i in function.maker.inputs if not i.shared]
    wrong = [v for v in (*inputs, *_outputs(function)) if _dtype(v) != "float64"]
    if wrong:
        raise TypeError(f"A C function takes and gives doubles; {wrong[0]} is {wrong[0].type}.")
    dims = [v.type.ndim for v in inputs]
    if any(n > 1 for n in dims) or sum(dims) > 1:
        raise TypeError("A C function takes numbers, and at most one vector.")
    return dims


def _outputs(function):
    return [o.variable for o in function.maker.outputs]


def _dtype(variable):
    return getattr(variable.type, "dtype", None)


_lock = threading.Lock()


class ClinchFunction(Function):
    """A function that our linkers made."""

    _compiled = None

    def __reduce_ex__(self, protocol):
        return copyreg.dispatch_table[Function](self)

    @property
    def c_address(self):
        """The address of a C function that computes the same:

            int64_t f(const double *x, uint64_t size, double *made, uint64_t room)

        `x` has the inputs, numbers and at most one vector, one after another; `made`
        gets the outputs in the same way. It returns the number of doubles written, or
        -1 if the sizes do not fit or an Op failed. TypeError for a function that is
        not compiled code alone, from doubles to doubles. All threads may call it as
        long as this function exists.
        """
        return self._c_function().lookup("clinch_entry")

    def low_level_callable(self):
        """Returns a `scipy.LowLevelCallable`, `double (int, double *)`, of a function
        from numbers, or a vector, to one number; it returns NaN if an Op fails."""
        import scipy

        outputs = _outputs(self)
        if len(outputs) != 1 or outputs[0].type.ndim:
            raise TypeError("SciPy calls a function of one number.")
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double))
        called = kind(self._c_function().lookup("clinch_number"))
        called.kept = self._compiled
        return scipy.LowLevelCallable(called)

    def _c_function(self):
        with _lock:  # Only one thread compiles it.
            if self._compiled is None:
                _check_alone(self)
                self._compiled = Compiled(self)
        return self._compiled

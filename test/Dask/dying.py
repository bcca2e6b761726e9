"""A function that kills the first worker in which it is loaded."""

import os
import pickle
import signal


class Dying:
    """Pickled it is a function; the first process but this one that unpickles it
    is killed in the middle: "before" the machine code is loaded, or "after"."""

    def __init__(self, data, mark, moment, maker):
        self.parts = data, mark, moment, maker

    def __reduce__(self):
        return _load, self.parts


def dying(function, mark, moment):
    return Dying(pickle.dumps(function), str(mark), moment, os.getpid())


def call(function, value):
    """For those that take a task's function alone by name."""
    return function(value)


def _load(data, mark, moment, maker):
    if os.getpid() == maker:  # Dask's client looks at what it sends.
        return Dying(data, mark, moment, maker)
    if not os.path.exists(mark):
        with open(mark, "x"):
            _kill_in_load(moment)
    return pickle.loads(data)


def _kill_in_load(moment):
    from clinch import _clinch
    load = _clinch.load

    def die(*description_and_code):
        if moment == "after":
            load(*description_and_code)
        os.kill(os.getpid(), signal.SIGKILL)
    _clinch.load = die

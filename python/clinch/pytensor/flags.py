"""PyTensor's flags: values for one thread, and names of our mode and linkers."""

import threading

from pytensor.configdefaults import config

from clinch.pytensor.patching import Patch, replace


class _Here(threading.local):
    """The values of flags that apply to this thread only."""

    def __init__(self):
        self.values = {}


here = _Here()


class _OfThreads:
    """Lets a thread have its own value of a flag, instead of the process's."""

    def __reduce_ex__(self, protocol):
        # Pickled as PyTensor's own flag.
        return object.__new__, (self.kind,), self.__dict__

    def __get__(self, owner, kind, delete_key=False):
        if owner is not None and self.name in here.values:
            return here.values[self.name]
        return super().__get__(owner, kind, delete_key)

    def __set__(self, owner, value):
        if self.name in here.values:
            here.values[self.name] = self.apply(value)
        else:
            super().__set__(owner, value)


def flag(name):
    """Returns the object of one of PyTensor's flags."""
    return config._config_var_dict[name]


def is_known(name):
    """Whether the flag has a value yet; PyTensor computes it on first access."""
    return hasattr(flag(name), "val")


def of_threads(name):
    """Returns the patch that lets threads have their own value of a flag."""

    def put():
        it = flag(name)
        kind = type(it)
        it.__class__ = type(kind.__name__, (_OfThreads, kind), {"kind": kind})

        def put_back():
            it.__class__ = kind

        return put_back

    why = (
        "a thread in which Clinch compiles has a value of its own; for all others "
        "the flag is as it was"
    )
    return Patch(f"pytensor.config.{name}", why, put)


class _TakesNames:
    """The filter of a flag, which accepts more names; `config` can be pickled with it."""

    def __init__(self, original, names):
        self.original, self.names = original, names

    def __call__(self, value):
        if isinstance(value, str) and value.upper() in self.names:
            return value.upper()
        return self.original(value)


def take_mode(names):
    """Returns the patch that lets the flag `mode` accept our modes' names."""

    def make(filter_mode):
        return _TakesNames(filter_mode, names)

    why = f"takes {', '.join(sorted(names))}"
    return replace(flag("mode"), "_apply", make, why, "pytensor.config.mode")


def take_linkers(names):
    """Returns the patch that lets the flag `linker` accept our linkers' names."""

    def put():
        known = flag("linker").all
        ours = set(names) - known
        known.update(ours)

        def put_back():
            known.difference_update(ours)

        return put_back

    why = f"takes {', '.join(sorted(names))}"
    return Patch("pytensor.config.linker.all", why, put)

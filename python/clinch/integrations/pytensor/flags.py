"""PyTensor's flags, and values of them for one thread."""

import threading
from contextlib import contextmanager

from pytensor.configdefaults import config

from clinch.integrations.pytensor.patching import Change


class _Here(threading.local):
    """The values of flags that apply to this thread only."""

    def __init__(self):
        self.values = {}


here = _Here()


class _Computed(str):
    """A value that PyTensor has computed, because nobody had set the flag. It is known
    by its class also after `change_flags` has put it back."""

    def __reduce__(self):
        return str, (str(self),)


class _OfThreads:
    """Lets a thread have its own value of a flag, instead of the process's."""

    def __reduce_ex__(self, protocol):
        # Pickled as PyTensor's own flag.
        return object.__new__, (self.kind,), self.__dict__

    def __get__(self, owner, kind, delete_key=False):
        if owner is not None and self.name in here.values:
            return here.values[self.name]
        first = not is_known(self.name)
        value = super().__get__(owner, kind, delete_key)
        if first and self.is_default:
            self.val = value = _Computed(value)
        return value

    def __set__(self, owner, value):
        if self.name in here.values:
            here.values[self.name] = self.apply(value)
        else:
            super().__set__(owner, value)
            if isinstance(value, _Computed):
                self.val = value  # The flag may have made a plain `str` of it.


def flag(name):
    """Returns the object of one of PyTensor's flags."""
    return config._config_var_dict[name]


def is_known(name):
    """Whether the flag has a value yet; PyTensor computes it on first access."""
    return hasattr(flag(name), "val")


def is_set(name):
    """Whether the user has set the flag, or may have."""
    return is_known(name) and not isinstance(flag(name).val, _Computed)


def of_threads(name):
    """Returns the change that lets threads have their own value of a flag."""

    @contextmanager
    def put():
        it = flag(name)
        kind = type(it)
        it.__class__ = type(kind.__name__, (_OfThreads, kind), {"kind": kind})
        yield
        it.__class__ = kind

    why = (
        "a thread in which Clinch compiles has a value of its own; for all others "
        "the flag is as it was"
    )
    return Change(f"pytensor.config.{name}", why, put)


def forget(name):
    """Lets PyTensor compute the flag when it is next asked for, as if nobody had set
    it. Some flags cannot be: those keep their value."""
    config._flags_dict.pop(name, None)
    it = flag(name)
    it.is_default = True
    if is_known(name):
        del it.val

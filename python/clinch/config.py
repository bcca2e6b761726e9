"""What `function` does when its caller does not say."""

from . import _clinch, headers


class Config:
    """Defaults of `function`, and where compiled code is kept.

    tier, form, linker, language: as the arguments of `function`.
    cache: whether compiled code is kept on disk; cache_dir: where, None for
    the usual folder; cache_limit: bytes there.
    debug: sources and symbols for gdb and perf.
    progress: None for a bar at a terminal, a callable, or False.
    blas: the library for products of matrices, by name or path; None for one
    that is found, False for none.
    """

    _choices = {
        "tier": ("fast", "default", "max"),
        "form": ("struct", "function"),
        "linker": ("auto", "graph", "op"),
        "language": ("c", "c++"),
    }
    _session = ("cache", "cache_dir", "cache_limit")
    __slots__ = (*_choices, *_session, "debug", "progress", "blas")

    def __init__(self):
        for name, choices in self._choices.items():
            object.__setattr__(self, name, choices[0])
        self.tier = "default"
        for name, value in (("cache", True), ("cache_dir", None),
                            ("cache_limit", 512 << 20), ("debug", False),
                            ("progress", None), ("blas", None)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        choices = self._choices.get(name)
        if choices and value not in choices:
            raise ValueError(f"config.{name} is one of "
                             f"{', '.join(map(repr, choices))}; {value!r} is "
                             f"none of them")
        object.__setattr__(self, name, value)
        if name in self._session:
            self._configure()

    def _configure(self):
        _clinch.configure(self.cache, self.cache_dir, self.cache_limit,
                          headers.folders())

    def __repr__(self):
        values = ", ".join(f"{n}={getattr(self, n)!r}" for n in self.__slots__)
        return f"Config({values})"


config = Config()
if headers.folders():
    config._configure()


def cache_info():
    """Where the disk cache is, and what this process compiled and found."""
    return _clinch.cache_info()


def cache_clear():
    """Empties the disk cache; returns the bytes that gives back."""
    return _clinch.cache_clear()

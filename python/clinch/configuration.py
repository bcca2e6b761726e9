"""What `function` does when its caller does not say."""

from . import _clinch, headers


class Config:
    """Defaults of `function`, and where compiled code is kept.

    tier, form, linker, language: as the arguments of `function`.
    cache: whether compiled code is kept on disk; cache_dir: where, None for
    the usual folder; cache_limit: bytes there.
    debug: sources and symbols for gdb and perf.
    time_limit: seconds for each compile; memory_limit: bytes; None for none.
    isolation: "process" for compiles in a process apart, which is ended when
    a text overruns its limits or crashes the compiler; None for compiles here.
    progress: None for a bar at a terminal or in a notebook, a callable, or False.
    blas: the library for products of matrices, by name or path; None for one
    that is found, False for none.
    """

    _choices = {
        "tier": ("fast", "default", "max"),
        "form": ("struct", "function"),
        "linker": ("auto", "graph", "op"),
        "language": ("c", "c++"),
        "isolation": (None, "process"),
    }
    _limits = ("time_limit", "memory_limit")
    _session = ("cache", "cache_dir", "cache_limit")
    __slots__ = (*_choices, *_session, *_limits, "debug", "progress", "blas")

    def __init__(self):
        for name, choices in self._choices.items():
            object.__setattr__(self, name, choices[0])
        self.tier = "default"
        for name, value in (("cache", True), ("cache_dir", None),
                            ("cache_limit", 512 << 20), ("debug", False),
                            ("progress", None), ("blas", None),
                            ("time_limit", None), ("memory_limit", None)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        choices = self._choices.get(name)
        if choices and value not in choices:
            raise ValueError(f"config.{name} is one of "
                             f"{', '.join(map(repr, choices))}; {value!r} is "
                             f"none of them")
        if name in self._limits:
            value = _limit(f"config.{name}", value)
        object.__setattr__(self, name, value)
        if name in self._session:
            self._configure()

    def _configure(self):
        _clinch.configure(self.cache, self.cache_dir, self.cache_limit,
                          headers.folders())

    def __repr__(self):
        values = ", ".join(f"{n}={getattr(self, n)!r}" for n in self.__slots__)
        return f"Config({values})"


def _limit(name, value):
    if value is None or (isinstance(value, (int, float))
                         and not isinstance(value, bool) and value > 0):
        return value if name.endswith("time_limit") else value and int(value)
    raise ValueError(f"{name} is a number above 0, or None for none; "
                     f"{value!r} is neither")


config = Config()


def limits(time_limit, memory_limit, isolation):
    """These, or what `config` says where they are None, as a dict."""
    if isolation not in config._choices["isolation"]:
        raise ValueError(f"isolation is None or 'process'; {isolation!r} is "
                         "neither")
    return dict(
        time_limit=_limit("time_limit", time_limit) or config.time_limit,
        memory_limit=_limit("memory_limit", memory_limit)
        or config.memory_limit,
        isolation=isolation or config.isolation)


if headers.folders():
    config._configure()


def cache_info():
    """Where the disk cache is, and what this process compiled and found."""
    return _clinch.cache_info()


def cache_clear():
    """Empties the disk cache; returns the bytes that gives back."""
    return _clinch.cache_clear()

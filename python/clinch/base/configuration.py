"""Defaults of `function`, and the disk cache."""

from __future__ import annotations

import os

from .. import _clinch
from .annotations import Any, Form, Language, Linker, Tier


#: Where headers are looked for before those that are shipped.
_folders: list[str] = []


class Config:
    """The defaults of all compiles, and the settings of the disk cache: `clinch.config`.

    Assign to an attribute to change it for this process.

    Attributes
    ----------
    tier, form, linker, language : str
        Defaults for the options of `Mode`: "default", "struct", "auto" and "c".
    isolation : {None, "process"}, default None
        "process" compiles in a separate process, which ends if the source exceeds a limit
        or crashes the compiler.
    time_limit : float or None, default None
        Seconds that a compile may take.
    memory_limit : int or None, default None
        Bytes that a compile may use.
    debug : bool, default False
        Whether gdb and perf can show the source.
    cache : bool, default True
        Whether to keep compiled code on disk.
    cache_dir : str or None, default None
        The folder of the cache, or None for the usual one.
    cache_limit : int, default 512 MiB
        The size of the cache in bytes.
    progress : callable, False or None, default None
        A callable that gets (done, all), False for no progress bar, or None for a bar at a
        terminal and in a notebook.
    blas : str, False or None, default None
        The library for matrix products, by name or path, False for none, or None to search
        for one.

    Raises
    ------
    ValueError
        On assignment, if the value is none of the choices or not a limit.
    AttributeError
        On assignment, if no setting has that name.

    Examples
    --------
    >>> import clinch
    >>> clinch.config.tier = "fast"
    >>> x = clinch.double("x")
    >>> clinch.function([x], x * x).stats["tier"]
    'fast'
    >>> clinch.config.tier = "default"
    """

    choices: dict[str, tuple[Any, ...]] = {
        "tier": ("fast", "default", "max"),
        "form": ("struct", "function"),
        "linker": ("auto", "graph", "op"),
        "language": ("c", "c++"),
        "isolation": (None, "process"),
    }
    _limits = ("time_limit", "memory_limit")
    _session = ("cache", "cache_dir", "cache_limit")
    __slots__ = (*choices, *_session, *_limits, "debug", "progress", "blas")
    tier: Tier
    form: Form
    linker: Linker
    language: Language
    isolation: str | None
    cache: bool
    cache_dir: str | None
    cache_limit: int
    debug: bool
    progress: Any
    blas: Any
    time_limit: float | None
    memory_limit: int | None

    def __init__(self) -> None:
        for name, choices in self.choices.items():
            object.__setattr__(self, name, choices[0])
        self.tier = "default"
        for name, value in (("cache", True), ("cache_dir", None),
                            ("cache_limit", 512 << 20), ("debug", False),
                            ("progress", None), ("blas", None),
                            ("time_limit", None), ("memory_limit", None)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        choices = self.choices.get(name)
        if choices and value not in choices:
            raise ValueError(f"config.{name} is one of "
                             f"{', '.join(map(repr, choices))}; {value!r} is "
                             f"none of them")
        if name in self._limits:
            value = _limit(f"config.{name}", value)
        if name == "cache_dir" and value is not None:
            value = os.path.abspath(value)  # Wherever the process goes later.
        object.__setattr__(self, name, value)
        if name in self._session:
            self._configure()

    def _configure(self) -> None:
        _clinch.configure(self.cache, self.cache_dir, self.cache_limit, _folders)

    def __repr__(self) -> str:
        values = ", ".join(f"{n}={getattr(self, n)!r}" for n in self.__slots__)
        return f"Config({values})"


def _limit(name: str, value: Any) -> Any:
    if value is None or (isinstance(value, (int, float))
                         and not isinstance(value, bool) and value > 0):
        return value if name.endswith("time_limit") else value and int(value)
    raise ValueError(f"{name} is a number above 0, or None for none; "
                     f"{value!r} is neither")


config = Config()


def limits(time_limit: float | None, memory_limit: int | None,
           isolation: str | None) -> dict[str, Any]:
    """Returns these as a dict, with `config`'s value for each that is None."""
    if isolation not in config.choices["isolation"]:
        raise ValueError(f"isolation is None or 'process'; {isolation!r} is "
                         "neither")
    return dict(
        time_limit=_limit("time_limit", time_limit) or config.time_limit,
        memory_limit=_limit("memory_limit", memory_limit)
        or config.memory_limit,
        isolation=isolation or config.isolation)


def look_for_headers(folders: list[str]) -> None:
    """Has texts find headers in these folders first."""
    if folders != _folders:
        _folders[:] = folders
        config._configure()


def cache_info() -> dict[str, Any]:
    """Returns the folder of the disk cache and what this process compiled and loaded.

    Returns
    -------
    dict
        "dir" is the folder, a str. "compiles", "memory_hits" and "disk_hits" count the
        compiles of this process, and the code that it took from memory or disk instead.
        "live_modules" and "live_bytes" measure the code that is loaded now.

    Examples
    --------
    >>> import clinch
    >>> code = clinch.compile("int seven(void) { return 7; }")
    >>> info = clinch.cache_info()
    >>> info["compiles"] + info["memory_hits"] + info["disk_hits"] > 0
    True
    """
    return _clinch.cache_info()


def cache_clear() -> int:
    """Deletes all entries of the disk cache and returns the number of bytes freed.

    Code that is loaded keeps working.

    Returns
    -------
    int
        The number of bytes freed.

    Examples
    --------
    >>> import clinch
    >>> freed = clinch.cache_clear()
    >>> clinch.cache_clear()
    0
    """
    return _clinch.cache_clear()


def enable_crash_notes() -> None:
    """If the code of a function that is made from now on crashes, or what it
    calls, one line on standard error says where: Op, hook and line of its text.
    Whoever had the signal before gets it then, such as `faulthandler`."""
    _clinch.enable_crash_notes()

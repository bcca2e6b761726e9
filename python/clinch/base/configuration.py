"""Defaults of `function`, and the disk cache."""

from __future__ import annotations

import os

from .. import _clinch
from .annotations import Any, Form, Language, Linker, Tier


#: Where headers are looked for before those that are shipped.
_folders: list[str] = []


class Config:
    """Defaults of `function`, and where compiled code is kept.

    tier, form, linker, language: as the arguments of `function`.
    cache: whether compiled code is kept on disk; cache_dir: where, None for
    the usual folder; cache_limit: its size in bytes.
    debug: sources and symbols for gdb and perf.
    time_limit: seconds for each compile; memory_limit: bytes; None for none.
    isolation: "process" to compile in a separate process, which ends if a text
    exceeds its limits or crashes the compiler; None to compile in this one.
    progress: None for a bar at a terminal or in a notebook, a callable, or False.
    blas: the library for matrix products, by name or path; None to search for
    one, False for none.
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
    """Returns the disk cache's folder and this process's counts of compiles
    and cache hits."""
    return _clinch.cache_info()


def cache_clear() -> int:
    """Empties the disk cache; returns the number of bytes freed."""
    return _clinch.cache_clear()


def enable_crash_notes() -> None:
    """If the code of a function that is made from now on crashes, or what it
    calls, one line on standard error says where: Op, hook and line of its text.
    Whoever had the signal before gets it then, such as `faulthandler`."""
    _clinch.enable_crash_notes()

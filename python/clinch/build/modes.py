"""How a function is compiled, as one value."""

from __future__ import annotations

from ..base.annotations import Any, Form, Isolation, Language, Linker, Threads, Tier
from ..base.configuration import config, limits


class Mode:
    """How `function` compiles; what is None is as in `clinch.config`.

    tier: "fast", "default" or "max", how long compiling may take. first_tier: the tier
    to begin with, if it compiles faster than `tier`, whose code is then compiled in the
    background (struct form). form: "struct" keeps memory from run to run; "function"
    keeps nothing. linker: "auto" (one piece of code, cut around Ops that have no C),
    "graph" (one piece, or an error) or "op" (one for each apply, values pass through
    Python). language: "c" or "c++".
    fuse: whether to fuse adjacent element-wise Ops (not with "op"). threads: how many
    compute large arrays, "auto" for as many as there are where they gain time; None for
    one. debug: sources and symbols for gdb and perf.
    time_limit (seconds), memory_limit (bytes): a compile that exceeds one is a
    LimitError. isolation: "process" compiles in a separate process, which ends if the
    text exceeds a limit or crashes the compiler.
    Of graphs with Ops in CUDA, device: what kernels are compiled for, such as "sm_90",
    by default this machine's; simulate, check: as for `clinch.cuda.compile`.
    """

    __slots__ = ("tier", "first_tier", "form", "linker", "language", "fuse", "threads",
                 "debug", "time_limit", "memory_limit", "isolation", "device", "simulate",
                 "check")
    #: Name -> the class of Modes that `mode=` means by it.
    named: dict[str, type[Mode]] = {}
    #: Whether `link` compiles the graph, which DebugMode does for each apply alone.
    links_itself = False

    def __init__(self, tier: Tier | None = None, *, first_tier: Tier | None = None,
                 form: Form | None = None, linker: Linker | None = None,
                 language: Language | None = None, fuse: bool = True,
                 threads: Threads = None, debug: bool | None = None,
                 time_limit: float | None = None, memory_limit: int | None = None,
                 isolation: Isolation | None = None, device: str | None = None,
                 simulate: bool | None = None, check: bool | None = None) -> None:
        for name, value in (("tier", tier), ("tier", first_tier), ("form", form),
                            ("linker", linker), ("language", language)):
            _check(name, value)
        limits(time_limit, memory_limit, isolation)
        self.tier, self.first_tier, self.form = tier, first_tier, form
        self.linker, self.language = linker, language
        self.fuse, self.threads, self.debug = bool(fuse), threads, debug
        self.time_limit, self.memory_limit = time_limit, memory_limit
        self.isolation = isolation
        self.device, self.simulate, self.check = device, simulate, check

    def setting(self, name: str) -> Any:
        """Returns what stands here, or else in the configuration."""
        value = getattr(self, name)
        return getattr(config, name) if value is None else value

    def limits(self) -> dict[str, Any]:
        """Returns the limits of a compile."""
        return limits(self.time_limit, self.memory_limit, self.isolation)

    def kernels(self) -> dict[str, Any]:
        """Returns what a graph's kernels are compiled for."""
        return {"device": self.device, "simulate": bool(self.simulate),
                "check": bool(self.check)}

    def link(self, request: Any) -> Any:
        """Returns the Function of a request, if the Mode links graphs itself."""
        raise NotImplementedError

    def __repr__(self) -> str:
        names = [name for cls in reversed(type(self).__mro__)
                 for name in getattr(cls, "__slots__", ())]
        usual = type(self)()
        said = [f"{name}={getattr(self, name)!r}" for name in names
                if getattr(self, name) != getattr(usual, name)]
        return f"{type(self).__name__}({', '.join(said)})"


def _check(name: str, value: str | None) -> None:
    choices = config.choices[name]
    if value is not None and value not in choices:
        raise ValueError(f"{name} is one of {', '.join(map(repr, choices))}; "
                         f"{value!r} is none of them")


def as_mode(mode: Any) -> Mode:
    """Returns the Mode that is meant: by a name, such as that of a tier, or None."""
    if mode in (None, "FAST_RUN"):
        return Mode()
    if isinstance(mode, Mode):
        return mode
    if isinstance(mode, type) and issubclass(mode, Mode):
        return mode()
    if not isinstance(mode, str):
        raise TypeError(f"a mode is a name or a Mode, not a {type(mode).__name__}")
    if mode in Mode.named:
        return Mode.named[mode]()
    if mode not in config.choices["tier"]:
        raise ValueError(f"there is no mode {mode!r}; there are the tiers, "
                         f"'DebugMode', 'FAST_RUN', and Mode(...) for all else")
    return Mode(tier=mode)  # type: ignore[arg-type]

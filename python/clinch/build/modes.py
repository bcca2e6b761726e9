"""How a function is compiled, as one value."""

from __future__ import annotations

from ..base.annotations import Any, Form, Isolation, Language, Linker, Threads, Tier
from ..base.configuration import config, limits


class Mode:
    """The options with which `function` compiles, as one value.

    An option that is None is as in `clinch.config`.

    Parameters
    ----------
    tier : {"fast", "default", "max"}, optional
        How long compiling may take.
    first_tier : {"fast", "default", "max"}, optional
        A tier that compiles faster. The function begins with its code, while a thread
        compiles the code of `tier`. Needs the form "struct".
    form : {"struct", "function"}, optional
        "struct" keeps memory from call to call, "function" keeps nothing.
    linker : {"auto", "graph", "op"}, optional
        "auto" makes one piece of code, cut around Ops that have no C. "graph" makes one
        piece or raises an error. "op" makes a piece for each node, and passes values through
        Python.
    language : {"c", "c++"}, optional
        The language of the C code of the Ops.
    fuse : bool, default True
        Whether adjacent element-wise Ops become one loop. Not with the linker "op".
    threads : int or "auto", optional
        How many threads compute large arrays. "auto" uses several where that saves time.
        None is one thread.
    debug : bool, optional
        Whether gdb and perf can show the source.
    time_limit : float, optional
        Seconds that the compile may take.
    memory_limit : int, optional
        Bytes that the compile may use.
    isolation : {"process"}, optional
        Compile in a separate process, which ends if the source exceeds a limit or crashes
        the compiler.
    device : str, optional
        The device that Ops in CUDA are compiled for, such as "sm_90", by default this
        machine's.
    simulate : bool, optional
        Whether to run CUDA kernels on the processor, as for `clinch.cuda.compile`.
    check : bool, optional
        Whether to run CUDA kernels on the processor and report races, deadlocks and accesses
        out of bounds, as for `clinch.cuda.compile`.

    Raises
    ------
    ValueError
        If a value is none of the choices, or a limit is not a number above 0.

    Examples
    --------
    >>> from clinch import Mode, function, vector
    >>> x = vector("x")
    >>> mode = Mode("max", linker="graph")
    >>> print(function([x], x * 2, mode=mode)([1.0, 2.0]))
    [2. 4.]
    >>> mode
    Mode(tier='max', linker='graph')
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

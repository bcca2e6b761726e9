"""CUDA C++ to PTX in process: no toolkit, header or file of the machine is needed.

    code = clinch.cuda.compile(text, device="sm_90")
    kernel = ObjectCode.from_ptx(code.ptx).get_kernel(code.symbol("saxpy"))
"""

from __future__ import annotations

import os

from .. import _clinch
from ..source.c_text import declaration_of
from ..base.configuration import config, limits
from ..device.memory import DeviceArray as DeviceArray
from ..device.memory import DeviceError as DeviceError
from .array_type import GpuArrayType as GpuArrayType
from .elemwise import GpuElemwise as GpuElemwise
from .reduce import GpuReduce as GpuReduce
from .kernels import Kernels
from ..device.launches import LaunchError as LaunchError
from .libdevice import with_mathematics
from ..source.saving import put
from .simulated import SimulatedCode
from ..base.suggestions import did_you_mean
from ..source.text_warnings import warn_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Mathematics, Sequence, Tier

#: What stage() returns.
STAGES = ("ptx", "llvm-device")


class DeviceCode(Kernels):
    """What a text in CUDA was compiled to."""

    #: What `ptx` is, as `cuda.core.ObjectCode` calls it.
    code_type = "ptx"

    def __init__(self, device: str, made: tuple[Any, ...]) -> None:
        kernels, _, functions = made[1].partition("\n\n")
        super().__init__(device, kernels)
        self.ptx: bytes = made[0]
        self._ir: str | None = made[2]
        #: Whether the cache on disk had it.
        self.from_cache: bool = made[4]
        #: What each kernel takes, as its author wrote it.
        self.signatures: dict[str, str] = {
            one[0]: declaration_of(one) for one in map(
                _described, functions.partition("\n\n")[0].splitlines())
            if one[0] in self.kernels}

    def stage(self, name: str) -> str | None:
        """Returns the text of the stage "ptx", or of "llvm-device" if it was kept."""
        return self.ptx.decode() if name == "ptx" else self._ir


def _described(line: str) -> tuple[Any, ...]:
    """Returns what a line of lib/Support/FunctionsSection.h says of a function."""
    symbol, name, _, variadic, *types = line.split("\t")
    pairs = list(zip(types[::2], types[1::2]))
    return symbol, name, bool(variadic), pairs[0], pairs[1:]


def _simulated(text: str, name: str, options: dict[str, Any],
               trace: Any) -> SimulatedCode:
    if "llvm-opt" in options["keep"]:
        raise ValueError("of simulated code no stage is kept")
    made = _clinch.Text(text, name, {**options, "keep": [*options["keep"],
                                                         "declarations"]})
    if trace is not None:
        put({os.fspath(trace): made.stage("trace").encode()})
    warn_of_text(made.stats["warnings"])
    return SimulatedCode(options["device"], text, name, made)


def compile(text: str, name: str = "text", *, device: str = "sm_90",
            tier: Tier = "max", include_dirs: Sequence[str] = (),
            defines: Sequence[str] = (), flags: Sequence[str] = (),
            keep: Sequence[str] = (), simulate: bool = False, check: bool = False,
            math: Mathematics = "clinch", trace: str | os.PathLike[str] | None = None,
            time_limit: float | None = None,
            memory_limit: int | None = None) -> DeviceCode | SimulatedCode:
    """Compiles the kernels of a text in CUDA C++ to PTX for `device`.

    name: what diagnostics call the text. keep: ["llvm-device"] for the optimised IR.
    simulate: the kernels run on this processor, as `device` would run them. check:
    so do they, and races, deadlocks, accesses out of bounds and the like are errors.
    math: "libdevice" for NVIDIA's functions, of other bits, from a toolkit that is here.
    The rest is as for `clinch.compile`.
    """
    if not isinstance(text, str):
        raise TypeError(f"compile() needs text, not a {type(text).__name__}")
    if not isinstance(device, str):
        raise TypeError(f"device is a str such as \"sm_90\", not a "
                        f"{type(device).__name__}")
    for stage in keep:
        if stage not in STAGES:
            raise ValueError(f"there is no stage {stage!r}" + did_you_mean(stage, STAGES))
    if not device:
        raise ValueError("device is empty; it is a name such as \"sm_90\"")
    options = {
        "language": "c++", "device": device, "tier": tier, "cpu": "",
        "include_dirs": include_dirs, "flags": flags,
        "defines": with_mathematics(defines, math, simulate or check),
        "keep": [*(["llvm-opt"] if "llvm-device" in keep else []),
                 *(["trace"] if trace is not None else [])],
        "simulate": simulate or check, "check": check,
        "disk_cache": config.cache, **limits(time_limit, memory_limit, None)}
    if simulate or check:
        return _simulated(text, name, options, trace)
    made = _clinch.compile_device(text, name, options)
    if trace is not None:
        put({os.fspath(trace): made[5].encode()})
    warn_of_text(made[3])
    return DeviceCode(device, made)

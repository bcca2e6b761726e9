"""NVIDIA's own mathematics for devices, which is never a part of Clinch: where the file
of their toolkit is, or that of PyPI's `nvidia-cuda-nvcc`."""

from __future__ import annotations

import glob
import os
import sys

from ..base.annotations import Sequence
from ..base.suggestions import did_you_mean

_NAME = os.path.join("nvvm", "libdevice", "libdevice.10.bc")
#: What `math` may be.
_CHOICES = ("clinch", "libdevice")


def _folders() -> list[str]:
    """Returns the toolkits to look in: what says so, then what is usual."""
    named = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX")
             if os.environ.get(name)]
    return [*named, *(found for folder in sys.path if folder
                      for found in sorted(glob.glob(os.path.join(folder, "nvidia", "*")))),
            "/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True),
            "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"]


def _path() -> str:
    for folder in _folders():
        path = os.path.join(folder, _NAME)
        if os.path.exists(path):
            return os.path.realpath(path)
    raise FileNotFoundError(
        "there is no libdevice.10.bc here: CUDA's toolkit has it, in the folder that "
        "CUDA_HOME names or in /usr/local/cuda, and so has PyPI's `nvidia-cuda-nvcc`")


def with_mathematics(defines: Sequence[str], math: str, simulate: bool) -> Sequence[str]:
    """Returns the macros of a text for a device, one of which tells the compiler whose
    functions it calls."""
    if math not in _CHOICES:
        raise ValueError(f"math is one of {', '.join(map(repr, _CHOICES))}, not {math!r}"
                         + did_you_mean(math, _CHOICES))
    if math == "clinch":
        return defines
    if simulate:
        raise ValueError('math="libdevice" is for devices: it cannot be simulated')
    return [*defines, f'__CLINCH_LIBDEVICE__="{_path()}"']

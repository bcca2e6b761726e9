"""Driver/'s libcuda.so.1, which runs kernels in the simulator: for a process that has
loaded no other."""

import ctypes
import os
from pathlib import Path

import clinch.cuda
from clinch import _clinch

#: Beside the package that is tested, in its build folder.
PATH = Path(_clinch.__file__).parents[2] / "test" / "Gpu" / "libcuda.so.1"
PROGRAM = "clinch_sim_program"


class Double:
    """The driver for tests. A process has one, and what stands for PTX lives as long."""

    _kept = []

    def __init__(self):
        os.environ.setdefault("CLINCH_TEST_DRIVER_DEVICES", "2")
        self._library = ctypes.CDLL(str(PATH))
        for name in ("record", "said"):
            getattr(self._library, f"clinch_test_driver_{name}").restype = ctypes.c_char_p

    def compile(self, text, device="sm_90", check=False, **options):
        """Returns what the text is compiled to, for the driver to load: its kernels will
        do what the simulator does."""
        code = clinch.cuda.compile(text, device=device, **options)
        self.stand_in(text, code.ptx, device=device, check=check, **options)
        return code

    def stand_in(self, text, ptx=None, **options):
        """Lets the simulated text stand for the PTX, or for any of the same kernels."""
        options["check" if options.pop("check", False) else "simulate"] = True
        simulated = clinch.cuda.compile(text, **options)
        self._kept.append(simulated)
        self._library.clinch_test_driver_stand_in(
            ctypes.c_void_p(simulated._text.lookup(PROGRAM)), ptx)

    def forget(self):
        self._library.clinch_test_driver_forget()

    def record(self):
        """Returns what was done since the last call."""
        return self._library.clinch_test_driver_record().decode().splitlines()

    def said(self):
        """Returns what the simulator said of the kernel that failed last."""
        return self._library.clinch_test_driver_said().decode()

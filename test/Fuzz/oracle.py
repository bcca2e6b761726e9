"""Stock Clang, asked only where Clinch's compiler crashed: what crashes there
as well is LLVM's own."""

import functools
import os
import shutil
import signal
import subprocess
import tempfile

#: Levels that have a part of each tier; the front end of all three is that of -O2.
LEVELS = {"fast": ["-O0", "-O2"], "default": ["-O2"], "max": ["-O3"]}
#: What a tier adds by itself.
ADDED = {"fast": [], "default": ["-march=native"],
         "max": ["-march=native", "-fno-math-errno"]}


@functools.cache
def stock():
    """The path of the Clang that Debian has, or None."""
    return shutil.which("clang-22")


#: What Clang reads past the end of something is not the same each time.
TRIES = 3


def crashes(text, language, tier, flags):
    """Whether stock Clang dies of the text, too, with the same flags."""
    return stock() is not None and any(
        _crashes(text, language, level, tier, flags)
        for level in LEVELS[tier] for _ in range(TRIES))


def _crashes(text, language, level, tier, flags):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "text.c" if language == "c" else "text.cpp")
        with open(name, "w") as file:
            file.write(text)
        standard = "-std=gnu23" if language == "c" else "-std=gnu++20"
        made = subprocess.run(
            [stock(), "-c", standard, level, *ADDED[tier], *flags, "-w",
             "-fno-crash-diagnostics", name, "-o", os.devnull],
            capture_output=True)
    # The driver ends with 128 and more, or with 70, for one that died.
    return made.returncode < 0 or made.returncode in (
        70, 128 + signal.SIGSEGV, 128 + signal.SIGABRT, 128 + signal.SIGILL,
        128 + signal.SIGTRAP)

"""Another version of Clinch at the same cache: this one, whose library and extension
say that they were built with another LLVM.
"""

import atexit
import os
import re
import shutil
import tempfile

import cache_search
import clinch
import life
from pool import Driven

_FINGERPRINT = re.compile(rb"Clinch [0-9.]+ [^\0]* [0-9a-f]{64}\0")


def other_version():
    """A process that answers `run` as the other version."""
    folder = tempfile.mkdtemp(prefix="clinch-other-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with open("/proc/self/maps", encoding="utf-8") as file:
        [compiler] = {line.split()[-1] for line in file
                      if "/libclinch-compiler.so" in line}
    for name in ("libclinch-compiler.so.0", "libclinch-compiler.so"):
        _patch(compiler, os.path.join(folder, name))  # A wheel's has no version.
    engine = "libclinch-engine.so"  # It is looked for beside that one.
    os.symlink(os.path.join(os.path.dirname(compiler), engine),
               os.path.join(folder, engine))
    _package(os.path.join(folder, "clinch"))
    process = Driven("cache_other", {
        "LD_LIBRARY_PATH": folder,
        "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"})
    atexit.register(process.stop)
    return process


def _package(folder):
    """The package again; its files are links but for the extension."""
    os.mkdir(folder)
    own = os.path.dirname(clinch.__file__)
    for name in os.listdir(own):
        path = os.path.join(own, name)
        if name.startswith("_clinch.") and name.endswith(".so"):
            _patch(path, os.path.join(folder, name))
        else:
            os.symlink(path, os.path.join(folder, name))


def _patch(path, copy):
    with open(path, "rb") as file:
        data = file.read()
    [own] = set(_FINGERPRINT.findall(data))
    with open(copy, "wb") as file:
        file.write(data.replace(own, re.sub(rb"LLVM \d\d", b"LLVM 99", own)))


def run(case):
    """Uses the cache in a child: what this process has in memory stays out of it."""
    life.made(0)
    status = os.waitpid(cache_search.fork(
        lambda: cache_search.use(case["folder"], case["numbers"])), 0)[1]
    return {"status": status}

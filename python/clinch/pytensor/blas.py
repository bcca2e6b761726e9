"""Finds a BLAS without a compiler.

PyTensor's Ops use Fortran symbols (`dgemm_`) and are linked with the flags in
`config.blas__ldflags`. If it is not set, the OpenBLAS that SciPy ships is used;
PyTensor requires SciPy. Its symbols have a prefix, which macros add.
"""

import functools
import glob
import os

_NAMES = (
    "dot nrm2 asum swap copy axpy rot scal gemv gbmv trmv trsv ger syr syr2 "
    "gemm symm syrk syr2k trmm trsm"
).split()
_SYSTEM = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
)


@functools.cache
def ldflags():
    """Returns a value for `config.blas__ldflags`; empty if there is no BLAS."""
    return _scipy() or _system()


def _scipy():
    try:
        import scipy
    except ImportError:
        return ""
    folder = os.path.dirname(scipy.__file__) + ".libs"
    found = sorted(glob.glob(os.path.join(folder, "libscipy_openblas-*.so")))
    if not found:
        return ""
    name = os.path.basename(found[0])[len("lib") : -len(".so")]
    symbols = [f"{p}{n}_" for p in "sd" for n in _NAMES]
    defines = " ".join(f"-D{s}=scipy_{s}" for s in symbols)
    return f"-L{folder} -l{name} {defines}"


def _system():
    for name in ("openblas", "blas"):
        for folder in _SYSTEM:
            if os.path.exists(os.path.join(folder, f"lib{name}.so")):
                return f"-L{folder} -l{name}"
    return ""

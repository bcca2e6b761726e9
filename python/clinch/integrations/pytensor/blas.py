"""The BLAS that Clinch finds, as PyTensor is told of it.

PyTensor's Ops use Fortran symbols (`dgemm_`) and are linked with the flags in
`config.blas__ldflags`. The symbols of SciPy's OpenBLAS have a prefix, which macros add.
"""

from clinch.tensor import blas_library

_NAMES = (
    "dot nrm2 asum swap copy axpy rot scal gemv gbmv trmv trsv ger syr syr2 "
    "gemm symm syrk syr2k trmm trsm"
).split()


def ldflags():
    """Returns a value for `config.blas__ldflags`; empty if there is no BLAS that a
    linker finds by its name."""
    found = blas_library.find()
    if found is None or not (found.name.startswith("lib") and found.name.endswith(".so")):
        return ""
    name = found.name.removeprefix("lib").removesuffix(".so")
    symbols = [f"{p}{n}_" for p in "sd" for n in _NAMES] if found.prefix else []
    defines = [f"-D{s}={found.prefix}{s}" for s in symbols]
    return " ".join([f"-L{found.folder}", f"-l{name}", *defines])

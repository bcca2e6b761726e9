"""NumPy's arrays."""

from ..above import PLACES
from .type import TensorType, matrix, scalar, tensor3, vector

__all__ = ["TensorType", "matrix", "scalar", "tensor3", "vector"]

#: Module -> NumPy's names that it computes. All of them would add 4.5 ms to
#: `import clinch`, and programs of scalars need none.
_MODULES = {
    "elemwise": ("Elemwise",),
    "reduce": ("Reduce",),
    "indexing": ("set_subtensor", "inc_subtensor"),
    "names": ("where",),
    "dot": ("dot", "matmul"),
    "casts": ("astype",),
    "views": ("transpose", "swapaxes", "reshape", "ravel"),
    "making": ("concatenate", "stack", "arange", "full", "full_like", "zeros",
               "ones", "zeros_like", "ones_like"),
    "reductions": ("sum", "prod", "mean", "max", "min", "any", "all", "argmax",
                   "argmin", "var", "std"),
}
#: Name of NumPy's -> (module, name there).
NAMES = {name: (f"{__name__}.{module}", name)
         for module, names in _MODULES.items() for name in names}
_METHODS = {
    **{name: NAMES[name] for name in (
        *_MODULES["reductions"], "dot", "astype", "ravel", "swapaxes", "matmul")},
    **{name: (f"{__name__}.{module}", function)
       for name, module, function in (
           ("T", "views", "transpose"), ("shape", "names", "shape"),
           ("size", "reductions", "size"), ("copy", "views", "copy"),
           ("flatten", "views", "ravel"),
           ("reshape", "views", "reshape_to"),
           ("transpose", "views", "transpose_to"), ("clip", "names", "clip"),
           ("round", "names", "round"), ("conj", "names", "conj"),
           ("real", "names", "real"), ("imag", "names", "imag"),
           ("__getitem__", "indexing", "index"))},
}
PLACES.update((f"Variable.{name}", place) for name, place in _METHODS.items())
PLACES.update((f"numpy.{name.lower()}", (f"{__name__}.names", name))
              for name in ("FUNCTIONS", "REDUCTIONS", "UFUNCS"))

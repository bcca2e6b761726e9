"""What PyTensor would compute again, for each function, to the same result."""

import functools

import pytensor.tensor.elemwise_cgen as elemwise_cgen
from pytensor.tensor.elemwise import DimShuffle
from pytensor.tensor.shape import Shape_i


def install():
    """Lets PyTensor's hooks find it, where this version's work so."""
    # An Elemwise spends a third of its time for C there, and its checks are the
    # same text in nearly all functions.
    for name in ("dedent", "indent"):
        if hasattr(elemwise_cgen, name):
            known = functools.lru_cache(maxsize=256)(getattr(elemwise_cgen, name))
            setattr(elemwise_cgen, name, known)
    for op in (DimShuffle, Shape_i):
        _keep_params_type(op)


def _keep_params_type(op):
    """One `ParamsType` for a class, as other Ops have it, where it is made anew
    whenever a hook asks, a dozen times for each apply, and without the Op."""
    made = vars(op).get("params_type")
    if not isinstance(made, property):
        return
    try:
        known = made.fget(None)
    except Exception:  # It is the Op's own after all.
        return
    op.params_type = property(functools.wraps(made.fget)(lambda self: known))

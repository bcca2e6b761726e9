"""What PyTensor would compute again, for each function, to the same result."""

import functools

import pytensor.tensor.elemwise_cgen as elemwise_cgen


def install():
    """Lets PyTensor's hooks find it; no Type and no Op is touched."""
    # An Elemwise spends a third of its time for C there, and its checks are the
    # same text in nearly all functions.
    for name in ("dedent", "indent"):
        if hasattr(elemwise_cgen, name):
            known = functools.lru_cache(maxsize=256)(getattr(elemwise_cgen, name))
            setattr(elemwise_cgen, name, known)

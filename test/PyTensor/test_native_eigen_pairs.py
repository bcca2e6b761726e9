"""Eigenvalues alone, and of pairs of matrices: the bits and errors of `perform`."""

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode
from pytensor.tensor.type_other import NoneConst
from test_native import _random, check, compiled, layouts, positive
from test_native_solving import DTYPES, Eigh

import pytensor
from clinch.pytensor.versions import find

Eigvalsh = find("pytensor.tensor.linalg:Eigvalsh", "pytensor.tensor.slinalg:Eigvalsh",
                "pytensor.tensor.linalg.decomposition.eigen:Eigvalsh")  # fmt: skip
LOWER = pytest.mark.parametrize("lower", [True, False])


def symmetric(size, dtype):
    a = _random.normal(size=(size, size))
    return (a + a.T).astype(dtype)


def of_pairs(lower, a, b):
    """All Ops of pairs that this PyTensor has."""
    values = [Eigvalsh(lower=lower)(a, b)]
    return values if "UPLO" in Eigh.__props__ else [*values, *Eigh(lower=lower)(a, b)]


@DTYPES
@LOWER
def test_values_alone(dtype, lower):
    a = pt.matrix("a", dtype=dtype)
    for size in (1, 2, 5, 60):
        for matrix in layouts(symmetric(size, dtype)):
            (values,) = check([a], [Eigvalsh(lower=lower)(a, NoneConst)], matrix)
            expected = np.linalg.eigvalsh(matrix)
            np.testing.assert_allclose(values, expected, rtol=1e-3, atol=1e-3)
    half = np.tril(symmetric(4, dtype)) if lower else np.triu(symmetric(4, dtype))
    check([a], [Eigvalsh(lower=lower)(a, NoneConst)], half)
    check([a], [Eigvalsh(lower=lower)(a, NoneConst)], np.zeros((0, 0), dtype))


@DTYPES
@LOWER
def test_pairs(dtype, lower):
    a, b = (pt.matrix(n, dtype=dtype) for n in "ab")
    z = of_pairs(lower, a, b)
    for size in (1, 2, 5, 60):
        for left in layouts(symmetric(size, dtype)):
            check([a, b], z, left, positive(size, dtype))
        check([a, b], z, left, positive(size, dtype).copy("F"))


def test_what_has_no_eigenvalues():
    a, b = pt.dmatrices("a", "b")
    no_number = np.full((3, 3), np.nan)
    wrong = {
        "shape": (np.ones((2, 3)), np.eye(2)),
        "shapes": (np.eye(3), np.eye(2)),
        "not finite": (no_number, np.eye(3)),
        "not finite either": (np.eye(3), no_number),
        "not positive": (np.eye(3), -np.eye(3)),
    }
    for z in of_pairs(True, a, b):
        ours = compiled([a, b], [z])
        theirs = pytensor.function([a, b], [z], mode=Mode("py", None), accept_inplace=True)
        for values in wrong.values():
            said = []
            for function in (ours, theirs):
                with pytest.raises((ValueError, np.linalg.LinAlgError)) as raised:
                    function(*values)
                said.append((type(raised.value), str(raised.value).splitlines()[0]))
            assert said[0] == said[1]
        assert ours(np.eye(3), np.eye(3))[0].ndim == z.type.ndim

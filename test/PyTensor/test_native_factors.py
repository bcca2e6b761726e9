"""Solutions by factors, for one matrix and for a batch: as `perform` has them."""

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.tensor.blockwise import Blockwise
from test_native import Cholesky, SolveTriangular, _random, check, compiled, layouts, positive

from clinch.pytensor.versions import find

CholeskySolve = find(
    "pytensor.tensor.linalg.solvers.psd:CholeskySolve", "pytensor.tensor.slinalg:CholeskySolve"
)
DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


@DTYPES
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("overwrite", [True, False])
def test_solutions_by_a_factor(dtype, lower, overwrite):
    c, b = (pt.matrix(n, dtype=dtype) for n in "cb")
    v = pt.vector("v", dtype=dtype)
    right, row = (b * 1, v * 1) if overwrite else (b, v)
    matrix, vector = (
        CholeskySolve(lower=lower, b_ndim=n, overwrite_b=overwrite) for n in (2, 1)
    )
    for size in (1, 4, 30):
        factor = np.linalg.cholesky(positive(size, dtype))
        for left in layouts(factor if lower else factor.T):
            for values in layouts(_random.normal(size=(size, 3)).astype(dtype)):
                check([c, b], [matrix(c, right)], left, values)
            check([c, v], [vector(c, row)], left, values[:, 0])
    check([c, b], [matrix(c, right)], np.ones((2, 2), dtype), np.ones((2, 0), dtype))


def test_solutions_of_shapes_that_do_not_fit():
    c, b = pt.dmatrices("c", "b")
    solve = compiled([c, b], [CholeskySolve(b_ndim=2)(c, b)])
    with pytest.raises(ValueError, match=r"The factored matrix c is not square\."):
        solve(np.ones((2, 3)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"incompatible dimensions \(\(2, 2\) and \(3, 2\)\)"):
        solve(np.ones((2, 2)), np.ones((3, 2)))


@DTYPES
def test_batches(dtype):
    x = pt.tensor("x", dtype=dtype, shape=(None, None, None, None))
    b = pt.tensor("b", dtype=dtype, shape=(1, None, None, None))
    factor = Blockwise(Cholesky())
    solve = Blockwise(SolveTriangular(lower=True, b_ndim=2))
    values = np.stack([positive(4, dtype) for _ in range(6)]).reshape(2, 3, 4, 4)
    right = _random.normal(size=(1, 3, 4, 2)).astype(dtype)
    check([x], [factor(x)], values)
    check([x], [factor(x)], values[:, ::-1].copy().transpose(0, 1, 3, 2))
    check([x, b], [solve(x, b)], values, right)
    assert compiled([x], [factor(x)])(values[:0])[0].shape == (0, 3, 4, 4)


def test_batches_that_do_not_fit():
    x, b = (pt.tensor(n, dtype="float64", shape=(None, None, None)) for n in "xb")
    solve = compiled([x, b], [Blockwise(SolveTriangular(lower=True, b_ndim=2))(x, b)])
    matrix = np.stack([np.eye(2)] * 3)
    with pytest.raises(ValueError, match="Runtime broadcasting not allowed"):
        solve(matrix, np.ones((1, 2, 2)))
    with pytest.raises(ValueError, match="shape mismatch"):
        solve(matrix, np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="expected square matrix"):
        solve(np.ones((3, 2, 1)), np.ones((3, 2, 2)))
    np.testing.assert_array_equal(solve(matrix, np.ones((3, 2, 2)))[0], np.ones((3, 2, 2)))

"""Linear algebra by factors, for one matrix and for a batch: as `perform` has it."""

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.tensor.blockwise import Blockwise
from test_native import Cholesky, SolveTriangular, _random, check, compiled, layouts, positive

from clinch.pytensor.versions import find

_slinalg = ("pytensor.tensor.linalg", "pytensor.tensor.slinalg")
_nlinalg = ("pytensor.tensor.linalg", "pytensor.tensor.nlinalg")


def _op(name, *places):
    deeper = {
        "CholeskySolve": "solvers.psd", "LUFactor": "decomposition.lu",
        "PivotToPermutations": "decomposition.lu", "MatrixInverse": "inverse",
        "Det": "summary", "SLogDet": "summary",
    }  # fmt: skip
    return find(
        *(f"{place}:{name}" for place in places),
        f"pytensor.tensor.linalg.{deeper[name]}:{name}",
    )


CholeskySolve = _op("CholeskySolve", *_slinalg)
LUFactor = _op("LUFactor", *_slinalg)
PivotToPermutations = _op("PivotToPermutations", *_slinalg)
MatrixInverse = _op("MatrixInverse", *_nlinalg)
Det = _op("Det", *_nlinalg)
SLogDet = _op("SLogDet", *_nlinalg)

DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


def close(inputs, outputs, *values):
    """Near what `perform` gives, which has NumPy's LAPACK, and not SciPy's."""
    ours = compiled(inputs, outputs)(*values)
    performed = [np.asarray(v) for v in _performed(inputs, outputs)(*values)]
    for left, right in zip(ours, performed, strict=True):
        assert left.dtype == right.dtype and left.shape == right.shape
        precision = 1e-5 if left.dtype == "float32" else 1e-13
        np.testing.assert_allclose(left, right, rtol=precision, atol=precision)
    return ours


def _performed(inputs, outputs):
    from pytensor.compile.mode import Mode

    import pytensor

    return pytensor.function(inputs, outputs, mode=Mode("py", None))


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
def test_factors_and_permutations(dtype):
    x = pt.matrix("x", dtype=dtype)
    factors, pivots = LUFactor()(x)
    orders = [PivotToPermutations(inverse=i)(pivots) for i in (True, False)]
    for size in (1, 3, 20):
        for matrix in layouts(_random.normal(size=(size, size)).astype(dtype)):
            check([x], [factors, pivots, *orders], matrix)
    check([x], [factors, pivots], np.zeros((0, 0), dtype))
    (none, _) = check([x], [factors, pivots], np.zeros((3, 3), dtype))
    assert np.isnan(none).all()
    p = pt.ivector("p")
    turn = compiled([p], [PivotToPermutations(inverse=True)(p)])
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 2"):
        turn(np.array([0, 4], "int32"))


@DTYPES
def test_inverses_and_determinants(dtype):
    x = pt.matrix("x", dtype=dtype)
    z = [MatrixInverse()(x), Det()(x), *SLogDet()(x)]
    for size in (0, 1, 3, 20):
        matrix = _random.normal(size=(size, size)).astype(dtype) + np.eye(size, dtype=dtype)
        for given in layouts(matrix):
            close([x], z, given)
        if size:
            close([x], z, matrix[::-1].copy())
    assert [v.tolist() for v in close([x], z[1:], np.zeros((2, 2), dtype))] == [0, 0, -np.inf]


def test_inverses_and_determinants_that_are_none():
    x = pt.dmatrix("x")
    inverse = compiled([x], [MatrixInverse()(x)])
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        inverse(np.ones((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="Last 2 dimensions of the array must be"):
        inverse(np.ones((2, 3)))
    for made in (Det()(x), SLogDet()(x)[0]):
        with pytest.raises(ValueError, match="Failed to compute determinant"):
            compiled([x], [made])(np.ones((2, 3)))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64"])
def test_eye(dtype):
    n, m, k = pt.lscalar("n"), pt.iscalar("m"), pt.bscalar("k")
    z = [pt.eye(n, m, k, dtype=dtype)]
    for sizes in ((3, 3, 0), (3, 5, 1), (4, 2, -1), (2, 2, 7), (2, 2, -7), (0, 3, 0)):
        check([n, m, k], z, *(np.array(v, t) for v, t in zip(sizes, "lib", strict=True)))
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        compiled([n, m, k], z)(-1, 2, 0)


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
    lu, pivots = Blockwise(LUFactor())(x)
    check([x], [lu, pivots, Blockwise(PivotToPermutations(inverse=True))(pivots)], values)
    close([x], [Blockwise(Det())(x), Blockwise(MatrixInverse())(x)], values)
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

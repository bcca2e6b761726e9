"""General systems of equations and symmetric eigenvalues: the bits of `perform`."""

import warnings

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import same_bits
from pytensor.compile.mode import Mode
from pytensor.tensor.blockwise import Blockwise
from test_native import _random, check, compiled, layouts, positive

import pytensor
from clinch.pytensor.versions import find

Solve = find("pytensor.tensor.linalg:Solve", "pytensor.tensor.slinalg:Solve",
             "pytensor.tensor.linalg.solvers.general:Solve")  # fmt: skip
Eigh = find("pytensor.tensor.linalg:Eigh", "pytensor.tensor.nlinalg:Eigh",
            "pytensor.tensor.linalg.decomposition.eigen:Eigh")  # fmt: skip
DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


def general(size, dtype):
    return (_random.normal(size=(size, size)) + 3 * np.eye(size)).astype(dtype)


def symmetric(size, dtype):
    a = _random.normal(size=(size, size))
    return (a + a.T).astype(dtype)


def tridiagonal(size, dtype):
    return np.triu(np.tril(general(size, dtype), 1), -1)


def banded(size, dtype):
    return np.triu(np.tril(general(size, dtype), 1), -2)


MAKERS = {"gen": general, "pos": positive, "sym": symmetric, "her": symmetric,
          "tridiagonal": tridiagonal, "banded": banded}  # fmt: skip
ALL = pytest.mark.parametrize("assumed", MAKERS)


@DTYPES
@ALL
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("overwrite", [True, False])
def test_solutions(dtype, assumed, lower, overwrite):
    a, b = (pt.matrix(n, dtype=dtype) for n in "ab")
    v = pt.vector("v", dtype=dtype)
    right, row = (b * 1, v * 1) if overwrite else (b, v)
    how = {"assume_a": assumed, "lower": lower, "overwrite_b": overwrite}
    matrix, vector = (Solve(b_ndim=n, **how) for n in (2, 1))
    for size in (1, 2, 3, 40):
        for left in layouts(MAKERS[assumed](size, dtype)):
            for values in layouts(_random.normal(size=(size, 4)).astype(dtype)):
                (found,) = check([a, b], [matrix(a, right)], left, values)
                assert found.flags.c_contiguous
            check([a, v], [vector(a, row)], left, values[:, 0])
    check([a, b], [matrix(a, right)], MAKERS[assumed](3, dtype), np.ones((3, 0), dtype))
    check([a, b], [matrix(a, right)], np.ones((0, 0), dtype), np.ones((0, 2), dtype))


@pytest.mark.parametrize("assumed", ["pos", "sym", "her"])
def test_only_one_half_of_a_symmetric_matrix_counts(assumed):
    a, b = pt.dmatrices("a", "b")
    whole = positive(5)
    right = _random.normal(size=(5, 2))
    expected = np.linalg.solve(whole, right)
    for lower, half in ((True, np.tril(whole)), (False, np.triu(whole))):
        z = Solve(assume_a=assumed, lower=lower, b_ndim=2)(a, b)
        np.testing.assert_allclose(check([a, b], [z], half, right)[0], expected)


@DTYPES
def test_a_symmetric_matrix_of_many_blocks(dtype):
    a, b = (pt.matrix(n, dtype=dtype) for n in "ab")
    right = _random.normal(size=(200, 3)).astype(dtype)
    for lower in (True, False):
        z = Solve(assume_a="sym", lower=lower, b_ndim=2)(a, b)
        check([a, b], [z], symmetric(200, dtype), right)


def test_only_three_diagonals_of_a_tridiagonal_matrix_count():
    a, b = pt.dmatrices("a", "b")
    whole, right = general(5, "float64"), _random.normal(size=(5, 2))
    expected = np.linalg.solve(np.triu(np.tril(whole, 1), -1), right)
    (found,) = check([a, b], [Solve(assume_a="tridiagonal", b_ndim=2)(a, b)], whole, right)
    np.testing.assert_allclose(found, expected)


@DTYPES
def test_bands_of_all_widths(dtype):
    a, b = (pt.matrix(n, dtype=dtype) for n in "ab")
    z = [Solve(assume_a="banded", b_ndim=2)(a, b)]
    right = _random.normal(size=(40, 2)).astype(dtype)
    for below, above in ((0, 0), (0, 3), (4, 0), (1, 1), (39, 39), (35, 2)):
        check([a, b], z, np.triu(np.tril(general(40, dtype), above), -below), right)


def heard(function, *values):
    """What a function returns, and what it warns of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        made = function(*values)
    return made, [(w.category, str(w.message)) for w in told]


@ALL
def test_matrices_with_bad_condition_and_with_none(assumed):
    a, b = pt.dmatrices("a", "b")
    z = [Solve(assume_a=assumed, b_ndim=2)(a, b)]
    ours = compiled([a, b], z)
    theirs = pytensor.function([a, b], z, mode=Mode("py", None))
    bad, none, no_number = np.diag([1.0, 1.0, 1e-18]), np.zeros((3, 3)), np.full((3, 3), np.nan)
    right = np.ones((3, 3))
    worse = [np.diag([1.0, 1.0, f * np.finfo(float).eps]) for f in (0.4, 0.6, 0.99, 1.01, 1.9, 2.1)]
    for matrix in (bad, none, no_number, -np.eye(3), *worse):
        (left, said), (expected, their) = heard(ours, matrix, right), heard(theirs, matrix, right)
        assert same_bits(left[0], expected[0])
        assert said == their
    assert np.isnan(ours(none, right)[0]).all()
    assert "LinAlgWarning" in str(heard(ours, bad, right)[1])


def test_a_vector_stays_one_where_there_is_no_solution():
    """PyTensor's Python gives a matrix there."""
    a, v = pt.dmatrix("a"), pt.dvector("v")
    (none,) = compiled([a, v], [Solve(b_ndim=1)(a, v)])(np.zeros((3, 3)), np.ones(3))
    assert none.shape == (3,) and np.isnan(none).all()


def test_shapes_that_do_not_fit():
    a, b = pt.dmatrices("a", "b")
    z = [Solve(b_ndim=2)(a, b)]
    ours = compiled([a, b], z)
    theirs = pytensor.function([a, b], z, mode=Mode("py", None))
    for shapes in (((2, 3), (2, 2)), ((2, 2), (3, 2))):
        said = []
        for function in (ours, theirs):
            with pytest.raises(ValueError) as raised:
                function(*map(np.ones, shapes))
            said.append(str(raised.value).splitlines()[0])
        assert said[0] == said[1]


def eigh(lower):
    if "UPLO" in Eigh.__props__:
        return Eigh(UPLO="L" if lower else "U")
    return Eigh(lower=lower)


@DTYPES
@pytest.mark.parametrize("lower", [True, False])
def test_eigenvalues(dtype, lower):
    x = pt.matrix("x", dtype=dtype)
    z = eigh(lower)(x)
    for size in (1, 2, 5, 30):
        for matrix in layouts(positive(size, dtype)):
            values, vectors = check([x], z, matrix)
            precision = 1e-3 if dtype == "float32" else 1e-10
            again = vectors * values @ vectors.T
            np.testing.assert_allclose(again, matrix, rtol=precision, atol=precision)
    # Half of it counts.
    half = np.tril(positive(4, dtype)) if lower else np.triu(positive(4, dtype))
    check([x], z, half)
    check([x], z, np.zeros((3, 3), dtype))
    check([x], z, np.zeros((0, 0), dtype))


def test_matrices_without_eigenvalues():
    x = pt.dmatrix("x")
    z = eigh(True)(x)
    ours = compiled([x], z)
    theirs = pytensor.function([x], z, mode=Mode("py", None))
    for matrix in (np.ones((2, 3)), np.full((3, 3), np.nan)):
        outcomes = []
        for function in (ours, theirs):
            try:
                outcomes.append([np.isnan(v).tolist() for v in function(matrix)])
            except (ValueError, np.linalg.LinAlgError) as error:
                outcomes.append((type(error), str(error).splitlines()[0]))
        assert outcomes[0] == outcomes[1]


@DTYPES
def test_batches(dtype):
    x = pt.tensor("x", dtype=dtype, shape=(None, None, None))
    b = pt.tensor("b", dtype=dtype, shape=(1, None, None))
    right = _random.normal(size=(1, 4, 2)).astype(dtype)
    for assumed, make in MAKERS.items():
        values = np.stack([make(4, dtype) for _ in range(5)])
        z = [Blockwise(Solve(assume_a=assumed, b_ndim=2))(x, b)]
        check([x, b], z, values, right)
    values = np.stack([positive(4, dtype) for _ in range(5)])
    check([x], Blockwise(eigh(True), signature="(m,m)->(m),(m,m)")(x), values)

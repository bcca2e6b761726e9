"""What people write with PyTensor, against the same in Python."""

import threading

import numpy as np
import pytensor.tensor as pt
import pytest
import scipy.sparse
from pytensor.compile.mode import Mode
from pytensor.raise_op import Assert
from pytensor.scan.utils import until

import pytensor
from pytensor import sparse

PYTHON = Mode("py", "fast_compile")


def random(*shape):
    return np.random.default_rng(5).normal(size=shape)


def test_a_network_learns_the_same():
    x, y = pt.dmatrices("x", "y")
    weights = [pytensor.shared(random(4, 8)), pytensor.shared(random(8, 3))]
    hidden = pt.tanh(x @ weights[0])
    likely = pt.special.softmax(hidden @ weights[1], axis=-1)
    loss = -(y * pt.log(likely)).sum(1).mean()
    steps = pytensor.grad(loss, weights)
    updates = [(w, w - 0.1 * step) for w, step in zip(weights, steps, strict=True)]
    start = [w.get_value() for w in weights]
    values = random(20, 4), np.eye(3)[np.arange(20) % 3]

    def losses(mode):
        for w, value in zip(weights, start, strict=True):
            w.set_value(value)
        function = pytensor.function([x, y], loss, updates=updates, mode=mode)
        return [float(function(*values)) for _ in range(5)]

    ours = losses("CLINCH")
    assert ours[4] < ours[0]
    np.testing.assert_allclose(ours, losses(PYTHON), rtol=1e-12)


def test_scan_until():
    x = pt.dscalar("x")
    powers = pytensor.scan(
        lambda p, end: (p * 2, until(p * 2 > end)),
        outputs_info=pt.constant(1.0),
        non_sequences=x,
        n_steps=1000,
        return_updates=False,
    )
    assert pytensor.function([x], powers, mode="CLINCH")(20.0).tolist() == [2, 4, 8, 16, 32]


def test_gradient_of_nested_scans():
    m = pt.dmatrix("m")

    def fold(row):
        step = lambda e, a: a * 0.5 + pt.tanh(e)  # noqa: E731
        return pytensor.scan(step, row, pt.zeros(()), return_updates=False)[-1]

    rows = pytensor.scan(fold, m, return_updates=False)
    outputs = [rows, pytensor.grad(rows.sum(), m)]
    ours, theirs = (
        pytensor.function([m], outputs, mode=mode)(random(3, 4)) for mode in ("CLINCH", PYTHON)
    )
    for left, right in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-12)


def test_sparse():
    a, d = sparse.csr_matrix("a", dtype="float64"), pt.dmatrix("d")
    outputs = [sparse.dot(a, d), sparse.dense_from_sparse(a * 2.0), sparse.sp_sum(a, axis=0)]
    function = pytensor.function([a, d], outputs, mode="CLINCH")
    matrix = scipy.sparse.random(5, 4, 0.5, format="csr", random_state=1)
    dense = random(4, 3)
    product, doubled, total = function(matrix, dense)
    np.testing.assert_allclose(product, matrix @ dense)
    np.testing.assert_array_equal(doubled, 2 * matrix.toarray())
    np.testing.assert_allclose(total, matrix.toarray().sum(0))


def test_random_numbers_are_numpys_and_move_on():
    state = pytensor.shared(np.random.default_rng(3))
    after, numbers = pt.random.normal(0, 1, size=(4,), rng=state).owner.outputs
    function = pytensor.function([], numbers * 2, updates={state: after}, mode="CLINCH")
    expected = np.random.default_rng(3)
    for _ in range(2):
        np.testing.assert_array_equal(function(), expected.normal(size=4) * 2)


def test_a_check_in_the_graph():
    x = pt.dscalar("x")
    function = pytensor.function([x], Assert("must be positive")(x, x > 0) * 2, mode="CLINCH")
    assert function(1.0) == 2.0
    with pytest.raises(AssertionError, match="^must be positive"):
        function(-1.0)


def test_copies_in_threads():
    """A function is one thread's at a time; its copies are others'."""
    x = pt.dvector("x")
    function = pytensor.function([x], (pt.exp(x) * 2).sum(), mode="CLINCH")
    wrong = []

    def run(copied, number):
        expected = 100 * np.exp(number)
        for _ in range(200):
            if not np.isclose(copied(np.full(50, number)), expected, rtol=1e-12):
                wrong.append(number)

    threads = [threading.Thread(target=run, args=(function.copy(), i / 10)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_isinf_beside_erfcx():
    """PyTensor's C for the one has macros `isinf` and `isnan`, for `std::isinf`."""
    x = pt.dvector("x")
    outputs = [pt.erfcx(x), pt.isinf(x), pt.isnan(x)]
    function = pytensor.function([x], outputs, mode="CLINCH")
    scaled, infinite, missing = function([0.0, np.inf, np.nan])
    np.testing.assert_array_equal(scaled, [1.0, 0.0, np.nan])
    assert infinite.tolist() == [False, True, False]
    assert missing.tolist() == [False, False, True]

"""What the tests of arrays have in common."""

import numpy

from clinch import TensorType, function


def array(shape, dtype="float64", seed=0):
    """Small whole numbers from 1 on, which all dtypes have."""
    made = numpy.random.default_rng(seed).integers(1, 5, shape)
    return made.astype(dtype)


def variable(value, name=None):
    """An input for arrays like this one, of any lengths."""
    return TensorType(value.dtype, (None,) * value.ndim)(name)


def over(op, *values):
    """What an Op, or any function of Variables, computes of these."""
    variables = [variable(v) for v in values]
    return function(variables, op(*variables))(*values)


def check(got, want):
    """Equal in dtype and shape, and in value but for the last bits."""
    want = numpy.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (got, want)
    if got.dtype.kind in "fc":
        single = got.dtype.name in ("float32", "complex64")
        numpy.testing.assert_allclose(got, want, 2e-6 if single else 1e-13)
    else:
        numpy.testing.assert_array_equal(got, want)


def check_all(values, makers, mode=None):
    """Each maker makes the same of Variables and of NumPy's arrays; one
    function computes all of it."""
    variables = [variable(v) for v in values]
    got = function(variables, [maker(*variables) for maker in makers],
                   mode=mode)(*values)
    for maker, result in zip(makers, got):
        with numpy.errstate(all="ignore"):
            check(result, maker(*values))

"""The results of g++'s thunks, to the last bit; where g++ is there to ask."""

import numpy as np
import pytest
from conftest import same_bits
from graphs import cases
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config

import pytensor
from clinch.pytensor import options

#: PyTensor's linker with g++: apply by apply, or all in one module, which takes
#: one run of g++ for many applies, but only those with C.
APART, TOGETHER = "c|py", "c"
ARITHMETIC = {
    n: rest for n, *rest in cases("elementwise", "shapes", "indices", "changed-parts")
}
MATHEMATICS = {n: rest for n, *rest in cases("transcendental")}
MATRICES = {n: rest for n, *rest in cases("linear-algebra")}
INNER = {n: rest for n, *rest in cases("inner-graphs")}
TYPES = {n: rest for n, *rest in cases("of-each-type")}


@pytest.fixture
def tier(request):
    """Compiles for the tier that the test names."""
    given, options.tier = options.tier, request.param
    yield request.param
    options.tier = given


def within_units(left, right):
    """Whether two results differ by what mathematical functions may: each errs by
    three units in the last place at most, and sums and products add to that."""
    left, right = np.asarray(left), np.asarray(right)
    return (
        left.dtype == right.dtype
        and left.shape == right.shape
        and np.allclose(left, right, rtol=16 * np.finfo(left.dtype).eps, atol=0, equal_nan=True)
    )


def compare(gxx, inputs, outputs, values, linker=APART, optimizer="fast_run", same=same_bits):
    ours = pytensor.function(inputs, outputs, mode=Mode("clinch", optimizer))
    with config.change_flags(cxx=gxx):
        theirs = pytensor.function(inputs, outputs, mode=Mode(linker, optimizer))
        expected = theirs(*values)
    for i, (left, right) in enumerate(zip(ours(*values), expected, strict=True)):
        assert same(left, right), f"output {i}: {outputs[i]}"


@pytest.mark.parametrize("case", ARITHMETIC)
def test_arithmetic(case, gxx):
    compare(gxx, *ARITHMETIC[case])


@pytest.mark.parametrize("case", MATHEMATICS)
def test_mathematics(case, gxx):
    """g++ calls libm, whose functions are not ours."""
    compare(gxx, *MATHEMATICS[case], same=within_units)


@pytest.mark.parametrize("case", MATRICES)
def test_linear_algebra(case, gxx):
    """With the same BLAS."""
    compare(gxx, *MATRICES[case])


@pytest.mark.parametrize("tier", ["default"], indirect=True)
@pytest.mark.parametrize("case", INNER)
def test_inner_graphs(case, gxx, tier):
    compare(gxx, *INNER[case])


@pytest.mark.parametrize("case", TYPES)
def test_each_type(case, gxx):
    compare(gxx, *TYPES[case], linker=TOGETHER, optimizer=None)

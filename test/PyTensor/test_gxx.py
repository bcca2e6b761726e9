"""The results of g++'s thunks, to the last bit; where g++ is there to ask."""

import pytest
from conftest import same_bits
from graphs import cases
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config

import pytensor
from clinch.pytensor import options

ARITHMETIC = {n: rest for n, *rest in cases("elementwise", "shapes", "indices")}
MATHEMATICS = {n: rest for n, *rest in cases("transcendental")}


@pytest.fixture
def tier(request):
    """Compiles for the tier that the test names."""
    given, options.tier = options.tier, request.param
    yield request.param
    options.tier = given


def compare(gxx, inputs, outputs, values):
    ours = pytensor.function(inputs, outputs, mode=Mode("clinch", "fast_run"))
    with config.change_flags(cxx=gxx):
        theirs = pytensor.function(inputs, outputs, mode=Mode("c|py", "fast_run"))
    for left, right in zip(ours(*values), theirs(*values), strict=True):
        assert same_bits(left, right)


@pytest.mark.parametrize("case", ARITHMETIC)
def test_arithmetic(case, gxx):
    compare(gxx, *ARITHMETIC[case])


@pytest.mark.parametrize("tier", ["default"], indirect=True)
@pytest.mark.parametrize("case", MATHEMATICS)
def test_mathematics(case, gxx, tier):
    """Without vector mathematics, both call the same libm."""
    compare(gxx, *MATHEMATICS[case])

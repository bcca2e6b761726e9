"""A slice of the random graphs; `make soak SEARCHES=pytensor` has the rest."""

import numpy as np
import pytensor.tensor as pt
import pytest
from random_graphs import Graph, Known, check, differs
from random_steps import LEAVES
from searching import search


@pytest.mark.parametrize("first", range(0, 16, 4))
def test_graphs_have_the_values_of_their_performs_in_every_tier(first):
    counts, failures = search(check, 1, range(first, first + 4))
    assert counts["graphs"] == 4
    assert not failures


def test_a_seed_draws_the_same_graphs():
    first, second = (Graph(7, 3) for _ in range(2))
    assert [str(k.variable.type) for k in first.known] == [
        str(k.variable.type) for k in second.known
    ]
    for left, right in zip(first.known, second.known, strict=True):
        np.testing.assert_array_equal(left.value, right.value)
    assert [v.strides for v in first.values] == [v.strides for v in second.values]


def test_what_differs_is_told():
    value = np.array([1.0, 2.0])
    exact = Known(pt.dvector("x"), value, True, 2.0)
    near = Known(pt.dvector("x"), value, False, 2.0)
    assert differs(exact, value) is None
    assert differs(exact, value + 1e-12) == "array([1., 2.]) for array([1., 2.])"
    assert differs(near, value + 1e-12) is None
    assert differs(near, value + 1e-2) == "array([1.01, 2.01]) for array([1., 2.])"
    assert differs(near, value.astype("float32")) == "float32(2,) for float64(2,)"
    assert differs(near, value[:1]) == "float64(1,) for float64(2,)"
    assert differs(near, np.array([1.0, np.nan])) == "array([ 1., nan]) for array([1., 2.])"


def test_what_the_graphs_draw():
    values = [v for number in range(150) for v in Graph(1, number).values]
    assert {v.dtype.name for v in values} == set(LEAVES)
    assert {v.ndim for v in values} == {0, 1, 2, 3}
    assert any(v.size == 0 for v in values)
    assert any(min(v.strides, default=0) < 0 for v in values)
    assert any(v.ndim > 1 and v.flags.f_contiguous and not v.flags.c_contiguous for v in values)
    assert any(not v.flags.c_contiguous and not v.flags.f_contiguous for v in values)

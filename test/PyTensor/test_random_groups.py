"""A slice of the random models of groups; `make soak SEARCHES=pytensor` has the rest."""

import numpy as np
import pytest
from random_groups import Model, check
from searching import search

from clinch.pytensor import fused


@pytest.mark.parametrize("first", range(0, 24, 6))
def test_models_have_the_same_bits_in_one_loop(first):
    counts, failures = search(check, 1, range(first, first + 6))
    assert counts["models of groups"] == 6
    assert not failures


def test_a_wrong_loop_is_found(monkeypatch):
    text = fused.text
    monkeypatch.setattr(fused, "text", lambda *of: text(*of).replace("+= t", "-= t"))
    _, failures = search(check, 1, range(24))
    assert failures


def test_a_seed_draws_the_same_models():
    first, second = (Model(7, 3) for _ in range(2))
    assert [str(v.type) for v in first.outputs] == [str(v.type) for v in second.outputs]
    pairs = zip(first.values.items(), second.values.items(), strict=True)
    for (left, value), (right, other) in pairs:
        assert left.name == right.name
        np.testing.assert_array_equal(value, other)

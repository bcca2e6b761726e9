"""A slice of the random models of groups; `make soak SEARCHES=pytensor` has the rest."""

import pytest
from random_groups import check
from searching import search


@pytest.mark.parametrize("first", range(0, 24, 6))
def test_models_have_the_same_bits_in_one_loop(first):
    counts, failures = search(check, 1, range(first, first + 6))
    assert counts["models of groups"] == 6
    assert not failures

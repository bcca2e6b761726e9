"""A slice of the random graphs; `make soak SEARCHES=pytensor` has the rest."""

import pytest
from random_graphs import check
from searching import search


@pytest.mark.parametrize("first", range(0, 16, 4))
def test_graphs_have_the_values_of_their_performs_in_every_tier(first):
    counts, failures = search(check, 1, range(first, first + 4))
    assert counts["graphs"] == 4
    assert not failures

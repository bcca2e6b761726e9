"""Each of a function's allocations fails in its turn while it is made, loaded and
called: an error that says so, or a right function, and the process goes on."""

import os
import sys

import pytest

FUZZ = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                    "Fuzz")
sys.path.insert(0, FUZZ)
import clinch

_cache = clinch.config.cache
import nomemory_search

clinch.config.cache = _cache
sys.path.remove(FUZZ)

pytestmark = pytest.mark.skipif(not os.path.exists(nomemory_search.LIBRARY),
                                reason="the library that fails is built here only")


def outcomes(many=1, **case):
    came = nomemory_search.run(dict(seed=1, many=many, **case))
    assert "finding" not in came, came["finding"]
    return came["counts"]


#: Every so manieth allocation.
EACH = dict(fast=151, max=797, cplusplus=263, upgraded=1201, arrays=797, from_c=401,
             known=23, disk=37, pickled=1, called=1)


@pytest.mark.parametrize("way", EACH)
def test_each_allocation_that_fails(way):
    counts = outcomes(way=way, each=EACH[way])
    assert counts["allocations"] >= 8
    assert sum(counts.get(error, 0) for error in
               ("MemoryError", "LimitError", "CompilerCrash")) > 0


def test_no_allocation_works_any_more():
    for way, after in (("fast", [0, 100, 1000, 2000, 4000]), ("max", [5000, 9000])):
        assert "right" not in outcomes(way=way, after=after, many=-1)


@pytest.mark.parametrize("how", ["space", "limit"])
def test_little_memory(how):
    assert outcomes(way="fast", how=how, tries=10)["allocations"] == 10


def test_allocations_of_pythons():
    pytest.importorskip("_testcapi")
    counts = outcomes(way="fast", how="python",
                      after=[0, 1, 2, 5, 10, 20, 50, 100, 200, 300])
    assert counts["MemoryError"] >= 5

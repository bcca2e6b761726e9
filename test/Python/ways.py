"""The ways in which a graph may be compiled, for tests of what holds in each: four that
have each form, linker and tier among them, and all if CLINCH_ALL_WAYS is set, as
`make soak` does.
"""

import os

import pytest

from clinch import Mode, function
from clinch.testing import WAYS, TextOp

FOUR = [dict(form="function", linker="auto", tier="fast", first_tier=None),
        dict(form="struct", linker="op", tier="default", first_tier=None),
        dict(form="function", linker="op", tier="max", first_tier=None),
        dict(form="struct", linker="auto", tier="max", first_tier="fast")]
TRIED = WAYS if os.environ.get("CLINCH_ALL_WAYS") else FOUR
NAMES = ["-".join(filter(None, way.values())) for way in TRIED]
in_every_way = pytest.mark.parametrize(
    list(TRIED[0]), [way.values() for way in TRIED], ids=NAMES)
each_way = pytest.mark.parametrize("way", TRIED, ids=NAMES)


def results(inputs, output, values, **how):
    """What calls return with the first code and with that which was asked for."""
    f = function(inputs, output, Mode(**how))
    before = [f(*values) for _ in range(2)]
    assert f.wait()
    assert f.stats["code"] in (how["tier"], "")
    return [*before, f(*values)]


class CText(TextOp):
    """One float to another by C text, which reads `x` and sets `z`."""

    def __init__(self, code, support="", struct=""):
        super().__init__("#define x {x}\n#define z {z}\n#define FAIL {fail}\n"
                         f"{code}\n#undef x\n#undef z\n#undef FAIL\n",
                         support=support, struct=struct, version=(1,))

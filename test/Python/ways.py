"""All ways in which a graph may be compiled, for tests of what holds in each."""

import pytest

from clinch import Mode, function
from clinch.testing import WAYS, TextOp

in_every_way = pytest.mark.parametrize(
    list(WAYS[0]), [way.values() for way in WAYS],
    ids=["-".join(filter(None, way.values())) for way in WAYS])


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

"""All ways in which a graph may be compiled, for tests of what holds in each."""

import itertools

import pytest

from clinch import Apply, COp, Mode, Type, function

TIERS = ("fast", "default", "max")
#: (form, linker, tier, first_tier)
WAYS = [
    (form, linker, tier, first)
    for form, linker, tier, first in itertools.product(
        ("struct", "function"), ("graph", "op"), TIERS, (None, *TIERS))
    if first is None or (form == "struct" and
                         TIERS.index(first) < TIERS.index(tier))
]
in_every_way = pytest.mark.parametrize(
    ("form", "linker", "tier", "first_tier"), WAYS,
    ids=["-".join(filter(None, way)) for way in WAYS])


def results(inputs, output, values, **how):
    """What calls return with the first code and with that which was asked for."""
    f = function(inputs, output, Mode(**how))
    before = [f(*values) for _ in range(2)]
    assert f.settle()
    assert f.stats["code"] in (how["tier"], "")
    return [*before, f(*values)]


class Number(Type):
    """A double, to be given a `c_sync`."""

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(py_{name});"

    def c_cleanup(self, name, sub):
        return ""

    def c_code_cache_version(self):
        return (1,)


class CText(COp):
    """One float to another by C text, which reads `x` and sets `z`."""

    __props__ = ("code", "support", "struct")

    def __init__(self, code, support="", struct=""):
        self.code, self.support, self.struct = code, support, struct

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        raise AssertionError("perform must not run")

    def c_code(self, node, name, inputs, outputs, sub):
        lines = {"x": inputs[0], "z": outputs[0], "FAIL": sub["fail"]}
        return "".join(f"#define {n} {v}\n" for n, v in lines.items()) + \
            self.code + "\n" + "".join(f"#undef {n}\n" for n in lines)

    def c_support_code(self):
        return self.support

    def c_support_code_struct(self, node, name):
        return self.struct

    def c_code_cache_version(self):
        return (1,)

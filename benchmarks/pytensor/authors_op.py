"""An Op as an author writes one: C of its own, over vectors of doubles."""

import numpy as np
import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.link.c.op import COp

from authors_code import CODE


class ScaleAndShift(COp):
    """`scale * x + shift`; each pair of numbers is a text of its own."""

    __props__ = ("scale", "shift")

    def __init__(self, scale, shift):
        self.scale, self.shift = scale, shift

    def make_node(self, x):
        x = pt.as_tensor_variable(x)
        return Apply(self, [x], [pt.dvector()])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = self.scale * inputs[0] + self.shift

    def c_code(self, node, name, inputs, outputs, sub):
        return CODE.format(
            x=inputs[0],
            z=outputs[0],
            scale=self.scale,
            shift=self.shift,
            fail=sub["fail"],
        )

    def c_code_cache_version(self):
        return (1,)


def graphs(count):
    """Two such Ops behind one another: `count` graphs that no cache knows."""
    found = []
    for n in range(1, count + 1):
        x = pt.dvector("x")
        output = ScaleAndShift(0.5, n + 0.25)(ScaleAndShift(n + 0.5, 1.5)(x))
        found.append(([x], output, [np.linspace(0.1, 1, 10)]))
    return found

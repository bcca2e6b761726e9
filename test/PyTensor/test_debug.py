"""DebugMode: each apply in Python and in Clinch's C, compared."""

import numpy as np
import pytensor.tensor as pt
import pytest
from ops import CText

import pytensor
from clinch.pytensor import ClinchDebugMode
from clinch.pytensor.versions import find

_WHERE = ("pytensor.compile.debug.debugmode", "pytensor.compile.debugmode")
BadDestroyMap, BadThunkOutput = (
    find(*(f"{module}:{name}" for module in _WHERE))
    for name in ("BadDestroyMap", "BadThunkOutput")
)


def test_agreement():
    x, y = pt.dvectors("x", "y")
    mode = ClinchDebugMode(check_preallocated_output=["ALL"])
    function = pytensor.function([x, y], [(x + y) * y, x.sum(), y[1:] * 2], mode=mode)
    first, second, third = function([1.0, 2.0], [3.0, 4.0])
    np.testing.assert_array_equal(first, [12.0, 24.0])
    assert second == 3.0
    np.testing.assert_array_equal(third, [8.0])


def test_disagreement_of_c_and_python():
    class Off(CText):
        def perform(self, node, inputs, outputs):
            outputs[0][0] = np.asarray(inputs[0] + 2)

    x = pt.dscalar("x")
    function = pytensor.function([x], Off()(x), mode=ClinchDebugMode(optimizer=None))
    with pytest.raises(BadThunkOutput):
        function(1.0)


def test_destroyed_input():
    class Destroys(CText):
        def perform(self, node, inputs, outputs):
            outputs[0][0] = np.asarray(inputs[0] + 1)

        def c_code(self, node, name, inputs, outputs, sub):
            text = super().c_code(node, name, inputs, outputs, sub)
            return text + f"*(double*)PyArray_DATA({inputs[0]}) = 99;"

    x = pt.dscalar("x")
    function = pytensor.function([x], Destroys()(x), mode=ClinchDebugMode(optimizer=None))
    with pytest.raises(BadDestroyMap):
        function(1.0)

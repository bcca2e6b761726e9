"""Each kind of Op: Clinch's thunks give what `perform` gives."""

import numpy as np
import pytest
from conftest import in_python
from graphs import KINDS, cases
from pytensor.compile.mode import Mode

import pytensor
from clinch import _clinch

LINKERS = {
    "whole graph": Mode("clinch", "fast_run"),
    "as written": Mode("clinch", None),
    "kept storage": Mode("clinch_nogc", "fast_run"),
    "apply by apply": Mode("clinch_vm", "fast_run"),
}
# In one order: the values of a graph depend on how many were made before it.
PLAIN = [kind for kind in KINDS if kind != "of-each-type"]
ALL = {name: rest for name, *rest in cases(*PLAIN)}
TYPES = {name: rest for name, *rest in cases("of-each-type")}


def tolerance(case, dtype):
    """PyTensor's C for digamma is good to nine digits only."""
    if case == "transcendental/gamma":
        return 1e-8
    return 1e-6 if dtype == "float32" else 1e-12


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("case", ALL)
def test_equals_perform(case, linker):
    inputs, outputs, values = ALL[case]
    function = pytensor.function(inputs, outputs, mode=LINKERS[linker])
    expect(function, in_python(inputs, outputs)(*values), values, case)


@pytest.mark.parametrize("case", TYPES)
def test_each_type(case):
    inputs, outputs, values = TYPES[case]
    function = pytensor.function(inputs, outputs, mode=LINKERS["as written"])
    expect(function, in_python(inputs, outputs)(*values), values, case)


#: The language of all that PyTensor writes is C++; some of it is C as well.
BOTH_LANGUAGES = ["indices/item", "indices/slices"]
ONLY_CXX = [
    "indices/set", "indices/increment", "shapes/join",
    "elementwise/add-mul", "elementwise/broadcast", "elementwise/complex",
    "elementwise/switch", "transcendental/fused-tanh", "transcendental/gamma",
    "shapes/reduce", "shapes/transpose", "linear-algebra/gemm"]


@pytest.mark.parametrize("tier, form", [
    ("fast", "struct"), ("fast", "function"), ("default", "struct"), ("max", "struct")])
@pytest.mark.parametrize("case, language", [
    *((case, language) for case in BOTH_LANGUAGES for language in ("c", "c++")),
    *((case, "c++") for case in ONLY_CXX)])
def test_a_text_means_the_same_in_every_form(case, language, tier, form, monkeypatch):
    made = _clinch.Program

    def program(*given, **how):
        how.update(tier=tier, form=form, language=language, first_tier=None)
        asked.append(how)
        return made(*given, **how)

    inputs, outputs, values = ALL[case]
    asked = []
    expected = in_python(inputs, outputs)(*values)
    monkeypatch.setattr(_clinch, "Program", program)
    function = pytensor.function(inputs, outputs, mode=LINKERS["as written"])
    assert asked
    expect(function, expected, values, case)


def expect(function, expected, values, case):
    for _ in range(2):  # The second call finds the first one's storage.
        results = function(*values)
        assert len(results) == len(expected)
        for result, value in zip(results, expected, strict=True):
            result, value = np.asarray(result), np.asarray(value)
            assert result.dtype == value.dtype
            rtol = tolerance(case, result.dtype)
            np.testing.assert_allclose(result, value, rtol=rtol, atol=1e-14)

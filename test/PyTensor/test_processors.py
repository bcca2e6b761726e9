"""Graphs compiled for each processor; on this machine, what it can run is run.

What is compiled for others is read: a vector function must be one that the
processor has registers for, and find its argument in the register it reads.
"""

import re
from pathlib import Path

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.configdefaults import config

import clinch.pytensor
import pytensor
from clinch import _clinch
from clinch.pytensor.compileflags import compile_flags

#: Each with whether it has 256-bit vectors of AVX2.
PROCESSORS = {
    "x86-64-v2": False,
    "x86-64-v3": True,
    "x86-64-v4": True,
    "haswell": True,
    "skylake-avx512": True,
    "cascadelake": True,
    "sapphirerapids": True,
    "znver3": True,
    "znver4": True,
    "znver5": True,
}

_i, _b, _f, _d = pt.ivector("i"), pt.bvector("b"), pt.fvector("f"), pt.dvector("d")
GRAPHS = {
    "whole numbers": ([_i], pt.log(_i)),
    "bytes": ([_b], pt.exp(_b) + pt.sin(_b)),
    "floats": ([_f], pt.tanh(_f) * pt.exp(-_f)),
    "mixed": ([_i, _f, _d], pt.log(_i + 1) + pt.exp(_f) * pt.sin(_d)),
    "into a sum": ([_f, _d], (pt.log1p(_f) + pt.cos(_d)).sum()),
}
_CALL = re.compile(r"\b(?:callq?|jmp)\s+\*?_ZGV([a-z])N\d+v+_\w+")
#: An instruction that writes the register that a vector function reads first.
_WRITES = re.compile(r"^\s+v?[a-z0-9]+\s.*%([xyz])mm0(?:\s*\{.*)?\s*(?:#.*)?$")

_INFO = Path("/proc/cpuinfo").read_text()
x86 = pytest.mark.skipif("avx" not in _INFO, reason="for x86-64 with AVX")


def assembly(name, processor):
    """What a graph becomes for a processor, in the tier `max`."""
    inputs, output = GRAPHS[name]
    graph = pytensor.function(inputs, output, mode="CLINCH").maker.fgraph
    with config.change_flags(gcc__cxxflags=f"-march={processor}"):
        flags = compile_flags()
    program = _clinch.Program(
        graph.inputs,
        graph.outputs,
        order=graph.toposort(),
        form="struct",
        language="c++",
        tier="max",
        no_recycling=set(),
        flags=flags,
        sync_may_fail=True,
        release_early=True,
        keep=["asm"],
    )
    return program.stage("asm")


def calls(text):
    """For each call of a vector function its letter, and how wide what was last
    written to its first register is; None where that is in another block."""
    width = None
    for line in text.splitlines():
        if re.match(r"\S+:", line):
            width = None
        elif found := _CALL.search(line):
            yield found[1], width
            width = None
        elif found := _WRITES.match(line):
            width = found[1]


@x86
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("processor", PROCESSORS)
def test_a_vector_function_finds_its_argument(processor, name):
    seen = list(calls(assembly(name, processor)))
    assert seen
    for letter, width in seen:
        assert letter in ("bd" if PROCESSORS[processor] else "b")
        if letter == "d":
            assert width in (None, "y", "z")


def test_an_argument_in_the_wrong_register_is_seen():
    right = "\tvmovupd\t(%rax), %ymm0\n\tcallq\t_ZGVdN4v_log@PLT\n"
    assert list(calls(right)) == [("d", "y")]
    assert list(calls(right.replace("ymm", "xmm"))) == [("d", "x")]
    assert list(calls(".L3:\n\tcallq\t*_ZGVeN8v_log@GOTPCREL(%rip)\n")) == [("e", None)]


def _can_run():
    """Those of the levels of x86-64 that this machine has."""
    flags = set(re.search(r"^flags\s*:(.*)$", _INFO, re.M)[1].split())
    levels = {
        "x86-64-v2": {"sse4_2", "ssse3", "popcnt"},
        "x86-64-v3": {"avx2", "fma", "bmi1", "bmi2", "f16c", "movbe", "abm"},
        "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    }
    return [level for level, needed in levels.items() if needed <= flags]


@x86
@pytest.mark.parametrize("name", GRAPHS)
def test_what_this_machine_can_run_gives_the_numbers_of_python(name):
    inputs, output = GRAPHS[name]
    values = [np.arange(1, 38).astype(v.type.dtype) for v in inputs]
    mode = pytensor.compile.mode.Mode("py", None)
    expected = pytensor.function(inputs, output, mode=mode)(*values)
    for processor in [*_can_run(), "native"]:
        with config.change_flags(gcc__cxxflags=f"-march={processor}"):
            for tier in ("fast", "default", "max"):
                before = vars(clinch.pytensor.options).copy()
                vars(clinch.pytensor.options).update(tier=tier, first_tier=None)
                try:
                    function = pytensor.function(inputs, output, mode="CLINCH")
                finally:
                    vars(clinch.pytensor.options).update(before)
                # Some of each is computed in float32.
                np.testing.assert_allclose(function(*values), expected, 2e-5)

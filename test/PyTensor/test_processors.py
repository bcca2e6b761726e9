"""Graphs compiled for each processor; on this machine, what it can run is run.

What is compiled for others is read: a loop for a processor with FMA calls no
mathematical function, and no code calls another library's.
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

#: Each with whether it has FMA.
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
#: A symbol that is a mathematical function.
_MATHEMATICS = re.compile(r"\bclinch\.(\w+)|\b(_ZGV\w+|(?:sin|cos|exp|log|log1p|tanh)f?)@")

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


def named(text):
    """The mathematical functions of lib/Math, and of libraries, that it names."""
    found = _MATHEMATICS.findall(text)
    return {own for own, _ in found if own}, {other for _, other in found if other}


@x86
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("processor", PROCESSORS)
def test_loops_call_nothing_where_they_can_be_vectors(processor, name):
    own, others = named(assembly(name, processor))
    assert not others
    assert bool(own) != PROCESSORS[processor]


def test_a_call_is_seen():
    assert named("\tcallq\tclinch.logf@PLT\n") == ({"logf"}, set())
    assert named('\tcallq\t*"clinch.exp"@GOTPCREL(%rip)\n') == ({"exp"}, set())
    assert named("\tcallq\t_ZGVdN4v_log@PLT\n") == (set(), {"_ZGVdN4v_log"})
    assert named("\tcallq\t*tanhf@GOTPCREL(%rip)\n") == (set(), {"tanhf"})


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

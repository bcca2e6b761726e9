"""Functions that are copied or pickled: their state, and their machine code."""

import os
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import pytensor.scalar as ps
import pytensor.tensor as pt
from pytensor.tensor.elemwise import Elemwise

import clinch
import pytensor
from clinch import _clinch
from clinch.pytensor import pickling


def test_copy_has_a_state_of_its_own():
    state = pytensor.shared(0.0, "state")
    x = pt.dscalar("x")
    function = pytensor.function([x], state, updates={state: state + x}, mode="CLINCH")
    other = pytensor.shared(100.0, "other")
    copied = function.copy(swap={state: other})
    function(1.0)
    copied(2.0)
    assert (float(state.get_value()), float(other.get_value())) == (1.0, 102.0)


def test_pickle():
    x = pt.dvector("x")
    function = pytensor.function([x], x * 2 + 1, mode="CLINCH")
    again = pickle.loads(pickle.dumps(function))
    assert again([1.0, 2.0]).tolist() == [3.0, 5.0]


def test_a_pickled_graph_has_no_op_of_ours():
    x, y = pt.ivectors("x", "y")
    pickled = pickle.dumps(pytensor.function([x, y], pt.maximum(x, y), mode="CLINCH"))
    assert b"pytensor.exact" not in pickled
    assert pickle.loads(pickled)([1, 4], [3, 2]).tolist() == [3, 4]


ELSEWHERE = """
import pickle, sys
with open("pickled", "rb") as file:
    functions = pickle.load(file)
import clinch.pytensor
for function in functions:
    for _ in range(3):
        print(function([1.0, 2.0]).tolist())
print(clinch.pytensor.wait(), clinch.cache_info()["compiles"])
print("libclinch-engine" in open("/proc/self/maps").read())
"""


def test_a_pickle_has_the_machine_code(tmp_path):
    """Where nothing else is: no cache, and no engine is loaded."""
    x = pt.dvector("x")
    steps = pytensor.scan(lambda v: pt.exp(v) * 3, sequences=[x], return_updates=False)
    one = ps.float64()  # A graph in an Op may have equal applies.
    twice = Elemwise(ps.Composite([one], [ps.exp(one * one) + one * one]))
    functions = [
        pytensor.function([x], x * 2 + 1, mode="CLINCH"),
        pytensor.function([x], twice(x), mode="CLINCH"),
        pytensor.function([x], steps, mode="CLINCH"),
    ]
    expected = [f([1.0, 2.0]).tolist() for f in functions for _ in range(3)]
    (tmp_path / "pickled").write_bytes(pickle.dumps(functions))
    package = Path(clinch.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(package),
            "CLINCH_CACHE_DIR": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [*map(str, expected), "True 0", "False"]


def test_entries_that_were_damaged_on_their_way_are_not_kept():
    x = pt.dvector("x")
    function = pytensor.function([x], x * 5 + 1, mode="CLINCH")
    ((key, data),) = function.maker.__getstate__()["_thunks"].items()
    entry = bytearray(zlib.decompress(data))
    clinch.cache_clear()
    entry[len(entry) // 2] ^= 1
    pickling.unpack({key: zlib.compress(bytes(entry))})
    assert _clinch.read_entry(clinch.cache_info()["dir"], key) is None
    pickling.unpack({key: data})
    assert _clinch.read_entry(clinch.cache_info()["dir"], key) is not None

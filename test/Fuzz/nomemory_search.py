"""Memory that runs out while functions are made, loaded and called: allocations of
ours, of Python's, Clang's and LLVM's that fail, one or many, little address space, and
limits that hardly any compile keeps. Each is an error that says so, or a right
function; then an old function is right and a new one can be made, nothing was printed,
and nothing ended the process.
"""

import json
import os
import random
import subprocess
import sys

import clinch
import life

LIMIT = 600
TRIES = 12
WAYS = ["fast", "fast", "max", "cplusplus", "upgraded", "known", "disk", "pickled",
        "called", "arrays", "from_c"]
HERE = os.path.dirname(os.path.abspath(__file__))
#: What stands before malloc; only a build has it, and none with sanitizers.
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(clinch.__file__)), "..", "..",
                       "test", "libclinch_failing_malloc.so")


def make(seed):
    draw = random.Random(seed)
    how = draw.choice(["malloc"] * 6 + ["python", "space", "limit"])
    return dict(seed=seed, way=draw.choice(WAYS), how=how, tries=TRIES)


def run(case):
    """In a process of its own, before whose allocator stands one that fails."""
    environment = dict(os.environ, LD_PRELOAD=LIBRARY)
    ended = subprocess.run(
        [sys.executable, os.path.join(HERE, "scarce.py"), json.dumps(case)],
        env=environment, capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode:
        return dict(counts={}, finding=dict(
            kind="nomemory", way=str(case), detail=ended.stderr[-2000:]))
    told = json.loads(ended.stdout)
    made = dict(counts={"allocations": sum(told["came"].values())})
    for what, count in told["came"].items():
        made["counts"][what] = count
    if told["findings"]:
        made["finding"] = dict(
            kind="nomemory", way=str(case),
            detail="; ".join(map(str, told["findings"]))[:2000])
    return made


def script(case, finding):
    return life.script("nomemory_search", case, finding)

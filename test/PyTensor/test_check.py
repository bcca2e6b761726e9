"""`clinch check` over modules with PyTensor's Types and Ops."""

import json
import os
import subprocess
import sys

from clinch.pytensor import versions

_OP = """
import pytensor.tensor as pt
from pytensor.link.c.op import COp


class Forgets(COp):
    itypes = [pt.dvector]
    otypes = [pt.dvector]
    __props__ = ()

    def perform(self, node, inputs, outputs):
        raise ValueError("no")

    def c_code(self, node, name, inputs, outputs, sub):
        return 'PyErr_SetString(PyExc_ValueError, "no");'
"""


def test_no_compiler_is_looked_for(tmp_path):
    """PyTensor by itself runs `g++` when it is imported."""
    (tmp_path / "forgets.py").write_text(_OP)
    for name in ("g++", "clang++"):
        compiler = tmp_path / name
        compiler.write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/started\n")
        compiler.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTENSOR_FLAGS": f"base_compiledir={tmp_path}/compiledir",
    }
    done = subprocess.run(
        [sys.executable, "-m", "clinch", "check", "--format=json", "forgets.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = json.loads(done.stdout)
    assert [f["check"] for f in said["findings"]] == ["unused-fail"]
    assert said["unseen"] == []
    # PyTensor 2.38 asks g++ for its version in any case.
    asks = versions.installed() < (3,)
    assert (tmp_path / "started").exists() == asks

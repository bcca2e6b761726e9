"""What a parent has compiled, no worker compiles."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("workers.py")


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_no_worker_compiles_what_its_parent_has_compiled(method, tmp_path):
    result = subprocess.run(
        [sys.executable, FILE, method],
        env={**os.environ, "CLINCH_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    assert result.stdout.splitlines() == ["compiled 0"] * 4

"""What would hang or end the host: devices and pipes for headers, and flags."""

import os
import subprocess
import sys

import pytest

import clinch


def refusal(text, **options):
    with pytest.raises(clinch.CompileError) as error:
        clinch.compile(text, tier="fast", **options)
    return str(error.value)


@pytest.mark.parametrize("path", ["/dev/zero", "pipe"])
@pytest.mark.parametrize("text", [
    '#include "{}"\nint f(void) {{ return 1; }}',
    'static const char a[] = {{\n#embed "{}"\n}};'])
def test_only_files_are_read(tmp_path, path, text):
    if path == "pipe":
        path = str(tmp_path / "pipe")
        os.mkfifo(path)
    assert path in refusal(text.format(path))


CRASHING = """
import clinch
clinch.config.cache = False
try:
    clinch.compile("int f(void) { return 1; }",
                   flags=["-ftrivial-auto-var-init-max-size=none"])
except clinch.CompilerCrash as error:
    print(str(error).rpartition(": ")[0])
print(clinch.compile("int f(void) { return 7; }")["int f()"]())
"""


def test_flags_that_crash_clang_are_an_error():
    done = subprocess.run([sys.executable, "-c", CRASHING], text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "The compiler crashed over the flags "
        "`-ftrivial-auto-var-init-max-size=none`\n7\n")

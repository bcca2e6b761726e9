"""Headers that are precompiled in the background, before a compile needs them."""

import os
import subprocess
import sys

import pytest

#: No headers are baked for this flag, so they are precompiled at run time.
FLAG = "-funsigned-char"
BEGIN = f"""
import glob, os, sys, time
import clinch
from clinch import _clinch

def headers():
    return len(glob.glob(os.environ["CLINCH_CACHE_DIR"] + "/*.pch.clinch"))

def prepare(flags=[{FLAG!r}], language="c"):
    _clinch.prepare(dict(language=language, tier="fast", cpu="", python=True,
                         disk_cache=True, flags=flags))

def compiled():
    return clinch.compile("#include <Python.h>\\nint f(void) {{ return (char)-1; }}",
                          flags=[{FLAG!r}], python=True)["int f(void)"]()
"""


def run(tmp_path, script, **environment):
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + script], capture_output=True, text=True,
        check=False, timeout=300,
        env={**os.environ, "CLINCH_CACHE_DIR": str(tmp_path), **environment})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


WAIT = """
end = time.monotonic() + 120
while not (headers() and glob.glob(os.environ["CLINCH_CACHE_DIR"] + "/*.o.clinch")):
    assert time.monotonic() < end
    time.sleep(0.01)
"""


def test_nobody_waits_for_them_later(tmp_path):
    assert run(tmp_path, "prepare()" + WAIT + """
print(headers(), clinch.cache_info()["compiles"])
print(compiled(), headers(), clinch.cache_info()["compiles"])
""") == "1 0\n255 1 1\n"


def test_a_compile_that_needs_them_now_waits(tmp_path):
    assert run(tmp_path, "prepare()\nprint(compiled(), headers())") == "255 1\n"


def test_who_waits_for_them_does_not_wait_for_a_nicer_thread(tmp_path):
    assert run(tmp_path, """
def nices():
    stats = []
    for thread in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{thread}/stat") as file:
                stats.append(file.read().rsplit(")")[-1].split()[16])
        except OSError:  # It has ended.
            pass
    return set(stats)

usual = nices()
prepare()
while True:
    seen = nices()
    if headers():
        break
    assert seen == usual, seen
print("done")
""") == "done\n"


def test_what_is_there_is_not_made_again(tmp_path):
    run(tmp_path, "prepare()" + WAIT)
    [headers] = tmp_path.glob("*.pch.clinch")
    headers.unlink()
    assert run(tmp_path, "prepare()\ntime.sleep(1)\nprint(headers())") == "0\n"
    assert run(tmp_path, "print(compiled(), headers())") == "255 1\n"


def test_flags_that_cannot_be_are_the_compiles_to_tell(tmp_path):
    assert run(tmp_path, """
prepare(["-m32"])
prepare()
try:
    clinch.compile("int x;", flags=["-m32"])
except ValueError as error:
    print(error)
print(compiled())
""") == ("The flag `-m32` cannot be used here: code is made for the process it runs "
         "in.\n255\n")


@pytest.mark.parametrize("given, message", [
    ("[]", "options are a dict, not a list"),
    ("dict(language='d')",
     "There is no language `d`; there are `c`, `c++`, `cxx`, `cuda`."),
])
def test_options_are_looked_at(tmp_path, given, message):
    assert run(tmp_path, f"""
try:
    _clinch.prepare({given})
except (TypeError, ValueError) as error:
    print(error)
""") == message + "\n"


def test_a_program_may_end_before(tmp_path):
    assert run(tmp_path, "prepare()\nprint('end')") == "end\n"
    assert not [f for f in tmp_path.iterdir() if ".clinch" not in f.name]


def test_a_child_makes_what_it_needs(tmp_path):
    assert run(tmp_path, """
prepare()
child = os.fork()
if not child:
    os._exit(0 if compiled() == 255 else 1)
print(os.waitpid(child, 0)[1], compiled(), headers())
""", PYTHONWARNINGS="ignore") == "0 255 1\n"


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))

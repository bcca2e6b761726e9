"""The prompt: from the start of the process to the first answer."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from run import row

ROUNDS = 9
TARGET_MS = 250
SESSION = """x, y, z = double("x"), double("y"), double("z")
f = function([x, y, z], mul(add(x, y), z))
f(1.0, 2.0, 3.0)
"""


def first_answer(command, text, environment, answer):
    """Milliseconds until the first line of output, which is the answer."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True,
                               stdout=subprocess.PIPE, env=environment)
    process.stdin.write(text)
    process.stdin.flush()
    line = process.stdout.readline()
    taken = time.perf_counter() - begin
    process.stdin.close()
    process.stdout.read()
    process.wait()
    if line != answer:
        raise RuntimeError(f"{command} answered {line!r}, not {answer!r}")
    return 1e3 * taken


def rows(build):
    """Cached and not, beside bare Python with NumPy."""
    driver = os.path.join(build, "bin", "clinch")
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, CLINCH_CACHE_DIR=cache,
                           PYTHONDONTWRITEBYTECODE="1")
        kinds = {
            "cached": ([driver], SESSION, "9.0\n"),
            "new": ([driver, "--no-cache"], SESSION, "9.0\n"),
            "bare": ([sys.executable, "-c",
                      "import numpy; print(1 + 1, flush=True)"], "", "2\n"),
        }
        times = {name: [] for name in kinds}
        for _ in range(ROUNDS + 1):
            for name, (command, text, answer) in kinds.items():
                times[name].append(
                    first_answer(command, text, environment, answer))
    median = {name: statistics.median(t[1:]) for name, t in times.items()}
    return [row(f"prompt, start to first answer, {what}", median[name],
                median["bare"], "bare Python with NumPy", "ms",
                f"<= {TARGET_MS} ms", median[name] <= TARGET_MS)
            for name, what in (("cached", "(x+y)*z from the cache"),
                               ("new", "(x+y)*z compiled"))]

"""What the suites run with in a build with sanitizers: the only place.

lit's configurations and scripts/check.py use it. A test program by itself needs
none of this, but PYTHONMALLOC where it embeds Python.
"""

import functools
import os
import subprocess

SUPPRESSIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                            "tsan.supp")

OPTIONS = {
    "ASAN_OPTIONS": [
        # A second definition of a variable is an error, whatever its size.
        "detect_odr_violation=2",
        "detect_stack_use_after_return=1",
        "strict_string_checks=1",
        # LLVM's allocators poison what they have not given out. Its archives
        # are not instrumented, and write to what our instances poisoned.
        "allow_user_poisoning=0",
        # Tests of what happens without memory ask for too much of it.
        "allocator_may_return_null=1",
        # A crash is one for who tests it, and not a report with status 1.
        "handle_segv=0",
    ],
    "UBSAN_OPTIONS": ["halt_on_error=1", "print_stacktrace=1"],
    "TSAN_OPTIONS": [
        # Tests fork while threads run, and start threads in the child.
        "die_after_fork=0",
        "handle_segv=0",
        "suppressions=" + SUPPRESSIONS,
    ],
    # Python's own allocator would hide overruns of its objects, and objects
    # that nothing refers to.
    "PYTHONMALLOC": ["malloc"],
}


@functools.lru_cache
def of(build):
    """The sanitizers that a build has, such as `address;undefined`; or ''."""
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        for line in cache:
            if line.startswith("CLINCH_SANITIZE:"):
                return line.split("=", 1)[1].strip()
    return ""


def sees_threads(build):
    """Whether it is ThreadSanitizer's build. It runs the programs of unittests
    alone: CPython and NumPy are not instrumented, and their locks are unknown."""
    return of(build) == "thread"


def _run_times():
    """For programs that are not instrumented and load libraries that are."""
    found = [subprocess.run(["gcc", "-print-file-name=" + name],
                            capture_output=True, text=True).stdout.strip()
             for name in ("libasan.so", "libubsan.so")]
    return ":".join(found)


def environment(build, leaks=False):
    """The variables to set. Without `leaks` any program may be run: compilers
    and Python itself keep memory to their end."""
    if not of(build):
        return {}
    variables = {name: ":".join(values) for name, values in OPTIONS.items()}
    if not leaks and not sees_threads(build):
        variables["ASAN_OPTIONS"] += ":detect_leaks=0"
        variables["LD_PRELOAD"] = _run_times()
    return variables

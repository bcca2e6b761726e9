"""What the suites run with in a build with sanitizers: the only place.

lit's configurations and scripts/check.py use it. A test program by itself needs
none of this, but PYTHONMALLOC where it embeds Python.
"""

import functools
import os

SUPPRESSIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                            "tsan.supp")

# A crash is one for who tests it, and not a report with status 1.
SIGNALS = ["handle_segv=0", "handle_sigbus=0", "handle_sigfpe=0"]

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
        *SIGNALS,
    ],
    "UBSAN_OPTIONS": ["halt_on_error=1", "print_stacktrace=1"],
    "TSAN_OPTIONS": [
        # Tests fork while threads run, and start threads in the child.
        "die_after_fork=0",
        *SIGNALS,
        "suppressions=" + SUPPRESSIONS,
    ],
    # Python's own allocator would hide overruns of its objects, and objects
    # that nothing refers to.
    "PYTHONMALLOC": ["malloc"],
}

# The tests of test/Python that have threads of their own; those that fork beside
# busy threads are left out, for in the child the locks of the run time stay shut.
THREADED = ["test_first_tier.py", "test_interrupt.py", "test_lifetime.py",
            "test_threads.py", "test_free_threading.py",
            "test_forks.py::test_while_the_engine_is_loaded"]


@functools.lru_cache
def _cached(build, name):
    """What CMake has noted of a build by that name; or ''."""
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        for line in cache:
            if line.startswith(name + ":"):
                return line.split("=", 1)[1].strip()
    return ""


def of(build):
    """The sanitizers that a build has, such as `address;undefined`; or ''."""
    return _cached(build, "CLINCH_SANITIZE")


def sees_threads(build):
    """Whether it is ThreadSanitizer's build. It runs what has threads: the
    programs of unittests, and the files of test/Python named above."""
    return of(build) == "thread"


def environment(build, leaks=False):
    """The variables to set. Without `leaks` any program may be run: compilers
    and Python itself keep memory to their end."""
    if not of(build):
        return {}
    variables = {name: ":".join(values) for name, values in OPTIONS.items()}
    if not leaks:
        variables["ASAN_OPTIONS"] += ":detect_leaks=0"
        # Programs that are not instrumented load libraries that are.
        variables["LD_PRELOAD"] = _cached(build, "CLINCH_SANITIZER_LIBRARY")
    return variables

#!/usr/bin/env python3
"""A process without memory: in children of it each a few allocations fail while a
function is made or called. Each child ends with an error that says so or with a
right function, then makes another; it prints nothing.

    LD_PRELOAD=.../libclinch_failing_malloc.so scarce.py CASE

CASE is JSON, {way, seed, how, each: N or after: [...] or tries: N, many: N}; what is
printed is JSON as well: how many allocations there are, and what came of each that
failed.
"""

import collections
import contextlib
import ctypes
import json
import os
import pickle
import random
import resource
import sys
import tempfile

import numpy

import clinch
import life
from apart import apart, ending
from clinch import TensorType, double, function

try:
    import _testcapi
except ImportError:
    _testcapi = None

#: Seconds after which a child is taken for one that hangs.
CHILD = 60
#: Of those that fail one after another; -1: all from there on.
MANY = [1, 1, 1, 2, 10, 1000, -1]


def fail(after, many=1):
    return _fail(after, many)


_fail = getattr(ctypes.CDLL(None), "clinch_test_fail", None)
if _fail:
    _fail.argtypes = [ctypes.c_long] * 2
    _fail.restype = ctypes.c_long


class Fast:
    """A small function that is compiled."""

    how = dict(tier="fast")

    def __init__(self, seed):
        self.number = seed % 10**6
        self.length = 1 + seed % 30

    def before(self):
        """In the process that forks."""

    def work(self):
        return life.made(self.number, self.length, **self.how)

    def is_right(self, f):
        return life.is_right(f, self.number) and life.fails(f)


class Max(Fast):
    how = dict(tier="max")


class CPlusPlus(Fast):
    how = dict(tier="fast", language="c++")


class Upgraded(Fast):
    """Better code comes behind it, by another thread."""

    how = dict(tier="max", first_tier="fast")

    def work(self):
        f = super().work()
        for _ in range(3):
            f(1.0)
        f.wait()
        return f


class Known(Fast):
    """One that the process has already."""

    def before(self):
        self.kept = super().work()


class OnDisk(Fast):
    """One that is in the cache on the disk."""

    def before(self):
        folder = tempfile.mkdtemp()
        clinch.config.cache, clinch.config.cache_dir = True, folder
        del_me = super().work()
        del del_me


class Pickled(Fast):
    def before(self):
        self.bytes = pickle.dumps(super().work())

    def work(self):
        return pickle.loads(self.bytes)


class Called(Fast):
    """The function is there; calling it is what lacks memory."""

    def before(self):
        self.f = super().work()

    def work(self):
        assert self.f(1.0) == 1.0 + self.number
        assert life.fails(self.f)
        assert self.f(x=2.0) == 2.0 + self.number
        return self.f


class Arrays(Fast):
    """A function of arrays: Types of NumPy's, loops, several applies."""

    def work(self):
        x, y = TensorType("float64", (None,))("x"), double("y")
        return function([x, y], numpy.exp(x) * self.number + y, mode="fast")

    def is_right(self, f):
        got = f(numpy.zeros(3), 2.0)
        return got.tolist() == [self.number + 2.0] * 3


class FromC(Fast):
    """Through the C interface, whose answers say that there was none."""

    times = 0

    def before(self):
        build = os.path.dirname(os.path.dirname(os.path.dirname(clinch.__file__)))
        self.c = ctypes.CDLL(os.path.join(build, "lib", "libclinch-compiler.so"))
        for name in ("session_new", "unit_new", "compile", "module_symbol",
                     "unit_error_message"):
            getattr(self.c, "clinch_" + name).restype = ctypes.c_void_p

    def _ask(self, name, *given):
        given = [ctypes.c_void_p(g) if isinstance(g, int) else g for g in given]
        return getattr(self.c, "clinch_" + name)(*given)

    def work(self):
        session = self._ask("session_new")
        if not session or self._ask("session_set_cache_dir", session, b""):
            raise MemoryError
        unit = self._ask("unit_new", session)
        self.times += 1  # No text was compiled before.
        text = (f"double f(double x) {{ return x + {self.number}; }}"
                f"int times = {self.times};").encode()
        if not unit or self._ask("unit_set_text", unit, b"text", text):
            raise MemoryError
        module = self._ask("compile", unit)
        if not module:
            said = ctypes.string_at(self._ask("unit_error_message", unit)).decode()
            raise (MemoryError if "ut of memory" in said else ValueError)(said)
        at = self._ask("module_symbol", module, b"f")
        call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(at)
        call.module = module
        return call

    def is_right(self, f):
        return life.is_right(f, self.number)


WAYS = dict(fast=Fast, max=Max, cplusplus=CPlusPlus, upgraded=Upgraded,
            known=Known, disk=OnDisk, pickled=Pickled,
            called=Called, arrays=Arrays, from_c=FromC)


#: How memory is to run out, and how large the number may be that says when: bytes of
#: address space that are left, Python's own allocations, pages that a compile may take.
HOWS = dict(malloc=None, space=1 << 19, python=4000, limit=1000)


@contextlib.contextmanager
def without_memory(how, after, many):
    if how == "space":
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + after, hard))
    elif how == "python":
        _testcapi.set_nomemory(after, after + many if many > 0 else 0)
    elif how == "limit":
        clinch.config.memory_limit = 1 + 4096 * after
    else:
        fail(after, many)
    try:
        yield
    finally:
        if how == "space":
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        elif how == "python":
            _testcapi.remove_mem_hooks()
        elif how == "limit":
            clinch.config.memory_limit = None
        else:
            fail(-1)


def is_of_memory(error):
    """Whether an exception says that there was none."""
    while error is not None:
        if isinstance(error, (MemoryError, clinch.LimitError)):
            return True
        if (isinstance(error, clinch.CompilerCrash)
                # The second where Clang does not look at what malloc gave it.
                and any(words in str(error) for words in (
                    ": out of memory", ": signal Segmentation fault"))):
            return True
        if isinstance(error, OSError) and error.errno == 12:
            return True
        # Python's own words where a thread, a library or a frame had none.
        if any(words in str(error) for words in (
                "Cannot allocate memory", "cannot allocate memory",
                "failed to map segment",
                "returned NULL without setting", "can't start new thread")):
            return True
        error = error.__cause__ or error.__context__
    return False


def outcome(way, old, how, after, many):
    """What came of it, in a word or two; Capitals: a finding."""
    error = f = None
    try:
        with without_memory(how, after, many):
            f = way.work()
    except BaseException as raised:
        error = raised.with_traceback(None)
    if error is not None and not is_of_memory(error):
        return f"OTHER ERROR {type(error).__name__}: {str(error)[:300]}"
    if f is not None and not way.is_right(f):
        return "WRONG"
    if old and not life.is_right(old, 3):
        return "OLD IS WRONG"
    if not way.is_right(way.work()):
        return "SECOND IS WRONG"
    if not life.is_right(life.made(7 + way.number), 7 + way.number):
        return "NEW IS WRONG"
    return "right" if error is None else type(error).__name__


def quietly(work, output):
    """What `work` says; what it prints goes into a file."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    try:
        return str(work())
    except BaseException as error:
        return f"FAILED AFTERWARDS {type(error).__name__}: {error}"[:400]


def in_child(work):
    """What `work` says, in a child that prints nothing."""
    with tempfile.TemporaryFile() as printed:
        text, status = apart(lambda: quietly(work, printed.fileno()), CHILD)
        printed.seek(0)
        output = printed.read().decode(errors="replace")
    if status or text is None:
        return f"DIED: {ending(status)}: {output[:200]}"
    return text if not output or is_pythons(output) else f"PRINTED {output[:300]}"


def is_pythons(output):
    """Whether Python said that of itself, where a generator or a finalizer of its own
    had no memory."""
    return output.startswith("Exception ignored in") and "MemoryError" in output


def run(case):
    draw = random.Random(case["seed"])
    way = WAYS[case["way"]](case["seed"])
    how = case.get("how", "malloc")
    old = life.made(3)
    way.before()
    way.work()  # What Python keeps for the next time.

    def count():
        fail(-1)
        way.work()
        return fail(-1)
    total = HOWS[how] or int(in_child(count))
    if "each" in case:
        after = range(case["seed"] % case["each"], total, case["each"])
    else:
        after = case.get("after") or sorted(
            draw.randrange(total) for _ in range(case["tries"]))
    came = collections.Counter()
    findings = []
    for number in after:
        many = case.get("many") or draw.choice(MANY)
        what = in_child(lambda: outcome(way, old, how, number, many))
        if what[:2].isupper():
            findings.append(dict(after=number, many=many, what=what))
            what = " ".join(w for w in what.split() if w.isupper())
        came[what] += 1
    return dict(total=total, came=came, findings=findings)


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]))))

"""A function that begins with quick code, and goes over to better."""

import gc
import os
import subprocess
import sys
import time
import warnings

import pytest

import clinch
from clinch import Mode, double, function
from clinch.testing import TIERS
from ways import CText


@pytest.fixture(autouse=True)
def _cold():
    before, clinch.config.cache = clinch.config.cache, False
    yield
    clinch.config.cache = before


def make(op, **how):
    x = double("x")
    return function([x], op(x), Mode(**{"tier": "max", "first_tier": "fast", **how}))


def test_the_code_is_named_and_taken():
    f = make(CText("z = x + 11;"))
    assert f.stats["code"] == "fast; max is to come"
    assert f.stats["code_error"] is None
    assert f(1.0) == 12.0
    assert not f.wait(timeout=0)
    assert f.stats["code"] == "fast; max is to come"
    assert f.wait()
    assert f.stats["code"] == "max"
    assert f(1.0) == 12.0
    assert f.wait() and f.wait(timeout=1)


def test_the_old_name_of_wait_warns():
    f = make(CText("z = x + 31;"))
    assert f(1.0) == 32.0
    for waiting in (f, f.thunk):
        with pytest.warns(DeprecationWarning, match=r"^settle\(\) is called wait\(\) now$") \
                as warned:
            assert waiting.settle(timeout=60)
        assert warned[0].filename == __file__
    assert f.stats["code"] == "max"


def until(condition):
    """Whether it came to be in two minutes."""
    end = time.monotonic() + 120
    while not condition() and time.monotonic() < end:
        time.sleep(0.001)
    return condition()


def test_two_calls_ask_for_it():
    f = make(CText("z = x + 12;"))
    f(1.0), f(1.0)

    def taken():
        assert f(1.0) == 13.0
        return f.stats["code"] == "max"
    assert until(taken)


@pytest.mark.parametrize("linker", ["graph", "op"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_state_is_handed_over(linker, language):
    class Counting(CText):
        def c_support_code_struct(self, node, name):
            return f"double count_{name}; const char *said_{name};"

        def c_init_code_struct(self, node, name, sub):
            member = "this->" if language == "c++" else ""
            return (f"{member}count_{name} = 40; "
                    f"{member}said_{name} = \"12\";")

        def c_code(self, node, name, inputs, outputs, sub):
            return super().c_code(node, name, inputs, outputs, sub).replace(
                "COUNT", f"count_{name}").replace("SAID", f"said_{name}")

    f = make(Counting("z = ++COUNT + SAID[1] - '2';"), language=language,
             linker=linker)
    assert f(0.0) == 41.0
    assert f.wait()
    assert f(0.0) == 42.0


def test_what_keeps_variables_is_compiled_once():
    f = make(CText("static int n = 0; z = ++n;"))
    assert f.stats["code"] == "max"
    assert [f(0.0) for _ in range(3)] == [1.0, 2.0, 3.0]


def test_init_code_runs_once():
    class Beginning(CText):
        def c_support_code(self):
            return "#include <numpy/arrayobject.h>"

        def c_init_code(self):
            return ["import_array();", """
                PyObject *begun = PySys_GetObject("clinch_begun");
                PyList_Append(begun, Py_True);"""]

    sys.clinch_begun = []
    try:
        f = make(Beginning("z = x + 11;"))
        assert f.stats["code"] == "max"
        assert f.wait()
        assert f(1.0) == 12.0
        assert sys.clinch_begun == [True]
    finally:
        del sys.clinch_begun


def test_what_is_known_is_taken_at_once():
    f = make(CText("z = x + 13;"))
    assert f.wait()
    again = make(CText("z = x + 13;"))
    assert again.stats["code"] == "max"
    assert again.stats["cache_from"] == "memory"


def test_only_a_state_can_be_handed_over():
    with pytest.raises(ValueError, match="first_tier needs form=\"struct\""):
        make(CText("z = x;"), form="function")
    with pytest.raises(ValueError, match="tier is one of 'fast', "):
        make(CText("z = x;"), first_tier="quick")


@pytest.fixture
def only_first(tmp_path):
    """A text that is right until the file is there."""
    path = tmp_path / "there.h"
    return (f"z = x + 14;\n#if __has_include(\"{path}\")\n#error not here\n"
            "#endif"), path.touch


MESSAGE = ("the code of the tier `max` could not be compiled; this function keeps "
           "that of the tier `fast`: `CText.c_code` for `node_3`, line 6: not here")


def test_a_failure_is_told_in_the_call(only_first):
    text, spoil = only_first
    f = make(CText(text))
    spoil()
    assert f(0.0) == 14.0
    with pytest.warns(RuntimeWarning) as told:
        assert until(lambda: f(0.0) == 14.0 and len(told) == 1)
    (warning,) = told
    assert str(warning.message) == MESSAGE
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(0.0) == 14.0  # It says so once.
    assert f.stats["code"] == "fast; max failed"
    assert f.stats["code_error"] == MESSAGE.partition("`fast`: ")[2]
    with pytest.raises(clinch.CompileError) as raised:
        f.wait()
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic["origin"], diagnostic["line"]) == (
        "`CText.c_code` for `node_3`", 6)


def test_a_failure_is_raised_by_wait(only_first):
    text, spoil = only_first
    f = make(CText(text))
    spoil()
    with pytest.raises(clinch.CompileError):
        f.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(0.0) == 14.0
    assert f.stats["code"] == "fast; max failed"


def test_a_warning_may_be_an_error_and_leaves_the_function_whole(only_first):
    text, spoil = only_first
    f = make(CText(text))
    spoil()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning) as raised:
            until(lambda: f(0.0) != 14.0)
        assert str(raised.value) == MESSAGE
        assert f(0.0) == 14.0


def test_a_state_of_another_size_is_not_handed_over(tmp_path):
    path = tmp_path / "there.h"
    f = make(CText("z = x + 15;", struct=f"#if __has_include(\"{path}\")\n"
                   "long other;\n#endif\nint same;"), language="c++")
    path.touch()
    with pytest.raises(clinch.CompileError) as raised:
        f.wait()
    assert str(raised.value) == ("the state has 16 bytes in one tier and 24 in "
                                 "the other")
    assert f(0.0) == 15.0
    assert f.stats["code"] == "fast; max failed"


def threads():
    return len(os.listdir("/proc/self/task"))


def test_the_thread_ends():
    """Python 3.12 warns who forks while threads are alive."""
    before = threads()
    f = make(CText("z = x + 16;"))
    assert f.wait()
    assert until(lambda: threads() <= before)


def test_a_function_that_is_dropped_is_not_compiled():
    made = [make(CText(f"z = x + {1000 + n};")) for n in range(4)]
    for f in made:
        f(0.0), f(0.0)
    del made, f
    gc.collect()
    last = make(CText("z = x + 17;"))
    compiles = clinch.cache_info()["compiles"]
    assert last.wait()
    # One may have been under way.
    assert clinch.cache_info()["compiles"] <= compiles + 2


def test_a_child_of_fork_compiles_for_itself():
    f = make(CText("z = x + 18;"))
    f(0.0), f(0.0)
    child = os.fork()
    if not child:
        os._exit(0 if f.wait() and f.stats["code"] == "max" else 1)
    assert os.waitpid(child, 0)[1] == 0


ENDING = """
import sys
sys.path.insert(0, {folder!r})
import clinch
from clinch.testing import TIERS
from ways import CText
clinch.config.cache = False
x = clinch.double("x")
made = []
for n in range(4):
    text = "z = x + %d;" % n + "if (z < 0) z += 1;" * 2000
    f = clinch.function([x], CText(text)(x), clinch.Mode("max", first_tier="fast"))
    f(1.0), f(1.0)
    {after}
print("end")
"""


@pytest.mark.parametrize("after", ["made.append(f)", "del f"])
def test_an_interpreter_that_ends_leaves_the_compile(after):
    script = ENDING.format(folder=os.path.dirname(__file__), after=after)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True,
                         text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "end\n", "")


class Flagged(CText):
    """Mathematical functions of a number of its own, compiled with flags."""

    __props__ = ("flags",)

    def __init__(self, flags):
        terms = [f"{name}(x + {n})" for name in ("exp", "log", "sin", "tanh")
                 for n in range(1, 9)]
        super().__init__(f"z = {' + '.join(terms)};")
        self.flags = flags

    def c_headers(self):
        return ["<math.h>"]

    def c_compile_args(self):
        return list(self.flags)


@pytest.mark.parametrize(("tier", "first"), [
    ("max", "fast"), ("max", "default"), ("default", "fast")])
@pytest.mark.parametrize("flags", [(), ("-fno-builtin",), ("-fmath-errno",)])
def test_mathematical_functions_are_the_same_before_and_after(tier, first, flags):
    values = [0.1 + 0.37 * n for n in range(40)]
    begun = []
    for value in values:  # One call each: a second may go over.
        f = make(Flagged(flags), tier=tier, first_tier=first)
        assert f.stats["code"] == f"{first}; {tier} is to come"
        begun.append(f(value))
    f.wait()
    assert f.stats["code"] == tier
    assert [f(value) for value in values] == begun
    alone = make(Flagged(flags), tier=tier, first_tier=None)
    assert [alone(value) for value in values] == begun


def test_both_codes_are_for_the_same_processor():
    f = make(CText("z = x;\n#ifdef __SSE3__\nz += 1;\n#endif"))
    before = f(17.0)
    f.wait()
    assert f(17.0) == before


@pytest.mark.parametrize("tier", TIERS)
def test_a_tier_that_is_no_quicker_is_not_begun_with(tier):
    f = make(CText(f"z = x + {len(tier)};"), tier=tier, first_tier="max")
    assert f.stats["code"] == tier
    assert f(1.0) == 1.0 + len(tier)

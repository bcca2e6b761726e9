"""C memory of an output, kept from run to run where its author says so."""

import ctypes
import gc
import pickle

import pytest

import clinch
from clinch import Apply, COp, Mode, Type, double, function
from clinch.testing import TextOp

COUNTS = (ctypes.c_long * 2)()  # malloc, free
FAILS = (ctypes.c_long * 3)()   # c_init, c_code, c_sync


class Sums(Type):
    """Three doubles in memory of their own; Python has a copy. What the cell
    holds is taken."""

    def filter(self, value, strict=False, allow_downcast=None):
        return tuple(map(float, value))

    def c_declare(self, name, sub, check_input=True):
        return f"double *{name};"

    def c_init(self, name, sub):
        counts, fails = ctypes.addressof(COUNTS), ctypes.addressof(FAILS)
        return f"""
        {name} = NULL;
        if (!*(long *){fails}) {{
          {name} = (double *)PyMem_Calloc(3, sizeof(double));
          ++*(long *){counts};
        }}
        if (!{name}) {{ PyErr_NoMemory(); {sub["fail"]} }}
        """

    def c_extract(self, name, sub, check_input=True):
        return self.c_init(name, sub) + f"""
        for (int i = 0; i < 3; ++i)
          {name}[i] = PyFloat_AsDouble(PyTuple_GET_ITEM(py_{name}, i));
        """

    def c_sync(self, name, sub):
        return f"""
        Py_XDECREF(py_{name});
        py_{name} = NULL;
        if (!((long *){ctypes.addressof(FAILS)})[2])
          py_{name} = Py_BuildValue("(ddd)", {name}[0], {name}[1], {name}[2]);
        """

    def c_cleanup(self, name, sub):
        return f"""
        if ({name}) {{
          ++((long *){ctypes.addressof(COUNTS)})[1];
          PyMem_Free({name});
        }}
        """

    def c_code_cache_version(self):
        return ()


class KeptSums(Sums):
    def c_extract_out(self, name, sub, check_input=True):
        return ""


class AddTo(COp):
    """Adds x, 2 x and 3 x to what the output holds."""

    __props__ = ("type",)

    def __init__(self, type):
        self.type = type

    def make_node(self, x):
        return Apply(self, [x], [self.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
        if (((long *){ctypes.addressof(FAILS)})[1]) {{
          PyErr_SetString(PyExc_RuntimeError, "asked to fail");
          {sub["fail"]}
        }}
        for (int i = 0; i < 3; ++i)
          {z}[i] += (i + 1) * {x};
        """

    def c_code_cache_version(self):
        return ()


total = TextOp("{z} = {x}[0] + {x}[1] + {x}[2];", double, version=(1,))


@pytest.fixture(autouse=True)
def nothing_leaks():
    gc.collect()
    COUNTS[:], FAILS[:] = [0, 0], [0, 0, 0]
    yield
    gc.collect()
    assert COUNTS[0] == COUNTS[1]


add_to = AddTo(KeptSums())
LANGUAGES = pytest.mark.parametrize("language", ["c", "c++"])
TIERS = pytest.mark.parametrize("tier", ["fast", "default", "max"])
LINKERS = pytest.mark.parametrize("linker", ["graph", "op"])


LABELS = [
    "in    number  label    what fails there             "
    "its cleanup releases             then",
    "init  2       label_2  `KeptSums.c_init` for `V2`   "
    "c_cleanup, py_V2                 return",
    "run   1       label_1  `Double.c_extract` for `x`   "
    "py_V1                            return",
    "run   2       label_2  nothing                      "
    "c_sync if nothing failed, py_V2  label_1",
    "run   3       label_3  `AddTo.c_code` for `node_3`  "
    "nothing                          label_2",
]


def summing(**how):
    x = double("x")
    return function([x], add_to(x), Mode(**how))


@LANGUAGES
@TIERS
@LINKERS
def test_struct_form_keeps_it(language, tier, linker):
    f = summing(form="struct", language=language, tier=tier, linker=linker)
    assert list(COUNTS) == [1, 0]
    assert [f(1.0)[2] for _ in range(5)] == [3.0, 6.0, 9.0, 12.0, 15.0]
    assert list(COUNTS) == [1, 0]
    del f
    gc.collect()
    assert list(COUNTS) == [1, 1]


@LANGUAGES
@TIERS
@LINKERS
def test_function_form_begins_anew(language, tier, linker):
    f = summing(form="function", language=language, tier=tier, linker=linker)
    assert list(COUNTS) == [0, 0]
    assert [f(1.0) for _ in range(5)] == [(1.0, 2.0, 3.0)] * 5
    assert list(COUNTS) == [5, 5]


@LANGUAGES
def test_a_result_stays_as_it_is(language):
    f = summing(form="struct", language=language)
    first, second = f(1.0), f(1.0)
    assert (first, second) == ((1.0, 2.0, 3.0), (2.0, 4.0, 6.0))


@LANGUAGES
@pytest.mark.parametrize("split", [{}, dict(split_above=2, chunk_size=2)],
                         ids=["whole", "split"])
def test_it_may_be_used_on(language, split):
    """The output is another Op's input, too, and a temporary beside it."""
    x = double("x")
    s, t = add_to(x), add_to(x + x)
    both = total(s) + total(t)
    program = clinch._clinch.Program(
        [x], [both, s], language=language, form="struct",
        tier="fast", **split)
    thunk = program.instantiate()
    cells = dict(zip(program.cells, thunk.cells))
    for call in (1, 2, 3):
        cells[x][0] = 1.0
        thunk()
        assert cells[both][0] == 18.0 * call
        assert cells[s][0] == (call, 2.0 * call, 3.0 * call)
    assert list(COUNTS) == [2, 0]


@LANGUAGES
def test_a_failing_run_keeps_it(language):
    f = summing(form="struct", language=language)
    assert f(1.0) == (1.0, 2.0, 3.0)
    FAILS[1] = 1
    with pytest.raises(RuntimeError, match="asked to fail"):
        f(1.0)
    FAILS[1] = 0
    assert f(1.0) == (2.0, 4.0, 6.0)
    assert list(COUNTS) == [1, 0]


@LANGUAGES
def test_an_init_that_fails(language):
    """The output that was opened before it is cleaned up, and it names itself."""
    x = double("x")

    class Second(KeptSums):
        def c_init(self, name, sub):
            return Sums.c_init(self, name, sub) + \
                f"PyErr_NoMemory(); {sub['fail']}"

    with pytest.raises(MemoryError) as raised:
        function([x], [add_to(x), AddTo(Second())(x)],
                 mode=Mode(form="struct", language=language))
    assert raised.value.__notes__[0].splitlines()[0] == (
        "Clinch: block 3, `Second.c_init` for `V3`, output 2, failed.")
    assert list(COUNTS) == [2, 2]


def test_copies_and_pickles_keep_their_own():
    f = summing(form="struct")
    assert f(1.0) == (1.0, 2.0, 3.0)
    g, h = f.copy(), pickle.loads(pickle.dumps(f))
    made = list(COUNTS)
    assert made[0] - made[1] == 3
    assert g(1.0) == h(1.0) == (1.0, 2.0, 3.0)
    assert f(1.0) == (2.0, 4.0, 6.0)
    assert list(COUNTS) == made
    del g, h
    gc.collect()
    assert COUNTS[0] - COUNTS[1] == 1


@LANGUAGES
def test_better_code_takes_it_over(language):
    f = summing(form="struct", first_tier="fast", tier="max", language=language)
    assert f(1.0) == (1.0, 2.0, 3.0)
    assert f.wait()
    assert f.stats["code"] == "max"
    assert f(1.0) == (2.0, 4.0, 6.0)
    assert list(COUNTS) == [1, 0]


def test_debug_mode():
    """An Op that sets all is right; one that adds depends on other runs."""
    class Sets(AddTo):
        def c_code(self, node, name, inputs, outputs, sub):
            return AddTo.c_code(self, node, name, inputs, outputs,
                                sub).replace("+=", "=")

    x = double("x")
    f = function([x], Sets(KeptSums())(x), mode="DebugMode")
    assert [f(1.0)[0] for _ in range(3)] == [1.0, 1.0, 1.0]
    f = function([x := double("x")], add_to(x), "DebugMode")
    with pytest.raises(clinch.DebugModeError) as raised:
        f(1.0), f(1.0)
    assert "`AddTo.c_code`: output 0 is " in str(raised.value)
    raised.value.__traceback__ = None


@LANGUAGES
@pytest.mark.parametrize("may_fail", [False, True])
def test_a_sync_that_leaves_null(language, may_fail):
    """The memory, the cell and its next run are as if it had not been."""
    x = double("x")
    s = add_to(x)
    program = clinch._clinch.Program([x], [s], language=language, form="struct",
                                     tier="fast", sync_may_fail=may_fail)
    thunk = program.instantiate()
    cells = dict(zip(program.cells, thunk.cells))
    cells[x][0] = 1.0
    thunk()
    FAILS[2] = 1
    with pytest.raises(RuntimeError) as raised:
        thunk()
    assert str(raised.value) == (
        "`KeptSums.c_sync` for `V2` left `py_V2` NULL without setting an exception")
    assert raised.value.__notes__[0].splitlines()[0] == (
        "Clinch: block 2, `KeptSums.c_sync` for `V2`, output 1, failed.")
    assert cells[s][0] == (1.0, 2.0, 3.0)
    FAILS[2] = 0
    thunk()
    assert cells[s][0] == (3.0, 6.0, 9.0)
    assert list(COUNTS) == [1, 0]


def test_what_shares_memory_is_not_kept():
    class Viewing(AddTo):
        view_map = {0: [0]}

    x = double("x")
    f = function([x], clinch.Out(Viewing(KeptSums())(x), borrow=True),
                 mode=Mode(form="struct"))
    assert [f(1.0)[0] for _ in range(3)] == [1.0, 1.0, 1.0]
    assert list(COUNTS) == [3, 3]


def test_the_labels_of_both_ladders():
    assert [line.rstrip() for line in
            summing(form="struct").emit("labels").splitlines()] == LABELS


def test_what_takes_its_cell_is_not_kept():
    x = double("x")
    f = function([x], AddTo(Sums())(x), mode=Mode(form="struct"))
    assert [f(1.0)[0] for _ in range(5)] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert list(COUNTS) == [5, 5]

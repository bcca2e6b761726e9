"""Errors: PyTensor's word on the apply, and ours on the block and the line."""

import numpy as np
import pytensor.tensor as pt
import pytest
from ops import CText
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config

import pytensor
from clinch import CompileError

BARE = Mode("clinch", None)
#: How much PyTensor says; before 3 it says the apply always.
VERBOSITIES = sorted(config._config_var_dict["exception_verbosity"].all)
SAYS_LITTLE = {"low"} if "medium" in VERBOSITIES else set()
BAD_SHAPES = "dimension mismatch|Input dimension mismatch"


def notes(raised):
    return "\n".join(getattr(raised.value, "__notes__", []))


@pytest.mark.parametrize("linker", ["clinch", "clinch_vm"])
def test_pytensors_own_words(linker):
    """Apply node, its types, its shapes."""
    x, y = pt.dvectors("x", "y")
    function = pytensor.function([x, y], x + y, mode=Mode(linker, None))
    with config.change_flags(exception_verbosity="high"):
        with pytest.raises(ValueError, match=BAD_SHAPES) as raised:
            function([1.0, 2.0, 3.0], [1.0, 2.0])
    said = notes(raised) + str(raised.value)
    assert "Apply node that caused the error: Add(x, y)" in said or (
        "Apply node that caused the error: Elemwise{" in said
    )
    assert "Inputs types: [TensorType(float64, shape=(None,))" in said
    assert "Inputs shapes: [(3,), (2,)]" in said


def test_shapes_of_temporaries_are_known_where_they_cross():
    x, y = pt.dvectors("x", "y")
    function = pytensor.function([x, y], (x * 2) + (y * 2), mode=Mode("clinch_vm", None))
    with config.change_flags(exception_verbosity="high"):
        with pytest.raises(ValueError, match=BAD_SHAPES) as raised:
            function([1.0, 2.0, 3.0], [1.0, 2.0])
    assert "Inputs shapes: [(3,), (2,)]" in notes(raised) + str(raised.value)


@pytest.mark.parametrize("verbosity", VERBOSITIES)
@pytest.mark.parametrize("linker", ["clinch", "clinch_vm"])
def test_our_words_on_a_failing_block(linker, verbosity):
    """Beside PyTensor's, however many those are."""
    x = pt.dscalar("x")
    bad = CText('PyErr_SetString(PyExc_KeyError, "gone"); FAIL')
    function = pytensor.function([x], bad(x), mode=Mode(linker, None))
    with config.change_flags(exception_verbosity=verbosity):
        with pytest.raises(KeyError, match="gone") as raised:
            function(1.0)
    assert "block 3, `CText.c_code`" in notes(raised)
    assert ("Apply node that caused" in str(raised.value)) is (
        verbosity not in SAYS_LITTLE
    )
    assert notes(raised).count("Clinch: block") == 1


def test_compile_error_is_at_the_authors_line():
    x = pt.dscalar("x")
    with pytest.raises(CompileError) as raised:
        pytensor.function([x], CText("z = x + undeclared_name;")(x), mode=BARE)
    message = str(raised.value)
    assert "undeclared_name" in message
    assert "`CText.c_code`" in message
    assert "z = x + undeclared_name;" in message
    assert "g++" not in message
    assert "CText" in notes(raised) + message


class BrokenHook(CText):
    def c_code(self, *arguments):
        raise ZeroDivisionError("in a hook")


WRONG = {
    "text": (CText("z = x + undeclared_name;"), CompileError, "undeclared_name"),
    "rule": (CText("return 0;"), CompileError, "`return` may not be used here"),
    "init": (
        CText(struct_init='PyErr_SetString(PyExc_ValueError, "not today"); FAIL'),
        ValueError,
        "not today",
    ),
    "hook": (BrokenHook(), ZeroDivisionError, "in a hook"),
}


@pytest.mark.parametrize("verbosity", ["low", "high"])
@pytest.mark.parametrize("linker", ["clinch", "clinch_vm"])
@pytest.mark.parametrize("wrong", WRONG)
def test_the_apply_that_cannot_be_compiled(wrong, linker, verbosity):
    """Also in the middle of a thunk of many: which, of what types, made where."""
    op, kind, says = WRONG[wrong]
    x = pt.dscalar("x")
    out = CText("z = x;")(op(CText()(x * 2)) * 3)
    with config.change_flags(exception_verbosity=verbosity):
        with pytest.raises(kind, match=says) as raised:
            pytensor.function([x], out, mode=Mode(linker, None))
    said = notes(raised) + str(raised.value)
    if verbosity in SAYS_LITTLE:
        assert "HINT: Set PyTensor `config.exception_verbosity`" in said
        return
    assert f"Apply node that caused the error: {op}(CText" in said
    assert "Inputs types: [TensorType(float64, shape=())]" in said
    assert "out = CText(" in said
    if kind is CompileError:
        (diagnostic,) = raised.value.diagnostics
        assert diagnostic["origin"].startswith("`CText.c_code` for `node_")
        assert str(raised.value).count(": error: ") == 1


def test_outputs_of_a_failing_call_are_the_previous_ones():
    x = pt.dscalar("x")
    bad = CText('z = x; if (x < 0) { PyErr_SetString(PyExc_ValueError, "odd"); FAIL }')
    function = pytensor.function([x], bad(x), mode=Mode("clinch_nogc", None))
    first = function(4.0)
    with pytest.raises(ValueError):
        function(-1.0)
    assert first == 4.0
    assert function(2.0) == 2.0
    assert first == 4.0


def test_a_missing_array_is_pytensors_message():
    x = pt.dvector("x")
    function = pytensor.function([x], x * 2, mode=BARE, trust_input=True)
    with pytest.raises(ValueError, match="^expected an ndarray, not None"):
        function(None)


def test_misaligned_and_other_types():
    x = pt.dvector("x")
    function = pytensor.function([x], x * 2, mode=BARE, trust_input=True)
    raw = np.zeros(17, "uint8")[1:].view("float64")
    assert not raw.flags.aligned
    with pytest.raises(NotImplementedError, match="expected an aligned array"):
        function(raw)
    with pytest.raises(TypeError, match="expected type_num"):
        function(np.zeros(2, "float32"))


def test_index_out_of_bounds():
    x, i = pt.dvector("x"), pt.lscalar("i")
    function = pytensor.function([x, i], (x * 2)[i], mode="CLINCH")
    assert function([1.0, 2.0], 1) == 4.0
    with pytest.raises(IndexError, match="out of bounds"):
        function([1.0, 2.0], 5)


def test_error_inside_scan():
    x = pt.dvector("x")
    bad = CText('if (x > 2) { PyErr_SetString(PyExc_ValueError, "big"); FAIL } z = x;')
    total = pytensor.scan(lambda e, a: a + bad(e), x, pt.zeros(()), return_updates=False)
    function = pytensor.function([x], total[-1], mode="CLINCH")
    assert function([1.0, 2.0]) == 3.0
    with pytest.raises(ValueError, match="^big"):
        function([1.0, 3.0])
    assert function([1.0, 1.0]) == 2.0


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("kind", ["text", "rule"])
def test_the_apply_is_known_wherever_it_stands(kind, position):
    """Also where later applies say nothing that is compiled again."""
    op, error, says = WRONG[kind]
    x = pt.dvector("x")
    values = [pt.exp(x).sum(), pt.log(x).sum(), pt.tanh(x).sum()]
    out = sum(values[position:], op(sum(values[:position], x.sum()))) * pt.exp(x)
    with config.change_flags(exception_verbosity="high"):
        with pytest.raises(error, match=says) as raised:
            pytensor.function([x], out, mode=BARE)
    said = notes(raised) + str(raised.value)
    assert f"Apply node that caused the error: {op}(" in said

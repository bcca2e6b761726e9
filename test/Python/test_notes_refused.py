"""Exceptions that take no notes are raised as they are."""

import builtins
import contextlib
import dataclasses

import pytest

from clinch import Apply, DebugMode, Mode, Op, double, function
from failing_ops import Text


class FixedNotes(Exception):
    """Its notes are read-only."""

    __notes__ = property(lambda self: ("fixed",))


class OddNotes(Exception):
    __notes__ = 3


class RaisesOnNotes(Exception):
    def add_note(self, note):
        raise RuntimeError("no notes here")


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    what: str

    def __str__(self):
        return self.what


class Raising(Op):
    """Raises in one hook; without C code unless that is the hook."""

    def __init__(self, hook, error):
        setattr(self, hook, self._raise)
        self.error = error

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def _raise(self, *arguments):
        raise self.error("mine")


refusing = pytest.mark.parametrize(
    "error", [FixedNotes, OddNotes, RaisesOnNotes, Frozen])


@contextlib.contextmanager
def raises_mine(error):
    """Compares by hand: pytest's `match` reads the notes, too."""
    with pytest.raises(error) as raised:
        yield raised
    assert str(raised.value) == "mine"


@refusing
def test_of_a_hook(error):
    with raises_mine(error):
        function([x := double("x")], Raising("c_code", error)(x))


@refusing
@pytest.mark.parametrize("mode", [Mode, DebugMode])
@pytest.mark.parametrize("linker", ["auto", "op"])
def test_of_a_perform(error, linker, mode):
    f = function([x := double("x")], Raising("perform", error)(x),
                 mode(linker=linker))
    with raises_mine(error) as raised:
        f(1.0)
    assert "step" in [frame.name for frame in raised.traceback]


@refusing
@pytest.mark.parametrize("form", ["struct", "function"])
def test_of_a_block(error, form, monkeypatch):
    monkeypatch.setattr(builtins, "refusing_class", error, raising=False)
    f = function([x := double("x")], Text("""
        PyObject *type = PyDict_GetItemString(PyEval_GetBuiltins(),
                                              "refusing_class");
        PyErr_SetString(type, "mine");
        {fail}
        """)(x), mode=Mode(form=form))
    with raises_mine(error):
        f(1.0)


@refusing
def test_of_a_filter(error):
    class Refuses(type(double)):
        def filter(self, value, strict=False, allow_downcast=None):
            raise error("mine")

    f = function([x := Refuses()("x")], x)
    with raises_mine(error):
        f(1.0)

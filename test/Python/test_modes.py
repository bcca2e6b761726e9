"""How to compile, as one value."""

import inspect
import pickle

import pytest

import clinch

from clinch import DebugMode, Mode, double, function


def test_a_function_has_eight_keywords_at_most():
    taken = inspect.signature(function).parameters
    assert len([p for p in taken.values() if p.default is not p.empty]) <= 8


def test_what_is_not_said_is_the_configurations(monkeypatch):
    x = double("x")
    monkeypatch.setattr(clinch.config, "tier", "max")
    assert function([x], x + 1.0).stats["tier"] == "max"
    assert function([x], x + 1.0, Mode(form="function")).stats["tier"] == "max"
    assert function([x], x + 1.0, "fast").stats["tier"] == "fast"
    assert function([x], x + 1.0, Mode("fast")).stats["tier"] == "fast"
    assert function([x], x + 1.0, "FAST_RUN").stats["tier"] == "max"


def test_one_mode_is_for_many_functions():
    mode = Mode("fast", form="function", linker="op", language="c++")
    x = double("x")
    for f in (function([x], x + 1.0, mode), function([x], x * 2.0, mode),
              function([x], x * 2.0, pickle.loads(pickle.dumps(mode)))):
        assert [f.stats[name] for name in ("tier", "form", "linker", "language")] == [
            "fast", "function", "op", "c++"]


def test_debug_mode_takes_the_same_options():
    x = double("x")
    f = function([x], x + 1.0, DebugMode(storage=False, tier="fast", language="c++"))
    assert f.stats["tier"] == "fast" and f.stats["language"] == "c++"
    assert f(1.0) == 2.0 and f.details.debugs


def test_what_a_mode_says():
    assert repr(Mode()) == "Mode()"
    assert repr(Mode(debug=True, check=True)) == "Mode(debug=True, check=True)"
    assert repr(Mode(debug=False, simulate=False)) == "Mode(debug=False, simulate=False)"
    assert repr(Mode("max", fuse=False, threads=1)) == (
        "Mode(tier='max', fuse=False, threads=1)")
    assert repr(DebugMode(inputs=False)) == "DebugMode(inputs=False)"


@pytest.mark.parametrize("options, message", [
    (dict(tier="warp"), "tier is one of 'fast', 'default', 'max'; 'warp' is none of them"),
    (dict(first_tier="no"), "tier is one of 'fast', 'default', 'max'; 'no' is none of "
     "them"),
    (dict(language="d"), "language is one of 'c', 'c++'; 'd' is none of them"),
    (dict(time_limit=-1), "time_limit is a number above 0, or None for none; -1 is "
     "neither"),
    (dict(isolation="x"), "isolation is None or 'process'; 'x' is neither")])
def test_a_mode_is_checked_when_it_is_made(options, message):
    for kind in (Mode, DebugMode):
        with pytest.raises(ValueError) as error:
            kind(**options)
        assert str(error.value) == message

"""How far something is, for those who want to know."""

import io
import sys
import types

import pytest

from clinch import Mode, config, double, function
from clinch.base import progress


def chain(length):
    x = double("x")
    y = x
    for _ in range(length):
        y = y + x
    return x, y


@pytest.mark.parametrize("linker", ["graph", "op"])
def test_a_callable_is_told(linker):
    seen = []
    x, y = chain(40)
    function([x], y, mode=Mode(linker=linker), progress=lambda *a: seen.append(a))
    assert seen[-1] == (40, 40)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {all for _, all in seen} == {40}


def test_who_waits_for_better_code_is_told(monkeypatch):
    seen = []
    monkeypatch.setattr(config, "progress", lambda *a: seen.append(a))
    x, y = chain(3)
    f = function([x], y, mode=Mode(linker="op"), progress=False)
    assert f.wait() is True
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_what_progress_raises_stops_nothing(capsys, monkeypatch):
    caught = []
    monkeypatch.setattr("sys.unraisablehook", caught.append)
    x, y = chain(3)

    def bad(done, all):
        raise KeyError(done)

    assert function([x], y, progress=bad)(1.0) == 4.0
    assert caught and caught[0].exc_type is KeyError


def test_scripts_and_logs_see_nothing(capfd):
    x, y = chain(300)
    assert function([x], y)(1.0) == 301.0
    assert capfd.readouterr() == ("", "")
    with progress.reporting(None) as report:
        assert report is None


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_for_a_terminal_and_not_for_a_pools_workers(monkeypatch):
    assert progress.at_terminal(Terminal())
    assert not progress.at_terminal(io.StringIO())
    assert not progress.at_terminal(None)
    import multiprocessing
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: "another")
    assert not progress.at_terminal(Terminal())


@pytest.fixture
def bar():
    bar = progress.Bar(io.StringIO(), patience=3600)
    yield bar
    bar.close()


def test_what_is_quick_shows_nothing():
    bar = progress.Bar(io.StringIO(), patience=3600)
    bar.update(5, 10)
    bar.close()
    assert bar.stream.getvalue() == ""


def without(monkeypatch, *names):
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


def test_without_tqdm_there_is_no_bar(bar, monkeypatch):
    without(monkeypatch, "tqdm", "tqdm.std")
    bar.update(5, 10)
    assert not bar.draw()
    bar.close()
    assert bar.stream.getvalue() == ""


class Recorded:
    """What tqdm is asked for."""

    def __init__(self, **options):
        self.options, self.seen = options, []
        self.total, self.n = None, 0

    def set_description_str(self, text, refresh):
        self.text = text

    def refresh(self):
        self.seen.append((self.text, self.n, self.total))

    def close(self):
        self.seen.append("closed")


def test_tqdm_paints_where_it_is(bar, monkeypatch):
    module = types.SimpleNamespace(tqdm=Recorded)
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.std", module)
    bar.draw()
    bar.update(3, 4)
    bar.draw()
    bar.close()
    made = bar.shown
    assert made.options["leave"] is False and made.options["file"] is bar.stream
    assert made.seen == [("compiling", 0, None), ("compiling 3/4", 3, 4),
                         "closed"]


@pytest.fixture
def notebook(monkeypatch):
    """As in a notebook, of which only the kernel is there."""
    module = types.ModuleType("IPython")
    module.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", module)


def test_a_notebook_has_tqdms_own(bar, notebook, monkeypatch):
    assert progress.in_notebook()
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.notebook",
                        types.SimpleNamespace(tqdm=Recorded))
    bar.draw()
    assert type(bar.shown) is Recorded


def test_a_notebook_without_widgets_has_tqdms_text(bar, notebook, monkeypatch):
    class NoWidgets:
        def __init__(self, **options):
            raise ImportError("IProgress not found. Please update jupyter "
                              "and ipywidgets.")
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.std", types.SimpleNamespace(tqdm=Recorded))
    monkeypatch.setitem(sys.modules, "tqdm.notebook",
                        types.SimpleNamespace(tqdm=NoWidgets))
    bar.draw()
    assert type(bar.shown) is Recorded

"""How far a compile is, for those who want to know."""

import io
import re

import pytest

from clinch import double, function, progress


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
    function([x], y, linker=linker, progress=lambda *a: seen.append(a))
    assert seen[-1] == (40, 40)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {all for _, all in seen} == {40}


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


def test_the_bar_comes_late_and_leaves_no_trace():
    stream = io.StringIO()
    bar = progress.Bar(stream, patience=3600)
    bar.update(5, 10)
    assert bar.text() == f"assembling [{'#' * 15}{'.' * 15}] 5/10"
    bar.update(10, 10)
    assert re.fullmatch(r"compiling 10 applies, \d+ s", bar.text())
    bar.close()
    assert stream.getvalue() == ""  # It was quick: nothing was shown.

    bar = progress.Bar(stream, patience=3600)
    bar.update(1, 2)
    bar._draw()
    bar.close()
    assert stream.getvalue().startswith("\r\033[Kassembling [")
    assert stream.getvalue().endswith("\r\033[K")

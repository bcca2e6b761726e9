"""Functions of Python floats begin with the code that their calls need; what
works on cells is compiled when somebody fills them."""

import pytest

import clinch
from clinch import double, function


def is_whole(f):
    """Whether more of it is compiled than its quick way."""
    return f.stats["source_bytes"] == len(f.emit("c"))


@pytest.fixture
def uncached():
    before, clinch.config.cache = clinch.config.cache, False
    yield
    clinch.config.cache = before


@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_what_fills_cells_is_compiled_when_they_are_filled(uncached, form,
                                                           language):
    x, y = double("x"), double("y")

    def make(number):
        return function([x, y], x * y + number, form=form, language=language)
    f = make(101.25)
    for _ in range(3):
        assert f(2.0, 3.0) == 107.25
    with pytest.raises(TypeError, match="takes 2 arguments"):
        f(1.0)
    with pytest.raises(TypeError, match="not a str"):
        f(1.0, "3")
    assert not is_whole(f)
    assert f(2, 3.0) == 107.25
    assert is_whole(f)
    assert f(2.0, 3.0) == f(True, y=6.0) == 107.25

    f = make(102.25)  # Filled by hand.
    f.cells[x][0], f.cells[y][0] = 2.0, 3.0
    assert not is_whole(f)
    f.thunk()
    assert is_whole(f) and f.cells[f.outputs[0]] == [108.25]

    f = make(103.25)
    assert f.thunk.program.symbol("no_such_name") is None and is_whole(f)
    f = make(104.25)
    assert (f.thunk.state_address != 0) == (form == "struct") and is_whole(f)
    f = make(105.25)
    assert [g(2, 3) for g in (f.copy(), f)] == [111.25, 111.25]
    f = make(106.25)
    f.thunk.cells[0].append(1)
    with pytest.raises(TypeError, match="list of one"):
        f(2, 3)
    assert f(2.0, 3.0) == 112.25


def test_what_nobody_calls_the_quick_way_is_compiled_at_once(uncached):
    x, y = double("x"), double("y")
    filtered = clinch.Double()
    filtered.filter = lambda value, **options: float(value)
    z = filtered("z")
    for inputs, output, options in [
            ([x, y], [x * y + 201.5], {}),
            ([x, (y, 2.0)], x * y + 202.5, {}),
            ([z], z * 203.5, {}),
            ([x, y], x * y + 204.5, {"debug": True})]:
        assert is_whole(function(inputs, output, **options))


def test_whole_code_that_a_cache_has_is_taken(uncached):
    x, y = double("x"), double("y")
    first = function([x, y], x * y + 301.5)
    assert first(1, 2) == 303.5 and is_whole(first)
    second = function([x, y], x * y + 301.5)
    assert is_whole(second) and second.stats["cache_from"] == "memory"

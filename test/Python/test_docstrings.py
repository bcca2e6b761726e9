"""The examples in the docstrings of the public names run and print what they show."""

import doctest
import importlib.util

import pytest

import clinch

#: The names that `help` must show with an example.
WITH_EXAMPLE = {
    "In", "Mode", "Out", "cache_clear", "cache_info", "cast", "compile", "config",
    "double", "evaluate", "function", "import_extension", "jit", "link",
    "low_level_callable", "shared", "vector", "vectorize",
}
#: The packages that the examples of a name import.
PACKAGES = {"low_level_callable": "scipy"}


def documented(name):
    """Returns the object of a public name that has its docstring."""
    value = getattr(clinch, name)
    return value if callable(value) and hasattr(value, "__name__") else type(value)


def examples(name):
    """Returns the docstrings with examples of a name and of its members."""
    found = doctest.DocTestFinder(exclude_empty=True).find(documented(name), name, globs={})
    return [test for test in found if test.examples]


WITH_SOME = [name for name in clinch.__all__ if examples(name)]


def test_the_main_names_have_an_example():
    own = {name for name in WITH_SOME if any(test.name == name for test in examples(name))}
    assert WITH_EXAMPLE - own == set()


@pytest.mark.parametrize("name", WITH_SOME)
def test_examples_of(name, tmp_path, monkeypatch):
    package = PACKAGES.get(name)
    if package and not importlib.util.find_spec(package):
        pytest.skip(f"needs {package}")
    monkeypatch.setattr(clinch.config, "cache_dir", str(tmp_path))
    for test in examples(name):
        reports = []
        runner = doctest.DocTestRunner(verbose=False)
        result = runner.run(test, out=reports.append)
        assert result.failed == 0, "".join(reports)
        assert result.attempted == len(test.examples)

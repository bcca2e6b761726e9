"""Headers that are precompiled in the background, for the function that comes next."""

from conftest import run

SCRIPT = """
import clinch.pytensor
from clinch import _clinch

began = []
def prepare(options, prepare=_clinch.prepare):
    began.append((options["language"], options["python"]))
    prepare(options)
_clinch.prepare = prepare

{}
print(began)
"""


def begun(script, **environment):
    return run(SCRIPT.format(script), **environment)


def test_use_begins_with_them_once():
    assert begun("clinch.pytensor.use()\nclinch.pytensor.use()") == "[('c++', True)]\n"


def test_a_function_does():
    assert begun("""
import pytensor, pytensor.tensor as pt
x = pt.dvector("x")
print(pytensor.function([x], x + 1, mode="CLINCH")([1.0]))
print(pytensor.function([x], x + 2, mode="CLINCH")([1.0]))
""") == "[2.]\n[3.]\n[('c++', True)]\n"


def test_neither_an_import_nor_a_worker_does():
    assert begun("import pytensor") == "[]\n"
    assert begun("from clinch.pytensor.workers import _use_here\n_use_here({})") == "[]\n"


def test_flags_that_cannot_be_are_the_functions_to_tell():
    """What is begun with them fails without a word."""
    assert begun("""
import pytensor, pytensor.tensor as pt
pytensor.config.gcc__cxxflags = "-m32"
clinch.pytensor.use()
x = pt.dvector("x")
try:
    pytensor.function([x], x + 1)
except ValueError as error:
    print(str(error).splitlines()[0])
""").startswith("The flag `-m32` cannot be used here: code is made for the process")

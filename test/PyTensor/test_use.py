"""`use()` and `unuse()`, and that nothing of PyTensor stays changed after them."""

import threading

import pytensor.tensor as pt
import pytest
from conftest import run
from pytensor.configdefaults import config

import clinch.pytensor
import pytensor
from clinch.pytensor.config import compiling

#: What every function, class and flag of PyTensor is, by its place.
SNAPSHOT = """
import sys
import pytensor, pytensor.tensor as pt, pytensor.sparse
try:
    import pytensor.compile.debug.debugmode
except ImportError:
    import pytensor.compile.debugmode

def snapshot():
    found = {}
    def look(place, owner):
        for name, value in list(vars(owner).items()):
            if isinstance(value, float):
                continue  # How long PyTensor has worked so far.
            found[f"{place}.{name}"] = value
            if isinstance(value, type) and value.__module__ == place:
                look(f"{place}.{name}", value)
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "pytensor":
            look(name, module)
    for name, flag in pytensor.config._config_var_dict.items():
        for part in ("__class__", "_apply", "val"):
            found[f"config.{name}.{part}"] = getattr(flag, part, None)
        found[f"config.{name}.all"] = tuple(sorted(getattr(flag, "all", ())))
    return found

def changes():
    now = snapshot()
    return sorted(place for place, value in before.items()
                  if value is not now[place] and not value == now[place])

before = snapshot()
"""
NAMES = ["config.linker.all", "config.mode._apply"]


def test_what_is_changed_and_that_it_is_gone():
    """The import lets PyTensor take names; that a function is made leaves no more.
    `use()` changes what is documented, and `unuse()` puts everything back."""
    printed = run(
        SNAPSHOT
        + """
import clinch.pytensor
names = changes()
print(names)
x = pt.dvector("x")
f = pytensor.function([x], pt.tanh(x) + 1, mode="CLINCH")
print(changes() == names, f([0.0]))
clinch.pytensor.use()
print(len(changes()) > 20, pytensor.config.mode, pytensor.config.cxx)
clinch.pytensor.unuse()
print(changes(), any(there for *_, there in clinch.pytensor.patches()))
f = pytensor.function([x], x + 1, mode="CLINCH")
print(type(f.maker.linker).__name__, f([1.0]), changes())
"""
    )
    maker = ["pytensor.compile.mode.Mode.function_maker"]
    names = NAMES + maker * (not pytensor.__version__.startswith("2."))
    assert printed.splitlines() == [
        str(names),
        "True [1.]",
        "True CLINCH clinch",
        "[] False",
        "ClinchLinker [2.] []",
    ]


def test_each_change_is_documented():
    with open("docs/guide/10-pytensor.md") as page:
        text = page.read()
    for place, why, _ in clinch.pytensor.patches():
        assert f"`{place}`" in text, place
        assert why


LINKERS = """
import clinch.pytensor
{use}
import pytensor, pytensor.tensor as pt
x = pt.dvector("x")
f = pytensor.function([x], x * 2)
print(type(f.maker.linker).__name__, f([1.0]))
"""


def test_one_line_makes_it_the_default():
    assert run(LINKERS.format(use="clinch.pytensor.use()")) == "ClinchLinker [2.]\n"
    twice = "clinch.pytensor.use(); clinch.pytensor.use()"
    assert run(LINKERS.format(use=twice)) == "ClinchLinker [2.]\n"


def test_unuse_finds_the_compiler_that_pytensor_would_have_found(gxx):
    printed = run(
        """
        import clinch.pytensor, pytensor
        print(pytensor.config.cxx)
        clinch.pytensor.use()
        clinch.pytensor.unuse()
        print(pytensor.config.cxx)
        """
    )
    assert printed == f"clinch\n{gxx}\n"


def test_unuse_puts_flags_back():
    printed = run(
        """
        import pytensor
        pytensor.config.cxx, pytensor.config.mode = "", "FAST_COMPILE"
        pytensor.config.blas__ldflags = "-lm"
        import clinch.pytensor
        clinch.pytensor.use()
        print(pytensor.config.cxx, pytensor.config.mode, pytensor.config.blas__ldflags)
        clinch.pytensor.unuse()
        print(repr(pytensor.config.cxx), pytensor.config.mode)
        """
    )
    assert printed == "clinch CLINCH -lm\n'' FAST_COMPILE\n"


def test_other_threads_see_the_flags_as_they_are():
    """PyTensor's flags are the process's; while one thread compiles, its alone."""
    inside, go_on = threading.Event(), threading.Event()
    seen = []

    def compile_here():
        with compiling(), compiling():
            seen.append(config.cxx)
            with config.change_flags(cxx=""):
                seen.append(config.cxx)
            inside.set()
            go_on.wait(60)
            seen.append(config.cxx)

    with config.change_flags(cxx="none-such"):
        other = threading.Thread(target=compile_here)
        other.start()
        assert inside.wait(60)
        assert config.cxx == "none-such"
        with compiling():
            assert config.cxx == "clinch"
        config.cxx = "another"
        go_on.set()
        other.join()
        assert seen == ["clinch", "", "clinch"]
        assert config.cxx == "another"


WORKER = """
import multiprocessing

def work(f):
    # Imported by nobody here but by what the parent said.
    import sys
    assert "clinch.pytensor" in sys.modules
    import clinch, pytensor, pytensor.tensor as pt
    x = pt.dvector("x")
    g = pytensor.function([x], pt.exp(x) * 3)
    info = clinch.cache_info()
    print(type(g.maker.linker).__name__, pytensor.config.cxx, f([1.0]), g([0.0]),
          clinch.pytensor.options.tier, "compiled:", info["compiles"], flush=True)

if __name__ == "__main__":
    import clinch.pytensor
    clinch.pytensor.use()
    clinch.pytensor.options.tier = "default"
    clinch.pytensor.options.first_tier = None
    import pytensor, pytensor.tensor as pt
    clinch.pytensor.use()
    x = pt.dvector("x")
    f = pytensor.function([x], x + 1)
    g = pytensor.function([x], pt.exp(x) * 3)
    context = multiprocessing.get_context("{method}")
    process = context.Process(target=work, args=(f,))
    process.start()
    process.join(300)
    print(process.exitcode)
"""


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers_use_it_and_compile_nothing_that_the_parent_has(method, tmp_path):
    """Neither a function that they are given nor one that they make alike."""
    path = tmp_path / "workers.py"
    path.write_text(WORKER.replace("{method}", method))
    printed = run(
        f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')"
        if method == "fork"
        else f"import subprocess, sys; subprocess.run([sys.executable, {str(path)!r}])",
        CLINCH_CACHE_DIR=str(tmp_path / "cache"),
    )
    compiled = 0 if method != "fork" else "any"
    line, code = printed.splitlines()
    said, count = line.rsplit(" ", 1)
    assert said == "ClinchLinker clinch [2.] [3.] default compiled:"
    assert code == "0"
    assert compiled == "any" or int(count) == compiled

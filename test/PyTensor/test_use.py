"""`use()` and `unuse()`, and that nothing of PyTensor stays changed after them."""

import threading
from typing import get_type_hints

import pytensor.tensor as pt
import pytest
from conftest import run
from pytensor.configdefaults import config

import clinch.pytensor
import pytensor
from clinch.pytensor import patching
from clinch.pytensor.config import CXX, compiling

#: What every function, class, flag, dict, list and set of PyTensor is, by its place.
SNAPSHOT = """
import copyreg, sys
import pytensor, pytensor.tensor as pt, pytensor.sparse
try:
    import pytensor.compile.debug.debugmode
except ImportError:
    import pytensor.compile.debugmode
from pytensor.compile.mode import optdb
import clinch  # Its finder of modules by their old names stays.

def content(value):
    "What a change in place would change."
    return value.copy() if type(value) in (dict, list, set) else None

def snapshot():
    found = {"sys.meta_path": list(sys.meta_path),
             "copyreg": {kind: reduce for kind, reduce in copyreg.dispatch_table.items()
                         if not kind.__module__.startswith("clinch")},
             "optdb": ({k: list(v) for k, v in optdb.__db__.items() if v},
                       set(optdb._names), dict(optdb.__position__))}
    seen = set()
    def look(place, owner):
        for name, value in list(vars(owner).items()):
            if isinstance(value, float):
                continue  # How long PyTensor has worked so far.
            if type(value) in (dict, list, set):
                if id(value) in seen:
                    continue  # The same one, imported.
                seen.add(id(value))
            found[f"{place}.{name}"] = value, content(value)
            if isinstance(value, type) and value.__module__ == place:
                look(f"{place}.{name}", value)
    modes = "pytensor.compile.mode"
    for name, module in [(modes, sys.modules[modes]), *sys.modules.items()]:
        if name.split(".")[0] == "pytensor":
            look(name, module)
    for name, flag in pytensor.config._config_var_dict.items():
        for part in ("__class__", "_apply", "val"):
            found[f"config.{name}.{part}"] = getattr(flag, part, None)
        found[f"config.{name}.all"] = tuple(sorted(getattr(flag, "all", ())))
    return found

def same(before, now):
    try:
        return before is now or bool(before == now)
    except Exception:  # Arrays; as parts of these.
        return all(map(same, before, now)) and len(before) == len(now)

def changes():
    now = snapshot()
    return sorted(place for place in before.keys() | now.keys()
                  if place not in before or place not in now
                  or not same(before[place], now[place]))

x = pt.dvector("x")
pytensor.function([x], pt.tanh(x) + 1, mode="FAST_COMPILE")
before = snapshot()
"""
CHANGED = [
    "config.blas__ldflags.__class__",
    "config.cxx.__class__",
    "optdb",
    "pytensor.compile.mode.Mode.function_maker",
    "pytensor.compile.mode.predefined_linkers",
    "pytensor.compile.mode.predefined_modes",
    "pytensor.link.c.basic.CLinker.make_thunk",
    "sys.meta_path",
]


def test_what_is_changed_and_that_it_is_gone():
    """The import changes what is documented, and `use()` the default mode; `unuse()`
    puts everything back."""
    printed = run(
        SNAPSHOT
        + """
import clinch.pytensor
changed = changes()
print(*changed, sep="\\n")
clinch.pytensor.use()
print(sorted(set(changes()) - set(changed)))
clinch.pytensor.unuse()
print(changes(), any(there for *_, there in clinch.pytensor.patches()))
f = pytensor.function([x], x + 1, mode=clinch.pytensor.CLINCH)
print(type(f.maker.linker).__name__, f([1.0]))
"""
    )
    assert printed.splitlines() == [
        *CHANGED,
        "['config.mode.val']",
        "[] False",
        "ClinchLinker [2.]",
    ]


def test_all_changes_are_declared_and_documented():
    declared = [place for place, _, _ in clinch.pytensor.patches()]
    for place in CHANGED:
        name = place.removesuffix(".__class__").rpartition(".")[2]
        assert any(name in one for one in declared), place
    with open("docs/internals/pytensor.md") as inside, open(
        "docs/internals/upstream.md"
    ) as upstream:
        text, asked = inside.read(), upstream.read()
    replaced = 0
    for place, why, _ in clinch.pytensor.patches():
        assert f"`{place}`" in text, place
        assert why
        replaced += f"`{place}`" in asked
    assert replaced == 4  # And two of PyMC's and nutpie's, which are not imported.


LINKERS = """
import clinch.pytensor
{use}
import pytensor, pytensor.tensor as pt
x = pt.dvector("x")
f = pytensor.function([x], x * 2)
print(type(f.maker.linker).__name__, f([1.0]))
"""


def test_the_public_functions_say_their_types():
    said = {
        name: get_type_hints(getattr(clinch.pytensor, name))["return"]
        for name in ("patches", "registered", "unuse", "use", "wait")
    }
    assert said == {
        "patches": list[tuple[str, str, bool]],
        "registered": list[tuple[str, int]],
        "wait": bool,
        "unuse": type(None),
        "use": type(None),
    }


def test_the_old_name_of_wait_warns():
    message = "^clinch.pytensor.settle is called clinch.pytensor.wait now$"
    with pytest.warns(DeprecationWarning, match=message) as warned:
        assert clinch.pytensor.settle is clinch.pytensor.wait
    assert warned[0].filename == __file__


def test_one_line_makes_it_the_default():
    assert run(LINKERS.format(use="clinch.pytensor.use()")) == "ClinchLinker [2.]\n"
    twice = "clinch.pytensor.use(); clinch.pytensor.use()"
    assert run(LINKERS.format(use=twice)) == "ClinchLinker [2.]\n"


def test_pytensor_finds_the_compiler_that_it_would_have_found(gxx):
    printed = run(
        """
        import clinch.pytensor, pytensor
        print(pytensor.config.cxx)
        clinch.pytensor.use()
        print(pytensor.config.cxx)
        """
    )
    assert printed == f"{gxx}\n{gxx}\n"


def test_unuse_puts_flags_back():
    printed = run(
        """
        import pytensor
        pytensor.config.cxx, pytensor.config.mode = "", "FAST_COMPILE"
        pytensor.config.blas__ldflags = "-lm"
        import clinch.pytensor
        clinch.pytensor.use()
        print(pytensor.config.mode is clinch.pytensor.CLINCH)
        clinch.pytensor.unuse()
        print(repr(pytensor.config.cxx), pytensor.config.mode,
              pytensor.config.blas__ldflags)
        """
    )
    assert printed == "True\n'' FAST_COMPILE -lm\n"


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
            assert config.cxx == CXX
        config.cxx = "another"
        go_on.set()
        other.join()
        assert seen == [CXX, "", CXX]
        assert config.cxx == "another"


WORKER = """
import multiprocessing

def work(f):
    # Imported by nobody here but by what the parent said.
    import sys
    assert "clinch.integrations.pytensor" in sys.modules
    import clinch.pytensor, pytensor, pytensor.tensor as pt
    x = pt.dvector("x")
    g = pytensor.function([x], pt.exp(x) * 3)
    info = clinch.cache_info()
    print(type(g.maker.linker).__name__, f([1.0]), g([0.0]),
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
    assert said == "ClinchLinker [2.] [3.] default compiled:"
    assert code == "0"
    assert compiled == "any" or int(count) == compiled


def test_clinchs_own_names_are_there_with_this_numpy():
    """It is the newest, and may lack what older ones have."""
    assert "None\n" == run(
        "import clinch.tensor\n"
        "print(next((name for name in clinch.tensor.__all__\n"
        "            if not hasattr(clinch.tensor, name)), None))")


def test_changes_of_which_one_fails_are_undone():
    class Owner:
        one = two = 0

    def fail(original):
        raise OSError("no")

    kept = patching._Changes()
    kept.add(patching.replace(Owner, "one", lambda _: 1, ""),
             patching.replace(Owner, "two", fail, ""))
    for _ in range(2):
        with pytest.raises(OSError):
            kept.acquire()
        assert (Owner.one, kept.in_place) == (0, False)
    kept.all.pop()
    kept.acquire()
    with pytest.raises(OSError):
        kept.add(patching.replace(Owner, "two", lambda _: 2, ""),
                 patching.replace(Owner, "one", fail, ""))
    assert (Owner.one, Owner.two, len(kept.all)) == (1, 0, 1)
    kept.release()
    assert (Owner.one, kept.in_place) == (0, False)

"""The package's modules and names."""

import builtins
import importlib
import inspect
import pkgutil
import subprocess
import sys
import types

import pytest

import clinch
from clinch.prompt.c_mistakes import HEADERS


def test_no_name_hides_a_module():
    names = [module.name for module in pkgutil.iter_modules(clinch.__path__)]
    hidden = [name for name in names if name != "__main__" and not isinstance(
        getattr(clinch, name, types.ModuleType(name)), types.ModuleType)]
    assert hidden == [] and len(names) > 30


def test_no_name_of_numpys_hides_a_module():
    names = {module.name for module in pkgutil.iter_modules(clinch.tensor.__path__)}
    assert names & {*clinch.tensor.__all__, *dir(builtins)} == set()
    assert len(names) > 20


def test_names_that_are_used_before_any_module():
    """A module that imports another by way of the package would import all of it."""
    for code in ("from clinch import double, function", "import clinch.generic_ops",
                 "import clinch.gpu_array_type", "import clinch; clinch.deep_copy_op"):
        subprocess.run([sys.executable, "-c", code], check=True)


def test_few_names_are_public():
    """Those of the contract, and the most used of NumPy's; `clinch.tensor` has all."""
    assert len(set(clinch.__all__)) == len(clinch.__all__) <= 80
    for module in (clinch, clinch.tensor):
        assert [name for name in module.__all__ if not hasattr(module, name)] == []
    numpys = {"add", "exp", "where", "set_subtensor"}
    assert all(getattr(clinch, n) is getattr(clinch.tensor, n) for n in numpys)
    with pytest.raises(AttributeError, match="has no attribute 'sinh'; "
                       "`clinch.tensor.sinh` is it, or `numpy.sinh`$"):
        clinch.sinh


def test_any_module_can_be_the_first():
    """What unpickles imports a module of its own, and no name of the package's."""
    code = """if 1:
        import os, pkgutil, sys, numpy
        folder = sys.argv[1]
        found = ["clinch." + m.name for m in pkgutil.iter_modules([folder])]
        for inner in ("tensor", "drawing", "notebook", "prompt"):
            found += [m.name for m in pkgutil.iter_modules(
                [os.path.join(folder, inner)], f"clinch.{inner}.")]
        for name in found:
            if name in ("clinch.__main__", "clinch.brian2", "clinch.build_ext",
                        "clinch.pystan", "clinch.pytensor", "clinch.stan_nutpie",
                        "clinch.torch", "clinch.triton") or name.endswith("_arrays"):
                continue
            if not os.fork():
                __import__(name)
                os._exit(0)
            if os.wait()[1]:
                print(name)
        print(len(found) > 100)
    """
    done = subprocess.run([sys.executable, "-c", code, *clinch.__path__], check=True,
                          text=True, capture_output=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_first_calls_import_nothing():
    """A child forked meanwhile could never import it: Python leaves a module's lock to the
    thread that imports it, which the child does not have."""
    code = """if 1:
        import pickle, sys, numpy, clinch
        x, v = clinch.double(), clinch.vector()
        before = {*sys.modules}
        ones = numpy.ones(3)
        code = clinch.compile("struct p { int a; }; int f(struct p q) { return q.a; }"
                              "double g(double *x, int n) { return x[n]; }"
                              "int h(int (*f)(int)) { return f(3); }", tier="fast")
        print(code.f(code.p(2)), code.g(ones, 1), code.h(lambda n: n + 1))
        print(clinch.link(["int g(void); int f(void) { return g(); }",
                           "int g(void) { return 5; }"]).f())
        print(clinch.extension('''
            #include <Python.h>
            static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "made"};
            PyMODINIT_FUNC PyInit_made(void) { return PyModule_Create(&def); }
            ''', "made").__name__, len(clinch.Prefix(["<math.h>"]).text))
        print(pickle.loads(pickle.dumps(clinch.function([x], x + 1)))(1.0))
        for mode in (None, clinch.Mode(threads=2), "DebugMode"):
            print(clinch.function([v], numpy.tanh(v).sum() * 0, mode=mode)(ones))
        print(clinch.function([v], numpy.sort(v))(ones))
        print(clinch.jit(lambda x: x + 1)(ones), clinch.evaluate("ones + 2"),
              clinch.vectorize(lambda x: x + 3)(ones))
        print(sorted({*sys.modules} - before))
    """
    done = subprocess.run([sys.executable, "-c", code], check=True, text=True,
                          capture_output=True)
    assert done.stdout.splitlines() == [
        "2 1.0 4", "5", "made 18", "2.0", "0.0", "0.0", "0.0", "[1. 1. 1.]",
        "[2. 2. 2.] [3. 3. 3.] [4. 4. 4.]", "['made']"]


def test_what_few_use_is_imported_when_they_do():
    """subprocess and tempfile take 5 ms, which is a quarter of what ours take."""
    code = """if 1:
        import sys, numpy
        before = {*sys.modules}
        import clinch
        print(sorted({"difflib", "subprocess", "tempfile", "inspect", "html", "argparse",
                      "logging", "clinch.drawing", "clinch.notebook", "clinch.prompt"}
                     & {*sys.modules} - before))
    """
    done = subprocess.run([sys.executable, "-c", code], check=True, text=True,
                          capture_output=True)
    assert done.stdout == "[]\n"


def test_c_at_the_prompt_needs_no_numpy():
    """It answers in 70 ms, and NumPy would take as many again."""
    code = """if 1:
        import sys
        sys.argv = ["/usr/bin/clinch"]
        from clinch.prompt.options import parse
        from clinch.prompt.session import Session
        console = Session(parse([])).console()
        for line in ("double half(double x) { return x / 2; }", "half(3)",
                     "struct P { float x; char *s; } p = {0.1f, 0};", "p",
                     'puts("3");', "sizeof p", "int i = 1;", ":undo", ":type half(1)",
                     ":set tier fast"):
            console.push(line)
        print("numpy" in sys.modules, "clinch.graph" in sys.modules)
        console.push("np.arange(int(half(6)))")
    """
    done = subprocess.run([sys.executable, "-c", code], check=True, text=True,
                          capture_output=True)
    assert done.stdout.splitlines() == [
        "1.5", '{x = 0.1, s = NULL}', "3", "16", "taken back: i", "double",
        "False False", "array([0, 1, 2])"]


def test_only_mathematics_has_names_of_c():
    """So that the prompt knows whose the others are, without the package's names."""
    names = {name for module in (clinch, clinch.tensor) for name in module.__all__}
    assert {name for name, header in HEADERS.items()
            if header not in ("<math.h>", "<complex.h>")} & names == set()


def test_what_users_call_has_the_names_it_had():
    assert clinch.function.__name__ == "function"
    assert clinch.compile.__name__ == "compile"
    assert isinstance(clinch.config.tier, str)
    assert isinstance(clinch.generic, clinch.Generic)


def test_modules_can_be_imported_by_name():
    for name in ("functions", "compiled_text", "configuration", "generic_type"):
        assert importlib.import_module("clinch." + name).__name__ \
            == "clinch." + name


def test_what_is_public_has_annotations():
    """Of the parameters of functions, methods and makers; hooks have the contract's."""
    hooks = {*clinch._clinch.hook_names(), "perform", "make_node", "own"}
    bare = []
    for module, names in ((clinch, clinch.__all__),
                          (clinch.tensor, {*clinch.tensor.__all__, *clinch.tensor.names.OWN})):
        for name in names:
            found = getattr(module, name)
            members = {name: found} if inspect.isfunction(found) else {
                f"{name}.{own}": member for own, member in vars(found).items()
                if inspect.isfunction(member) and own not in hooks
                and (own == "__init__" or not own.startswith("_"))
            } if inspect.isclass(found) and found.__module__.startswith("clinch") else {}
            bare += [said for said, member in members.items() if any(
                p.annotation is p.empty and p.name != "self"
                for p in inspect.signature(member).parameters.values())]
    assert bare == []

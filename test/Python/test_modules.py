"""The package's modules and names."""

import builtins
import inspect
import math
import os
import pickle
import pkgutil
import subprocess
import sys
import types

import numpy
import pytest

import clinch
from clinch.cli.c_mistakes import HEADERS


def test_no_name_hides_a_module():
    names = [module.name for module in pkgutil.iter_modules(clinch.__path__)]
    hidden = [name for name in names if name != "__main__" and not isinstance(
        getattr(clinch, name, types.ModuleType(name)), types.ModuleType)]
    assert hidden == [] and len(names) > 10


def test_no_name_of_numpys_hides_a_module():
    names = {module.name for module in pkgutil.iter_modules(clinch.tensor.__path__)}
    assert names & {*clinch.tensor.__all__, *dir(builtins)} == set()
    assert len(names) > 20


def test_names_that_are_used_before_any_module():
    """A module that imports another by way of the package would import all of it."""
    for code in ("from clinch import double, function", "import clinch.ops.generic_ops",
                 "import clinch.cuda.array_type", "import clinch; clinch.deep_copy_op"):
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
        import glob, os, sys, numpy
        os.chdir(os.path.dirname(sys.argv[1]))
        modules = [path[:-3].replace("/", ".").removesuffix(".__init__")
                   for path in glob.glob("clinch/**/*.py", recursive=True)
                   if "integrations" not in path and "pytensor" not in path]
        modules.remove("clinch.__main__")
        for module in modules:
            for name in [name for name in sys.modules if name.startswith("clinch")
                         and name != "clinch._clinch"]:
                del sys.modules[name]
            try:
                __import__(module)
            except Exception as error:
                print(module, error)
        print(len(modules) > 100)
    """
    done = subprocess.run([sys.executable, "-c", code, *clinch.__path__], check=True,
                          text=True, capture_output=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_version_0_1_can_still_be_read():
    """Its pickles and its users name modules that lie in folders now."""
    with open(os.path.join(os.path.dirname(__file__), "Inputs", "version-0.1.pickle"),
              "rb") as file:
        things = pickle.load(file)
    values = numpy.ones(3)
    assert list(things["function"](2.0)) == [5.0, math.exp(2)]
    total, product = things["arrays"](values, numpy.ones((2, 3)))
    assert total == pytest.approx(3 * math.tanh(1)) and product.tolist() == [3, 3]
    assert things["shared"](values).tolist() == [1, 2, 3]
    assert things["shared"](values).tolist() == [1, 3, 5]
    assert things["debug"](2.0) == 4.0
    assert [str(v) for v in things["variables"]] == [
        "x", "v", "2.0", "array([0, 1, 2])", "Shape(v)", "Shape_i{i=0}(v)", "DeepCopyOp(v)",
        "ViewOp(v)", "Cast{dtype='float32'}(x)", "exp(x)", "Elemwise{tanh}(v)"]
    assert things["types"] == [clinch.double, clinch.vector().type, clinch.generic,
                               clinch.CDataType("int*"), clinch.Scalar("int32")]
    assert things["mode"].tier == "fast"


def test_modules_of_an_old_package_are_no_second_ones():
    code = """if 1:
        import clinch.cli.options as new
        import clinch.prompt
        from clinch.prompt.options import parse
        import sys
        print(parse is new.parse, sys.modules["clinch.prompt.options"] is new)
    """
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert (done.stdout, done.stderr) == ("True True\n", "")


def test_old_names_are_the_new_modules():
    code = """if 1:
        import clinch.array_type, clinch.prompt.options, clinch.debugmode as old
        import clinch.types.array_type, clinch.cli.options, clinch.debug.debugmode as new
        print(old is new, clinch.array_type is clinch.types.array_type,
              clinch.prompt.options.parse is clinch.cli.options.parse)
        import clinch.nothing
    """
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert done.stdout == "True True True\n"
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'clinch.nothing'\n")


@pytest.mark.parametrize(("old", "new"), [("Prefix", "PrecompiledHeaders"),
                                          ("extension", "import_extension")])
def test_old_names_warn(old, new):
    with pytest.warns(DeprecationWarning,
                      match=f"^clinch.{old} is called clinch.{new} now$") as warned:
        assert getattr(clinch, old) is getattr(clinch, new)
    assert warned[0].filename == __file__


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
        print(clinch.import_extension('''
            #include <Python.h>
            static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "made"};
            PyMODINIT_FUNC PyInit_made(void) { return PyModule_Create(&def); }
            ''', "made").__name__, len(clinch.PrecompiledHeaders(["<math.h>"]).text))
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
                      "logging", "clinch.cli.drawing", "clinch.cli.notebook", "clinch.cli"}
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
        from clinch.cli.options import parse
        from clinch.cli.session import Session
        console = Session(parse([])).console()
        for line in ("double half(double x) { return x / 2; }", "half(3)",
                     "struct P { float x; char *s; } p = {0.1f, 0};", "p",
                     'puts("3");', "sizeof p", "int i = 1;", ":undo", ":type half(1)",
                     ":set tier fast"):
            console.push(line)
        print("numpy" in sys.modules, "clinch.graph.variables" in sys.modules)
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

"""Extension modules of Python from text."""

import ctypes
import gc
import importlib
import os
import pickle
import subprocess
import sys
import threading

import pytest

import clinch

ONE_PHASE = """
#include <Python.h>
static PyObject *twice(PyObject *self, PyObject *x) { return PyNumber_Add(x, x); }
static PyMethodDef methods[] = {{"twice", twice, METH_O, "Doubles."}, {0}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "NAME", "A doc.", 0, methods};
static int value = VALUE;
PyMODINIT_FUNC PyInit_NAME(void) {
  PyObject *m = PyModule_Create(&def);
  if (m && PyModule_AddIntConstant(m, "value", value++)) Py_CLEAR(m);
  if (m && (PyState_FindModule(&def) != 0)) Py_CLEAR(m);
  return m;
}
"""

TWO_PHASES = """
#include <Python.h>
#include <string>
struct counter { PyObject_HEAD int count; std::string *text; };
static PyObject *next(PyObject *self, PyObject *) {
  return PyLong_FromLong(++reinterpret_cast<counter *>(self)->count);
}
static PyMethodDef methods[] = {{"next", next, METH_NOARGS, "Counts."}, {}};
static PyType_Slot slots[] = {{Py_tp_methods, methods}, {}};
static PyType_Spec spec = {"NAME.Counter", sizeof(counter), 0,
                           Py_TPFLAGS_DEFAULT, slots};
static int exec(PyObject *m) {
  EXEC
  PyObject *type = PyType_FromSpec(&spec);
  int failed = !type || PyModule_AddObjectRef(m, "Counter", type);
  Py_XDECREF(type);
  return failed ? -1 : 0;
}
static PyModuleDef_Slot def_slots[] = {{Py_mod_exec, (void *)exec}, {}};
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "NAME", nullptr, 8, nullptr,
                          def_slots};
PyMODINIT_FUNC PyInit_NAME(void) { return PyModuleDef_Init(&def); }
"""


@pytest.fixture(autouse=True)
def modules():
    """Takes what a test has loaded out of sys.modules again."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("made_"):
            del sys.modules[name]


def one_phase(name, value=5):
    return ONE_PHASE.replace("NAME", name).replace("VALUE", str(value))


def two_phases(name, first=""):
    return TWO_PHASES.replace("NAME", name).replace("EXEC", first)


def test_a_module_of_one_phase():
    module = clinch.import_extension(one_phase("made_one"), "made_one")
    assert module.twice(21) == 42 and module.value == 5
    assert (module.__name__, module.__doc__) == ("made_one", "A doc.")
    assert module.__spec__.name == "made_one" and sys.modules["made_one"] is module
    import made_one
    assert made_one is module


def test_pystate_finds_a_module_of_one_phase():
    text = one_phase("made_state").replace("{0}};", """
        {"me", me, METH_NOARGS, ""}, {0}};""", 1).replace("static PyMethodDef", """
        static struct PyModuleDef def;
        static PyObject *me(PyObject *self, PyObject *none) {
          return Py_NewRef(PyState_FindModule(&def));
        }
        static PyMethodDef""", 1)
    module = clinch.import_extension(text, "made_state")
    assert module.me() is module


def test_a_module_of_two_phases():
    module = clinch.import_extension(two_phases("made_two"), "made_two", language="c++")
    counter = module.Counter()
    assert (counter.next(), counter.next()) == (1, 2)
    assert module.Counter.__module__ == "made_two" == module.__name__


def test_a_module_in_a_package():
    module = clinch.import_extension(one_phase("made_inner"), "made_package.made_inner")
    assert module.__name__ == "made_package.made_inner"
    assert module.__package__ == "made_package"
    assert sys.modules["made_package.made_inner"] is module


def test_a_name_that_is_not_ascii():
    text = one_phase("made_x").replace("PyInit_made_x", "PyInitU_made__fsa")
    assert "made_é".encode("punycode") == b"made_-fsa"
    assert clinch.import_extension(text, "made_é").twice("ab") == "abab"


def test_the_code_stays_while_a_type_lives():
    Counter = clinch.import_extension(two_phases("made_gone"), "made_gone",
                               language="c++").Counter
    del sys.modules["made_gone"]
    gc.collect()
    assert Counter().next() == 1


def test_a_type_that_lives_until_the_process_ends(tmp_path):
    """Its dealloc is code of the module, and runs when all else is gone."""
    text = two_phases("made_last").replace("static PyType_Slot slots[] = {", """
        static void gone(PyObject *o) { puts("gone"); fflush(stdout); }
        static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)gone}, """)
    script = tmp_path / "script.py"
    script.write_text(f"""
import sys, clinch
sys.last = clinch.import_extension({text!r}, "made_last", language="c++").Counter()
""")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "gone\n", "")


def test_no_program_is_needed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"""
import clinch
print(clinch.import_extension({one_phase("made_alone")!r}, "made_alone").twice(4))
""")
    environment = {**os.environ, "PATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, script], env=environment, cwd=tmp_path,
                         capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "8\n", "")
    assert os.listdir(tmp_path) == ["script.py"]


def test_no_init_function():
    with pytest.raises(ImportError) as caught:
        clinch.import_extension(one_phase("made_a"), "made_b")
    assert str(caught.value) == ("the text defines no `PyInit_made_b`, but "
                                 "`PyInit_made_a`")
    assert caught.value.name == "made_b" and "made_b" not in sys.modules
    with pytest.raises(ImportError) as caught:
        clinch.import_extension("int x;", "made_b")
    assert str(caught.value) == "the text defines no `PyInit_made_b`"


def init_that(body):
    return f"#include <Python.h>\nPyMODINIT_FUNC PyInit_made_bad(void) {{ {body} }}"


@pytest.mark.parametrize("body, kind, message", [
    ('PyErr_SetString(PyExc_KeyError, "no"); return 0;', KeyError, "'no'"),
    ('PyErr_SetString(PyExc_KeyError, "no"); return PyLong_FromLong(1);',
     KeyError, "'no'"),
    ("return 0;", ImportError,
     "`PyInit_made_bad` failed without raising an exception"),
    ("static PyModuleDef def = {PyModuleDef_HEAD_INIT, \"made_bad\", 0, 0, 0};"
     "return (PyObject *)&def;", SystemError,
     "`PyInit_made_bad` returned an object that is not initialised: a PyModuleDef goes "
     "through `PyModuleDef_Init`"),
    ("return PyLong_FromLong(1);", ImportError,
     "`PyInit_made_bad` returned a int, not a module"),
])
def test_an_init_function_that_fails(body, kind, message):
    with pytest.raises(kind) as caught:
        clinch.import_extension(init_that(body), "made_bad")
    assert str(caught.value) == message and "made_bad" not in sys.modules


@pytest.mark.parametrize("text, options", [
    (one_phase("made_again"), {}), (two_phases("made_again"), {"language": "c++"})])
def test_a_module_is_reloaded(text, options):
    module = clinch.import_extension(text, "made_again", **options)
    try:
        module.added = 5
        assert importlib.reload(module) is module and module.added == 5
        assert sys.modules["made_again"] is module
    finally:
        del sys.modules["made_again"]
    with pytest.raises(ImportError):
        importlib.import_module("made_again")


def test_a_second_phase_that_raises():
    text = two_phases("made_raises", 'PyErr_SetString(PyExc_OSError, "late"); return -1;')
    with pytest.raises(OSError, match="^late$"):
        clinch.import_extension(text, "made_raises", language="c++")
    assert "made_raises" not in sys.modules


def test_text_that_does_not_compile():
    with pytest.raises(clinch.CompileError) as caught:
        clinch.import_extension("int x = y;", "made_wrong")
    assert caught.value.diagnostics[0]["origin"] == "made_wrong"


def test_two_modules_of_one_name():
    module = clinch.import_extension(one_phase("made_same"), "made_same")
    assert clinch.import_extension(one_phase("made_same"), "made_same") is module
    with pytest.raises(ImportError) as caught:
        clinch.import_extension(one_phase("made_same", 6), "made_same")
    assert str(caught.value) == (
        "there is a module `made_same` already, and it is not of this text; "
        "`del sys.modules['made_same']` lets another take its name")
    assert sys.modules["made_same"] is module
    del sys.modules["made_same"]
    assert clinch.import_extension(one_phase("made_same", 6), "made_same").value == 6
    assert module.value == 5 and module.twice(2) == 4


def test_the_name_of_a_module_of_python():
    with pytest.raises(ImportError, match="^there is a module `pickle` already"):
        clinch.import_extension(one_phase("pickle"), "pickle")
    assert sys.modules["pickle"] is pickle


def test_threads_get_one_module():
    made, gate = [], threading.Barrier(8)

    def make():
        gate.wait()
        made.append(clinch.import_extension(one_phase("made_threads"), "made_threads"))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8 and all(module is made[0] for module in made)
    assert made[0].value == 5  # Initialised once.


def test_a_fork_while_another_thread_makes_one():
    """The child can make its own: no lock of the other thread's stays locked."""
    inside, leave = threading.Event(), threading.Event()
    waits = ctypes.PYFUNCTYPE(None)(lambda: (inside.set(), leave.wait()) and None)
    text = init_that("waits(); return PyModule_New(\"made_bad\");").replace(
        "PyMODINIT", "extern void waits(void);\nPyMODINIT")
    address = ctypes.cast(waits, ctypes.c_void_p).value
    thread = threading.Thread(target=clinch.import_extension, args=(text, "made_bad"),
                              kwargs={"symbols": {"waits": address}})
    thread.start()
    inside.wait()
    child = os.fork()
    if child == 0:
        os._exit(clinch.import_extension(one_phase("made_child"), "made_child").twice(4))
    _, status = os.waitpid(child, 0)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 8


def test_a_python_without_the_gil(monkeypatch):
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    with pytest.raises(ImportError) as caught:
        clinch.import_extension(one_phase("made_free"), "made_free")
    assert str(caught.value) == ("extension modules from text need the GIL: start "
                                 "Python with PYTHON_GIL=1")

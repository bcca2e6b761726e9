"""`import clinch.build_ext`: what setuptools builds, without a C compiler."""

import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("setuptools")

MODULE = """
#include <Python.h>
#include "own.h"
static PyObject *call(PyObject *self, PyObject *x) {
  return PyLong_FromLong(work(PyLong_AsLong(x)) * FACTOR);
}
static PyMethodDef methods[] = {{"call", call, METH_O, ""}, {0}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "made", 0, -1, methods};
PyMODINIT_FUNC PyInit_made(void) { return PyModule_Create(&def); }
"""
FILES = {"made.c": MODULE, "own.h": "long work(long);\n",
         "work.c": '#include "own.h"\nlong work(long x) { return x + 1; }\n'}
SETUP = """
from setuptools import setup, Extension
setup(name="made", script_args=["--quiet", "build_ext", "--inplace"], ext_modules=[
    Extension("made", ["made.c", "work.c"], define_macros=[("FACTOR", "10")])])
"""


@pytest.fixture
def run(tmp_path):
    """Runs Python where no program can be found, in a folder with FILES."""
    def write(files):
        for name, text in files.items():
            (tmp_path / name).write_text(text)

    def run(script, files=(), code=0):
        write(dict(files))
        (tmp_path / "script.py").write_text(textwrap.dedent(script))
        environment = {**os.environ, "PATH": str(tmp_path / "empty")}
        for name in ("CC", "CXX", "CFLAGS", "LDFLAGS"):
            environment.pop(name, None)
        ran = subprocess.run([sys.executable, "script.py"], cwd=tmp_path,
                             env=environment, capture_output=True, text=True)
        assert ran.returncode == code, ran.stdout + ran.stderr
        return ran.stdout if code == 0 else ran.stderr

    write(FILES)
    return run


def test_two_sources_and_a_header_beside_them(run, tmp_path):
    assert run("import clinch.build_ext" + SETUP + """
import made
print(made.call(4), made.__name__, made.__spec__.origin == made.__file__)
""") == "50 made True\n"
    [path] = tmp_path.glob("made*.so")
    assert path.read_bytes().startswith(b"clinch module 1\n")
    assert run("import clinch.build_ext, made; print(made.call(6))") == "70\n"
    assert "invalid ELF header" in run("import made", code=1)


def test_a_header_that_changes_is_noticed(run):
    run("import clinch.build_ext" + SETUP)
    assert run("import clinch.build_ext" + SETUP.replace(
        '"build_ext"', '"build_ext", "--force"') + "import made; print(made.call(4))\n",
        {"own.h": "long work(long);\n#undef FACTOR\n#define FACTOR 7\n"}) == "35\n"


def test_what_was_built_in_another_folder_is_found_again(run, tmp_path):
    """As SymPy does, in a temporary folder each time."""
    script = "import clinch.build_ext, os, sys\nos.chdir(sys.argv[1])\n" + SETUP
    (tmp_path / "script.py").write_text(script)
    cache = tmp_path / "cache"
    environment = {**os.environ, "CLINCH_CACHE_DIR": str(cache), "PATH": ""}
    kept = []
    for name, factor in (("one", 1), ("two", 1), ("three", 5)):
        (tmp_path / name).mkdir()
        for file, text in FILES.items():
            if file == "own.h":
                text += f"enum {{ factor = {factor} }};\n"
            (tmp_path / name / file).write_text(text)
        subprocess.run([sys.executable, "script.py", name], cwd=tmp_path,
                       env=environment, check=True)
        kept.append({file.name: file.read_bytes() for file in cache.glob("*.o.clinch")})
    assert len(kept[0]) >= 2 and kept[0] == kept[1]
    assert kept[2].keys() == kept[0].keys() and kept[2] != kept[0]  # By its content.


def test_a_signature_of_ffcxs_stands_for_its_text(run):
    """It prints the tables of a form in the order of a set."""
    assert run("""
        import clinch.build_ext
        from clinch.integrations.source_files import describe_file
        def made(name, text):
            with open(name + ".c", "w") as file:
                file.write(text)
            return describe_file(name + ".c", [])[3]
        one, two = "double a[2] = {1, 2};", "double b[3] = {3, 4, 5};"
        for name in "libffcx_forms_" + "5" * 40, "libffcx_forms_" + "5" * 39:
            print(made(name, one + two) == made(name, two + one))
        """) == "True\nFalse\n"


def test_cxx_flags_and_libraries(run):
    text = MODULE.replace("work(", "int(std::cbrt(").replace(") * FACTOR", ")) * FACTOR")
    assert run("import clinch.build_ext" + SETUP.replace('"made.c", "work.c"', '"m.cpp"')
               .replace('"10")]', '"10")], libraries=["m"], extra_compile_args=["-O3", '
                        '"-flto", "-std=c++17", "-fno-tree-loop-vectorize"], '
                        'extra_link_args=["-lm", "-Wl,-O1", "-shared"]')
               + "import made; print(made.call(27))\n",
               {"m.cpp": "#include <cmath>\n" + text.replace("{0}", "{}")}) == "30\n"


def test_numpys_table_in_two_sources(run):
    define = ("#define PY_ARRAY_UNIQUE_SYMBOL made_table\n#define "
              "NPY_NO_DEPRECATED_API 7\n")
    assert run("import clinch.build_ext, numpy" + SETUP.replace(
        '"10")]', '"10")], include_dirs=[numpy.get_include()]')
        + "import made; print(made.call(4))\n", {
            "made.c": define + MODULE.replace("#include \"own.h\"", """
                #include <numpy/arrayobject.h>
                #include "own.h" """).replace("return PyModule_Create",
                                              "import_array(); return PyModule_Create"),
            "work.c": define + """
                #define NO_IMPORT_ARRAY
                #include <Python.h>
                #include <numpy/arrayobject.h>
                long work(long x) {
                  npy_intp n = x;
                  PyObject *a = PyArray_SimpleNew(1, &n, NPY_DOUBLE);
                  long size = PyArray_SIZE((PyArrayObject *)a);
                  Py_DECREF(a);
                  return size;
                }"""}) == "40\n"


def test_a_setup_that_a_program_starts_runs_here(run):
    """SymPy starts `python setup.py build_ext --inplace`."""
    script = """
        from subprocess import check_output
        import clinch.build_ext, subprocess, sys
        command = [sys.executable, "setup.py", "build_ext", "--inplace"]
        print(check_output(command, stderr=subprocess.STDOUT))
        print(check_output.__module__)
        import made
        print(made.call(1))
        print(check_output([sys.executable, "-c", "print(5)"]))
        open("work.c", "w").write("nit x;")
        try:
            check_output([*command, "--force"])
        except subprocess.CalledProcessError as error:
            print("unknown type name 'nit'" in error.output.decode())
    """
    setup = SETUP.replace('script_args=["--quiet", "build_ext", "--inplace"], ', "")
    assert run(script, {"setup.py": setup}) == "b''\nclinch.integrations.build_ext\n20\nb'5\\n'\nTrue\n"


def test_text_that_does_not_compile(run):
    said = run("import clinch.build_ext" + SETUP, {"work.c": "nit work;"}, code=1)
    assert "work.c: The text does not compile: 1 error.\nwork.c:1:1: error: unknown " \
        "type name 'nit'" in said


def test_a_flag_that_nobody_knows(run):
    said = run("import clinch.build_ext" + SETUP.replace(
        '"10")]', '"10")], extra_compile_args=["-march=nonesuch"]'), code=1)
    assert "unknown target CPU 'nonesuch'" in said


def test_names_that_are_nowhere_defined(run):
    said = run("import clinch.build_ext" + SETUP.replace(', "work.c"', "")
               + "import made", code=1)
    assert "to define `work`" in said


def test_a_module_without_its_function(run):
    said = run("import clinch.build_ext" + SETUP + "import made",
               {"made.c": MODULE.replace("PyInit_made", "PyInit_other")}, code=1)
    assert "ImportError: the text defines no `PyInit_made`, but `PyInit_other`" in said


@pytest.mark.parametrize("script, said", [
    ('c.compile(["made.f90"])', "UnknownFile"),
    ('c.compile(["made.m"])', "made.m: Clinch compiles C and C++"),
    ('c.link_executable(["work.o"], "program")',
     "LinkError: program: Clinch makes modules, and no programs"),
    ('c.create_static_lib(["work.o"], "library")',
     "LibError: library: Clinch makes no static libraries"),
    ('open("bad.o", "w").write("bad"); c.link_shared_object(["bad.o"], "bad.so")',
     "LinkError: bad.so: "),
])
def test_what_is_not_made(run, script, said):
    assert said in run(f"""
        import clinch.build_ext
        from distutils.ccompiler import new_compiler
        c = new_compiler()
        {script}
    """, {"made.m": "", "made.f90": ""}, code=1)


def test_a_damaged_file(run, tmp_path):
    run("import clinch.build_ext" + SETUP)
    [path] = tmp_path.glob("made*.so")
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    assert f"ImportError: {path} is damaged" in run(
        "import clinch.build_ext, made", code=1)
    path.write_bytes(whole[:-1000] + bytes(500) + whole[-500:])
    assert "Error" in run("import clinch.build_ext, made", code=1)


def test_shared_libraries_are_imported_as_before(run):
    assert run("""
        import clinch.build_ext, sys
        assert "_crypt" not in sys.modules and "audioop" not in sys.modules
        import _decimal
        print(_decimal.Decimal(2) + 1)
    """) == "3\n"


def test_setuptools_sees_what_is_installed_later(run, tmp_path):
    """Its entry points are read again when a package came, was replaced, or went."""
    (tmp_path / "folder").mkdir()
    assert run("""
        import clinch.build_ext, importlib.metadata, os, shutil, sys
        from setuptools.dist import metadata
        def names():
            found = metadata.entry_points(group="distutils.commands")
            assert found == importlib.metadata.entry_points(group="distutils.commands")
            return [entry.name for entry in found if entry.value == "later:it"]
        def install(name):
            os.makedirs("folder/later-1.dist-info", exist_ok=True)
            with open("folder/later-1.dist-info/entry_points.txt", "w") as file:
                file.write(f"[distutils.commands]\\n{name} = later:it\\n")
        sys.path.append("folder")
        print(names())
        install("first")
        print(names())
        shutil.rmtree("folder/later-1.dist-info")
        install("second")
        print(names())
        install("in place")
        print(names())
        shutil.rmtree("folder/later-1.dist-info")
        print(names(), metadata.version("setuptools") > "")
        importlib.metadata.entry_points = None  # Another file is no reason to read.
        open("folder/other", "w").close()
        metadata.entry_points(group="distutils.commands")
        """) == "[]\n['first']\n['second']\n['in place']\n[] True\n"

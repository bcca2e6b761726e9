"""Compiled text as a shared library: what a process without Clinch does with it."""

import os
import shutil
import subprocess
import sys
import sysconfig
import threading

import clinch
import pytest

pytestmark = pytest.mark.skipif(not (shutil.which("readelf") and shutil.which("gcc")),
                                reason="no readelf and gcc to look at a library with")

MATHS = """
#include <math.h>
#include <stddef.h>
#define SIDES 4
struct point { double x, y; };
typedef struct { double of[SIDES]; } square;
enum colour { RED, GREEN = 5 };
int calls = 3;
static int hidden(int x) { return x + 1; }
static _Thread_local int own = 7;
double norm(struct point p) { ++calls; ++own; return hypot(p.x, p.y) + tanh(0) * hidden(1); }
void fill(size_t n, double out[n]) { for (size_t i = 0; i < n; ++i) out[i] = exp(out[i]); }
int thread(void) { return own; }
"""
ALONE = "import ctypes, sys; lib = ctypes.CDLL(sys.argv[1]); "


def alone(code, *arguments, **options):
    """Runs Python without any package; returns what it prints."""
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code, *map(str, arguments)],
                         capture_output=True, text=True, check=False, **options)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def needed(path):
    """The libraries that a file names, and its own name."""
    said = subprocess.run(["readelf", "-d", path], capture_output=True, text=True,
                          check=True).stdout
    return {line.rpartition("[")[2].rstrip("]") for line in said.splitlines()
            if "NEEDED" in line or "SONAME" in line}


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_a_library_is_loaded_without_clinch(tmp_path, tier):
    path = tmp_path / "libmaths.so"
    text = clinch.compile(MATHS, tier=tier)
    text.save(path)
    code = ALONE + """
class P(ctypes.Structure): _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double)]
lib.norm.restype = ctypes.c_double
items = (ctypes.c_double * 5)(0, .1, 1, 2, -700)
lib.fill(ctypes.c_size_t(5), items)
print(lib.norm(P(3, 4)), lib.thread(), ctypes.c_int.in_dll(lib, "calls").value,
      *[one.hex() for one in items])
"""
    import numpy
    items = numpy.array([0, .1, 1, 2, -700])
    text.fill(5, items)  # The same bits as in this process.
    assert alone(code, path).split() == ["5.0", "8", "4", *[one.hex() for one in items.tolist()]]
    assert needed(path) <= {"libmaths.so", "libm.so.6", "libc.so.6",
                            "ld-linux-x86-64.so.2"}  # Has what thread-locals need.
    assert os.listdir(tmp_path) == ["libmaths.so"]


def test_code_is_for_any_processor_unless_one_is_named(tmp_path):
    def instructions(**options):
        path = tmp_path / "lib.so"
        clinch.compile("void f(double *x) { for (int i = 0; i < 64; ++i) x[i] *= 3; }",
                       tier="max", **options).save(path, header=True)
        said = subprocess.run(["objdump", "-d", path], capture_output=True, text=True,
                              check=True).stdout
        return "%ymm" in said, (tmp_path / "lib.h").read_text().partition("\n")[0]
    assert instructions() == (
        False, "/* lib.so, made by Clinch of 'text': code for x86-64, tier max */")
    for options in ({"cpu": "x86-64-v3"}, {"flags": ["-march=x86-64-v3"]}):
        assert instructions(**options) == (
            True, "/* lib.so, made by Clinch of 'text': code for x86-64-v3, tier max */")


def test_the_header_declares_what_the_text_defines(tmp_path):
    clinch.compile(MATHS).save(tmp_path / "libmaths.so", header=True)
    written = (tmp_path / "libmaths.h").read_text()
    assert "hidden" not in written and "own" not in written
    user = tmp_path / "user.c"
    user.write_text('#include "libmaths.h"\n#include "libmaths.h"\n#include <stdio.h>\n'
                    'int main(void) { square s = {{1}}; struct point p = {3, SIDES}; '
                    'double x[1] = {0}; fill(1, x);\n'
                    'printf("%g %g ", norm(p), s.of[0] + x[0]); '
                    'printf("%d %d\\n", calls, GREEN); }')
    for language, standard in (("c", "-std=c11"), ("c++", "-std=c++17")):
        subprocess.run(["gcc", "-x", language, standard, "-Wall", "-Werror", user, "-o",
                        tmp_path / "user", "-L", tmp_path, "-lmaths",
                        f"-Wl,-rpath,{tmp_path}"], check=True)
        assert subprocess.run([tmp_path / "user"], capture_output=True, text=True,
                              check=True).stdout == "5 2 4 5\n"


def test_cxx_has_its_runtime_named_and_its_objects_destroyed(tmp_path):
    path = tmp_path / "libcxx.so"
    clinch.compile("""
        #include <cstdio>
        #include <stdexcept>
        #include <string>
        struct Said { std::string what = "made"; ~Said() { std::puts("destroyed"); } } said;
        namespace inner { int hidden() { return 1; } }
        extern "C" bool caught(int n) {
            try { if (n) throw std::runtime_error(said.what); } catch (std::exception &) {
                return true; }
            return false; }
        """, language="c++").save(path, header=True)
    assert alone(ALONE + "print(lib.caught(1) & 1, lib.caught(0) & 1, flush=True)", path) == (
        "1 0\ndestroyed\n")
    unloaded = ("import _ctypes, os; lib.caught(1); _ctypes.dlclose(lib._handle); "
                "ctypes.CDLL(None).fflush(None); os._exit(0)")
    assert alone(ALONE + unloaded, path) == "destroyed\n"
    assert "libstdc++.so.6" in needed(path)
    assert "bool caught(int);" in (tmp_path / "libcxx.h").read_text()


def test_an_extension_module_is_imported_by_any_python(tmp_path):
    name = "twice" + sysconfig.get_config_var("EXT_SUFFIX")
    clinch.compile("""
        static PyObject *twice(PyObject *self, PyObject *x) { return PyNumber_Add(x, x); }
        static PyMethodDef methods[] = {{"twice", twice, METH_O, ""}, {0}};
        static PyModuleDef def = {PyModuleDef_HEAD_INIT, "twice", 0, -1, methods};
        PyMODINIT_FUNC PyInit_twice(void) { return PyModule_Create(&def); }
        """, python=True).save(tmp_path / name)
    assert alone("import sys; sys.path.insert(0, sys.argv[1]); import twice; "
                 "print(twice.twice(21), 'clinch' in sys.modules)", tmp_path) == "42 False\n"


def test_linked_objects_and_libraries_are_in_it(tmp_path):
    shared = "inline thread_local int count = 3;\n"
    other = clinch.compile_object(shared + 'extern "C" int step() { return ++count; }',
                                  language="c++", cpu="x86-64")
    path = tmp_path / "libtwo.so"
    clinch.compile(shared + """
        extern "C" unsigned long crc32(unsigned long, const unsigned char *, unsigned);
        extern "C" int step();
        extern "C" int both() { step(); return count + (crc32(0, nullptr, 0) != 0); }
        """, language="c++", objects=[other], libraries=["z"]).save(path)
    assert alone(ALONE + "print(lib.both())", path) == "4\n"
    assert "libz.so.1" in needed(path)


def test_debug_information_is_there_if_asked_for(tmp_path):
    def sections(**options):
        clinch.compile("int f(int x) { return x; }", **options).save(tmp_path / "l.so")
        return subprocess.run(["readelf", "-S", tmp_path / "l.so"], capture_output=True,
                              text=True, check=True).stdout
    assert ".debug_line" in sections(debug=True)
    assert ".debug" not in sections(debug=False)


def test_a_symbol_that_nobody_defines_is_named_at_its_line(tmp_path):
    text = "const char *Py_GetVersion(void);\nint f(void) {\n  return *Py_GetVersion(); }\n"
    made = clinch.compile(text)  # This process has it.
    with pytest.raises(clinch.LinkError, match="define `Py_GetVersion`") as raised:
        made.save(tmp_path / "l.so")
    assert [(one["line"], one["message"]) for one in raised.value.diagnostics] == [
        (3, "`Py_GetVersion` is used, and nothing defines it.")]
    made = clinch.compile("int g(int); int f(int x) { return g(x); }", symbols={"g": 4096})
    with pytest.raises(ValueError, match=r"symbols=\['g'\]"):
        made.save(tmp_path / "l.so")
    assert os.listdir(tmp_path) == []


def test_nothing_is_written_by_halves(tmp_path):
    made = clinch.compile("int f(int x) { return x; }")
    path = tmp_path / "l.so"
    path.write_text("before")
    with pytest.raises(FileNotFoundError):
        made.save(tmp_path / "nowhere" / "l.so")
    code = f"""
import clinch, resource, signal, sys
made = clinch.compile("int f(int x) {{ return x; }} char big[1 << 20] = {{1}};")
made.save({str(tmp_path / 'first.so')!r})
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
try:
    made.save({str(path)!r}, header=True)
except (OSError, clinch.LinkError) as error:
    print("refused")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         check=True)
    assert ran.stdout == "refused\n"
    assert path.read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["first.so", "l.so"]


def test_a_folder_that_takes_no_files_is_an_error_of_the_system():
    with pytest.raises(OSError) as raised:
        clinch.compile("int f;").save("/proc/l.so")
    assert raised.value.filename == "/proc/l.so"


def used(tmp_path, text, main, compiler="gcc", **options):
    """What a program with the header and the library prints."""
    clinch.compile(text, **options).save(tmp_path / "libx.so", header=True)
    (tmp_path / "use.c").write_text(
        f'#include <stdio.h>\n#include "libx.h"\nint main(void) {{ {main} }}\n')
    language = "c" if compiler == "gcc" else "c++"
    subprocess.run([compiler, "-x", language, "-Wall", "-Werror", "use.c", "-L.", "-lx",
                    "-Wl,-rpath,.", "-o", "use"], cwd=tmp_path, check=True)
    return subprocess.run(["./use"], cwd=tmp_path, check=True, capture_output=True,
                          text=True).stdout


@pytest.mark.parametrize("text, main, options", [
    ("#pragma pack(push, 1)\nstruct q { char c; int i; };\n#pragma pack(pop)\n"
     "int get(struct q *p) { return p->i; }", "struct q x = {1, 77};", {}),
    ("#define N 4\nstruct q { int a[N]; int z; };\n#undef N\n#define N 8\n"
     "int get(struct q *p) { return p->z; }", "struct q x = {{0}, 77};", {}),
    ("struct q { int a[N]; int z; };\nint get(struct q *p) { return p->z + ONE - 1; }",
     "struct q x = {{0}, 77};", {"defines": ["N=4", "ONE"]}),
    ("struct q { double x, y; } made(double a) { struct q p = {a, a}; return p; }\n"
     "double get(struct q *p) { return p->x; }", "struct q x = made(77);", {}),
    ("#if 0\n#define N 4\n#else\n#define N 2\n#endif\nstruct q { int of[N]; int z; };\n"
     "int get(struct q *p) {\n#define M 3\n#pragma clang loop unroll(full)\n"
     "  for (int i = 0; i < M; ++i) p->z += 0;\n  return p->z; }",
     "struct q x = {{0, M}, 77};", {}),
    ("/* \n#define char broken\n*/ struct q { char z; };\nconst char *text = \"\\\n"
     "#include <none.h>\";\n// \\\n#define char broken\nint get(struct q *p) { return p->z; }",
     "struct q x = {77};", {}),
    ("struct q { _Bool b; int z; };\n_Noreturn void end(void) { for (;;); }\n"
     "int get(struct q *restrict p) { return p->z; }", "struct q x = {1, 77};", {}),
])
@pytest.mark.parametrize("compiler", ["gcc", "g++"])
def test_a_header_means_what_its_text_does(tmp_path, text, main, options, compiler):
    printed = used(tmp_path, text, f'{main} printf("%g\\n", (double)get(&x)); return 0;',
                   compiler, **options)
    assert printed == "77\n"


@pytest.mark.parametrize("text, options, said", [
    ("enum e { A = 1 };\nstruct q { enum e k; char z; };\nint f(struct q *p) { return p->z; }",
     {"flags": ["-fshort-enums"]},
     "`q` is another type there than with the options of the text"),
    ("_Pragma(\"pack(1)\") struct q { char c; int i; };\nint f(struct q *p) { return p->i; }",
     {}, "`q` is another type there than with the options of the text"),
    ("struct q { int a[N]; };", {"flags": ["-DN=4"]}, "use of undeclared identifier 'N'"),
    ("_Thread_local int tl = 3;", {"flags": ["-femulated-tls"]},
     "`tl` is of each thread, which no other compiler finds in code for a process; leave "
     "out header=, -femulated-tls or objects="),
])
def test_a_header_that_would_be_wrong_is_refused(tmp_path, text, options, said):
    made = clinch.compile(text, **options)
    with pytest.raises(ValueError, match=said):
        made.save(tmp_path / "l.so", header=True)
    assert os.listdir(tmp_path) == []
    made.save(tmp_path / "l.so")
    assert os.listdir(tmp_path) == ["l.so"]


def test_a_header_for_c_alone_says_so(tmp_path):
    text = "struct q { int class; }; int f(struct q *new) { return new->class; }"
    assert used(tmp_path, text, 'struct q x = {77}; printf("%d", f(&x)); return 0;') == "77"
    said = subprocess.run(["g++", "-fsyntax-only", "-x", "c++", "use.c"], cwd=tmp_path,
                          check=False, capture_output=True, text=True).stderr
    assert "#error libx.h is for C, not for C++" in said


def test_a_header_has_nothing_that_is_hidden(tmp_path):
    clinch.compile("""
        __attribute__((visibility("hidden"))) int inner(void) { return 1; }
        __attribute__((visibility("hidden"))) int number = 1;
        int outer(void) { return inner() + number; }
        """).save(tmp_path / "l.so", header=True)
    written = (tmp_path / "l.h").read_text()
    assert "int outer(void);" in written and "inner" not in written and "number" not in written


def test_the_header_is_not_written_over_the_library(tmp_path):
    with pytest.raises(ValueError, match="`.*x.h` would be the library and its header"):
        clinch.compile("int f;").save(tmp_path / "x.h", header=True)
    assert os.listdir(tmp_path) == []


def test_threads_save_one_path(tmp_path):
    made, errors = clinch.compile("int f(void) { return 3; }"), []

    def work():
        try:
            for _ in range(6):
                made.save(tmp_path / "l.so", header=True)
        except OSError as error:
            errors.append(error)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and sorted(os.listdir(tmp_path)) == ["l.h", "l.so"]


def test_a_library_without_a_name_is_needed_by_that_of_its_file(tmp_path):
    (tmp_path / "g.c").write_text("int g(void) { return 4; }")
    subprocess.run(["gcc", "-shared", "-fPIC", "g.c", "-o", "libsh.so"], cwd=tmp_path, check=True)
    clinch.compile("int g(void); int f(void) { return g(); }", libraries=["sh"],
                   library_dirs=[str(tmp_path)]).save(tmp_path / "libs.so")
    assert "libsh.so" in needed(tmp_path / "libs.so")
    elsewhere = dict(os.environ, LD_LIBRARY_PATH=str(tmp_path))
    assert alone(ALONE + "print(lib.f())", tmp_path / "libs.so", cwd="/",
                 env=elsewhere) == "4\n"


@pytest.mark.parametrize("key", [5, b"key", None])
def test_a_key_is_a_text(key):
    with pytest.raises(TypeError, match=f"key= needs a str, not a {type(key).__name__}"):
        clinch.compile("int f;", key=key)

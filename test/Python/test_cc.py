"""`clinch cc` and `clinch c++`: builds that know gcc alone, on a machine without one."""

import ctypes
import glob
import os
import shutil
import subprocess
import sys

import pytest

from clinch import _clinch
from clinch.cli import compilers, main

HELLO = '#include <stdio.h>\n#include "n.h"\nint n(void);\n' \
        'int main(void) { printf("%d %d\\n", n(), N); return 3; }\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder to build in, and a PATH with no compiler, assembler or linker on it."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "cmake", "ninja", "rm", "cat"):
        path = shutil.which(name, path="/usr/bin:/bin")
        if not path:
            pytest.skip(f"there is no {name}; test/Wheel has tests for such machines")
        (tools / name).symlink_to(path)
    for name in ("cc", "c++"):
        (tools / f"c-{name}").write_text(f'#!/bin/sh\nexec {sys.executable} -m clinch {name} "$@"\n')
        (tools / f"c-{name}").chmod(0o755)
    built = tmp_path / "built"
    built.mkdir()
    monkeypatch.chdir(built)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("CLINCH_CACHE_DIR", str(tmp_path / "cache"))
    return built


def run(*words, status=0):
    """Runs words, of which `cc` and `c++` are ours; returns what they print."""
    words = [f"c-{words[0]}" if words[0] in ("cc", "c++") else words[0], *words[1:]]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == status, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def write(**texts):
    for name, text in texts.items():
        with open(name.replace("_", "."), "w", encoding="utf-8") as file:
            file.write(text)


def test_files_are_compiled_and_linked():
    write(a_c=HELLO, n_h="#define N 5\n", n_c="int n(void) { return X; }\n",
          words_txt="-DX=7 -O2 -g -Wall\n-std=c99 -fPIC -Wlogical-op -fno-tree-vectorize")
    assert (run("cc", "@words.txt", "-Werror", "-fcode-hoisting", "-c", "n.c") ==
            "cc: warning: unknown and left out: -Wlogical-op -fcode-hoisting\n")
    run("cc", "-MMD", "-MF", "a.d", "-MT", "target", "-c", "a.c", "-o", "out.o")
    assert open("a.d").read().split() == ["target:", "a.c", "n.h"]
    assert run("cc", "out.o", "n.o", "-o", "program", "-lm") == ""
    assert run("./program", status=3) == "7 5\n"
    run("cc", "-shared", "n.o", "-o", "libn.so", "-Wl,-soname,libn.so")
    run("cc", "-O3", "-pthread", "a.c", "-L.", "-ln", "-Wl,-rpath,$ORIGIN", "-o", "shared")
    assert run("./shared", status=3) == "7 5\n"
    assert 'return 3; }' in run("cc", "-E", "a.c")
    run("cc", "-S", "-O1", "a.c")
    run("cc", "a.s", "n.o", "-o", "assembled")
    assert run("./assembled", status=3) == "7 5\n"
    assert "main" in run("cc", "-x", "c", "-flto", "-c", "a.c", "-v")


def test_a_text_of_standard_input_is_read_once():
    for status in (7, 8):
        made = subprocess.run(["c-cc", "-x", "c", "-", "-o", "program"], check=False,
                              input=f"int main(void) {{ return {status}; }}", text=True,
                              capture_output=True)
        assert (made.returncode, made.stdout + made.stderr) == (0, "")
        run("./program", status=status)


def test_cxx_needs_no_packages_of_a_compiler():
    write(a_cpp="#include <iostream>\n#include <stdexcept>\nthread_local int t = 4;\n"
                "struct Last { ~Last() { std::cout << \"last\\n\"; } } last;\n"
                "int main() { try { throw std::runtime_error(\"thrown\"); }\n"
                "  catch (std::exception &e) { std::cout << e.what() << t << '\\n'; } }\n")
    run("c++", "-O2", "-std=c++20", "a.cpp", "-o", "program")
    assert run("./program") == "thrown4\nlast\n"
    # Only the C library's files: no crtbegin.o, no libgcc, no libstdc++.so.
    os.makedirs("root/usr/lib/x86_64-linux-gnu")
    os.symlink("/usr/include", "root/usr/include")
    for name in ("crt1.o", "Scrt1.o", "crti.o", "crtn.o", "libm.so.6", "libc.so.6"):
        os.symlink(f"/usr/lib/x86_64-linux-gnu/{name}",
                   f"root/usr/lib/x86_64-linux-gnu/{name}")
    os.symlink("libc.so.6", "root/usr/lib/x86_64-linux-gnu/libc.so")
    os.symlink("libm.so.6", "root/usr/lib/x86_64-linux-gnu/libm.so")
    run("c++", "--sysroot=root", "a.cpp", "-o", "bare",
        "-Wl,--dynamic-linker=/lib64/ld-linux-x86-64.so.2")
    assert run("./bare") == "thrown4\nlast\n"
    os.mkdir("nothing")
    write(b_c="int main(void) { return 0; }\n")
    assert "Debian's package libc6-dev" in run("cc", "--sysroot=nothing", "b.c", status=1)


def test_errors_are_gccs():
    write(a_c="int f(void) {\n  return x; }\n", b_c="int g(void);\nint main(void) {\n return g(); }\n",
          ok_c="int g(void) { return 0; }\n")
    assert "a.c:2:10: error: use of undeclared identifier 'x'" in run("cc", "-c", "a.c", status=1)
    assert not os.path.exists("a.o")
    said = run("cc", "-g", "b.c", status=1)
    assert "undefined symbol: g" in said and "b.c:3" in said
    assert not os.path.exists("a.out")
    assert "no such file" in run("cc", "-c", "none.c", status=1)
    assert "no input files" in run("cc", status=1)
    run("cc", "-c", "ok.c")
    with open("ok.o", "r+b") as file:
        file.seek(18)
        file.write((183).to_bytes(2, "little"))
    assert "ok.o is incompatible with" in run("cc", "b.c", "ok.o", status=1)
    write(s_s="foo:\n  nop\n  nonsense\n")
    assert "s.s:3:3: error: invalid instruction" in run("cc", "-c", "s.s", status=1)


def test_what_was_compiled_is_found_again(tmp_path):
    write(a_c='#include "n.h"\nint f(void) { return N; }\n', n_h="#define N 1\n",
          w_c="int f(int x) { if (x = 1) return 2; return 3; }\n")

    def entries():
        """Which files the cache has; one that is written again is another."""
        return {os.stat(name).st_ino for name in glob.glob(f"{tmp_path}/cache/*.clinch")}

    run("cc", "-O2", "-MD", "-c", "a.c")
    first, known = open("a.o", "rb").read(), entries()
    os.unlink("a.o")
    os.unlink("a.d")
    run("cc", "-O2", "-MD", "-c", "a.c", "-o", "b.o")
    assert open("b.o", "rb").read() == first and entries() == known and len(known) == 1
    assert open("b.d").read() == "b.o: a.c n.h\n"
    for change in (lambda: write(n_h="#define N 2\n"), lambda: None):
        change()
        run("cc", "-O2", "-c", "a.c")
        assert open("a.o", "rb").read() != first and len(entries()) == 2
    for _ in range(2):  # Said each time.
        assert "using the result of an assignment" in run("cc", "-c", "w.c")


def test_a_dependency_file_that_cannot_be_written_is_an_error_each_time():
    write(a_c="int f(void) { return 1; }\n")
    run("cc", "-c", "a.c", "-MD")
    os.unlink("a.o")
    said = run("cc", "-c", "a.c", "-MD", "-MF", "nodir/a.d", status=1)
    assert "error opening 'nodir/a.d': No such file or directory" in said
    assert not os.path.exists("a.o")


def test_a_full_disk_is_an_error():
    write(a_c="int main(void) { return 0; }\n")
    os.mkdir("full")
    ran = subprocess.run(
        ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", """
mount -t tmpfs -o size=16k none full || exit 77
head -c 16k /dev/zero > full/fill
c-cc a.c -o full/a
status=$?
ls full
exit $status"""], env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/bin:/bin",
                              "TMPDIR": os.getcwd()},
        capture_output=True, text=True, check=False)
    if ran.returncode == 77 or "unshare failed" in ran.stderr:
        pytest.skip("no file system of one's own may be mounted here")
    assert ran.returncode == 1 and ran.stdout == "fill\n", ran
    assert sorted(os.listdir()) == ["a.c", "full"]
    assert ran.stderr == "ld: error: the output cannot be written: the disk is full\n"


def test_the_times_of_a_compile_are_reported():
    write(a_c="int main(void) { return 0; }\n")
    said = run("cc", "-c", "a.c", "-ftime-report")
    assert "Clang time report" in said and "Optimizer" in said
    assert os.path.exists("a.o")


@pytest.mark.parametrize("words, answer", [
    (["-dumpmachine"], "x86_64-"), (["--version"], "clang version 22"),
    (["-dumpversion"], "22."), (["-print-search-dirs"], "libraries: ="),
    (["-print-prog-name=ld"], "ld"), (["-print-file-name=libc.so.6"], "/libc.so.6"),
    (["-v"], "Target: x86_64-"), (["-###", "-c", "x.c"], '"-cc1"')])
def test_what_configure_scripts_ask_is_answered(words, answer):
    write(x_c="")
    assert answer in run("cc", *words)


def test_cmake_builds_a_project(monkeypatch):
    write(CMakeLists_txt="cmake_minimum_required(VERSION 3.25)\nproject(p C CXX)\n"
                         "include(CheckFunctionExists)\ncheck_function_exists(fork HAS_FORK)\n"
                         "check_function_exists(nothing_of_the_kind HAS_NOTHING)\n"
                         "find_package(Threads REQUIRED)\n"
                         "add_library(n SHARED n.c)\nadd_executable(program a.cpp)\n"
                         "target_compile_features(program PRIVATE cxx_std_20)\n"
                         "target_link_libraries(program n Threads::Threads)\n"
                         "file(WRITE found \"${HAS_FORK}${HAS_NOTHING}\")\n",
          n_c="int n(void) { return 7; }\n",
          a_cpp='#include <iostream>\nextern "C" int n();\n'
                "int main() { std::cout << n() << '\\n'; }\n")
    monkeypatch.setenv("CC", shutil.which("c-cc"))
    monkeypatch.setenv("CXX", shutil.which("c-c++"))
    run("cmake", "-G", "Ninja", "-S", ".", "-B", "b", "-DCMAKE_BUILD_TYPE=Release")
    run("ninja", "-C", "b")
    assert run("b/program") == "7\n" and open("found").read() == "1"


def test_setuptools_builds_an_extension(monkeypatch):
    pytest.importorskip("setuptools")
    write(number_c="#include <Python.h>\nstatic PyModuleDef def = {PyModuleDef_HEAD_INIT, "
                 '"number", 0, -1, 0};\nPyMODINIT_FUNC PyInit_number(void) '
                 '{ PyObject *m = PyModule_Create(&def); PyModule_AddIntConstant(m, "n", 42); '
                 "return m; }\n",
          setup_py="from setuptools import setup, Extension\n"
                   "setup(name='number', ext_modules=[Extension('number', ['number.c'])])\n")
    for name, command in (("CC", "cc"), ("CXX", "c++")):
        monkeypatch.setenv(name, f"{sys.executable} -m clinch {command}")
    run(sys.executable, "setup.py", "build_ext", "--inplace")
    assert run(sys.executable, "-c", "import number; print(number.n)") == "42\n"


def test_a_configure_script_finds_a_compiler(monkeypatch):
    """The steps of autoconf's AC_PROG_CC and AC_CHECK_FUNC."""
    write(configure_sh="""set -e
echo 'int main(void) { return 0; }' > conftest.c
$CC conftest.c; test -x a.out; ./a.out; rm a.out
$CC -o conftest conftest.c; ./conftest
$CC -c conftest.c; test -f conftest.o
echo 'int main(void) { not c; }' > bad.c
if $CC -c bad.c 2> said; then exit 1; fi
$CC -g -c conftest.c; $CC -std=gnu11 -c conftest.c
echo 'char socket(); int main(void) { return socket == 0; }' > conftest.c
$CC -Wno-builtin-declaration-mismatch -o conftest conftest.c
echo 'char nothing_there(); int main(void) { return nothing_there(); }' > conftest.c
if $CC -o conftest conftest.c 2> said; then exit 1; fi
if $CC -o conftest conftest.c -lnot_there 2> said; then exit 1; fi
echo found
""")
    monkeypatch.setenv("CC", f"{sys.executable} -m clinch cc")
    assert run("sh", "configure.sh").startswith("found\n")


def test_a_link_by_a_compilers_name_is_that_compiler(tmp_path):
    """Without Python in between; what is there already stays."""
    program, _ = _clinch.engine()
    tools = tmp_path / "links"
    tools.mkdir()
    (tools / "c++").write_text("mine")
    assert main(["install-compilers", str(tools)]) == 0
    assert (tools / "c++").read_text() == "mine"
    assert sorted(os.listdir(tools)) == sorted(compilers.NAMES)
    write(a_c=HELLO, n_h="#define N 5\n", n_c="int n(void) { return 6; }\n",
          a_cpp='#include <iostream>\nint main() { std::cout << "out\\n"; }\n')
    for name in ("gcc", "cc", "x86_64-linux-gnu-gcc"):
        assert run(f"{tools}/{name}", "a.c", "n.c", "-o", "program") == ""
        assert run("./program", status=3) == "6 5\n"
    for name in ("g++", "x86_64-linux-gnu-g++"):
        assert run(f"{tools}/{name}", "a.cpp", "-o", "program") == ""
        assert run("./program") == "out\n"
    assert os.readlink(tools / "gcc") == program


def test_install_compilers_reports_what_exists(tmp_path, capsys, monkeypatch):
    assert main(["install-compilers", "a", "b"]) == 2
    (tmp_path / "file").write_text("")
    assert main(["install-compilers", str(tmp_path / "file" / "folder")]) == 1
    capsys.readouterr()
    own, others = tmp_path / "own", tmp_path / "others"
    others.mkdir()
    (others / "gcc").write_text("#!/bin/sh\n")
    (others / "gcc").chmod(0o755)
    monkeypatch.setenv("PATH", str(others))
    monkeypatch.setattr(compilers.sysconfig, "get_path", lambda name: str(own))
    assert main(["install-compilers"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"{others}/gcc exists"
    assert sorted(os.listdir(own)) == sorted(set(compilers.NAMES) - {"gcc"})


def test_a_library_needs_no_files_of_the_c_library():
    """Neither crti.o nor libc.so."""
    write(f_c="#include <math.h>\n#include <stdio.h>\n"
              "double f(double x) { puts(\"called\"); return cos(x); }\n")
    os.makedirs("root/usr")
    os.symlink("/usr/include", "root/usr/include")
    run("cc", "--sysroot=root", "-shared", "-fPIC", "f.c", "-o", "libf.so", "-lm",
        "-pthread", "-ldl")
    assert ctypes.CDLL(os.path.abspath("libf.so")).f

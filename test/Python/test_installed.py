"""Installations that are not as they should be: each says what is wrong."""

import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

import clinch

PACKAGE = os.path.dirname(clinch._clinch.__file__)
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
# "3.13t" for one without a global lock.
VERSION = "{}.{}".format(*sys.version_info) + "t" * ("t" in sys.abiflags)


@pytest.fixture
def copy(tmp_path):
    """A copy of the package's Python modules, without what is compiled."""
    there = tmp_path / "clinch"
    shutil.copytree(PACKAGE, there, ignore=shutil.ignore_patterns(
        "__pycache__", "_clinch.*", "_lib", "*.so"))
    return there


def run(folder, code="import clinch", **environment):
    """(status, the last line of what it says, what it prints)"""
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True,
        cwd=folder, env={**os.environ, "PYTHONPATH": os.fspath(folder),
                         "CLINCH_CACHE_DIR": str(folder / "cache"),
                         **environment})
    return done.returncode, done.stderr.strip().rpartition("\n")[2], done.stdout


def test_another_pythons_is_told(copy):
    shutil.copy(clinch._clinch.__file__,
                copy / "_clinch.cpython-399-x86_64-linux-gnu.so")
    assert run(copy.parent) == (1, (
        f"ImportError: the Clinch in `{copy}` was built for Python 3.99, and "
        f"this is Python {VERSION}: install the package for this one"), "")


def test_half_a_copy_is_told(copy):
    assert run(copy.parent) == (1, (
        f"ImportError: the Clinch in `{copy}` is incomplete: it has no `_clinch` "
        f"for Python {VERSION}; install it again"), "")


@pytest.mark.parametrize("size", [0, 100, 3000])
@pytest.mark.parametrize("name", ["_clinch" + SUFFIX, "_lib/libclinch.so"])
def test_a_file_that_was_cut_short_is_told(copy, name, size):
    """To load it would end the process."""
    part = copy / name
    part.parent.mkdir(exist_ok=True)
    with open(clinch._clinch.__file__, "rb") as whole:
        part.write_bytes(whole.read(size))
    assert run(copy.parent) == (1, (
        f"ImportError: the Clinch in `{copy}` is incomplete: `{part}` is "
        f"truncated; install it again"), "")


def test_missing_libraries_are_told(copy):
    """The module is there, and what stands beside it is not."""
    module = copy / ("_clinch" + SUFFIX)
    with open(clinch._clinch.__file__, "rb") as whole:
        data = whole.read()
    assert b"libclinch.so" in data
    module.write_bytes(data.replace(b"libclinch.so", b"libmissing.s"))
    status, said, _ = run(copy.parent)
    assert status == 1 and said.startswith(
        f"ImportError: the Clinch in `{copy}` cannot be loaded: libmissing.s")
    assert said.endswith("cannot open shared object file: No such file or "
                         "directory")


def test_what_else_is_missing_is_said_as_ever(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError('no numpy')")
    folder = os.path.dirname(PACKAGE)
    for name in ("function", "compile", "tensor"):
        status, said, _ = run(tmp_path, f"from clinch import {name}",
                              PYTHONPATH=f"{tmp_path}:{folder}")
        assert (status, said) == (1, "ModuleNotFoundError: no numpy")


def test_pytensors_part_says_what_to_install(tmp_path):
    code = """if 1:
        import importlib.metadata

        def version(name):
            raise importlib.metadata.PackageNotFoundError(name)
        importlib.metadata.version = version
        import clinch.pytensor"""
    folder = os.path.dirname(PACKAGE)
    status, said, _ = run(tmp_path, code, PYTHONPATH=folder)
    assert (status, said) == (1, (
        "ImportError: clinch.pytensor needs PyTensor, which is not installed: "
        "`pip install pytensor` installs it."))


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ to make a host's")
def test_libraries_of_another_build_are_told(tmp_path):
    """A host that has its own libraries, of another build, embeds Python."""
    (tmp_path / "host.cpp").write_text("""
        #include <string>
        namespace clinch {
        struct CompileOptions;
        struct CodeOrigin { std::string Build, Processor; };
        CodeOrigin codeOrigin(const CompileOptions &) {
          return {"Clinch 0.0.1", ""};
        }
        }""")
    subprocess.run(["g++", "-shared", "-fPIC", "-o", "host.so", "host.cpp"],
                   cwd=tmp_path, check=True)
    folder = os.path.dirname(PACKAGE)
    status, said, _ = run(tmp_path, PYTHONPATH=folder,
                          LD_PRELOAD=":".join(filter(None, [
                              os.environ.get("LD_PRELOAD"),  # A sanitizer's.
                              str(tmp_path / "host.so")])))
    build = clinch._clinch.code_origin(None)[0]
    assert (status, said) == (1, (
        f"ImportError: the Clinch in `{PACKAGE}` cannot be loaded: the libraries "
        f"of another build of Clinch are in this process: they are Clinch 0.0.1, "
        f"and this package is {build}; a process has one Clinch"))


AGAIN = """if 1:
    import sys

    def use(clinch):
        x = clinch.double("x")
        try:
            clinch.compile("int f(void) { return ; }")
        except clinch.CompileError:
            return clinch.function([x], x * 3.0)(2.0)
    import clinch as one
    first = use(one)
    for name in [n for n in sys.modules if n.split(".")[0] == "clinch"]:
        del sys.modules[name]
    sys.path[:0] = []
    import clinch as two
    print(first, use(two), use(one), one is two, two.errors is one.errors)"""


def test_imported_anew_each_raises_what_the_other_catches(tmp_path):
    status, said, printed = run(tmp_path, AGAIN,
                                PYTHONPATH=os.path.dirname(PACKAGE))
    assert (status, said, printed) == (0, "", "6.0 6.0 6.0 False True\n")


def test_two_copies_in_one_process_are_told(copy):
    """They would share the libraries that are loaded, and their settings."""
    shutil.copy(clinch._clinch.__file__, copy)
    code = AGAIN.replace("[:0] = []", f"[:0] = [{str(copy.parent)!r}]")
    elsewhere = copy.parent / "elsewhere"
    elsewhere.mkdir()
    status, said, _ = run(elsewhere, code, PYTHONPATH=os.path.dirname(PACKAGE))
    assert (status, said) == (1, (
        f"ImportError: the Clinch in `{copy}` cannot be loaded: the one in "
        f"`{PACKAGE}` is in this process already, and a process has one Clinch"))

"""`clinch cache`: what it says and what it does, also with files that somebody
has tampered with."""

import gzip
import io
import os
import subprocess
import sys
import tarfile

import pytest

import clinch
from clinch import _clinch
from clinch.cli import main
from clinch.cli.cache import COMMANDS


@pytest.fixture
def run(tmp_path, capfd):
    """Runs a command on a cache of the test's own: (status, output, errors)."""
    kept = clinch.config.cache_dir
    folder = tmp_path / "cache"

    def run(*words, where=folder):
        name, *rest = words
        status = main(["cache", f"--cache-dir={where}", name, *map(str, rest)])
        out, err = capfd.readouterr()
        return status, out, err
    run.folder = folder
    yield run
    clinch.config.cache_dir = kept


@pytest.fixture
def filled(run, tmp_path):
    """A cache with the code of two texts."""
    run("info")
    for number in (1, 2):
        clinch.compile(f"int f(void) {{ return {number}; }}")
    return run


def entries(folder):
    return sorted(name for name in os.listdir(folder)
                  if name.endswith(".o.clinch"))


def test_info(filled):
    status, out, _ = filled("info")
    assert status == 0
    assert out.splitlines()[0] == f"folder     {filled.folder}"
    assert out.splitlines()[1].startswith("entries    2, ")


def test_clear_leaves_the_files_of_others(filled):
    (filled.folder / "notes.txt").write_text("mine")
    status, out, err = filled("clear")
    assert (status, out[:6], err) == (0, "freed ", "")
    assert os.listdir(filled.folder) == ["notes.txt"]


def test_a_damaged_entry_is_not_exported(filled, tmp_path):
    path = filled.folder / entries(filled.folder)[0]
    data = path.read_bytes()
    path.write_bytes(data[:60] + bytes([data[60] ^ 1]) + data[61:])
    _, out, _ = filled("export", tmp_path / "file")
    assert out.startswith("1 entries in ") and out.endswith("left out: 1 damaged\n")


def test_what_one_exports_another_uses(filled, tmp_path):
    path, other = tmp_path / "file", tmp_path / "other"
    status, out, _ = filled("export", path)
    assert status == 0 and out.startswith(f"2 entries in {path}, ")
    status, out, err = filled("import", path, where=other)
    assert (status, out, err) == (0, "2 entries imported, 0 were there\n", "")
    hits = clinch.cache_info()["disk_hits"]
    assert clinch.compile("int f(void) { return 1; }")["int f(void)"]() == 1
    assert clinch.cache_info()["disk_hits"] == hits + 1
    assert filled("import", path, where=other)[1] == \
        "0 entries imported, 2 were there\n"


def rewritten(path, change):
    """The export at `path` with members changed by `change(name, data)`."""
    out = io.BytesIO()
    with tarfile.open(path) as old, tarfile.open(fileobj=out, mode="w:gz") as new:
        for member in old:
            for name, data in change(member.name, old.extractfile(member).read()):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                new.addfile(info, io.BytesIO(data))
    path.write_bytes(out.getvalue())


def flipped(data):
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("change, said", [
    (lambda n, d: [(n, flipped(d) if n.endswith(".clinch") else d)],
     "in it is not what it was when it was exported"),
    (lambda n, d: [(n.replace(".o.", "x.o.") , d)],
     "in it is not what it was when it was exported"),
    (lambda n, d: [("../../" + n if n.endswith(".clinch") else n, d)],
     "in it is not what it was when it was exported"),
    (lambda n, d: [] if n.endswith(".json") else [(n, d)],
     "it does not begin with origin.json"),
    (lambda n, d: [(n, d)] if n.endswith(".json") else [],
     "it has 0 entries, but declares 2"),
    (lambda n, d: [(n, d.replace(b'"version": 1', b'"version": 7'))],
     "its version is 7; this Clinch reads version 1"),
])
def test_nothing_of_a_tampered_export_is_kept(filled, tmp_path, change, said):
    path, other = tmp_path / "file", tmp_path / "other"
    filled("export", path)
    rewritten(path, change)
    status, out, err = filled("import", path, where=other)
    assert (status, out) == (1, "")
    assert err.startswith(f"clinch: `{path}` is no export of a cache, or a "
                          f"damaged one: ") and said in err
    assert entries(other) == []


def broken(data):
    return flipped(data[:1]) + data[1:]


@pytest.mark.parametrize("spoil", [
    lambda data: data[:len(data) // 2], lambda data: b"", broken,
    lambda data: b"what is this", lambda data: gzip.compress(b"nothing")])
def test_what_is_no_export_is_told(filled, tmp_path, spoil):
    path = tmp_path / "file"
    filled("export", path)
    path.write_bytes(spoil(path.read_bytes()))
    status, _, err = filled("import", path, where=tmp_path / "other")
    assert status == 1 and "is no export of a cache, or a damaged one" in err


def test_another_build_is_told(filled, tmp_path, monkeypatch):
    path = tmp_path / "file"
    filled("export", path)
    build, processor = _clinch.code_origin(None)
    monkeypatch.setattr(_clinch, "code_origin", lambda of: ("new", processor))
    status, _, err = filled("import", path)
    assert (status, err) == (1, (
        f"clinch: `{path}` was made by another build of Clinch, and none of it "
        f"would be used here: that is {build}, this is new\n"))


def test_another_processor_is_told(filled, tmp_path, monkeypatch):
    path = tmp_path / "file"
    filled("export", path)
    build, _ = _clinch.code_origin(None)
    monkeypatch.setattr(_clinch, "code_origin", lambda of: (build, "new"))
    status, _, err = filled("import", path, where=tmp_path / "other")
    assert (status, err) == (0, "made on another processor: what was compiled "
                                "for that one alone is not used here\n")


@pytest.mark.parametrize("words, said", [
    (["ifno"], "`cache` has no command `ifno`; did you mean `info`?"),
    (["import"], "usage: clinch cache import FILE"),
    (["clear", "all"], "usage: clinch cache clear"),
    (["info", "--al"], "`cache` has no option `--al`; there is `--cache-dir=DIR`"),
])
def test_slips(run, words, said):
    assert run(*words) == (2, "", f"clinch: {said}\n")


def test_a_folder_of_others_is_told(run, tmp_path):
    other = tmp_path / "open"
    other.mkdir()
    other.chmod(0o777)
    assert run("info", where=other) == (1, "", (
        "clinch: there is no cache on disk: its folder cannot be made, or is "
        "not this user's alone\n"))


def test_help_names_all(run):
    status, out, _ = run("--help")
    assert status == 0 and all(f"\n  {name}" in out for name in COMMANDS)


@pytest.mark.parametrize("way", ["config", "environment"])
def test_a_relative_folder_is_the_one_of_then(tmp_path, way):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    program = """
import os, sys
import clinch
if sys.argv[1] == "config":
    clinch.config.cache_dir = "kept"
clinch.compile("int f(void) { return 1; }")
os.chdir("../b")
if sys.argv[1] == "config":
    clinch.config.cache_limit = 1 << 20
clinch.compile("int f(void) { return 2; }")
"""
    environment = dict(os.environ, CLINCH_CACHE_DIR="kept")
    if way == "config":
        environment["CLINCH_CACHE_DIR"] = str(tmp_path / "b/never")
    subprocess.run([sys.executable, "-c", program, way], env=environment,
                   cwd=tmp_path / "a", check=True, timeout=120)
    assert os.listdir(tmp_path / "b") == []
    assert len(list((tmp_path / "a/kept").glob("*.o.clinch"))) == 2

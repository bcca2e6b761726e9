"""`clinch check`: what it finds, what it mends, and what it cannot look at."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

import clinch

INPUTS = os.path.join(os.path.dirname(__file__), "..", "Check", "Inputs")


def check(*arguments, folder=None):
    """(status, what was written)"""
    done = subprocess.run(
        [sys.executable, "-m", "clinch", "check", *map(str, arguments)],
        cwd=folder, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def report(*arguments, folder=None):
    status, text = check("--format=json", *arguments, folder=folder)
    said = json.loads(text)
    assert said["status"] == status
    return said


def write(folder, name, text):
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return path


@pytest.fixture(scope="module")
def slips():
    return report(os.path.join(INPUTS, "wrong_hooks.py"))


@pytest.mark.parametrize("hook, check, line, message", [
    ("Returns.c_code", "rule", 4, "`return` may not be used here"),
    ("Forgets.c_code", "unused-fail", 3,
     "`PyErr_SetString` sets an exception, and the block goes on as if "
     'nothing had failed; write `sub["fail"]` after it'),
    ("Leaks.c_code", "leaked-reference", 2,
     "the new reference in `box` leaks if the block fails; release it "
     "there with `Py_DECREF`"),
    ("CallsAndLeaks.c_code", "leaked-reference", (2, 4),
     "leaks if the block fails; release it there with `Py_DECREF`"),
    ("CallsAndHopes.c_code", "unchecked-result", 2,
     "`Py_BuildValue` returns NULL when it fails, and `pair` is used before "
     "anything looks whether it did"),
    ("Hopes.c_code", "unchecked-result", 2,
     "`PyList_New` returns NULL when it fails, and `list` is used before "
     "anything looks whether it did"),
    ("Hopes.c_code", "ignored-result", 4,
     "`PyList_Append` may fail, and its result is not checked; write "
     '`sub["fail"]` where it returns less than 0'),
    ("Temperature.c_declare", "rule", 1, "may not be given a value here"),
])
def test_finds_slips_in_python(slips, hook, check, line, message):
    found = [f for f in slips["findings"]
             if f["hook"] == hook and f["check"] == check]
    assert [f["text_line"] for f in found] == ([line] if type(line) is int else [*line])
    assert all(message in f["message"] for f in found)
    assert found[0]["path"] == os.path.abspath(os.path.join(INPUTS, "wrong_hooks.py"))


def test_finds_nothing_else(slips):
    assert len(slips["findings"]) == 9
    assert slips["unseen"] == []


def test_good_module():
    assert check("good.py", folder=INPUTS) == (
        0, "0 findings in 1 graph of 1 file.\n")


def has_old_macros():
    """NumPy 2's headers lack those that NumPy 1.7 deprecated."""
    try:
        return bool(clinch.compile("int f(void) { return NPY_ALIGNED; }",
                                   python=True))
    except clinch.CompileError:
        return False


def test_c_file_and_its_mending(tmp_path):
    with open(os.path.join(INPUTS, "scale.c")) as file:
        text = file.read()
    found = [(8, "unused-fail"), (10, "numpy-field"), (15, "ignored-result"),
             (16, "numpy-macro")]
    if not has_old_macros():
        text = text.replace("NPY_ALIGNED", "NPY_ARRAY_ALIGNED")
        found.pop()
    path = write(tmp_path, "scale.c", text)
    before = report(path)
    assert [(f["line"], f["check"]) for f in before["findings"]] == found
    after = report("--fix", path)
    assert after["status"] == 1
    assert [f["fixed"] for f in after["findings"]] == [
        True, False, False, True][:len(found)]
    text = path.read_text()
    assert 'a vector is needed"); FAIL\n' in text
    assert "PyArray_CHKFLAGS(INPUT_0, NPY_ARRAY_ALIGNED)" in text
    assert [f["check"] for f in report(path)["findings"]] == [
        "numpy-field", "ignored-result"]


def unseen(said):
    return [entry["why"] for entry in said["unseen"]]


def test_a_text_that_crashes_the_compiler_does_not_keep_others_from_it(tmp_path):
    write(tmp_path, "two.py", """
        from clinch import Apply, Op, double
        class Nests(Op):
            __props__ = ()
            def make_node(self, x):
                return Apply(self, [x], [double()])
            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = {'- ' * 1000000}{inputs[0]};"
        class Wrong(Nests):
            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = absent;"
        """)
    said = report(tmp_path / "two.py")
    assert unseen(said) == ["the hooks of `Nests` crashed the compiler: it nests "
                            "too deeply for a stack of 64 MB"]
    assert [f["message"] for f in said["findings"]] == [
        "use of undeclared identifier 'absent'"]


def test_what_cannot_be_looked_at(tmp_path):
    write(tmp_path, "no_import.py", "class A: pass\nimport nothing_of_the_kind\n")
    write(tmp_path, "slip.py", "class A(:\n")
    write(tmp_path, "leaves.py", """
        class A: pass
        raise SystemExit(3)
        """)
    write(tmp_path, "ends.py", """
        import os
        class A: pass
        os._exit(4)
        """)
    write(tmp_path, "crashes.py", """
        import ctypes
        class A: pass
        ctypes.string_at(0)
        """)
    write(tmp_path, "raises.py", """
        from clinch import Apply, Op, double
        class Raises(Op):
            __props__ = ()
            def make_node(self, x):
                return Apply(self, [x], [double()])
            def c_code(self, node, name, inputs, outputs, sub):
                raise KeyError("lost")
        """)
    write(tmp_path, "needs.py", """
        from clinch import Op
        class Needs(Op):
            def __init__(self, what):
                self.what = what
            def c_code(self, node, name, inputs, outputs, sub):
                return ""
        """)
    said = report(tmp_path)
    assert said["status"] == 2 and said["findings"] == []
    why = {os.path.basename(entry["path"]): entry["why"]
           for entry in said["unseen"]}
    assert why["no_import.py"].startswith(
        "it cannot be imported: ModuleNotFoundError: No module named "
        "'nothing_of_the_kind' (")
    assert why["no_import.py"].endswith("no_import.py:2)")
    assert "SyntaxError" in why["slip.py"] and "slip.py:1)" in why["slip.py"]
    assert why["leaves.py"].startswith("it cannot be imported: SystemExit: 3")
    assert why["ends.py"] == "importing it ended the process with status 4"
    assert why["crashes.py"] == "importing it ended the process with SIGSEGV"
    assert "KeyError: 'lost'" in why["raises.py"]
    assert why["needs.py"].startswith("`Needs` cannot be made without arguments")


def test_a_module_that_hangs_in_make_node(tmp_path):
    write(tmp_path, "hangs.py", """
        import time
        from clinch import Apply, Op, double
        class Hangs(Op):
            __props__ = ()
            def make_node(self, x):
                time.sleep(1000)
        class Good(Op):
            __props__ = ()
            def make_node(self, x):
                return Apply(self, [x], [x.type()])
            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = {inputs[0]};"
        Hangs.c_code = Good.c_code
        """)
    said = report("--time-limit=2", tmp_path / "hangs.py")
    assert unseen(said) == ["`Hangs.make_node` did not end in 2 seconds"]
    assert said["graphs"] == 1


def test_time_without_a_processor_is_not_counted(monkeypatch):
    from clinch.cli.checking import clock
    now = iter((100.0, 130.0))
    waits = iter(({"1": 5.0, "2": 0.0}, {"1": 6.0, "2": 25.0, "3": 24.0}))
    monkeypatch.setattr(clock.time, "monotonic", lambda: next(now))
    monkeypatch.setattr(clock.Clock, "_read", lambda self: next(waits))
    assert clock.Clock(1).elapsed() == 5.0


def test_a_process_that_is_gone_has_waited_for_nothing(monkeypatch):
    from clinch.cli.checking import clock
    now = iter((100.0, 130.0))
    monkeypatch.setattr(clock.time, "monotonic", lambda: next(now))
    assert clock.Clock(2 ** 30).elapsed() == 30.0


def test_files_of_other_kinds(tmp_path):
    other = os.path.join(INPUTS, "other.c")
    status, text = check(other, tmp_path / "none.py", tmp_path)
    assert status == 2
    assert "other.c: could not be looked at: it is no Op's C file: it has no " \
        "`#section` line, such as `#section code`\n" in text
    assert "none.py: could not be looked at: it cannot be read: No such file " \
        "or directory\n" in text
    assert "there is no Python module with a class and no Op's C file in this " \
        "folder" in text


def test_pipes_and_devices_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "pipe.c")
    write(tmp_path, "one.py", "class A: pass\n")
    assert check(".", folder=tmp_path) == (
        0, "0 findings in 0 graphs of 1 file.\n")
    for path in (tmp_path / "pipe.py", "/dev/zero"):
        status, text = check(path)
        assert status == 2
        assert "could not be looked at: it is not a regular file\n" in text


def test_a_module_that_asks(tmp_path):
    path = write(tmp_path, "asks.py", "class A: pass\nanswer = input()\n")
    done = subprocess.run(
        [sys.executable, "-m", "clinch", "check", str(path)], input="yes\n",
        capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "it cannot be imported: EOFError: EOF when reading a line (" \
        in done.stdout


def test_links_that_lead_nowhere(tmp_path):
    os.symlink("loop.py", tmp_path / "loop.py")
    os.symlink("gone.c", tmp_path / "dangling.c")
    status, text = check(tmp_path / "loop.py", tmp_path / "dangling.c")
    assert status == 2
    assert "loop.py: could not be looked at: it cannot be read: Too many " \
        "levels of symbolic links\n" in text
    said = "dangling.c: could not be looked at: it cannot be read: No such " \
        "file or directory\n"
    assert said in text
    status, text = check(".", folder=tmp_path)
    assert status == 2 and said in text


def test_ten_thousand_files(tmp_path):
    for number in range(10_000):
        (tmp_path / f"m{number}.py").write_text("x = 1\n")
    write(tmp_path, "one.py", "class A: pass\n")
    assert check(".", folder=tmp_path) == (
        0, "0 findings in 0 graphs of 1 file.\n")


FINDING = dict(line=1, column=1, severity="warning", check="c", message="m",
               source_line="abc", notes=[])


def fixing(path, *fixes, digest=None):
    """The Result after the fixes, each (first column, last column, text)."""
    import hashlib
    from clinch.cli.checking.fixing import fix
    from clinch.cli.checking.result import Finding, Result
    digest = digest or hashlib.sha256(path.read_bytes()).hexdigest()
    result = Result([Finding(
        path=str(path), digest=digest, **FINDING,
        fixits=[{"begin_column": b, "end_column": e, "replacement": r}])
        for b, e, r in fixes])
    fix(result)
    return result


def test_fixes_that_meet(tmp_path):
    path = write(tmp_path, "a.c", "abc\n")
    result = fixing(path, (1, 3, "x"), (2, 4, "y"))
    assert result.status == 2
    assert result.unseen == [(str(path), "it cannot be mended: line 1: two fixes "
                              "meet here; make one of them by hand")]
    assert path.read_text() == "abc\n"


def test_a_file_that_changed_meanwhile(tmp_path):
    path = write(tmp_path, "a.c", "abc\n")
    result = fixing(path, (1, 2, "x"), digest="another")
    assert result.unseen == [(str(path), "it cannot be mended: it has changed "
                              "since it was looked at")]
    assert path.read_text() == "abc\n"


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    path = write(tmp_path, "a.c", "abc\n")

    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    result = fixing(path, (1, 2, "x"))
    assert result.status == 2
    assert result.unseen == [
        (str(path), "it cannot be mended: Permission denied")]
    assert path.read_text() == "abc\n" and os.listdir(tmp_path) == ["a.c"]


def test_the_same_fix_twice_is_one(tmp_path):
    path = write(tmp_path, "a.c", "abc\n")
    assert fixing(path, (1, 2, "x"), (1, 2, "x")).status == 0
    assert path.read_text() == "xbc\n"


def test_sarif(tmp_path):
    path = write(tmp_path, "a.c", """\
        #section code
        PyErr_SetString(PyExc_ValueError, "no");
        """)
    status, text = check("--format=sarif", "--inputs=double",
                         "--outputs=double", path.name, folder=tmp_path)
    run, = json.loads(text)["runs"]
    result, = run["results"]
    assert status == 1
    assert result["ruleId"] == "unused-fail"
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "a.c"},
                     "region": {"startLine": 2, "startColumn": 1}}
    change = result["fixes"][0]["artifactChanges"][0]
    assert change["replacements"] == [{
        "deletedRegion": {"startLine": 2, "startColumn": 41, "endColumn": 41},
        "insertedContent": {"text": " FAIL"}}]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_options_that_make_no_sense():
    done = subprocess.run([sys.executable, "-m", "clinch", "check"],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "the following arguments are required: PATH" in done.stderr


def documented(page, name):
    """The C file of that name on a page of the documentation."""
    guide = os.path.join(os.path.dirname(__file__), "../../docs/guide")
    if not os.path.exists(guide):
        pytest.skip("there is no checkout")
    with open(os.path.join(guide, page)) as file:
        return file.read().split(f"```c file={name}\n")[1].split("```")[0]


@pytest.mark.parametrize(("page", "name"), [
    ("ops-in-c-files.md", "running_mean.c"),
    ("the-prompt.md", "double_it.c")])
def test_a_c_file_of_scalars_has_no_findings(tmp_path, page, name):
    path = write(tmp_path, name, documented(page, name))
    assert check(path) == (0, "0 findings in 1 graph of 1 file.\n")


def test_an_error_says_what_make_node_was_given(tmp_path):
    path = write(tmp_path, "given.py", """
        from clinch import Apply, COp, Type
        from clinch.types import scalars

        class Interval(Type):
            def filter(self, value, strict=False, allow_downcast=None):
                return value
            def c_support_code(self, **kw):
                return "struct interval { double lo, hi; };"
            def c_declare(self, name, sub, check_input=True):
                return f"struct interval {name};"
            def c_init(self, name, sub):
                return f"{name}.lo = {name}.hi = 0;"
            def c_extract(self, name, sub, check_input=True):
                return f'if (!PyArg_ParseTuple(py_{name}, "dd", &{name}.lo, &{name}.hi)) {sub["fail"]}'
            def c_sync(self, name, sub):
                return f'Py_XDECREF(py_{name}); py_{name} = Py_BuildValue("(dd)", {name}.lo, {name}.hi);'

        class First(COp):
            __props__ = ()
            def make_node(self, v, i):
                return Apply(self, [v, i], [i.type()])
            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]}.lo = *(double *)PyArray_GETPTR1({inputs[0]}, 0);"
        """)
    status, text = check(path)
    # NumPy 1 has a macro there, NumPy 2 a function.
    assert status == 1 and "'struct interval'" in text
    assert ("note: `First.make_node` was given inputs of the types Interval, Interval"
            in text)


def test_an_error_says_which_types_were_assumed(tmp_path):
    path = write(tmp_path, "a.c", "#section code\nOUTPUT_0 = INPUT_0 % 2 + "
                                  "PyArray_NDIM(INPUT_1);\n")
    status, text = check(path)
    assert status == 1
    assert ("note: the text does not say its types: "
            "--inputs=double,float64[:] --outputs=double is assumed") in text
    status, text = check(path, "--inputs=int64,float64[:]",
                         "--outputs=double")
    assert (status, text) == (0, "0 findings in 1 graph of 1 file.\n")

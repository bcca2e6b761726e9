"""What a notebook shows of functions, graphs, ladders and errors, and `%%op`."""

import contextlib
import io
import os
import pickle
import re
import subprocess
import sys
import textwrap

import pytest

import clinch
from clinch import Mode, double, function
from clinch.testing import TextOp
from test_unpickling import without_graph

DRAWN = {"text/plain", "text/markdown"}
HTML = {"text/plain", "text/html"}


def chain(length):
    x = double("x")
    result = x
    for _ in range(length):
        result = result + x
    return x, result


@pytest.fixture
def mean():
    x, y = double("x"), double("y")
    return function([x, y], (x + y) / 2.0)


def words(drawn):
    """The texts of a graph, then the lines of a ladder."""
    return [*re.findall(r'"(.*)"', drawn),
            *drawn.partition("```text\n")[2].splitlines()]


def test_a_function(mean):
    bundle = mean._repr_mimebundle_()
    assert set(bundle) == DRAWN and bundle["text/plain"] == repr(mean)
    shown = words(bundle["text/markdown"])
    assert {"t2 = true_div", "t1 = add", "x", "y"} <= set(shown)
    assert any("fail ─▶ label_1" in line for line in shown)


def test_an_expression_and_an_apply():
    x, y = double("x"), double("y")
    z = (x + y) / 2.0
    bundle = z._repr_mimebundle_(include=None, exclude=None)
    assert set(bundle) == DRAWN and bundle["text/plain"] == repr(z)
    shown = words(bundle["text/markdown"])
    assert shown == ["x", "y", "t1 = add", "2.0", "t2 = true_div"]
    assert z.owner.inputs[0].owner._repr_mimebundle_()["text/plain"] == \
        "add(x, y)"
    assert words(x._repr_mimebundle_()["text/markdown"]) == ["x"]


def test_an_input_in_the_middle_of_a_graph_is_an_input():
    x = double("x")
    y = x + 1.0
    shown = words(function([y], y * 2.0)._repr_mimebundle_()["text/markdown"])
    assert "t2 = mul" in shown and not any("= add" in text for text in shown)


def test_a_thunk_shows_its_ladder(mean):
    bundle = mean.thunk._repr_mimebundle_()
    assert set(bundle) == DRAWN and bundle["text/plain"] == repr(mean.thunk)
    shown = words(bundle["text/markdown"])
    assert "mermaid" not in bundle["text/markdown"]
    assert any(re.search(r"1  x +c_extract +── fail ─▶ label_1", line) for line in shown)


def test_a_function_that_lost_its_graph_shows_its_ladder(mean):
    bundle = pickle.loads(without_graph(mean))._repr_mimebundle_()
    assert "mermaid" not in bundle["text/markdown"]
    assert any("`Double.c" in text
               for text in words(bundle["text/markdown"]))


@pytest.mark.parametrize("options", [{"mode": Mode(linker="op")}, {"mode": "DebugMode"}])
def test_every_kind_of_function(options):
    x, y = chain(3)
    bundle = function([x], y, **options)._repr_mimebundle_()
    assert {"t1 = add", "t2 = add", "t3 = add"} <= set(
        words(bundle["text/markdown"]))


def test_what_is_large_is_folded():
    x, y = chain(500)
    f = function([x], y, mode="fast")
    for bundle, count in ((f._repr_mimebundle_(), "500 applies"),
                          (y._repr_mimebundle_(), "500 applies"),
                          (f.thunk._repr_mimebundle_(), "1,001 blocks")):
        assert set(bundle) == HTML
        page = bundle["text/html"]
        assert re.match(rf"<details><summary>[^<]*: {count}</summary><pre ", page)
        assert page.endswith("</pre></details>")
    page = f._repr_mimebundle_()["text/html"]
    assert all(f"  {line}" in page for line in ("⋮ 440 more", "t1 = add(x, ", "t500 = add("))


def test_nothing_looks_at_all_of_a_large_function(monkeypatch):
    from clinch.cli.drawing import model
    x, y = chain(500)
    f = function([x], y, mode="fast")
    monkeypatch.setattr(model, "applies_between", None)
    monkeypatch.setattr(clinch.build.linkers.Linked, "tasks", None)
    assert "440 more" in f._repr_mimebundle_()["text/html"]


broken = TextOp("{z} = {x} < 2 ? <b> : 1;")


def test_a_compile_error():
    x = double("x")
    with pytest.raises(clinch.CompileError) as caught:
        function([x], broken(x))
    bundle = caught.value._repr_mimebundle_()
    assert set(bundle) == HTML
    assert bundle["text/plain"] == str(caught.value)
    page = bundle["text/html"]
    assert '<b style="color: #b91c1c">error: </b>' in page
    assert "&lt; 2 ? &lt;b&gt; : 1;" in page and "<b> :" not in page
    assert "<details><summary>the text</summary>" in page
    assert "\033" not in page and page.count("<b") == page.count("</b>")


CELL = """\
#section support_code_struct
double APPLY_SPECIFIC(sum);

#section init_code_struct
APPLY_SPECIFIC(sum) = 0;

#section code
APPLY_SPECIFIC(sum) += INPUT_0 * FACTOR;
OUTPUT_0 = APPLY_SPECIFIC(sum);
"""


@pytest.fixture
def shell():
    """IPython's, with the extension loaded."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    made = InteractiveShell.instance()
    made.run_line_magic("load_ext", "clinch")
    yield made
    made.reset(new_session=False)
    InteractiveShell.clear_instance()


def run(shell, cell):
    """Runs a cell; raises what it raises."""
    shell.run_cell(textwrap.dedent(cell), silent=True).raise_error()


def test_a_cell_is_an_op(shell):
    run(shell, "%%op total double -> double\n" + CELL.replace("FACTOR", "2"))
    run(shell, """
        from clinch import double, function
        x = double("x")""")
    f = shell.ev("function([x], total(x))")
    assert [f(1.0), f(3.0)] == [2.0, 8.0]
    # The cell once more: what was made before is as it was.
    run(shell, "%%op total double -> double\n" + CELL.replace("FACTOR", "3"))
    assert shell.ev("function([x], total(x))(1.0)") == 3.0
    assert [f(1.0), f.copy()(1.0)] == [10.0, 2.0]
    # What goes to another process takes its code along.
    assert pickle.loads(pickle.dumps(f))(1.0) == 2.0


def test_a_cell_with_a_function(shell):
    run(shell, """\
        %%op plus float64[:], double -> double --function=add_first
        #section support_code
        static int add_first(PyArrayObject *a, double b, double *out) {
          *out = *(double *)PyArray_DATA(a) + b;
          return 0;
        }""")
    run(shell, """
        import clinch
        x, y = clinch.vector("x"), clinch.double("y")""")
    f = shell.ev("clinch.function([x, y], plus(x, y))")
    assert f([1.0, 5.0], 2.0) == 3.0


@pytest.mark.parametrize("line, cell, error, said", [
    ("total", "#\n", ValueError, "say %%op NAME INPUTS -> OUTPUTS"),
    ("total duoble -> double", "#\n", ValueError,
     "`duoble` is not a type; did you mean `double`?"),
    ("total double -> double", "#section cod\n", Exception,
     "`cod`"),
    ("total double -> double", "#section code\nOUTPUT_0 = INPUT_0 +;\n",
     clinch.CompileError, "expected expression"),
])
def test_what_is_wrong_is_said_at_the_cell(shell, line, cell, error, said):
    with pytest.raises(error) as caught:
        run(shell, f"%%op {line}\n{cell}")
    assert said in str(caught.value) and "total" not in shell.user_ns


def said(shell, cell, capsys):
    """Runs a cell; returns what it prints, and what an error is shown as."""
    with contextlib.redirect_stdout(io.StringIO()) as file:
        shell.run_cell(cell, store_history=True)
    return file.getvalue().strip("\n"), capsys.readouterr().err


def test_an_error_of_an_op_shows_the_cell_and_nothing_else(shell, capsys):
    assert said(shell, "%%op total double -> double\n#section code\nOUTPUT_0 = 1;\n"
                "OUTPUT_0 = INPUT_0 +;\n", capsys) == ("""\
The text does not compile: 1 error.
`total.c_code` for `node_3` in %%op total:3:21: error: expected expression
  OUTPUT_0 = INPUT_0 +;
                      ^""", "")
    assert said(shell, "%%op total duoble -> double\n#", capsys)[0].startswith(
        "ValueError: `duoble` is not a type; did you mean `double`?")


def test_cells_of_c():
    """In a process of their own, which has crash notes from the first of them on."""
    pytest.importorskip("IPython")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         os.path.join(os.path.dirname(__file__), "cells_of_c.py")],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("3 passed")


def test_loading_the_magics_changes_no_function():
    """Crash notes, and so other code, come with the first cell of C."""
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", """if True:
        from IPython.core.interactiveshell import InteractiveShell
        from clinch import double, function
        x = double("x")
        def size():
            return function([x], x + 1).stats["object_bytes"]
        before, shell = size(), InteractiveShell.instance()
        shell.run_line_magic("load_ext", "clinch")
        loaded = size()
        shell.run_cell_magic("clinch", "", "int n = 3;")
        print(loaded == before, size() > before)
    """], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_an_op_of_a_cell_takes_what_it_was_given(shell):
    run(shell, "%%op total double -> double\n" + CELL.replace("FACTOR", "2"))
    total = shell.user_ns["total"]
    assert function([], total(4.0))() == 8.0
    with pytest.raises(TypeError) as caught:
        total(clinch.vector("v"))
    assert str(caught.value) == (
        f"total takes (double), and was given ({clinch.vector('v').type})")
    with pytest.raises(TypeError, match=r"was given \(double, double\)"):
        total(double("x"), double("y"))


def test_stages_are_printed(shell, capsys):
    x = double("x")
    shell.user_ns["f"] = f = function([x], x + 1)
    shell.run_line_magic("emit", "graph f")
    assert capsys.readouterr().out == f.emit("graph")
    shell.run_line_magic("emit", "blocks,c f.copy() --lines")
    assert capsys.readouterr().out == f.emit("blocks") + "\n" + f.emit("c")


def test_a_graph_is_drawn_or_written(shell, tmp_path):
    x = double("x")
    shell.user_ns["f"] = f = function([x], x + 1)
    assert shell.run_line_magic("graph", "f") is f
    assert shell.run_line_magic("graph", f"f {tmp_path}/f.mmd") is None
    assert (tmp_path / "f.mmd").read_text().startswith("flowchart TD\n")


@pytest.mark.parametrize("magic, line, said", [
    ("emit", "", "say %emit STAGE"), ("emit", "c", "say %emit STAGE"),
    ("emit", "obj f", "`obj` is binary"), ("emit", "see f", "there is no stage 'see'"),
    ("emit", "c 1 + 1", "`1 + 1` is a `int` and no function; say %emit"),
    ("graph", "", "say %graph FUNCTION"),
    ("graph", "x", "`x` is a `Variable` and no function; say %graph")])
def test_what_a_magic_cannot_do_is_said(shell, magic, line, said):
    x = double("x")
    shell.user_ns.update(x=x, f=function([x], x))
    with pytest.raises(ValueError) as caught:
        shell.run_line_magic(magic, line)
    assert said in str(caught.value)

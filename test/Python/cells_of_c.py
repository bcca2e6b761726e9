"""`%%clinch` cells; test_notebook.py runs this in a process of its own."""

from test_notebook import run, said, shell  # noqa: F401


def test_cells_of_c_bind_what_they_define(shell, capsys):
    """Several lines of one input; values printed, and the last one given back."""
    assert said(shell, """%%clinch
double half(double x) {
  return x / 2;
}
int n = 3,
    m = 4;
n + m
half(n)
""", capsys) == ("7\nOut[1]: 1.5", "")
    assert said(shell, "half(5.0), n", capsys)[0] == "Out[2]: (2.5, 3)"
    shell.run_cell("n = 10\nimport numpy\na = numpy.arange(3.0)", store_history=True)
    assert said(shell, "%%clinch\nif (n == 10)\n  for (int k = 0; k < 3; ++k) a[k] += n;\n"
                "else\n  a[0] = 5;\na", capsys)[0] == "Out[4]: {10.0, 11.0, 12.0}"
    assert said(shell, "a", capsys)[0] == "Out[5]: array([10., 11., 12.])"
    assert said(shell, "%%clinch\nint n[2] = {1, 2};\nn[1]", capsys)[0] == "Out[6]: 2"
    assert said(shell, "%%clinch now\n1", capsys)[0] == \
        "%%clinch takes no arguments, and `now` was given"


def test_a_struct_of_a_cell_is_drawn_as_a_table(shell):
    run(shell, "%%clinch\nstruct P { int x; double y; } p = {1, 2.5};")
    shown = shell.run_cell_magic("clinch", "", "p")
    assert shown._repr_mimebundle_() == {
        "text/plain": "{x = 1, y = 2.5}",
        "text/html": "<table><tr><th>x</th><td>1</td></tr><tr><th>y</th><td>2.5</td></tr>"
                     "</table>"}
    assert shell.run_cell_magic("clinch", "", "p.x")._repr_mimebundle_() == {
        "text/plain": "1"}


def test_mistakes_and_crashes_in_cells_of_c(shell, capsys):
    """At the cell's lines; what came before holds, and the process goes on."""
    assert said(shell, "%%clinch\nint ok = 1;\n\nint bad = ;\nint later = 2;", capsys) == (
        "<cell 1>:3:11: error: expected expression\n  int bad = ;\n            ^", "")
    assert said(shell, "ok, 'later' in globals()", capsys)[0] == "Out[2]: (1, False)"
    shown, _ = said(shell, "%%clinch\nint zero = 0;\nint div(int a) {\n"
                    "  return a / zero;\n}\ndiv(3)", capsys)
    assert shown.startswith("  return a / zero;\n"
                            "crashed: an integer was divided by zero")
    assert said(shell, "div(1)", capsys)[0] == "crashed: an integer was divided by zero"
    assert said(shell, "%%clinch\nok + 1", capsys)[0] == "Out[5]: 2"

"""Failures put into assembled text: each block made to fail when told to.

The text is what Clinch assembled, with one more line at the end of each hook
that may fail, and where what a Type of Clinch's own says has opened its block; it is
compiled and run as any program is.
"""

import contextlib
import re
import sys

from clinch import _clinch

MAY_FAIL = ("c_init", "c_extract", "c_extract_out", "c_code",
            "c_validate_update", "c_init_code_struct")
_BLOCK = re.compile(r"\{ // Block (\d+): ")
_OPENED = re.compile(r" *(\{ // Block|label_\d+:;|clinch_undo:;)")
_HOOK = re.compile(r"\{ // (c_\w+)$")
_ORIGIN = re.compile(r'#line \d+ "(`\w+\.\w+`.*)"$')
_BACK = re.compile(r'#line \d+ "thunk\.c"$')

_ASK = """
static int clinch_test_fails(long site)
{
  PyObject *wanted = PySys_GetObject("clinch_failing_site");
  return wanted && wanted != Py_None && PyLong_AsLong(wanted) == site;
}
"""


class Site:
    """One place that can fail: the number of its block, and what the error's
    note calls it."""

    def __init__(self, number, subject):
        self.number = number
        self.subject = subject

    def __repr__(self):
        return f"block {self.number}, {self.subject}"


def inject(described):
    """Puts a failure at the end of each hook into the text of `described`, and
    returns the Sites."""
    lines, sites, added = [], [], []
    subjects = {task[0]: task[2] for task in described["tasks"]}
    number = hook = origin = None
    ours = False  # A Type of Clinch's own has given the variable a value.
    place = 0  # Of the line, in the text as it was.

    def fail(subject):
        sites.append(Site(number, subject))
        lines.append(
            f"if (clinch_test_fails({len(sites)})) {{ PyErr_SetString("
            f'PyExc_ArithmeticError, "site {len(sites)}"); '
            f"{{failure = {number}; goto label_{number};}} }}")
        added.append((place, len(lines[-1].encode()) + 1))

    for line in described["text"].split("\n"):
        if ours and _OPENED.match(line):
            fail(subjects[number])
            ours = False
        if found := _BLOCK.search(line):
            number = int(found[1])
        if found := _HOOK.search(line):
            hook = found[1]
        if found := _ORIGIN.match(line):
            origin = found[1]
        if line.startswith(" ") and hook is None and re.search(
                rf"(?<!\w)V0*{number}( = |, 0, sizeof)", line):
            ours = True
        if _BACK.match(line) and hook is not None:
            if hook in MAY_FAIL:
                fail(origin)
            hook = None
        lines.append(line)
        place += len(line.encode()) + 1
        if line == "#include <Python.h>":
            lines.append(_ASK)
            added.append((place, len(_ASK) + 1))
    described["text"] = "\n".join(lines)
    described["regions"] = [moved(region, added)
                            for region in described["regions"]]
    return sites


def moved(region, added):
    """The region where it stands behind what was added, (place, length) each."""
    name, role, block, label, begin, end, *rest = region
    return (name, role, block, label,
            begin + sum(length for at, length in added if at <= begin),
            end + sum(length for at, length in added if at < end), *rest)


@contextlib.contextmanager
def failing(site):
    """While it lasts, the site with this number (from 1) fails."""
    sys.clinch_failing_site = site
    try:
        yield
    finally:
        sys.clinch_failing_site = None


class Injected:
    """A graph's program whose blocks can be made to fail."""

    def __init__(self, inputs, outputs, **options):
        options.setdefault("disk_cache", False)
        described = _clinch.describe(inputs, outputs, **options)
        self.sites = inject(described)
        plain = _clinch.Program(inputs, outputs, **options)
        self.cells = plain.cells
        # What constants and params are; all else begins as None.
        self._values = [cell[0] for cell in plain.instantiate().cells]
        self.program = _clinch.load(described)
        places = list(map(id, self.cells))
        self.outputs = [places.index(id(v)) for v in outputs]
        self.inputs = [places.index(id(v)) for v in inputs]

    def instantiate(self):
        """A thunk with its constants in place."""
        return self.program.instantiate(
            [[value] for value in self._values])

    def fill(self, thunk, values):
        for place, value in zip(self.inputs, values):
            thunk.cells[place][0] = value

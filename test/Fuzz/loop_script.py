"""A program of its own that shows what is wrong with a loop."""

import numpy

from kinds import KINDS
from loop_reference import Layout, LoopReference, data, number_of
from loops import LoopText
from reference import Reading

_HEAD = '''\
"""{kind}: {detail}"""
import ctypes
import sys
import numpy
import clinch

TEXT = r"""
{text}"""
print("on", [line for line in open("/proc/cpuinfo") if "model name" in line][0])
compiled = clinch.compile(TEXT, "loop", {way})
'''

_RUN = '''

def run(compiled):
{memory}
    compiled.f({arguments})
    return dict({outputs})


EXPECTED = {expected}
wrong = 0
for name, found in run(compiled).items():
    values = numpy.array(EXPECTED[name], found.dtype)
    differ = (values != found) & ~(numpy.isnan(values) & numpy.isnan(found))
    if {roughly}:
        differ &= ~numpy.isclose(values, found, rtol=1e-5)
    for at in numpy.flatnonzero(differ):
        print(f"{{name}}[{{at}}] is {{found[at]!r}} and not {{values[at]!r}}")
        wrong += 1
print(wrong, "wrong items")
sys.exit(wrong != 0)
'''
_IN_WORDS = ("wrong value", "died", "hung", "wrote outside",
             "far from Python's")


def script(case, finding):
    loop = LoopText(case)
    detail = finding["detail"].replace("\\", "/").replace('"', "'")
    way = finding["way"] or "# in one of these:\n    " + repr(case["ways"])
    text = _HEAD.format(kind=finding["kind"], detail=detail, way=way,
                        text=loop.text())
    if finding["kind"] not in _IN_WORDS:
        return text
    layout = Layout(case, case["lengths"][-1])
    before = data(case, layout, case["data"] + layout.n)
    lines = [_memory(name, values) for name, values in before.items()]
    lines += [_memory(f"o_{name}", numpy.zeros(1, KINDS[given["kind"]].dtype))
              for name, given in case["locals"].items()]
    lines += [_memory(f"k_{name}", k.astype(KINDS[case["indices"]].dtype))
              for name, k in layout.indices.items()]
    arguments = ",\n               ".join(
        _argument(case, layout, kind, name)
        for kind, name in loop.parameters())
    outputs = [name for name in before
               if any(a["written"] and a["buffer"] == name
                      for a in case["arrays"].values())]
    outputs += [f"o_{name}" for name in case["locals"]]
    other = finding.get("other")
    expected = (f'run(clinch.compile(TEXT, "loop", {other}))' if other else
                _expected(case, finding, layout, before))
    return text + _RUN.format(
        memory="\n".join(lines), arguments=arguments, expected=expected,
        outputs=", ".join(f"{name}={name}" for name in outputs),
        roughly=finding["kind"] == "far from Python's")


def _memory(name, values):
    return (f"    {name} = numpy.array({_listed(values)}, "
            f"{values.dtype.name!r})")


def _listed(values):
    text = repr(values.tolist())
    for word in ("nan", "inf"):
        text = text.replace(word, f"numpy.{word}")
    return text


def _argument(case, layout, kind, name):
    if kind == "pointer":
        a = case["arrays"][name]
        item = layout.first[name]
        if a["walk"] == "mirror":
            item -= layout.n - 1
        return (f"ctypes.c_void_p({a['buffer']}.ctypes.data + "
                f"{item * KINDS[a['kind']].size})")
    if kind in ("indices", "result"):
        return f"ctypes.c_void_p({name}.ctypes.data)"
    value = (case["parameters"][name]["value"]
             if name in case["parameters"] else number_of(case, name, layout))
    return f"ctypes.{KINDS[kind].ctype.__name__}({value!r}).value"


def _expected(case, finding, layout, before):
    """What Python computes, as lists."""
    lists = {name: values.tolist() for name, values in before.items()}
    reading = Reading(fused=finding.get("fused", False))
    locals_ = LoopReference(case, reading).run(layout, lists)
    lists = {name: numpy.array(values, before[name].dtype)
             for name, values in lists.items()}
    lists |= {f"o_{name}": numpy.array([value])
              for name, value in locals_.items()}
    parts = [f"{name}={_listed(values)}" for name, values in lists.items()]
    return "dict(\n    " + ",\n    ".join(parts) + ")"

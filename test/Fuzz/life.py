"""What searches of a host's life have in common: small functions whose values are
known, and what a process holds."""

import os

import clinch
from clinch import Apply, COp, Mode, double, function


class Adds(COp):
    """`x + number` by C of a length."""

    __props__ = ("number", "length")

    def __init__(self, number, length=1):
        self.number, self.length = number, length

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        x, z = inputs[0], outputs[0]
        more = f"if ({z} < -1e300) {z} += 1;\n" * self.length
        return (f"if ({x} == 404) {{ PyErr_SetString(PyExc_ValueError, \"404\"); "
                f"{sub['fail']} }}\n{z} = {x} + {self.number};\n{more}")

    def c_code_cache_version(self):
        return (1,)


def made(number, length=1, **how):
    x = double("x")
    return function([x], Adds(number, length)(x), mode=Mode(**{"tier": "fast", **how}))


def is_right(f, number):
    return f(1.0) == 1.0 + number


def fails(f):
    """Whether the one value that it refuses is refused."""
    try:
        f(404.0)
    except ValueError as error:
        return str(error).startswith("404")
    return False


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def handles():
    return len(os.listdir("/proc/self/fd"))


def script(search, case, finding):
    """A program that runs the case of that search again."""
    return f'''"""{finding["kind"]}: {finding["detail"]}"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import {search}
print({search}.run({case!r}))
'''


clinch.config.cache = False

"""Random blocks of C, whole and with slips, in every hook that takes text: each is
an error that names its hook, or leaves its neighbours' values as they are.
"""

import os
import random
import sysconfig

import clinch
import numpy
import oracle
from apart import in_turn
from clinch import Apply, COp, Mode, double, function
from text_terms import Block, slip

LIMIT = 300
TEXTS = 25
HOOKS = ["c_code", "c_code", "c_code", "c_code_cleanup", "c_support_code",
         "c_support_code_struct", "c_support_code_apply", "c_init_code_struct",
         "c_cleanup_code_struct", "c_init_code"]
#: Those run when a function is made, or when it goes.
RUN_AT_ONCE = ["c_init_code", "c_init_code_struct", "c_cleanup_code_struct"]
#: Seconds for a compile, and of a processor for code that may have no end.
COMPILING, RUNNING = 20, 0.5
COMPILING_APART = 2
#: For Clang itself, where Clinch's crashed.
INCLUDES = [f"-I{folder}" for folder in (
    sysconfig.get_paths()["include"], numpy.get_include())]
#: The memory of a worker that has ended nothing half-way may grow by this.
MOST_GROWTH = 200 << 20
clinch.config.cache = False


class Written(COp):
    """One float to another; the text of any hook is what the case says."""

    __props__ = ("texts",)

    def __init__(self, **texts):
        self.texts = tuple(sorted(texts.items()))

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code_cache_version(self):
        return (1,)

    def _text(self, hook, default=""):
        return dict(self.texts).get(hook, default)

    def c_code(self, node, name, inputs, outputs, sub):
        text = self._text("c_code", "z = x;")
        return (f"#define x {inputs[0]}\n#define z {outputs[0]}\n"
                f"#define FAIL {sub['fail']}\n{text}\n"
                "#undef x\n#undef z\n#undef FAIL\n")

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self._text("c_code_cleanup")

    def c_support_code(self, **kwargs):
        return self._text("c_support_code")

    def c_support_code_struct(self, node, name):
        return self._text("c_support_code_struct")

    def c_support_code_apply(self, node, name):
        return self._text("c_support_code_apply")

    def c_init_code_struct(self, node, name, sub):
        return self._text("c_init_code_struct")

    def c_cleanup_code_struct(self, node, name):
        return self._text("c_cleanup_code_struct")

    def c_init_code(self, **kwargs):
        return [self._text("c_init_code")]


class Neighbour(COp):
    """Stands before or behind the text, and must not notice it."""

    __props__ = ("number",)

    def __init__(self, number):
        self.number = number

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code_cache_version(self):
        return (1,)

    def c_code(self, node, name, inputs, outputs, sub):
        return (f"if ({inputs[0]} < 0) {{ PyErr_SetString(PyExc_ValueError, "
                f"\"below {self.number}\"); {sub['fail']} }}\n"
                f"{outputs[0]} = {inputs[0]} * {self.number};")


def make(seed):
    return dict(seed=seed, only=list(range(TEXTS)))


def texts(case):
    """(number, hook, text, value at 1.5 or None of a text with slips, language)."""
    draw = random.Random(case["seed"])
    for number in range(TEXTS):
        block, other = Block(draw), Block(draw)
        hook, text = draw.choice(HOOKS), block.text()
        if hook != "c_code":
            text = f"static double h{number}(double x) {{ double z; {text} return z; }}" \
                if "support" in hook else f"{{ double x = 2, z; {text} (void)z; }}"
        slips = draw.choice([0, 1, 1, 1, 2, 3])
        for _ in range(slips):
            text = slip(draw, text, other.text())
        language = draw.choice(["c", "c++"])
        value = None if slips or hook != "c_code" else block.value(1.5)
        if number in case["only"]:
            yield number, hook, text, value, language


def run(case):
    global _least
    counts = {}
    for (number, hook, text, _, language), (what, wrong) in judged(case):
        counts["texts"] = counts.get("texts", 0) + 1
        counts[what] = counts.get(what, 0) + 1
        if wrong:
            return {"counts": counts, "case": {**case, "only": [number]},
                    "finding": dict(kind=what, detail=wrong,
                                    way=f"{hook}, {language}\n{text}")}
        if what in ("ended by a limit", "crashes of stock Clang, too"):
            _least = None  # What it took is not given back.
    made = {"counts": counts}
    if grown := _growth():
        made["finding"] = dict(kind="memory grows", way=str(case["seed"]),
                               detail=f"{grown >> 20} MB")
    return made


def judged(case):
    """Each text with what it is counted as, and what is wrong with that."""
    apart, made = [], []
    for drawn in texts(case):
        if drawn[1] in RUN_AT_ONCE:
            apart.append(drawn)
            continue
        what, function = _make(*drawn[1:])
        if function:
            made.append((drawn, function))
        else:
            yield drawn, what
    yield from zip(apart, _apart([drawn[1:] for drawn in apart]))
    yield from zip((drawn for drawn, _ in made), _beside([f for _, f in made]))


def _try(*case):
    """What it is counted as, and what is wrong with that."""
    what, function = _make(*case)
    return _beside([function])[0] if function else what


def _make(hook, text, value, language, limit=COMPILING):
    """The same; or None and the function, where that has to be called."""
    x, y = double("x"), double("y")
    outputs = [Neighbour(3)(y), Written(**{hook: text})(x), Neighbour(5)(y)]
    try:
        f = function([x, y], outputs,
                     mode=Mode(tier="fast", language=language, linker="graph",
                               time_limit=limit, memory_limit=1 << 30))
    except Exception as error:
        return _judged(hook, text, value, language, error), None
    if value is None:
        return None, f
    got = f(1.5, 2.0)
    return (("right", None) if got == [6.0, value, 10.0] else
            ("wrong value", f"{got}, expected {[6.0, value, 10.0]}")), None


def _judged(hook, text, value, language, error):
    if isinstance(error, clinch.CompilerCrash):
        if oracle.crashes(error.source, language, "fast", INCLUDES):
            return "crashes of stock Clang, too", None
        return "CompilerCrash", str(error)
    if isinstance(error, clinch.LimitError):
        return "ended by a limit", None
    if value is not None:
        return "whole text refused", str(error)
    if isinstance(error, clinch.CompileError):
        return ("refused", None) if f"Written.{hook}" in str(error) else \
            ("error without its hook", str(error))
    if hook in str(error) and isinstance(error, ValueError):
        return "refused", None
    # An error of Python's own, of reading or of wording, is none that a text raises.
    raised = hook in RUN_AT_ONCE and not isinstance(error, UnicodeError) and \
        isinstance(error, (ValueError, RuntimeError, SystemError))
    return ("raised at once", None) if raised else \
        ("error without its hook", repr(error))


def _apart(cases):
    """`_try` of each in a process that what runs at once may end, or may spoil for
    the next ones: what is wrong has to be so again in another process."""
    def work(case):
        return lambda: _try(*case, COMPILING_APART)

    seconds = COMPILING_APART + RUNNING
    for case, (told, status) in zip(cases, in_turn(map(work, cases), seconds)):
        if told and told[1]:
            ((told, status),) = in_turn([work(case)], seconds)
        if told:
            yield told
        else:
            yield ("ran wild", None) if status else ("no answer", "and no signal")


def _beside(functions):
    """Calls each where it may do what it wants: what it computes is its own, what
    its neighbours compute is not."""
    def work(f):
        return lambda: _leaves_neighbours(f)

    answers = []
    for f, (right, _) in zip(functions, in_turn(map(work, functions), RUNNING)):
        if right is False:
            ((right, _),) = in_turn([work(f)], RUNNING)
        answers.append(("ran wild", None) if right is None else
                       ("compiled with slips", None) if right else
                       ("neighbours changed",
                        "what stands beside it has other values"))
    return answers


def _leaves_neighbours(f):
    try:
        first, _, last = f(1.5, 2.0)
    except BaseException:
        return True  # An error of its own is right, too.
    return (first, last) == (6.0, 10.0)


_least = None


def _growth():
    """By how much more than allowed this process has grown since its 20th case."""
    global _least, _cases
    _cases += 1
    with open("/proc/self/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    if _cases < 20:
        return 0
    if _least is None:
        _least = resident
    grown = resident - _least
    return grown if grown > MOST_GROWTH else 0


_cases = 0


def script(case, finding):
    number, hook, text, value, language = next(iter(texts(case)))
    return f'''"""{finding["kind"]}: {finding["detail"]}"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
from text_search import Written
from clinch import Mode, double, function
x = double("x")
f = function([x], Written(**{{{hook!r}: {text!r}}})(x), Mode("fast", language={language!r}))
print(f(1.5), "expected", {value!r})
'''

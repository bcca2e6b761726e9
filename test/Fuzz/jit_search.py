"""Functions of arrays, plain and under `clinch.jit`: four calls of each, with the same
arguments, give and change the same, in value, dtype, type, layout, exception and whose
memory it is.
"""

import collections
import dataclasses
import random
import warnings

import clinch
import life
import numpy as np

LIMIT = 120
DTYPES = ["float64"] * 6 + ["float32", "int64", "int64", "int32", "uint8", "bool",
                            "complex128"]
NUMBERS = ["2.5", "-1.0", "3", "0", "1", "True", "np.float64(1.5)", "np.int64(2)",
           "np.float32(0.5)", "1j", "1e308", "None"]
CONSTANTS = ["2", "1", "0.5", "-3", "0", "10", "300", "K", "len(x)", "x.shape[0]", "x.size",
             "x.ndim", "s", "s", 'CONFIG["k"]', "OWN.gain"]
OPERATORS = ["+", "-", "*", "+", "-", "*", "/", "//", "%", "**", "<", ">=", "==", "&", "|"]
FUNCTIONS = """np.sqrt({a}) np.abs({a}) np.exp({a}*0.01) np.where({a} > {c}, {a}, {b})
    np.maximum({a}, {b}) np.minimum({a}, {c}) np.clip({a}, 0, {c}) {a}.clip(min={c})
    np.clip({a}, a_min=0, a_max=2) {a}.clip(0, max=1) np.square({a}) np.negative({a})
    np.sign({a}) np.floor({a}) np.round({a}, 1) {a}.astype('float32') {a}.astype(int)
    {a}.astype(float) np.asarray({a}) np.array({a}) np.ascontiguousarray({a})
    np.zeros_like({a}) np.ones_like({a}) np.full_like({a}, {c}) np.zeros({a}.shape)
    np.full_like({a}, fill_value=2) np.arange(len({a})) np.ones({a}.shape[0])
    np.cumsum({a}) np.sort({a}) np.argsort({a}) np.diff({a}) np.flip({a}) {a}[::-1]
    {a}[1:] {a}[:-1] {a}[0] {a}[..., 0] {a}[None] {a}.T {a}.ravel() {a}.reshape(-1)
    {a}.copy() {a}.flatten() np.transpose({a}) {a}.real {a}.imag np.real({a})
    np.concatenate([{a}, {b}]) np.stack([{a}, {a}]) np.array([{a}.sum(), {c}])
    {a}[{a} > {c}] {a}[[0, -1]] {a}[np.argsort({a})] np.outer({a}, {a}) {a} @ {a}
    np.dot({a}, {b}) np.broadcast_to({a}, (2, 3)) np.squeeze({a}) np.expand_dims({a}, 0)
    np.atleast_1d({a}) np.roll({a}, 1) np.tile({a}, 2) np.repeat({a}, 2) np.nan_to_num({a})
    np.add({a}, {b}) np.multiply({a}, {c}, dtype=float) np.add.accumulate({a})
    np.isclose({a}, {b}) np.logical_not({a}) np.nonzero({a})[0] np.where({a})[0]
    np.moveaxis({a}, 0, -1) np.swapaxes({a}, 0, -1) np.split({a}, 1)[0] np.interp({a}, W, W)
    helper({a}) twice({a}) np.linalg.norm({a}) np.add.reduce({a}) np.add.outer({a}, {a})
    np.median({a}) np.ptp({a}) np.minimum.reduce({a}) np.take({a}, [0]) np.diag({a})
    np.hstack([{a}, {a}]) np.add({a}, 1, out={a}) np.zeros_like({a}) np.tril({a})
    np.unique({a}) np.prod({a}) np.std({a}, ddof=1) np.var({a}) np.linspace(0, 1, len({a}))
    np.histogram({a})[0] np.eye({a}.shape[0]) np.cov({a}) np.maximum.accumulate({a})
    """.replace("\n", " ")
SCALARS = """{a}.sum() {a}.mean() {a}.max() {a}.min() {a}.std() {a}.prod() {a}.any()
    {a}.all() {a}.argmax() np.sum({a}) np.mean({a}, dtype=float) {a}.sum(axis=0)
    {a}.sum(axis=-1, keepdims=True) np.max({a}, axis=0) {a}.var(ddof=1) np.count_nonzero({a})
    np.allclose({a}, {a}) np.array_equal({a}, {b}) {a}[0] {a}.flat[0] float({a}.sum())
    {a}.size np.size({a}) np.ndim({a}) len({a}) {a}.shape {a}.dtype {a}.item(0)
    np.std({a}, 0, None, None, 1) np.mean({a}, 0) {a}.sum(0, float) {a}.nbytes str({a}.dtype)
    """
QUESTIONS = """isinstance({a}, np.ndarray)|isinstance({a}, (int, float))|type({a}) is float
    |{a}.dtype == 'f8'|{a}.dtype == np.float64|{a}.dtype is np.dtype(float)|{a}.ndim == 1
    |len({a}) > 2|{a}.shape[0] in (2, 3)|np.isscalar({a})|hasattr({a}, 'T')|{a} is {b}
    |{a} is None|{a}.size|{a}.shape == {b}.shape|np.issubdtype({a}.dtype, np.floating)
    |{a}.sum() > 0|{c} > 1|callable({a})|getattr({a}, 'ndim', None)|{a}.dtype.kind == 'f'
    |isinstance({a}, np.floating)|{a}.flags.writeable|{c} in (1, 2.0)""".replace(
        "\n", "").split("|")
KEYS = ["0", "-1", "1:", ":-1", "::2", "...", ":", "{a} > 0", "[0, -1]", "None", "..., 0",
        "0, 0", ":, 0", "len({a}) - 1", "{a}.argmax()", "1:2", "::-1", "np.array([0, 0])"]
INPLACE = ["+=", "-=", "*=", "/=", "//=", "**=", "%=", "&="]
CALLS = """{a}.sort() {a}.fill({c}) np.copyto({a}, {c}) np.add({a}, {c}, out={a})
    np.multiply({a}, {b}, out={a}) np.exp({a}, out={a}) np.add.at({a}, 0, {c})
    np.putmask({a}, {a}>0, {c}) np.fill_diagonal({a}, {c}) grow({a}) KEPT.append({c})
    CONFIG.update(k={c}) OWN.gain {a}.resize(2) np.clip({a}, 0, 1, out={a}) change({a})
    np.subtract.at({a}, [0, 0], 1) {a}.partition(0) np.sqrt({a}, where={a}>0, out={a})
    given.append({a}) {a}.setflags(write=False)""".replace("\n", " ")
RESULTS = ["{a}", "{a}, {b}", "[{a}, {c}]", "{{'a': {a}, 'b': {b}}}", "P({a}, {c})",
           "D({a}, {b})", "{c}", "None", "{a}[0]", "{a}, {a}", "f'{{{c}}}'", "{a}.shape",
           "({a}, ({b}, None))", "{a}.T", "{a}.sum()", "{a}.tolist()", "given", "{{{c}}}",
           "collections.OrderedDict(a={a})", "lambda: {a}", "{a}[1:], {a}"]


def make(seed):
    draw = random.Random(seed)
    first = _array(draw)
    case = dict(lines=[], first=first, second=draw.choice(
        [_array(draw), {**first, "layout": "C"}, {**first, "layout": "F"}] * 3
        + ["first", "first[1:]", "first.T"]), number=draw.choice(NUMBERS),
        seed=draw.randrange(10**6))
    for _ in range(draw.randint(2, 7)):
        _add(draw, case, _lines(draw, 1, 1))
    _add(draw, case, [_result(draw)])
    return case


def _add(draw, case, lines):
    """Adds lines that run; of the others one in ten."""
    more = {**case, "lines": case["lines"] + lines}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        one = world()
        exec(source(more), one)
        if _seen(one, more, 0)["error"] is None or draw.random() < 0.1:
            case["lines"] = more["lines"]


def _array(draw):
    return dict(dtype=draw.choice(DTYPES), shape=draw.choice(
        [[3], [3], [4], [2, 3], [3, 3], [1], [0], [], [2, 1]]),
        layout=draw.choice(["C"] * 5 + ["F", "steps", "back", "fixed"]))


def _pick(draw, text, depth=1):
    """A form whose holes are filled."""
    words = text if isinstance(text, list) else _words(text)
    form = draw.choice(words)
    return form.format(a=_name(draw, depth), b=_name(draw, depth), c=_constant(draw))


def _words(text):
    """The forms of a text: blanks within brackets part none."""
    words, open_ = [""], 0
    for letter in text:
        open_ += (letter in "([{") - (letter in ")]}")
        if letter.isspace() and not open_:
            words.append("")
        else:
            words[-1] += letter
    joined = []
    for word in filter(None, words):  # `{a} @ {a}` is one form.
        if joined and (word in "@*" or joined[-1][-1] in "@*" or word == "is"):
            joined[-1] += " " + word
        else:
            joined.append(word)
    return joined


def _name(draw, depth=0):
    if depth > 0 and draw.random() < 0.2:
        return _expression(draw, depth - 1)
    return draw.choice(["x", "x", "y", "y", "v", "w", "W"])


def _constant(draw):
    return draw.choice(CONSTANTS) if draw.random() < 0.8 else _pick(draw, SCALARS, 0)


def _expression(draw, depth=2):
    form = draw.random()
    if form < 0.4:
        return (f"({_name(draw, depth)} {draw.choice(OPERATORS)} "
                f"{draw.choice([_name(draw, depth), _constant(draw)])})")
    if form < 0.8:
        return _pick(draw, FUNCTIONS, depth)
    if form < 0.9:
        return _pick(draw, SCALARS, depth)
    return (f"({_name(draw, depth)} if {_pick(draw, QUESTIONS, 0)} else "
            f"{_name(draw, depth)})")


def _lines(draw, depth, count):
    lines = []
    for _ in range(count):
        form, tab = draw.random(), "    " * depth
        if form < 0.4:
            lines.append(f"{tab}{draw.choice('vwxy')} = {_expression(draw)}")
        elif form < 0.55:
            lines.append(f"{tab}{draw.choice('vwxy')} {draw.choice(INPLACE)} "
                         f"{draw.choice([_name(draw), _constant(draw)])}")
        elif form < 0.75:
            lines.append(f"{tab}{draw.choice('vwxy')}[{_pick(draw, KEYS)}] "
                         f"{draw.choice(['='] * 3 + INPLACE)} "
                         f"{draw.choice([_name(draw), _constant(draw), _expression(draw)])}")
        elif form < 0.85:
            lines.append(f"{tab}{_pick(draw, CALLS, 0)}")
        elif depth < 3:
            inner = "\n".join(_lines(draw, depth + 1, draw.randint(1, 2)))
            lines.append(draw.choice([
                f"{tab}if {_pick(draw, QUESTIONS, 0)}:\n{inner}",
                f"{tab}if {_pick(draw, QUESTIONS, 0)}:\n{inner}\n{tab}else:\n{inner}",
                f"{tab}for v in {_name(draw)}:\n{inner}",
                f"{tab}for k in range(len({_name(draw)})):\n{inner}",
                f"{tab}for k in range(2):\n{inner}",
                f"{tab}if {_pick(draw, QUESTIONS, 0)}:\n{inner}",
                f"{tab}for v in {_name(draw)}:\n{inner}",
                f"{tab}try:\n{inner}\n{tab}except Exception:\n{tab}    v = x"]))
    return lines or [f"{'    ' * depth}pass"]


def _result(draw):
    return f"    return {_pick(draw, RESULTS)}"


P = collections.namedtuple("P", "x y")


@dataclasses.dataclass
class D:
    x: object
    y: object


class Own:
    def __init__(self):
        self.gain = 2.0
        self.w = np.arange(3.0)


def twice(v):
    return v * 2


def helper(v):
    v = v * 1
    v += 1
    return v


def grow(v):
    v += 1


def change(v):
    v[0] = 7


def world():
    """What the function finds around it."""
    return dict(np=np, P=P, D=D, collections=collections, K=1.5, W=np.arange(3.0) + 1,
                CONFIG={"k": 2}, KEPT=[], OWN=Own(), twice=twice, helper=helper, grow=grow,
                change=change)


def source(case):
    return ("def f(x, y, s, given):\n    v = x\n    w = y\n" + "\n".join(case["lines"])
            + "\n")


def arguments(case, call):
    """The arguments of a call: others in each, the second of another layout, the third
    of other lengths."""
    draw = np.random.default_rng([case["seed"], call])
    if call == 1:
        other = {"C": "F", "F": "C", "steps": "back", "back": "steps"}
        case = {**case, "first": {**case["first"], "layout": other.get(
            case["first"]["layout"], "C")}}
    first = _made(case["first"], draw, call == 2)
    second = case["second"]
    if isinstance(second, dict):
        second = _made(second, draw, call == 2)
    else:
        second = eval(second, dict(first=first)) if first.ndim or second == "first" \
            else first
    return first, second, eval(case["number"], dict(np=np)), [1, first]


def _made(given, draw, longer):
    shape = [n + 1 if longer and n > 1 else n for n in given["shape"]]
    dtype, layout = np.dtype(given["dtype"]), given["layout"]
    values = np.asarray(draw.integers(-6, 9, shape) / (4 if dtype.kind in "fc" else 1))
    array = np.asarray(abs(values) if dtype.kind == "u" else values).astype(dtype)
    if layout == "F":
        return np.asfortranarray(array)
    if layout in ("steps", "back") and array.ndim:
        wide = np.repeat(array, 2, axis=0)[::2 if layout == "steps" else -2]
        return wide
    if layout == "fixed":
        array.flags.writeable = False
    return array


def run(case):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return _run(case)


def _run(case):
    code = compile(source(case), "<case>", "exec")
    worlds = [world(), world()]
    for one in worlds:
        exec(code, one)
    worlds[1]["f"] = jitted = clinch.jit(worlds[1]["f"], mode="fast")
    narrow = 1e-5 if {"float32", "float16"} & set(_dtypes(case)) else 1e-9
    for call in (0, 1, 2, 0):  # The last finds the code of the first.
        seen = [_seen(one, case, call) for one in worlds]
        way = _difference(*seen, narrow)
        if way:
            return dict(counts=dict(functions=1), finding=dict(
                kind=way[0], way=f"call {call + 1}", detail=way[1][:600]))
    code = any(type(v).__name__ == "Code" for v in jitted._kept.made.values())
    return dict(counts={"functions": 1, "compiled": int(code), "calls": 4})


def _seen(one, case, call):
    given = arguments(case, call)
    try:
        result, error = one["f"](*given), None
    except Exception as exception:
        result, error = None, exception
    around = {k: one[k] for k in ("K", "W", "CONFIG", "KEPT")}
    around["OWN"] = vars(one["OWN"])
    return dict(result=result, error=error, given=given, around=around)


def _dtypes(case):
    return [one["dtype"] for one in (case["first"], case["second"])
            if isinstance(one, dict)]


def _difference(want, got, narrow):
    if "negative integer powers" in str(want["error"]):
        # NumPy leaves what was in memory where it raises.
        return ("error", "powers") if _unlike(want["error"], got["error"]) else None
    for name in ("error", "result", "given", "around"):
        why = _unlike(want[name], got[name], narrow)
        if why:
            return name, f"{why}: {want[name]!r} and {got[name]!r}; raised " \
                         f"{want['error']!r} and {got['error']!r}"
    shared = [_shared(one) for one in (want, got)]
    if shared[0] != shared[1]:
        return "memory", f"{shared[0]} and {shared[1]}"
    return None


def _arrays(value, found):
    if isinstance(value, np.ndarray):
        found.append(value)
    elif isinstance(value, dict):
        for item in value.values():
            _arrays(item, found)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _arrays(item, found)
    elif dataclasses.is_dataclass(value):
        _arrays(vars(value), found)
    return found


def _shared(seen):
    """Which arrays of results, arguments and globals are one, and which share memory."""
    arrays = _arrays([seen["result"], seen["given"], seen["around"]], [])
    return [(a is b, np.shares_memory(a, b)) for k, a in enumerate(arrays)
            for b in arrays[:k]]


def _unlike(a, b, narrow=1e-9):
    """Says how two values differ, or nothing."""
    if isinstance(a, Exception) and isinstance(b, Exception):
        return "" if type(a) is type(b) and str(a) == str(b) else "exception"
    if type(a) is not type(b):
        return f"type {type(a).__name__} and {type(b).__name__}"
    if isinstance(a, (np.ndarray, np.generic)):
        return _unlike_arrays(a, b, narrow)
    if isinstance(a, dict):
        return "keys" if list(a) != list(b) else next(
            filter(None, (_unlike(a[k], b[k], narrow) for k in a)), "")
    if isinstance(a, (list, tuple)):
        return "length" if len(a) != len(b) else next(
            filter(None, (_unlike(x, y, narrow) for x, y in zip(a, b))), "")
    if dataclasses.is_dataclass(a) and not isinstance(a, type):
        return _unlike(vars(a), vars(b), narrow)
    if isinstance(a, (float, complex)):
        return _unlike_arrays(np.asarray(a), np.asarray(b), narrow)
    if callable(a):
        return ""
    if isinstance(a, set):
        return _unlike(sorted(a, key=str), sorted(b, key=str), narrow)
    return "" if a == b else "value"


def _unlike_arrays(a, b, narrow=1e-9):
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype}{a.shape} and {b.dtype}{b.shape}"
    orders = [[s for s, n in zip(one.strides, one.shape) if n > 1] for one in (a, b)]
    if isinstance(a, np.ndarray) and a.size > 1 and orders[0] != orders[1]:
        return f"strides {a.strides} and {b.strides}"
    if isinstance(a, np.ndarray) and a.flags.writeable != b.flags.writeable:
        return "writeable"
    if a.dtype.kind not in "fc":
        return "" if np.array_equal(a, b) else "value"
    close = np.allclose(a, b, 1e-5 if a.dtype.itemsize in (4, 2) else narrow, 1e-9,
                        equal_nan=True)
    return "" if close else "value"


def script(case, finding):
    return life.script("jit_search", case, finding)

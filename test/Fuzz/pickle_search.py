"""Pickles of functions that were damaged on their way: each is an error, or a
function that can be called; no process dies of it.
"""

import pickle
import random
import resource

import clinch
import life
from apart import apart, ending

LIMIT = 300
DAMAGES = 40
#: What a child may take more than it has: a length that was damaged may ask for
#: anything.
MOST_MEMORY = 4 << 30


def make(seed):
    return dict(seed=seed, only=list(range(DAMAGES)))


def functions(draw):
    """Functions of each kind that can be pickled, with arguments."""
    number = draw.randrange(100)
    x, v = clinch.double("x"), clinch.vector("v")
    yield life.made(number), (1.0,)
    yield clinch.function([x, v], [x * 2.0, v * x + 1.0]), (2.0, [1.0, 2.0])
    yield clinch.function([clinch.In(x, value=3.0)], x + number), ()
    yield clinch.compile(f"double f(double x) {{ return x + {number}; }}"), (1.0,)


def called(thing, arguments):
    """What a function, or that of a text, gives."""
    if isinstance(thing, clinch.Function):
        return repr(thing(*arguments))
    return repr(thing["double f(double)"](*arguments))


_pickles = None


def pickles():
    """(a pickle, arguments, what they give), made once."""
    global _pickles
    if _pickles is None:
        _pickles = [(pickle.dumps(f), arguments, called(f, arguments))
                    for f, arguments in functions(random.Random(1))]
    return _pickles


def damaged(draw, data, other):
    """The bytes with one to three faults of a disk, of a network, or of a hand."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        at = draw.randrange(len(data) + 1)
        length = draw.choice([1, 2, 4, draw.randrange(200)])
        kind = draw.choice(["flip"] * 4 + ["number", "cut", "lose", "double",
                                           "other", "noise"])
        if kind == "flip" and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif kind == "number":
            data[at:at + 4] = draw.choice([0, 1, 255, 2**31 - 1, 2**32 - 1]
                                          ).to_bytes(4, "little")
        elif kind == "cut":
            del data[at:]
        elif kind == "lose":
            del data[at:at + length]
        elif kind == "double":
            data[at:at] = data[at:at + length]
        elif kind == "other":
            data[at:at + length] = other[at:at + length]
        elif kind == "noise":
            data[at:at + length] = draw.randbytes(length)
    return bytes(data)


def load(data, arguments):
    """What becomes of it: the kind of an error, or the value."""
    with open("/proc/self/statm", encoding="utf-8") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    most = now + MOST_MEMORY  # A sanitizer has terabytes of addresses.
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        return ["value", called(pickle.loads(data), arguments)]
    except Exception as error:
        return ["error", type(error).__name__]


def damages(case):
    """(the bytes, the arguments, the value of what was damaged)."""
    draw = random.Random(case["seed"])
    for number in range(DAMAGES):
        data, arguments, value = draw.choice(pickles())
        other = draw.choice(pickles())[0]
        data = damaged(draw, data, other)
        if number in case["only"]:
            yield number, data, arguments, value


def run(case):
    counts = {}
    for number, data, arguments, value in damages(case):
        told, status = apart(lambda: load(data, arguments))
        what = "no answer"
        if told:
            what = "errors" if told[0] == "error" else \
                "right" if told[1] == value else "of another function"
        for name in ("pickles", what):
            counts[name] = counts.get(name, 0) + 1
        if not told:
            return {"counts": counts, "case": {**case, "only": [number]},
                    "finding": dict(kind="pickle", way=f"{case}, {number}",
                                    detail=ending(status))}
    return {"counts": counts}


def script(case, finding):
    return life.script("pickle_search", case, finding)

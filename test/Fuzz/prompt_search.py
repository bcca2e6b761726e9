"""Sessions at the prompt with slips and bytes of any kind: each is read to its
end, and an error is about what was typed, not from the prompt's own modules.
"""

import io
import os
import random
import signal
import sys
import tempfile

import clinch
import life
from apart import apart, ending
from clinch.cli import main

LIMIT = 300
SESSIONS = 40
#: Statements and commands; those behind the first need its names.
LINES = [
    "x, y = double(\"x\"), double(\"y\"); f = function([x, y], x * y + 1.0)",
    "f(2.0, 3.0)", "x + y", "f", "x.type", "f(1.0)", "f(\"a\", 2.0)",
    "v = vector(\"v\"); g = function([v], (v * 2.0).sum())", "g([1.0, 2.0])",
    "def h(a):\n    return a + 1\n\n    # more\nprint(h(1))",
    "class Twice(COp):\n    __props__ = ()\n    def make_node(self, x):\n"
    "        return Apply(self, [x], [x.type()])\n\n"
    "    def c_code(self, node, name, inputs, outputs, sub):\n"
    "        return f\"{outputs[0]} = 2 * {inputs[0]};\"",
    "function([x], Twice()(x))(4.0)", "p = compile(\"int k(int i) { return i; }\")",
    "p[\"int k(int)\"](3)", "// a comment", "import math; math.pi", "[1, 2", "]",
    "if x:\n    1", "else:\n    2", "raise ValueError(\"no\")", "1 / 0", "s = '''",
    "'''", "f?", "emit c f", ":help", ":help emit", ":emit c f", ":emit llvm,asm f",
    ":emit obj f -o out.o", ":emit labels f --lines", ":emit nothing f",
    ":graph f", ":graph f out.mmd", ":graph x", ":stats", ":stats f json",
    ":cache", ":cache clear", ":set", ":set tier fast", ":set tier none",
    ":set colour always", ":load nothing.c", ":load op.c --function=APPLY",
    ":time f(1.0, 2.0)", ":", ":quit", ":unknown", "exit(3)", "exit(\"so\")",
    "f.emit(\"c\")", "print(f.stats[\"key\"])", "clinch.config.tier = 7", "...",
]
OP = "#section support_code_apply\nvoid APPLY(double x, double *z) { *z = x; }\n"


def make(seed):
    return dict(seed=seed, only=list(range(SESSIONS)))


def _spoilt(draw, data):
    """The bytes with a few that are changed, lost, doubled or strange."""
    data = bytearray(data)
    for _ in range(draw.choice([0, 1, 1, 2, 5])):
        at = draw.randrange(len(data) + 1)
        length = draw.choice([1, 1, 2, 10])
        kind = draw.choice(["flip", "lose", "double", "noise", "strange"])
        if kind == "flip" and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif kind == "lose":
            del data[at:at + length]
        elif kind == "double":
            data[at:at] = data[at:at + length]
        elif kind == "noise":
            data[at:at] = draw.randbytes(length)
        elif kind == "strange":
            data[at:at] = draw.choice([b"\0", b"\xff", b"\r", b"\x1b[200~", b":",
                                       b"(" * 300, b"\t", b"\f", b"\xe2\x80\xa8"])
    return bytes(data)


def sessions(case):
    """(number, the bytes that are typed)."""
    draw = random.Random(case["seed"])
    for number in range(SESSIONS):
        lines = [LINES[0]] + [draw.choice(LINES)
                              for _ in range(draw.randint(1, 8))]
        data = _spoilt(draw, "\n".join(lines).encode() + b"\n")
        if number in case["only"]:
            yield number, data


def session(data, folder):
    """The status of the driver, and what it said that names its own modules."""
    # As the driver reads a pipe: bytes that are no text become surrogates.
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8", "surrogateescape")
    said = os.open(os.path.join(folder, "said"), os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.chdir(folder)
    with open("op.c", "w", encoding="utf-8") as file:
        file.write(OP)
    for number, errors in ((1, "strict"), (2, "backslashreplace")):
        os.dup2(said, number)
        stream = io.TextIOWrapper(os.fdopen(number, "wb"), "utf-8", errors)
        setattr(sys, "stdout" if number == 1 else "stderr", stream)
    clinch.config.cache_dir = folder
    status = main([])
    sys.stdout.flush()
    sys.stderr.flush()
    with open(os.path.join(folder, "said"), encoding="utf-8",
              errors="replace") as file:
        own = [line for line in file if f"clinch{os.sep}prompt{os.sep}" in line]
    return [status, own]


def run(case):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    life.made(0)  # With the engine, which each child would load.
    counts = {}
    for number, data in sessions(case):
        with tempfile.TemporaryDirectory(prefix="clinch-prompt-") as folder:
            told, status = apart(lambda: session(data, folder))
        counts["sessions"] = counts.get("sessions", 0) + 1
        wrong = ending(status) if told is None else "".join(told[1])
        if wrong:
            return {"counts": counts, "case": {**case, "only": [number]},
                    "finding": dict(kind="prompt", way=repr(data), detail=wrong)}
        counts[f"status {told[0]}"] = counts.get(f"status {told[0]}", 0) + 1
    return {"counts": counts}


def script(case, finding):
    return life.script("prompt_search", case, finding)

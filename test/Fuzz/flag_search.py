"""Flags of Clang's own, one to four at a time: each compile ends with code or with
an error, nothing is written, printed or started by it, and the compile after it,
without flags, is as right as ever.
"""

import atexit
import functools
import os
import random
import shutil
import subprocess
import tempfile
import warnings

import clinch
import oracle

LIMIT = 60
#: In a process whose compiler has crashed all others compile elsewhere.
MOST_ANSWERS = 300
TEXT = ("#ifdef __cplusplus\nextern \"C\"\n#endif\n"
        "double f(double x) { return x * 2 + 1; }\n")
VALUES = ["", "0", "1", "2", "all", "none", "/dev/null", "out.txt", "on", "off",
          "fast", "x86-64", "-1", "99999999999999999999", "\u00e4", "a,b", "*"]
#: Prints the names of all options of Clang's; built with the unit tests.
NAMES = os.path.join(os.path.dirname(clinch.__file__), *[os.pardir] * 2,
                     "unittests", "Engine", "OptionNames")
clinch.config.cache = False


warnings.simplefilter("ignore", clinch.CompileWarning)  # Python prints these.


@functools.cache
def options():
    """(name, where its value stands) of each name of each option, aliases too."""
    text = subprocess.run([NAMES], check=True, capture_output=True, text=True).stdout
    return [tuple(line.split())[::2] for line in text.splitlines()]


def make(seed):
    draw = random.Random(seed)
    flags = []
    for _ in range(draw.randint(1, 4)):
        name, place = draw.choice(options())
        if place == "either":
            place = draw.choice(["joined", "next"])
        value = draw.choice(VALUES)
        drawn = dict(none=[name], joined=[name + value], next=[name, value])[place]
        if draw.random() < 0.05:
            drawn = ["-Wp," + ",".join(drawn)]
        flags += drawn
    return dict(flags=flags, tier=draw.choice(["fast", "default", "max"]),
                language=draw.choice(["c", "c++"]))


@functools.cache
def _enter_empty_folder():
    folder = tempfile.mkdtemp(prefix="clinch-flags-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chdir(folder)


def _name_of(process):
    with open(f"/proc/{process}/comm") as file:
        return file.read().strip()


def _around():
    """What a compile must leave alone: files here, processes below but Clinch's own,
    and what was printed (both streams of a worker go to one file)."""
    children = "/proc/self/task/{}/children".format(os.getpid())
    with open(children) as file:
        started = [child for child in file.read().split()
                   if _name_of(child) != "clinch-engine"]
    return dict(files=sorted(os.listdir(".")), started=started,
                printed=os.fstat(2).st_size)


def _wrong(case, flags):
    text = clinch.compile(TEXT, "text", tier=case["tier"],
                          language=case["language"], flags=flags)
    value = text["double f(double)"](3.0)
    return None if value == 7.0 else f"f(3) is {value}"


def _wrong_behind(case):
    """The compiler keeps much for the next compile that looks alike."""
    try:
        wrong = _wrong(case, [])
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    return wrong and f"without flags, behind it: {wrong}"


def run(case):
    _enter_empty_folder()
    before = _around()
    counts = {}
    try:
        wrong = _wrong(case, case["flags"])
        counts["compiled"] = 1
    except clinch.CompilerCrash as error:
        return {"counts": {}, "finding": dict(kind="CompilerCrash",
                                              way=str(case), detail=str(error))}
    except (clinch.CompileError, ValueError, AttributeError) as error:
        counts["refused"] = 1
        wrong = None if str(error) else "an error without words"
    wrong = wrong or _wrong_behind(case)
    after = _around()
    for name, was in before.items():
        if after[name] != was:
            wrong = f"{name}: {was}, and then {after[name]}"
    made = {"counts": counts}
    if wrong:
        made["finding"] = dict(kind="not as promised", way=str(case),
                               detail=wrong)
    return made


def known(case, finding):
    if finding["kind"] == "CompilerCrash" and oracle.crashes(
            TEXT, case["language"], case["tier"], case["flags"]):
        return "crashes of stock Clang, too"
    return None


def script(case, finding):
    return f'''"""{finding["kind"]}: {finding["detail"]}"""
import clinch
clinch.config.cache = False
text = clinch.compile({TEXT!r}, tier={case["tier"]!r},
                      language={case["language"]!r}, flags={case["flags"]!r})
print(text["double f(double)"](3.0))
text = clinch.compile({TEXT!r}, tier={case["tier"]!r},
                      language={case["language"]!r})
print(text["double f(double)"](3.0))
'''

"""Whole C programs of csmith's: each returns in every tier the checksum that it prints
when gcc compiled it without optimisation.
"""

import os
import signal
import subprocess
import tempfile

import clinch
from apart import in_turn

LIMIT = 300
TIERS = ["fast", "default", "max"]
INCLUDES = "/usr/include/csmith"
#: Seconds of a processor after which a program counts as one without end.
FOREVER = 5
clinch.config.cache = False

#: csmith's header would include it, and the program print.
HEAD = "#include <stdio.h>\n#define printf(...) ((void)0)\n#define main started\n"
TAIL = """
#undef main
unsigned checksum(void) { started(); return crc32_context ^ 0xFFFFFFFFu; }
"""
MAIN = """
#undef printf
int main(void) { return printf("%u", checksum()) < 0; }
"""


def make(seed):
    return dict(seed=seed, flags=[])


def text_of(case):
    with tempfile.TemporaryDirectory() as folder:  # It leaves a file.
        made = subprocess.run(["csmith", "--no-argc", "--seed", str(case["seed"])],
                              cwd=folder, check=True, text=True, stdout=subprocess.PIPE)
    return HEAD + made.stdout + TAIL


def by_gcc(text, seconds=60):
    """The checksum of the program that gcc makes of it; None if it does not end."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        subprocess.run(["gcc", "-O0", "-fwrapv", "-w", "-I", INCLUDES, "-x", "c", "-",
                        "-o", program], input=text + MAIN, text=True, check=True)
        try:
            done = subprocess.run([program], check=True, text=True, timeout=seconds,
                                  stdout=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return None
        return int(done.stdout)


def outcomes(case, text):
    """Yields each tier, and the checksum there or the signal that ended it."""
    calls = [clinch.compile(text, "program", tier=tier, flags=["-w", *case["flags"]],
                            include_dirs=[INCLUDES])["unsigned checksum(void)"]
             for tier in TIERS]
    for tier, (value, status) in zip(TIERS, in_turn(calls, FOREVER)):
        yield tier, (value if value is not None else
                     signal.Signals(os.WTERMSIG(status)).name)


def run(case):
    text = text_of(case)
    found = dict(outcomes(case, text))
    endless = set(found.values()) == {"SIGPROF"}
    wanted = "SIGPROF" if endless else by_gcc(text)
    counts = {"programs": 1, "runs": len(found), "without end": int(endless)}
    wrong = {tier: value for tier, value in found.items() if value != wanted}
    if not wrong or wanted is None:
        return {"counts": counts}
    return {"counts": counts, "finding": dict(
        kind="other checksum", way=str(sorted(wrong)),
        detail=f"{found}, expected {wanted}")}


def script(case, finding):
    return f'''"""{finding["kind"]}: {finding["detail"]}"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import csmith_search
case = {case!r}
text = csmith_search.text_of(case)
print(text, csmith_search.by_gcc(text), dict(csmith_search.outcomes(case, text)))
'''

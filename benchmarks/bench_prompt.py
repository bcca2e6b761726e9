"""C at the prompt, beside clang-repl: the start, a line, what lines leave in memory."""

import atexit
import functools
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from run import row

ROUNDS = 20
LINES = 1000
RIVAL = "/usr/lib/llvm-22/bin/clang-repl"


class Running:
    """A prompt that is asked line after line."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, line, answer):
        """Milliseconds until the answer to an expression."""
        begin = time.perf_counter()
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        found = self.process.stdout.readline()
        taken = time.perf_counter() - begin
        if not found.endswith(answer + "\n"):
            raise RuntimeError(f"`{line}` gave {found!r}, not {answer!r}")
        return 1e3 * taken

    def memory(self):
        """Resident kilobytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1000

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def lines(command):
    """Milliseconds of an expression, near the first and the last of LINES, and
    kilobytes that a line leaves."""
    prompt = Running(command)
    prompt.ask("int base = 1;\nbase", "1")
    times = [prompt.ask(f"base + {number} * 2", str(1 + number * 2))
             for number in range(100)]
    before = prompt.memory()
    times += [prompt.ask(f"base + {number} * 2", str(1 + number * 2))
              for number in range(100, LINES)]
    left = (prompt.memory() - before) / (LINES - 100)
    prompt.end()
    return statistics.median(times[:100]), statistics.median(times[-100:]), left


#: What is declared and asked for, and what the answer is.
KINDS = {
    "a variable and an expression": ("int v{0} = {0};\nv{0}", "{0}"),
    "a function and a call": ("int f{0}(void) {{ return {0}; }}\nf{0}()", "{0}"),
    "a variable that was taken back": ("int u{0} = {0};\n:undo", "taken back: u{0}"),
}


def left(command, text, answer):
    """Kilobytes that each of so many leaves."""
    prompt = Running(command)
    for number in range(100):
        prompt.ask(text.format(number), answer.format(number))
    before = prompt.memory()
    for number in range(100, LINES):
        prompt.ask(text.format(number), answer.format(number))
    found = (prompt.memory() - before) / (LINES - 100)
    prompt.end()
    return found


@functools.cache
def with_bytecode():
    """An environment in which Python keeps bytecode, as pip does where it installs."""
    folder = tempfile.mkdtemp(prefix="clinch-bench-")
    atexit.register(shutil.rmtree, folder)
    return {**{name: value for name, value in os.environ.items()
               if name != "PYTHONDONTWRITEBYTECODE"}, "PYTHONPYCACHEPREFIX": folder}


def whole(command, count, answer):
    """Milliseconds of a session of so many expressions, from start to end: clang-repl
    keeps its answers until then, if they go to a pipe."""
    text = "int base = 1;\n" + "".join(f"base + {number} * 2\n" for number in range(count))
    begin = time.perf_counter()
    found = subprocess.run(command, input=text, capture_output=True, text=True, check=True,
                           env=with_bytecode())
    taken = time.perf_counter() - begin
    last = found.stdout.split("\n")[count - 1]
    if last != answer.format(2 * count - 1):
        raise RuntimeError(f"{command} ended with {last!r}")
    return 1e3 * taken


def rows(build):
    ours = [os.path.join(build, "bin", "clinch"), "--no-cache"]
    kinds = {"ours": (ours, "{}")}
    if shutil.which(RIVAL):
        kinds["rival"] = ([RIVAL], "(int) {}")
    start = {name: min(whole(*kind[:1], 1, kind[1]) for _ in range(ROUNDS))
             for name, kind in kinds.items()}
    theirs = start.get("rival")
    each = theirs and (whole([RIVAL], LINES, "(int) {}") - theirs) / LINES
    table = [row("C at the prompt, a session of one line, the least of 20", start["ours"],
                 theirs, "clang-repl 22", "ms", "<= 100 ms", start["ours"] <= 100)]
    first, last, each_left = lines(ours)
    for name, own in (("1st", first), (f"{LINES}th", last)):
        table.append(row(f"C at the prompt, an expression, the {name}", own, each,
                         "clang-repl 22, the mean", "ms", "<= 3 ms", own <= 3))
    leaves = {"an expression": each_left,
              **{kind: left(ours, *text) for kind, text in KINDS.items()}}
    for kind, found in leaves.items():
        table.append(row(f"C at the prompt, what {kind} leaves", found, None, None,
                         "kB", "<= 20 kB", found <= 20))
    return table

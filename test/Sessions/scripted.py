"""Small sessions in C, each at a prompt of its own: what is typed, what it prints.

A session begins with `== TITLE`; a line `> TEXT` is typed, and the others are printed,
where `...` stands for anything. All run in this process, so that one that leaves
something behind is found by those after it. With `--rival`, says which sessions clang-repl
gives the values of.
"""
# RUN: %python %s %S/Inputs/scripted | FileCheck %s
# CHECK: {{^[0-9]+}} sessions, 0 wrong

import glob
import io
import os
import re
import subprocess
import sys
import tempfile
import time

import __main__

RIVAL = "/usr/lib/llvm-22/bin/clang-repl"
OF_PROMPT = re.compile(r"#include|taken back:|crashed:|clinch:|The prompt goes on|<prompt|  |"
                       r"Traceback|\w+Error|`")


def sessions(path):
    """Yields (title, what is typed, what is printed)."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^== (.*)\n", file.read(), flags=re.MULTILINE)
    for title, text in zip(parts[1::2], parts[2::2]):
        lines = text.rstrip("\n").split("\n")
        typed = [line[2:] for line in lines if line.startswith((">", "> "))]
        yield (f"{os.path.basename(path)}: {title}", typed,
               [line for line in lines if not line.startswith(">")])


def printed_by(typed):
    """What a prompt of this process prints."""
    import clinch
    from clinch.cli.c_guard import Crash
    from clinch.cli.options import parse
    from clinch.cli.session import Session
    Crash.is_first = True
    names = dict(vars(__main__))
    sys.stdin = io.StringIO("\n".join(typed) + "\n")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        kept = os.dup(1), os.dup(2)
        sys.stdout.flush()
        os.dup2(file.fileno(), 1), os.dup2(file.fileno(), 2)
        try:
            Session(parse([])).run()
        except SystemExit:
            pass
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os.dup2(kept[0], 1), os.dup2(kept[1], 2)
            os.close(kept[0]), os.close(kept[1])
            clinch.config.language = "c"
            for name in vars(__main__).keys() - names.keys():
                del vars(__main__)[name]
            vars(__main__).update(names)
        file.seek(0)
        return file.read().rstrip("\n").split("\n")


def is_as(expected, found):
    pattern = "\n".join(re.escape(line).replace(re.escape("..."), ".*") for line in expected)
    return re.fullmatch(pattern, "\n".join(found)) is not None


def is_given_by_rival(typed, expected):
    """Whether clang-repl prints the values, in their order, and ends as it should."""
    text, depth = "", 0
    for line in typed:
        depth += line.count("{") - line.count("}")
        text += line.split("//")[0] + (" \\\n" if depth else "\n")
    options = [] if "language c++" in text else ["-Xcc", "-xc", "-Xcc", "-std=gnu23"]
    done = subprocess.run([RIVAL, *options], timeout=60, capture_output=True, text=True,
                          input=text.replace(":undo", "%undo").replace(":set", "//"),
                          check=False, errors="replace")
    found = [re.sub(r"^\([^)]*\) ", "", line) for line in done.stdout.split("\n")]
    values = [line for line in expected if line and not OF_PROMPT.match(line)]
    left = iter(found)
    return done.returncode == 0 and all(
        any(is_as([value], [line]) for line in left) for value in values)


def main(folder, *options):
    count, wrong, rival = 0, 0, 0
    begin = time.perf_counter()
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        for title, typed, expected in sessions(path):
            count += 1
            if options:
                is_right = is_given_by_rival(typed, expected)
                rival += is_right
                print("right" if is_right else "wrong", title, sep="\t")
                continue
            found = printed_by(typed)
            if not is_as(expected, found):
                wrong += 1
                print(f"{title}\nexpected:", *expected, "found:", *found, sep="\n  ")
    if options:
        print(f"{count} sessions; clang-repl gives the values of {rival}")
    else:
        print(f"{time.perf_counter() - begin:.1f} s")
        print(f"{count} sessions, {wrong} wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])

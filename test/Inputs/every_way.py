"""Runs the driver in both forms and both languages, and prints what it printed, which
must be the same in all four.

usage: every_way.py [--through=SCRIPT,ARGUMENT...] ARGUMENT...

With `--through` a Python script reads what the driver prints, and its own output counts.
"""

import itertools
import subprocess
import sys


def printed(arguments, through):
    """What the driver prints, on both of its streams."""
    ran = subprocess.run(["clinch", *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    if ran.returncode:
        sys.exit(f"clinch {' '.join(arguments)}: status {ran.returncode}\n"
                 + ran.stdout.decode())
    if not through:
        return ran.stdout
    return subprocess.run([sys.executable, *through], input=ran.stdout, check=True,
                          stdout=subprocess.PIPE).stdout


def main(arguments):
    through = []
    if arguments[0].startswith("--through="):
        through = arguments.pop(0).partition("=")[2].split(",")
    found = {}
    for form, language in itertools.product(("function", "struct"), ("c", "c++")):
        way = f"--form={form}", f"--language={language}"
        found.setdefault(printed([*way, *arguments], through), " ".join(way))
    if len(found) > 1:
        for text, way in found.items():
            print(f"=== {way} ===\n{text.decode()}")
        sys.exit("the four ways differ")
    print(*(text.decode() for text in found), end="")


main(sys.argv[1:])

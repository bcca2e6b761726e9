"""docs/reference/errors.md has an entry for each class of exceptions that the sources
raise, with an example for Clinch's own, and no entry for a class that they do not."""
# RUN: %python %s %source

import ast
import builtins
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
PAGE = "docs/reference/errors.md"
#: What no caller sees: it ends the driver, or the driver reports it.
INNER = {"SystemExit", "SyntaxError"}


def is_exception(name):
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def own():
    """The classes of `clinch.errors`."""
    return {node.name for node in ast.parse(read("python/clinch/errors.py")).body
            if isinstance(node, ast.ClassDef)}


def raised():
    """Python's classes that the package and the extension raise or warn with."""
    found = {"MemoryError", "OSError"}  # By PyErr_NoMemory, and for an Error of the kind.
    for path in glob.glob("python/clinch/**/*.py", recursive=True):
        if "/pytensor/" not in path:
            for names in re.findall(
                    r"raise (?:pickle\.)?(\w+)\(|, (\w+Warning), stacklevel", read(path)):
                found |= set(filter(None, names))
    for folder in ("python/extension", "python/arrays", "jit", "lib"):
        for path in glob.glob(folder + "/**/*.*", recursive=True):
            found |= set(re.findall(r"PyErr_(?:SetString|Format)\(\s*PyExc_(\w+)",
                                    read(path)))
    return {name for name in found if is_exception(name) or name == "UnpicklingError"}


page = read(PAGE)
with_example = set(re.findall(r"^\*\*`(\w+)`\*\*", page, re.M))
with_example |= set(re.findall(r" \*\*`(\w+)`\*\*, a ", page))
in_table = set(re.findall(r"`(\w+)`", "".join(
    line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))))
entries = re.split(r"^(?=\*\*`)", page, flags=re.M)[1:]
problems = [f"{PAGE} has no entry for {name}" for name in sorted(
    (own() - with_example) | (raised() - in_table - INNER - {"AssertionError"}))]
problems += [f"{PAGE} has an entry for {name}, which nothing raises" for name in sorted(
    (with_example - own()) | (in_table - raised()))]
problems += [f"{PAGE}: the entry of {entry.split('`')[1]} has no example"
             for entry in entries if "```text\n" not in entry]
if len(own()) < 10 or len(raised()) < 12:
    problems.append("the classes were not found")
print("\n".join(problems))
sys.exit(1 if problems else 0)

"""docs/reference/errors.md has an entry for each message of the sources, and no
entry without a message."""
# RUN: %python %s %S/Inputs %source

import glob
import os
import re
import sys

sys.path.insert(0, sys.argv[1])
import messages

source = sys.argv[2]
PAGE = "docs/reference/errors.md"

# Said to who builds or extends Clinch itself, not to who uses it.
INNER = ("jit/Engine/Prefix/Bake.cpp", "jit/Runtime/Native.cpp",
         "python/clinch/pytensor/", "python/extension/NativeOps.cpp",
         "python/extension/FunctionObject.cpp", "python/extension/Emit.cpp",
         "python/extension/ProgramObject.cpp", "jit/Compiler/CUnit.cpp",
         "lib/Contract/ParamsSupport.h")


def entries():
    """The first cells of the tables of the page."""
    with open(os.path.join(source, PAGE)) as file:
        for line in file:
            cell = re.match(r"\| (.*?) \| .*\|$|\| (.*?) \| \|$", line)
            if cell and not line.startswith("| message |"):
                yield cell.group(1) or cell.group(2)


def corpus():
    """All string literals of the sources, joined where they adjoin."""
    text = []
    for folder in ("lib", "jit", "python", "include"):
        for path in glob.glob(os.path.join(source, folder, "**", "*.*"),
                              recursive=True):
            if path.endswith((".cpp", ".h", ".py")):
                with open(path) as file:
                    content = file.read()
                # An f-string's holes vary; so do the gaps between literals.
                content = re.sub(r'(?<!\\)"\s*\n?\s*f?"', "", content)
                text.append(re.sub(r"\\(.)", r"\1", content))
    return "\n".join(text)


everything, documented = corpus(), list(entries())
problems = []
for entry in documented:
    for piece in messages.pieces(entry):
        if piece not in everything:
            problems.append(f"{PAGE}: `{piece}` of `{entry}` is in no source")

for path, line, found in sorted(messages.all_messages(source)):
    place = f"{os.path.relpath(path, source)}:{line}"
    if place.startswith(INNER) or "%(name)s" in found:
        continue
    if found == "Python raised an exception.":
        continue  # It stands for that exception, which is what one sees.
    known = messages.pieces(found)
    if known and not any(messages.tells_of(e, known) for e in documented):
        problems.append(f"{place}: {PAGE} has no entry for `{found}`")
print("\n".join(problems))
sys.exit(1 if problems else 0)

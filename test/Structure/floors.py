"""Who may include whom: the order of floors of docs/internals/architecture.md.

A part includes only parts below it, and no file includes itself by way of others.
"""
# RUN: %python %s %source

import glob
import os
import re
import sys

os.chdir(sys.argv[1])

# From the ground up. A part is a folder of lib/ or jit/ with its public headers,
# or one of the engine's, which itself is what the others know of it.
FLOORS = ("Math", "Support", "Compiler headers", "Contract", "Graph", "Assembler", "Simulate", "Cuda",
          "OpenMP",
          "Engine", "Engine/CrashRecovery", "Engine/Files", "Engine/Diagnostics",
          "Engine/Options", "Engine/Commands", "Engine/Prefix", "Engine/Rules", "Engine/Frontend",
          "Engine/Backend", "Engine/Device", "Engine/Simulate", "Engine/Checker",
          "Engine/Jobs",
          "Libraries", "Loader", "Cache", "Compiler", "Orc", "Runtime",
          "extension", "driver")
# What declares what they have in common belongs to whom it is for.
EXCEPTIONS = {("Contract", "Graph")}  # An Op is asked about an Apply.
LINE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def part_of(path):
    """The floor that a file is on, or None for what stands above all."""
    parts = path.split("/")
    if parts[0] == "include":
        if parts[1] == "clinch-c":
            return "Compiler headers"
        if len(parts) == 3:
            return "Runtime"  # Clinch.h
        return "Compiler headers" if parts[2] == "Compiler" else parts[2]
    if parts[0] == "python":
        return "extension"
    if parts[0] == "tools":
        return "driver"
    return "/".join(parts[1:-1])


def included(path, name):
    """The file of ours that a line of `path` includes, or None."""
    for folder in (os.path.dirname(path), ".", "include"):
        found = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(found):
            return found
    return None


files = [path for folder in ("include", "lib", "jit", "python/extension", "tools")
         for path in glob.glob(folder + "/**/*.*", recursive=True)
         if path.endswith((".h", ".cpp"))]
edges = {}
for path in files:
    with open(path, encoding="utf-8") as file:
        names = LINE.findall(file.read())
    edges[path] = [found for found in (included(path, n) for n in names) if found]

problems = []
for path, targets in edges.items():
    here = part_of(path)
    for target in targets:
        there = part_of(target)
        if here is None or (here, there) in EXCEPTIONS:
            continue
        if there is None or FLOORS.index(there) > FLOORS.index(here):
            problems.append(f"{path} is on the floor {here} and includes "
                            f"{target}, which is above it")

done, way = set(), []


def walk(path):
    """Notes a circle that goes through `path`."""
    if path in way:
        problems.append("a circle: " + " -> ".join(way[way.index(path):] + [path]))
        return
    if path in done:
        return
    way.append(path)
    for target in edges.get(path, ()):
        walk(target)
    way.pop()
    done.add(path)


for path in files:
    walk(path)
PAGE = "docs/internals/architecture.md"
with open(PAGE, encoding="utf-8") as file:
    page = file.read()
modules = glob.glob("python/**/*.py", recursive=True)
modules += glob.glob("python/**/*.cpp", recursive=True)
for folder in sorted({os.path.dirname(path) for path in (*files, *modules)
                      if path.startswith(("lib/", "jit/", "python/"))}):
    if f"| `{folder}` |" not in page:
        problems.append(f"{PAGE} does not say what {folder} is for")
if len(files) < 200:
    problems.append(f"only {len(files)} files were found")
print("\n".join(problems))
sys.exit(1 if problems else 0)

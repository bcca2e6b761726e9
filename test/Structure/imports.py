"""Which modules of the package import which: the folders are floors.

A module imports from its own folder and from those below it, in no circle, and at its
head: a child that is forked while a thread imports a module can never import it. Only
the integrations, the command line and `clinch` itself import when they are used.
"""
# RUN: %python %s %source

import ast
import os
import sys

PACKAGE = os.path.join(sys.argv[1], "python", "clinch")

#: From the ground up: folders, and the files that lie beside them.
FLOORS = ["base", "errors", "device", "graph", "types", "ops", "source", "tensor", "build",
          "ufuncs", "tracing", "cuda", "debug", "public", "integrations", "cli", "", "__main__"]
#: These import other packages, and parts of their own, when they are used.
WHEN_USED = {"", "cli", "integrations"}
#: `base` imports by name what notebooks, progress bars and old programs want.
BY_NAME = {"base", *WHEN_USED}


def name_of(path):
    """A file's name in the package: "" of the package itself."""
    name = os.path.relpath(path, PACKAGE)[:-len(".py")].replace(os.sep, ".")
    return "" if name == "__init__" else name.removesuffix(".__init__")


def floor_of(name):
    return name.partition(".")[0]


FILES = {name_of(path): path for folder, _, files in os.walk(PACKAGE)
         for path in (os.path.join(folder, file) for file in files)
         if path.endswith(".py") and "pytensor" not in folder.split(os.sep)}


def targets(name, node):
    """The modules of the package that an import statement names."""
    if isinstance(node, ast.Import):
        full = [alias.name for alias in node.names]
    else:
        base = node.module or ""
        if node.level:
            here = ["clinch", *name.split(".")] if name else ["clinch"]
            if not FILES[name].endswith("__init__.py"):
                here.pop()
            here = here[:len(here) + 1 - node.level]
            base = ".".join([*here, *([node.module] if node.module else [])])
        full = [module if module.removeprefix("clinch.") in FILES
                or module == "clinch._clinch" else base
                for module in (f"{base}.{alias.name}" for alias in node.names)]
    return {module.removeprefix("clinch").removeprefix(".") for module in full
            if module.partition(".")[0] == "clinch"} & FILES.keys() - {""}


def imports(name, tree, inside=False):
    """Yields (target, whether in a function) of all imports below `tree`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for target in targets(name, node):
                yield target, inside
        yield from imports(name, node, inside or isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))


def circle(edges):
    """The modules of a circle, or None."""
    done, way = set(), []

    def walk(name):
        if name in way:
            return way[way.index(name):]
        if name not in done:
            way.append(name)
            for target in sorted(edges[name]):
                modules = walk(target)
                if modules:
                    return modules
            way.pop()
            done.add(name)
        return None

    return next(filter(None, map(walk, edges)), None)


problems = []
edges = {name: set() for name in FILES}
for name, path in FILES.items():
    floor = floor_of(name)
    if floor not in FLOORS:
        problems.append(f"{path} lies on no floor: the folders are {', '.join(FLOORS)}")
        continue
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "import_module(" in text and floor not in BY_NAME:
        problems.append(f"{name} calls `import_module`")
    for target, inside in imports(name, ast.parse(text)):
        if not inside:
            edges[name].add(target)
        elif floor not in WHEN_USED:
            problems.append(f"{name} imports {target} in a function, where a fork may "
                            f"leave its lock locked")
        if FLOORS.index(floor_of(target)) > FLOORS.index(floor) and not (
                inside and floor in WHEN_USED):
            problems.append(f"{name} imports {target}, which lies above it")
modules = circle(edges)
if modules:
    problems.append("a circle: " + " -> ".join(module or "clinch" for module in modules))
if len(FILES) < 90:
    problems.append(f"only {len(FILES)} files were found")
print("\n".join(problems))
sys.exit(1 if problems else 0)

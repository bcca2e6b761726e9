"""Which modules of the package import which: those below them, in no circle.

A module imports at its head: a child that is forked while a thread imports a module can
never import it. Only the prompt, notebooks and integrations are imported when they are
used, by the modules listed here.
"""
# RUN: %python %s %source

import ast
import os
import sys

PACKAGE = os.path.join(sys.argv[1], "python", "clinch")

# From the ground up; a name that ends with a dot is a folder.
FLOORS = {
    "what needs no graph": (
        "annotations", "class_methods", "configuration", "device_memory", "errors", "headers",
        "installed", "integers", "interleave", "modes", "native_hooks",
        "pictures", "progress", "scalar_perform", "sources", "storages", "suggestions",
        "ufunc_objects", "walks"),
    "Variables": ("array_methods", "graph", "operators"),
    "Types": ("array_type", "generic_type", "params", "scalars", "type"),
    "Ops": ("cop", "generic_ops", "gpu_array_type", "gpu_elemwise", "gpu_reduce", "native_op", "op", "ops", "tensor", "tensor."),
    "compile": (
        "c_file", "c_header", "c_text", "c_types", "callbacks", "compiled_text", "debugmode", "extensions", "filters",
        "functions",
        "gufuncs", "hook_errors", "interface", "launches", "leaks", "libdevice", "linked_texts", "linkers", "ownership",
        "pickling", "pieces", "prefixes", "remarks", "saving", "scipy_callable",
        "shared_variables",
        "expressions", "guards", "sandbox", "stand_ins", "text_pickling", "text_warnings", "traced", "traced_code",
        "traced_numpy", "tracing",
        "ufuncs"),
    "drawing": ("drawing", "drawing."),
    "users": ("build_ext", "checking", "entry_points", "checking.", "module_files",
              "cuda", "kernels", "simulated", "public", "source_files", "testing",
              "brian2", "pystan", "stan", "stan_nutpie", "torch", "triton"),
    "prompt": ("", "__main__", "notebook", "notebook.", "prompt", "prompt."),
}
ORDER = list(FLOORS)
#: (module, what it imports in a function) -> why not at its head.
DEFERRED = {
    ("", "notebook"): "%load_ext clinch",
    ("", "public"): "the program `clinch` needs it for Python alone",
    ("prompt", "checking"): "a command",
    ("prompt", "prompt.cache"): "a command",
    ("prompt.batch", "c_file"): "it imports NumPy",
    ("prompt.c_program", "compiled_text"): "it imports NumPy",
    ("prompt.c_program", "cuda"): "it imports NumPy",
    ("prompt.commands", "c_file"): "it imports NumPy",
    ("prompt.commands", "drawing"): "it imports NumPy",
    ("prompt.commands", "prompt.editing"): "a command",
    ("prompt.emit", "drawing.stages"): "8 ms, and only --emit=html draws",
    ("prompt.session", "prompt.console"): "5 ms, and a script reads no lines",
    ("prompt.session", "tensor"): "it imports NumPy",
    ("checking.looking", "checking.of_pytensor"): "it imports PyTensor",
    ("stan", "stan_nutpie"): "it imports nutpie",
}
#: Module -> what it calls `import_module` for.
BY_NAME = {
    "checking.looking": "users' modules",
    "class_methods": "the stage view, of a floor above",
    "pictures": "what notebooks show, of a floor above",
    "progress": "tqdm",
}


def name_of(path):
    """A file's name in the package: "" of the package itself."""
    name = os.path.relpath(path, PACKAGE)[:-len(".py")].replace(os.sep, ".")
    return "" if name == "__init__" else name.removesuffix(".__init__")


def floor_of(name):
    """The number of the floor that a module is on; None if it has none."""
    for pattern in (name, name.rpartition(".")[0] + "."):
        for number, floor in enumerate(FLOORS.values()):
            if pattern in floor:
                return number
    return None


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
        full = [found if found.removeprefix("clinch.") in FILES
                or found == "clinch._clinch" else base
                for found in (f"{base}.{alias.name}" for alias in node.names)]
    return {one.removeprefix("clinch").removeprefix(".") for one in full
            if one.partition(".")[0] == "clinch"} & FILES.keys()


def look(name, tree, inside=False):
    """Yields (target, whether in a function) of all imports below `tree`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for target in targets(name, node):
                yield target, inside
        yield from look(name, node, inside or isinstance(
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
                found = walk(target)
                if found:
                    return found
            way.pop()
            done.add(name)
        return None

    return next(filter(None, map(walk, edges)), None)


problems, edges = [], {name: set() for name in FILES}
deferred, by_name = set(), set()
for name, path in FILES.items():
    if floor_of(name) is None:
        problems.append(f"{path} is on no floor of this test")
        continue
    with open(path, encoding="utf-8") as file:
        text = file.read()
    tree = ast.parse(text)
    if "import_module(" in text:
        by_name.add(name)
    for target, inside in look(name, tree):
        if inside:
            deferred.add((name, target))
        edges[name].add(target)
        if floor_of(target) is not None and floor_of(target) > floor_of(name):
            problems.append(f"{name} is of the {ORDER[floor_of(name)]} and imports "
                            f"{target} of the {ORDER[floor_of(target)]}, above it")
found = circle(edges)
if found:
    problems.append("a circle: " + " -> ".join(one or "clinch" for one in found))
problems += [f"{name} imports {target} in a function, where a fork may leave its lock "
             f"locked; this test lists those that may"
             for name, target in sorted(deferred - DEFERRED.keys())]
problems += [f"{name} does not import {target} in a function any more"
             for name, target in sorted(DEFERRED.keys() - deferred)]
if by_name != set(BY_NAME):
    problems.append(f"`import_module` is called in {sorted(by_name)}, and this test "
                    f"knows why in {sorted(BY_NAME)}")
if len(FILES) < 90:
    problems.append(f"only {len(FILES)} files were found")
print("\n".join(problems))
sys.exit(1 if problems else 0)

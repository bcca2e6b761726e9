"""The type stubs say what is there: every name of a module, and its arguments."""

import ast
import inspect
import os

import pytest

import clinch
from clinch import ops

FOLDER = os.path.dirname(clinch.__file__)


def stub_of(*path):
    with open(os.path.join(FOLDER, *path), encoding="utf-8") as file:
        return ast.parse(file.read()).body


def named(body):
    """Name to what says it, for the public names of a stub's module or class."""
    found = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign):
            found.update({target.id: node for target in node.targets})
    return {name: node for name, node in found.items()
            if not name.startswith("_") or name in ("__version__", "__all__")}


STUB = named(stub_of("__init__.pyi"))
#: What no name of the package says, but what its functions return.
RETURNED = {"CompiledText"}


def test_every_public_name_is_there():
    offered = {*clinch.__all__, *ops.scalar_ops, *ops.ALIASES}
    assert offered - set(STUB) == set()


def test_no_name_is_made_up():
    made_up = [name for name in STUB
               if name not in RETURNED and not hasattr(clinch, name)]
    assert made_up == []


def test_the_names_of_clinch_pytensor():
    """Its source says them, as PyTensor need not be installed."""
    source = named(stub_of("pytensor", "__init__.py"))["__all__"]
    offered = ast.literal_eval(source.value)
    assert set(named(stub_of("pytensor", "__init__.pyi"))) == set(offered)


def parameters(node):
    """The names of a stub's arguments, without `self` and what takes the rest."""
    given = node.args
    names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in names if name != "self"]


def takes(thing):
    """The names of a function's arguments, and whether it takes others."""
    found = list(inspect.signature(thing).parameters.values())
    return ([p.name for p in found if p.name != "self"
             and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)],
            any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found))


def _is_operator(name):
    """Python says what it is called with."""
    return name.startswith("__") and name not in ("__init__", "__call__")


def signatures():
    for name, node in STUB.items():
        thing = getattr(clinch, name, None)
        if isinstance(node, ast.FunctionDef):
            yield name, node, thing
        elif isinstance(node, ast.ClassDef) and thing is not None:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not (
                        method.decorator_list or _is_operator(method.name)):
                    yield (f"{name}.{method.name}", method,
                           getattr(thing, method.name, None))


@pytest.mark.parametrize("name, node, thing", [
    pytest.param(*row, id=row[0]) for row in signatures()])
def test_the_arguments_are_those_of_the_function(name, node, thing):
    assert thing is not None, f"there is no `{name}`"
    try:
        names, more = takes(thing)
    except ValueError:
        return  # Of the extension, which says no names.
    stub = parameters(node)
    if more:  # Its body says what else it takes.
        assert [n for n in stub if n in names] == names
    else:
        assert stub == names
        assert node.args.vararg is None and node.args.kwarg is None

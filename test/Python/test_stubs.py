"""The stub of `clinch.pytensor` names what it offers."""

import ast
import os

import clinch

FOLDER = os.path.join(os.path.dirname(clinch.__file__), "pytensor")


def named(file):
    """Name to what says it, for the public names of a module."""
    found = {}
    with open(os.path.join(FOLDER, file), encoding="utf-8") as text:
        body = ast.parse(text.read()).body
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign):
            found.update({target.id: node for target in node.targets})
    return {name: node for name, node in found.items()
            if not name.startswith("_") or name == "__all__"}


def test_the_names_of_clinch_pytensor():
    """Its source says them, as PyTensor need not be installed."""
    offered = ast.literal_eval(named("__init__.py")["__all__"].value)
    assert set(named("__init__.pyi")) == set(offered)

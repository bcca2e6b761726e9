"""Whether a line that Python and C both take is of C: whose its names are."""

from __future__ import annotations

import ast

from ..base.configuration import config
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

_BOTH = (ast.Expr, ast.Assign, ast.AugAssign, ast.Call, ast.Name, ast.Constant, ast.BinOp,
         ast.UnaryOp, ast.Compare, ast.Attribute, ast.Subscript, ast.expr_context,
         ast.operator, ast.unaryop, ast.cmpop, ast.Assert, ast.Module)
_PYTHONS = (ast.Pow, ast.FloorDiv, ast.MatMult, ast.Not, ast.In, ast.NotIn, ast.Is,
            ast.IsNot)


def is_of_c_alone(text: str, session: Any) -> bool:
    """Whether an expression that a command is given is of C."""
    if session.mode != "auto":
        return bool(session.mode == "c")
    try:
        ast.parse(text)
    except SyntaxError:
        shape = Shape(text)
        return not shape.is_open() and not any(map(session.is_users, shape.words()))
    return is_of_c(text, session)


def is_of_c(text: str, session: Any) -> bool:
    """Whether C may take it, and its names are those that C has or nobody knows."""
    nodes = list(ast.walk(ast.parse(text)))
    both = _BOTH if config.language == "c" else (*_BOTH, ast.Set)  # `X<int>{1}`
    # `f<4>()` compares with a tuple of nothing.
    if not all(isinstance(node, both) and not isinstance(node, _PYTHONS)
               or isinstance(node, ast.Tuple) and not node.elts for node in nodes):
        return False
    # `sizeof(int)` is of no side.
    names = {node.id for node in nodes if isinstance(node, ast.Name)} - {
        "int", "float", "bool", "double"}
    stored = {node.id for node in nodes
              if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    of_c = session.c.names.known.keys() - session.namespace.keys() if session.c else set()
    if stored - of_c:
        return False
    pythons = {name for name in names - of_c if session.knows(name)}
    return bool(names) and not any(map(session.is_users, pythons)) and (
        not pythons or session.c is not None and session.c.has_included(pythons))

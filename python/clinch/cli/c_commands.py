"""The colon commands that are about C."""

from __future__ import annotations

import os

from .. import _clinch
from ..source import remarks
from . import emit as emitting
from .c_program import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any


class NotOfC(Exception):
    """A mistake in a command; only its message is shown."""


def spelled(types: Any, kind: str, name: str = "") -> str:
    """Returns C for a type of FunctionsSection.h, as the declaration of `name`."""
    if kind.startswith("["):
        count, _, item = kind[1:].partition("]")
        return spelled(types, item, f"{name}[{count}]")
    if kind.startswith("*const "):
        return "const " + spelled(types, kind[7:], f"*{name}")
    if kind.startswith("*("):
        return f"function (*{name})()"
    if kind.startswith("*"):
        inner = f"(*{name})" if kind[1:2] == "[" else f"*{name}"
        return spelled(types, kind[1:], inner)
    if kind.startswith("#"):
        what, tag, *_ = types._rows[kind]
        kind = tag if what == "c" else \
            f"{ {'s': 'struct', 'u': 'union', 'e': 'enum'}[what]} {tag}".rstrip()
    unknown = "void" if "*" in name else "class"  # One of C++, whose members are unknown.
    return f"{unknown if kind == '?' else kind} {name}".rstrip()


def type_of(session: Any, rest: str) -> None:
    """Prints the type of an expression."""
    types, kind = session.c.type_of(rest)
    print(spelled(types, kind[1:]))


def layout(session: Any, rest: str) -> None:
    """Prints where the members of a type lie."""
    types, kind = session.c.type_of(rest)
    kind = kind[1:]
    if not kind.startswith("#") or types._rows[kind][0] == "e":
        raise NotOfC(f"`{rest}` is no struct or union")
    _, _, size, alignment, *fields = types._rows[kind]
    print(f"{spelled(types, kind)}: {size} bytes, aligned to {alignment}")
    for at in range(0, len(fields), 4):
        name, place, width, inner = fields[at:at + 4]
        bits = f":{int(place) % 8}" if width else ""
        end = f" : {width}" if width else ""
        print(f"  {int(place) // 8:>4}{bits:<3} {spelled(types, inner, name)}{end}")


def stage_of(session: Any, name: str, stage: str) -> None:
    """Prints a stage of the input that defines a function."""
    one = session.c.names.known.get(name)
    if one is None or not one.symbol:
        raise NotOfC(f"there is no function `{name}` of C")
    text, origin, options = one.owner._made_of
    found = _clinch.Text(text, origin, {**options, "keep": (stage,)}).stage(stage)
    emitting.write([("", stage, found)], None, session.colour)


def why(session: Any, name: str) -> None:
    """Prints what the inliner and the vectorisers say of a function, at its lines."""
    one = session.c.names.known.get(name)
    if one is None or not one.symbol:
        raise NotOfC(f"there is no function `{name}` of C")
    text, origin, options = one.owner._made_of
    found = _clinch.Text(text, origin, {**options, "keep": ("remarks",)}).stage("remarks")
    told = [told for told in remarks.of_lines(found or "", session.c.sources[origin])
            if told["origin"] == origin]
    if not told:
        raise NotOfC(f"at the tier `{options['tier']}` there is nothing in `{name}` to "
                     "vectorise or to inline")
    print(_clinch.render("", told, session.colour))


def load(session: Any, path: str) -> None:
    """Takes a C file as an input."""
    session.c.load(read_text(path), os.path.basename(path))

"""What the inputs of a session have done, so that it can be written as one text."""

from __future__ import annotations

from . import c_sharing
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any, Callable, Iterable
    from .c_names import Declaration, Names

#: What follows a member's name where a struct declares it.
_AFTER_MEMBER = {";", ",", ":", "[", ")"}


class Step:
    """A part of an input that has run: `directive`, `declaration` or `statement`; and
    what its words meant. It keeps no code."""

    def __init__(self, kind: str, text: str, language: str, names: Names,
                 own: Iterable[Declaration]) -> None:
        self.kind = kind
        self.text = text
        self.language = language
        #: The numbers of what it declares.
        self.own = {one.order for one in own}
        #: `NAME` or `struct NAME` -> the number of its declaration.
        self.meant: dict[str, int] = {}
        self.macros: dict[str, str] = {}
        #: Names of Python's -> their values.
        self.shared: dict[str, Any] = {}
        todo = list(Shape(text).words())
        while todo:
            word = todo.pop()
            for name in (word, f"struct {word}"):
                one = names.known.get(name)
                if one and name not in self.meant and name not in self.macros:
                    if one.is_macro:
                        self.macros[name] = one.text
                        todo += one.words
                    else:
                        self.meant[name] = one.order
            if word not in names.known and word in names.namespace and \
                    c_sharing.declarations(names.namespace, {word})[0]:
                self.shared[word] = names.namespace[word]

    @property
    def is_idle(self) -> bool:
        """Whether it does nothing but declare: in C++, initialisers run."""
        return self.kind == "declaration" and self.language == "c"

    def written(self, text: str, name_of: Callable[[str, Step], str]) -> str:
        """Returns a text of it in which each name is what `name_of` returns."""
        tokens = Shape(text).tokens
        found, done, braces = "", 0, []
        for number, (kind, token, at) in enumerate(tokens):
            before = [one for _, one, _ in tokens[max(0, number - 2):number]]
            if token == "{":
                braces.append(bool({"struct", "union"} & set(before)))
            elif token == "}" and braces:
                braces.pop()
            if kind != "word" or before[-1:] in (["."], ["->"]):
                continue
            following = tokens[number + 1][1] if number + 1 < len(tokens) else ""
            if braces and braces[-1] and following in _AFTER_MEMBER and \
                    before[-1:] not in (["["], ["struct"], ["union"], ["enum"]):
                continue
            is_tag = before[-1:] in (["struct"], ["union"], ["enum"])
            name = name_of(f"struct {token}" if is_tag and self.language == "c" else token,
                           self)
            found += text[done:at] + name
            done = at + len(token)
        return found + text[done:]

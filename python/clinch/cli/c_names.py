"""What the inputs of a prompt have declared, and how a later one is told of it.

Each input is a text of its own. Before it stand the declarations of the names that it
mentions, and of those that these mention; functions and variables are linked by
their addresses. A name that is declared again is another one from then on: what knew
the old one keeps it, and a type that both need has a name of its own in that text.
"""

from __future__ import annotations

import re

from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Iterable

SPECIALISES = re.compile(r"template\s*<\s*>")
_NUMBER = re.compile(r"_\d+$")
_DEFINE = re.compile(r"\s*#\s*(define|undef)\s+(\w+)")
_INCLUDE = re.compile(r"\s*#\s*include\s*(<[^>]+>)\s*")


class Declaration:
    """One declaration, or one directive."""

    def __init__(self, names: Iterable[str], text: str, order: int) -> None:
        self.names = tuple(names)
        self.text = text
        self.order = order
        self.words = Shape(text).words()
        self.is_macro = text.startswith("#")
        #: Whether the text has its value.
        self.is_constant = False
        #: Earlier functions of the name, with other parameters, and templates (C++).
        self.overloads: list[Declaration] = []
        #: What its words meant when it was declared.
        self.uses: list[Declaration] = []
        self.symbol = ""
        self.address = 0
        #: Where it was typed: the input and the line.
        self.place: tuple[str, int] | None = None
        #: What keeps the address.
        self.owner: Any = None

    @property
    def is_template(self) -> bool:
        return self.text.startswith("template")

    @property
    def has_body(self) -> bool:
        """Whether its text has code, as that of a class with methods or of a lambda."""
        return self.is_type and "(" in self.text and "{" in self.text

    @property
    def is_type(self) -> bool:
        """Whether others may be declared with it: it is a type, or a constant."""
        return self.is_constant or not self.symbol and not self.is_macro


class Names:
    """The names that the next input may use."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        #: Python's names: one that C declares is C's from then on.
        self.namespace = namespace
        #: Those that Python gets when C's name is taken back.
        self._beneath: dict[str, Any] = {}
        #: An identifier, or `struct NAME`.
        self.known: dict[str, Declaration] = {}
        #: What every text gets: headers of the user, pragmas.
        self.always: list[Declaration] = []
        self.includes: list[str] = []
        self.order = 0
        self._undo: list[tuple[Any, ...]] = []

    def mark(self) -> int:
        """Returns a place to come back to."""
        return len(self._undo)

    def back_to(self, mark: int) -> list[str]:
        """Takes back what was declared since; returns the names."""
        names: list[str] = []
        while len(self._undo) > mark:
            name, before = self._undo.pop()
            if name == "#include":
                name = self.includes.pop()
            elif name == "#always":
                name = self.always.pop().text.strip()
            elif name == "#python":
                self.namespace.update(before)
                continue
            elif before is None:
                self.known.pop(name, None)
                if name in self._beneath:
                    self.namespace[name] = self._beneath.pop(name)
            else:
                self.known[name] = before
            names.insert(0, name)
        return names

    def since(self, mark: int) -> Iterable[Declaration]:
        """Returns what has been declared since, and is known."""
        return [self.known[name] for name, *_ in self._undo[mark:] if name in self.known]

    def add(self, declaration: Declaration, is_overloaded: bool = False) -> None:
        """Makes a declaration that of its names, beside functions of the name that
        take other parameters if it `is_overloaded`."""
        declaration.uses = [used for used in self._meant(declaration.words)
                            if not {*used.names} & {*declaration.names}]
        if not declaration.names:
            self._undo.append(("#always", None))
            self.always.append(declaration)
        for name in declaration.names:
            before = self.known.get(name)
            if before and (is_overloaded and (before.symbol or before.is_template)
                           or SPECIALISES.match(declaration.text)):
                declaration.overloads = [one for one in (before, *before.overloads)
                                         if one.text != declaration.text]
            self._undo.append((name, before))
            if name in self.namespace:
                self._undo.append(("#python", {name: self.namespace.pop(name)}))
            self.known[name] = declaration

    def beside(self, values: dict[str, Any]) -> dict[str, Any]:
        """Returns those of Python's values whose names C has not; the others wait until
        C's are taken back."""
        self._beneath = {name: values[name] for name in values.keys() & self.known.keys()}
        return {name: value for name, value in values.items() if name not in self._beneath}

    def forget(self, name: str) -> None:
        """Leaves a name to Python, which has given it another meaning."""
        self._undo.append((name, self.known.pop(name)))

    def next_order(self) -> int:
        self.order += 1
        return self.order

    def include(self, header: str) -> None:
        """Adds a system's header, such as `<math.h>`."""
        if header not in self.includes:
            self.includes.append(header)
            self._undo.append(("#include", None))

    def direct(self, text: str) -> None:
        """Takes a directive, which has compiled."""
        if match := _INCLUDE.fullmatch(text):
            return self.include(match[1])
        if match := _DEFINE.match(text):
            if match[1] == "undef":
                before = self.known.pop(match[2], None)
                self._undo.append((match[2], before))
                return None
            text = f"#undef {match[2]}\n{text.strip()}\n"
            return self.add(Declaration([match[2]], text, self.next_order()))
        return self.add(Declaration([], text + "\n", self.next_order()))

    def before(self, words: Iterable[str], hidden: Iterable[str] = ()
               ) -> tuple[str, dict[str, int], list[Any]]:
        """Returns what stands before a text with these words that declares `hidden`
        anew: the declarations, the addresses, and what keeps them."""
        needed = self._closed(words, set(hidden))
        lines, symbols, owners = [], {}, []
        for one in sorted(needed, key=lambda d: d.order):
            lines.append(self._written(one, set(hidden)))
            if one.symbol:
                symbols[one.symbol] = one.address
                owners.append(one.owner)
        return "".join(lines), symbols, owners

    def _closed(self, words: Iterable[str], hidden: set[str]) -> set[Declaration]:
        todo = [one for one in self._meant(words) if not hidden.intersection(one.names)]
        todo += self.always
        done: set[Declaration] = set()
        while todo:
            one = todo.pop()
            if one not in done:
                done.add(one)
                todo += [used for used in one.uses if used.is_type or used.is_macro
                         or one.has_body and self._is_known(used, hidden)]
                todo += one.overloads
                if one.is_macro:  # It means what its words mean where it stands.
                    todo += [used for used in self._meant(one.words)
                             if not hidden.intersection(used.names)]
        return done

    def _is_meant(self, name: str, one: Declaration) -> bool:
        known = self.known.get(name)
        return known is not None and (known is one or one in known.overloads)

    def _is_known(self, one: Declaration, hidden: set[str]) -> bool:
        return not hidden.intersection(one.names) and all(
            self.known.get(name) is one for name in one.names)

    def _meant(self, words: Iterable[str]) -> Iterable[Declaration]:
        for word in words:
            for name in (word, f"struct {word}"):
                if name in self.known:
                    yield self.known[name]

    def _written(self, one: Declaration, hidden: set[str]) -> str:
        """Returns a declaration, with other names for types that have been replaced."""
        if one.is_macro:
            return one.text
        text = one.text
        if one.place and one.has_body:  # What crashes in it is there.
            text = '#line {1} "{0}"\n'.format(*one.place) + text + '#line 1 "<declarations>"\n'
        renamed = {}
        for used in (one, *one.uses):
            if used.is_type and any(name in hidden or not self._is_meant(name, used)
                                    for name in used.names):
                for name in used.names:
                    renamed[name.rpartition(" ")[2]] = used.order
        if not renamed:
            return text
        defines = "".join(f"#define {name} {name}_{order}\n"
                          for name, order in renamed.items())
        return defines + text + "".join(f"#undef {name}\n" for name in renamed)

    def as_typed(self, name: str) -> str:
        """Returns a name without the number that _written() may have given it."""
        plain = _NUMBER.sub("", name)
        known = {plain, f"struct {plain}"} & self.known.keys()
        return plain if known and name not in self.known else name

    def places(self) -> dict[int, str]:
        """Returns {address: name} of functions and variables."""
        return {one.address: name for name, one in self.known.items() if one.address}

"""The shape of a C text, as far as the prompt must know it before Clang looks at it."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<open>/\*.*\Z)
|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
|(?P<word>[A-Za-z_]\w*)|(?P<space>\s+)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
|(?P<sign>->|&&|\|\||\+\+|--|::|.)""", re.DOTALL | re.VERBOSE)
TYPES = frozenset(
    "void bool _Bool char short int long float double signed unsigned struct union enum "
    "typedef static extern const volatile inline constexpr thread_local auto register "
    "_Alignas alignas _Static_assert static_assert _Atomic _Complex class template "
    "namespace using typename".split())
_HEADS = ("if", "for", "while", "switch")
_DIRECTIVE = re.compile(r"#\s*(include\s*[<\"]|define\s+\w|undef\s+\w)|"
                        r"#(ifn?def\s+\w|if\s|pragma\s|embed\s)")
_DECLARES = re.compile(r"(?!return\b|goto\b|else\b|case\b)[A-Za-z_]\w*(\s+|\s*\*+\s*)"
                       r"[A-Za-z_]\w*\s*[=;\[(,{]")
_PATH = re.compile(r"[A-Za-z_]\w*(\s*(\.|->)\s*[A-Za-z_]\w*|\[[^\[\]()=]*\])*")
#: What goes on with what a brace has ended.
_GOES_ON = ("else", "catch", ";", ",", ")", ".", "[", "(", "=")
_ASSIGNS = re.compile(r"[^=!<>\"'?]*?(<<|>>|[-+*/%&|^])?=(?!=)")


class Shape:
    """A text and its tokens, of which comments and spaces are none."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        self.is_cut = text.endswith("\\")  # A comment or line goes on.
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            self.is_cut |= kind == "open"
            if kind not in ("comment", "space", "open"):
                self.tokens.append((kind, match[0], match.start()))

    @property
    def first(self) -> str:
        return self.tokens[0][1] if self.tokens else ""

    @property
    def last(self) -> str:
        return self.tokens[-1][1] if self.tokens else ""

    def words(self) -> set[str]:
        """Returns all identifiers, keywords and operators of literals, as in `18_km`."""
        return {token for kind, token, _ in self.tokens if kind == "word"} | {
            f'operator""{token[token.index("_"):]}' for kind, token, _ in self.tokens
            if kind == "number" and "_" in token or kind == "word" and token[0] == "_"}

    def is_directive(self) -> bool:
        """Whether it is a line for the preprocessor and no comment of Python."""
        return bool(_DIRECTIVE.match(self.text.lstrip()))

    def depth(self) -> int:
        """Returns how many brackets are open; 0 if they can be closed by nothing."""
        opened: list[tuple[str, str]] = []  # Brackets, and what stands before them.
        before = ""
        for kind, token, _ in self.tokens:
            if kind == "sign" and token in "([{":
                opened.append((token, before))
            elif kind == "sign" and token in ")]}":
                if not opened or opened.pop()[0] + token not in ("()", "[]", "{}"):
                    return 0
            elif token == ";" and opened and opened[-1][0] != "{" \
                    and opened[-1][1] != "for":
                return 0
            before = token
        return len(opened)

    def is_open(self) -> bool:
        """Whether more lines must come."""
        if self.is_directive():
            lines = [line.split() for line in self.text.replace("#", "# ").split("\n")]
            ifs = [line[1] for line in lines if line[:1] == ["#"] and line[1:]]
            return self.is_cut or sum(
                (word.startswith("if")) - (word == "endif") for word in ifs) > 0
        return self.is_cut or self.depth() > 0 or self._is_head()

    def _is_head(self) -> bool:
        """Whether a block or a statement must follow."""
        if self.last in ("else", "do"):
            return True
        words = [token for _, token, _ in self.tokens]
        if self.first == "do":
            return "while" not in words[-words[::-1].index("}"):] if "}" in words else True
        if self.first in ("struct", "union", "enum") and len(words) <= 2:
            return True
        if self.last != ")":
            return False
        return self.first in _HEADS or self.declares() and not {";", "=", "{"} & set(words)

    def declares(self) -> bool:
        """Whether it begins as a declaration does."""
        return self.first in TYPES or bool(_DECLARES.match(self.text.lstrip()))

    def assigns(self) -> str:
        """Returns the name that it gives a value to as a statement of C."""
        return self.first if self.last == ";" and [
            token for _, token, _ in self.tokens[1:2]] == ["="] else ""

    def is_statement(self) -> bool:
        """Whether it ends as one, so that its value is not asked for."""
        return not self.is_literal() and (self.last in (";", "}", "") or self.first in (
            *_HEADS, "do", "goto", "return") or bool(_ASSIGNS.match(self.text)))

    def is_made_value(self) -> bool:
        """Whether it may be a value of a type of C++: `std::vector<int>{1, 2}`."""
        return self.last == "}" and self.first not in (*_HEADS, *TYPES, "{") and not any(
            token == ";" for _, token, _ in self.tokens)

    def is_literal(self) -> bool:
        """Whether it may be a compound literal or an item: `(int[]){1, 2}[0]`."""
        return bool(self.first == "(" and self.last != ";" and
                    re.search(r"\)\s*\{", self.text))

    def is_path(self) -> bool:
        """Whether it names a place in memory: `a`, `a[1]`, `p->x.y`."""
        return bool(_PATH.fullmatch(self.text.strip())) and "++" not in self.text

    def looks_like_c(self) -> bool:
        """Whether somebody who typed it thought of C."""
        words = [token for _, token, _ in self.tokens]
        return (self.is_directive() or self.last in (";", "{", "}")
                or self.first in TYPES - {"class"}
                or bool({"->", "&&", "||", "++", "--"} & set(words))
                or any(one in TYPES - {"class"} and words[at + 1:at + 2] != ["="]
                       and self.tokens[at][0] == "word"
                       for at, one in enumerate(words)))

    def parts_at(self, sign: str) -> list[str]:
        """Splits at a sign that stands in no bracket."""
        depth, start, found = 0, 0, []
        for _, token, at in self.tokens:
            depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
            if token == sign and depth == 0:
                found.append(self.text[start:at].strip())
                start = at + 1
        return [*found, self.text[start:].strip()]

    def parts(self) -> tuple[str, str]:
        """Splits `statements; expression` before the last."""
        depth, end = 0, 0
        for _, token, at in self.tokens:
            depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
            if token == ";" and depth == 0:
                end = at + 1
        return self.text[:end], self.text[end:]

    def inputs(self) -> list[str]:
        """Splits where statements and declarations end. Each part has its place: empty
        lines and spaces stand for those before it."""
        found, depth, start, first = [], 0, 0, ""
        following = [token for _, token, _ in self.tokens[1:]] + [""]
        for (kind, token, at), after in zip(self.tokens, following):
            first = first or token
            depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
            if depth < 0:
                return [self.text]
            if kind == "sign" and depth == 0 and _ends(token, first, after):
                found.append((start, at + 1))
                start, first = at + 1, ""
        if first:
            found.append((start, len(self.text)))
        return [re.sub(r"[^\n]", " ", self.text[:begin]) + self.text[begin:end]
                for begin, end in found if self.text[begin:end].strip() != ";"]


def _ends(token: str, first: str, after: str) -> bool:
    """Whether a sign ends what begins with the word `first`."""
    if token == ";":
        return after != "else" and not (first == "do" and after == "while")
    return token == "}" and first not in ("struct", "class", "union", "enum", "typedef") \
        and after not in _GOES_ON and not (first == "do" and after == "while")

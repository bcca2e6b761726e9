"""Compiles texts at the prompt, after what earlier ones have declared."""

from __future__ import annotations

import itertools
import re

from .. import _clinch
from ..source.c_text import CompiledText
from ..base.configuration import config
from ..errors import CompileError
from . import c_sharing
from .c_guard import guarded, run_all
from .c_mistakes import Declined, InputError, missing_headers, of_input
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable, Iterable, Sequence
    from .c_names import Names

RUN = "clinch_prompt_run"
#: No text is that of another input, whose variables it would share.
_serials = itertools.count(1)
_AGAIN = re.compile(r"redefinition|conflicting types|incompatible definitions|"
                    r"not match previous|follows (non-)?static")


class Compiled:
    """A text of an input, and what it declares."""

    def __init__(self, made: CompiledText, begin: int, start: int, text: str,
                 initialisers: Sequence[int]) -> None:
        self.made = made
        self.lines = [line.split("\t") for line in
                      (made.stage("declarations") or "").splitlines()]
        #: Where what the prompt adds begins, and where the input begins.
        self.begin, self.start, self.text = begin, start, text.encode()
        self._initialisers = initialisers

    def run(self) -> None:
        """Calls the initialisers of the text's variables, and its function RUN."""
        run_all([*self._initialisers, *filter(None, [self.address(RUN)])])

    def address(self, symbol: str) -> int:
        """Returns where a symbol of the text is."""
        return self.made.lookup(symbol) or 0

    def declared(self, kinds: str) -> Iterable[tuple[str, int, int, list[str], str, str]]:
        """Yields (kind, begin, end, names, symbol, text) of the input's own."""
        for kind, begin, end, names, symbol, text in self.lines:
            if kind in kinds and int(begin) >= self.begin:
                yield kind, int(begin), int(end), names.split(","), symbol, text


class Compiling:
    """What compiles with the names of a prompt."""

    def __init__(self, names: Names) -> None:
        self.names = names
        #: Asks whether a header may be included for a name; without it, it is, and said.
        self.offer: Callable[[str, str], bool] | None = None
        #: Headers that the input lacks: for which names, and what Clang says without.
        self.brought: dict[str, tuple[str, list[Any]]] = {}
        #: Those that the user has agreed to, which stay if the input fails.
        self.wanted: list[str] = []

    def compile(self, before: str, text: str, after: str, name: str, tier: str = "fast"
                ) -> Compiled:
        """Compiles a text after what it needs; includes headers that it lacks, and
        leaves out what it declares again."""
        hidden: set[str] = set()
        while True:
            try:
                found = self._compile_once(before, text, after, name, tier, hidden)
                if self.offer:
                    self._ask(self.offer)
                return found
            except CompileError as error:
                diagnostics = of_input(error.diagnostics, name, text)
                headers = missing_headers(error.diagnostics, self.names.includes)
                again = self._declared_again(error.diagnostics) - hidden
                if headers:
                    for header, of_header in headers.items():
                        self.brought[header] = of_header, diagnostics
                        self.names.include(header)
                elif again:
                    hidden |= again
                else:
                    raise InputError(diagnostics or error.diagnostics) from None

    def _ask(self, offer: Callable[[str, str], bool]) -> None:
        """Asks for each header that an input needs, once it compiles with them."""
        while self.brought:
            header, (name, diagnostics) = self.brought.popitem()
            if not offer(name, header):
                raise Declined(diagnostics)
            self.wanted.append(header)

    def _compile_once(self, before: str, text: str, after: str, name: str, tier: str,
                      hidden: set[str]) -> Compiled:
        serial = next(_serials)
        words = Shape(before + text).words()
        head, symbols, owners = self.names.before(words, hidden)
        shared, places, kept = c_sharing.declarations(
            self.names.namespace, words - self.names.known.keys() - hidden)
        head, symbols, owners = shared + head, {**symbols, **places}, owners + kept
        head = f"#define CLINCH_PROMPT_TEXT {serial}\n{head}"
        begin = len(head.encode())
        head += f"{before}#line 1 \"{name}\"\n"
        options = self._options(symbols, tier)
        whole = head + text + after
        _clinch.defer_initializers(True)
        try:
            made = CompiledText(_clinch.Text(whole, "<declarations>", options),
                                (whole, name, options))
        finally:
            initialisers = _clinch.defer_initializers(False)
        vars(made).update(_owners=owners, _guard=guarded)
        return Compiled(made, begin, len(head.encode()), whole, initialisers)

    def completions(self, text: str) -> list[str]:
        """Returns the names that Clang knows to go on with where a text ends."""
        head, *_ = self.names.before(Shape(text).words())
        if not Shape(text).declares() or "{" not in text:
            head += f"void {RUN}(void) {{\n"
        _clinch.start_checker([], _clinch.cache_info()["dir"] or "")
        return _clinch.completions(head + text, "<completion>", self._options({}))

    def _options(self, symbols: dict[str, int], tier: str = "fast") -> dict[str, Any]:
        return dict(
            language=config.language, tier=tier, cpu="", symbols=symbols,
            flags=("-Wno-gnu-folding-constant",), keep=("declarations",),
            disk_cache=False, debug=config.debug,
            prefix="".join(f"#include {one}\n" for one in self.names.includes))

    def _declared_again(self, diagnostics: list[Any]) -> set[str]:
        found = set()
        for one in diagnostics:
            if _AGAIN.search(one["message"]):
                words = re.findall(r"\w+", one["source_line"][one["column"] - 1:])[:1]
                words += re.findall(r"'(\w+)'", one["message"])
                for word in words:
                    for name in (word, f"struct {word}"):
                        if name in self.names.known:
                            found |= set(self.names.known[name].names)
                        elif name in self.names.namespace:
                            found.add(name)
        return found


def c_linkage() -> str:
    """Returns what gives the function RUN a symbol of its name."""
    return "" if config.language == "c" else f'void {RUN}(void) __asm__("{RUN}");\n'

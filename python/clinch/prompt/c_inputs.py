"""Compiles and runs what is typed in C at the prompt."""

from __future__ import annotations

import ctypes
import itertools
import re
import sys

from .. import _clinch
from ..c_text import CompiledText
from ..configuration import config
from ..errors import CompileError
from . import c_sharing
from .c_guard import guarded
from .c_mistakes import Declined, InputError, better, missing_headers, of_input
from .c_names import SPECIALISES, Declaration, Names
from .c_shape import Shape
from .c_values import Printer, Value, is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any, Callable, Iterable

RUN, _VALUE, _ELSE = ("clinch_prompt_run", "clinch_prompt_value",
                       "clinch_prompt_else")
_PLACE = re.compile(r".* (?:in|from) (.+), line (\d+)$")
_OF_THREADS = {"_Thread_local", "thread_local", "__thread"}
#: No text is that of another input, whose variables it would share.
_serials = itertools.count(1)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:include|define|undef|pragma)\b"
                        r"(?:\\\n|[^\n])*", re.MULTILINE)
_AGAIN = re.compile(r"redefinition|conflicting types|incompatible definitions|"
                    r"not match previous|follows (non-)?static")


class Compiled:
    """A text of an input, and what it declares."""

    def __init__(self, made: CompiledText, begin: int, start: int, text: str) -> None:
        self.made = made
        self.lines = [line.split("\t") for line in
                      (made.stage("declarations") or "").splitlines()]
        #: Where what the prompt adds begins, and where the input begins.
        self.begin, self.start, self.text = begin, start, text.encode()

    def address(self, symbol: str) -> int:
        """Returns where a symbol of the text is."""
        return self.made.lookup(symbol) or 0

    def declared(self, kinds: str) -> Iterable[tuple[str, int, int, list[str], str, str]]:
        """Yields (kind, begin, end, names, symbol, text) of the input's own."""
        for kind, begin, end, names, symbol, text in self.lines:
            if kind in kinds and int(begin) >= self.begin:
                yield kind, int(begin), int(end), names.split(","), symbol, text


class Inputs:
    """The C of one prompt."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.names = Names(session.namespace)
        #: All texts: values may point into them.
        self.kept: list[Any] = []
        #: What was typed, and the files that were taken, for what crashes later.
        self.sources: dict[str, str] = {}
        #: Neither values nor included headers are shown.
        self.is_quiet = False
        #: What shows a value.
        self.give: Callable[[Value], None] = print
        #: Asks whether a header may be included for a name; without it, it is, and said.
        self.offer: Callable[[str, str], bool] | None = None
        #: Headers that the input lacks: for which names, and what Clang says without.
        self._brought: dict[str, tuple[str, list[Any]]] = {}
        #: Those that the user has agreed to, which stay if the input fails.
        self._wanted: list[str] = []
        #: Whether an `else` may follow: where the last `if` says that it was false.
        self.otherwise: ctypes.c_int | None = None
        #: Of each input that declared something: where its names begin, its texts.
        self.done: list[tuple[int, list[Any]]] = []

    def enter(self, text: str, name: str, whole: bool = False) -> None:
        """Compiles and runs an input; one with an error declares nothing."""
        mark = self.names.mark()
        kept: list[Any] = []
        includes = len(self.names.includes)
        self._brought, self._wanted = {}, []
        before, self.otherwise = self.otherwise, None
        self.sources[name] = text
        try:
            if before is not None and Shape(text).first == "else":
                self._else(text, name, kept, bool(before.value))
            else:
                for part in self._parts(text):
                    if part.strip():
                        self._enter(part, name, kept, whole)
        except BaseException as error:
            self.names.back_to(mark)
            for header in self._wanted:
                self.names.include(header)
            if isinstance(error, InputError):
                error.show_as_typed(name, text)
            raise
        finally:
            self.kept += kept
        if self.names.mark() > mark:
            self.done.append((mark, kept))
        self._warn(kept, name, text)
        for header in self.names.includes[includes:]:
            if header not in text and not self.is_quiet and not self.offer:
                print(f"#include {header}", file=sys.stderr)

    def load(self, text: str, name: str) -> None:
        """Takes a C file: what it includes and defines holds afterwards, too."""
        self.sources[name] = text
        mark = self.names.mark()
        kept: list[Any] = []
        try:
            is_plain = not re.search(r"^\s*#\s*(if|el|endif)", text, re.MULTILINE)
            for one in _DIRECTIVE.findall(text) if is_plain else ():
                self.names.direct(one.strip())
            if is_plain:
                text = _DIRECTIVE.sub(lambda match: "\n" * match[0].count("\n"), text)
            self._declarations(text, name, kept, False)
        except InputError:
            self.names.back_to(mark)
            raise
        self.kept += kept
        self.done.append((mark, kept))
        self._warn(kept, name, text)

    def has_included(self, names: Iterable[str]) -> bool:
        """Whether the headers that are included declare all these names."""
        if not self.names.includes:
            return False
        text = "".join(f"__typeof__({name}) *clinch_prompt_{name};\n" for name in names)
        try:
            self._compile_once("", text, "", "<names>", "fast", set())
        except CompileError:
            return False
        return True

    def type_of(self, text: str) -> tuple[Any, str]:
        """Returns the types of a text and a pointer to that of an expression or type."""
        if self._is_type(text):
            made = self.compile(f"{text} *{_VALUE};\n", "", "", "<type>").made
        else:
            made = self.compile("__typeof__((\n", text, f"\n)) *{_VALUE};", "<type>").made
        return made._types, made._types.variables[_VALUE][2]

    def _is_type(self, text: str) -> bool:
        try:
            self.compile(f"{text} *{_VALUE};\n", "", "", "<type>")
        except InputError:
            return False
        return True

    def _warn(self, kept: list[Any], name: str, text: str) -> None:
        """Shows what Clang finds doubtful."""
        found = of_input([one for made in kept for one in made.stats["warnings"]],
                          name, text)
        if found:
            self.doubt(InputError(found))

    def doubt(self, found: InputError) -> None:
        """Shows warnings."""
        sys.stdout.flush()
        print(found.render(self.session.error_colour), end="", file=sys.stderr)

    def undo(self) -> list[str]:
        """Takes back the last input that declared something; returns its names."""
        if not self.done:
            return []
        mark, texts = self.done.pop()
        self.kept = [made for made in self.kept if made not in texts]
        return self.names.back_to(mark)

    @staticmethod
    def _parts(text: str) -> Iterable[str]:
        shape = Shape(text)
        first, last = shape.parts()
        if shape.is_directive() or not last.strip() or not first or \
                shape.words() & _OF_THREADS:
            return [text]
        return [first, re.sub(r"[^\n]", " ", first) + last]

    def _enter(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        shape = Shape(text)
        if shape.is_directive():
            return self._direct(text, name)
        if shape.declares() or config.language != "c" and shape.is_statement():
            forms = [self._declarations, self._statements]
        elif shape.is_statement():
            forms = [self._statements, self._declarations]
            if shape.first == "if":
                forms.insert(0, self._if)
        elif shape.is_path():
            forms = [self._place, self._expression, self._statements]
        else:
            forms = [self._expression, self._statements]
        first: InputError | None = None
        for form in forms:
            try:
                return form(text, name, kept, whole)
            except Declined:
                raise
            except InputError as error:
                first = better(first, error)
        assert first
        raise first

    def _direct(self, text: str, name: str) -> None:
        mark = self.names.mark()
        self.names.direct(text)
        try:
            self.compile("", "", "", name)
        except InputError:
            self.names.back_to(mark)
            raise

    def _declarations(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        shape = Shape(text)
        text += "" if shape.last in (";", "}") and not _lacks_end(shape) else ";"
        found = self.compile("", text, "", name, config.tier)
        statics = [names[0] for kind, *_, names, symbol, _ in found.declared("fv")
                   if not symbol]
        if statics:
            addresses = "".join(f"\nvoid *clinch_prompt_at_{one} = (void *)&{one};"
                                for one in statics)
            found = self.compile("", text, addresses, name, config.tier)
        self._declare(found)
        kept.append(found.made)

    def _if(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        """Runs an `if` that has no `else`, and remembers whether one would run."""
        found = self.compile(f"int {_ELSE};\n{_c_linkage()}void {RUN}(void) {{\n", text,
                              f"\nelse {_ELSE} = 1;}}", name)
        kept.append(found.made)
        self._run(found)
        self.otherwise = ctypes.c_int.from_address(found.address(_ELSE))

    def _else(self, text: str, name: str, kept: list[Any], is_run: bool) -> None:
        """Runs the `else` of the `if` before it, or only looks at it."""
        rest = text.replace("else", "    ", 1)
        if is_run:
            return self._enter(rest, name, kept, False)
        self.compile(f"void {RUN}(void) {{\n", rest, "\n;}", name)
        if Shape(rest).first == "if":
            self.otherwise = ctypes.c_int(0)
        return None

    def _statements(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        found = self.compile(f"{_c_linkage()}void {RUN}(void) {{\n", text, "\n;}", name)
        local = list(found.declared("l"))
        if Shape(text).declares() and not local or local and config.language != "c":
            raise InputError([])  # Nothing of it would be left.
        if local:
            found = self._with_variables(found, local, text, name)
            self._declare(found)
        kept.append(found.made)
        self._run(found)

    def _with_variables(self, found: Compiled, local: Any, text: str, name: str
                        ) -> Compiled:
        """Makes variables of statements those of the prompt: each declaration
        becomes blocks that copy its values."""
        head = "".join(f"{found.text[begin:end].decode()};\n"
                       for _, begin, end, *_ in found.declared("k"))
        head += "".join(f"{declaration};\n" for *_, declaration in local)
        places = "".join(f"__typeof__({names[0]}) *const clinch_prompt_at_{names[0]} = "
                         f"&{names[0]};" for _, _, _, names, _, _ in local)
        made, done = "", found.start
        for begin, end in sorted({(begin, end) for _, begin, end, *_ in local}):
            statement = found.text[begin:end].decode()
            made += found.text[done:begin].decode()
            made += _initialised(statement, [names[0] for _, start, _, names, _, _ in local
                                             if start == begin])
            done = end
        made += found.text[done:found.start + len(text.encode())].decode()
        return self.compile(f"{head}void {RUN}(void) {{ {places}\n", made, "\n;}", name)

    def _place(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        before = (f"__typeof__((\n#line 1 \"{name}\"\n{text}\n)) *{_VALUE};\n"
                  f"{_c_linkage()}void {RUN}(void) {{ {_VALUE} = &(\n")
        made = self.compile(before, text, "\n);}", name)
        if not self._show(made, kept, whole, True):
            self._expression(text, name, kept, whole)  # It crashes, at its line.

    def _expression(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        # The comma makes a pointer of an array.
        before = (f"__typeof__(((void)0,(\n#line 1 \"{name}\"\n{text}\n))) {_VALUE};\n"
                  f"void {RUN}(void) {{ {_VALUE} = (\n")
        after = "\n);}"
        if config.language != "c":
            before = f"auto {_VALUE} = (\n"
            after = f"\n);\nextern \"C\" void {RUN}() {{}}"
        self._show(self.compile(before, text, after, name), kept, whole, False)

    def _show(self, found: Compiled, kept: list[Any], whole: bool, is_place: bool) -> bool:
        """Runs what has a value, and gives it; returns whether it is in memory."""
        kept.append(found.made)
        self._run(found)
        if self.is_quiet:
            return True
        types = found.made._types
        symbol, _, kind = types.variables[_VALUE]
        address = found.address(symbol)
        printer = Printer(types, self.names, sys.maxsize if whole else 100)
        if is_place:
            kind = kind[1:].removeprefix("const ")
            address = ctypes.c_size_t.from_address(address).value
            if kind.startswith("("):
                self.give(Value(self._prototype(address), kind, types, 0))
                return True
            if not is_there(types, kind, address):
                return False
        self.give(Value(printer.show(kind, address), kind, types, address))
        return True

    def line_at(self, where: str) -> str:
        """Returns the line that a note of a crash names, and the values of the prompt's
        variables that it mentions."""
        place = _PLACE.match(where)
        lines = self.sources[place[1]].split("\n") if place and \
            place[1] in self.sources else []
        if not place or int(place[2]) > len(lines):
            return ""
        line = lines[int(place[2]) - 1].strip()
        shown = [f"{name} = {printed}" for name in dict.fromkeys(
            token for _, token, _ in Shape(line).tokens)
            if (printed := self._value_of(name, place[1])) is not None]
        return f"  {line}\n" + (f"  where {', '.join(shown)}\n" if shown else "")

    def _value_of(self, name: str, input_name: str) -> str | None:
        """Returns the value of a variable, unless the input may have one of its own of
        that name."""
        one = self.names.known.get(name)
        if one is None or not one.address or name not in one.owner._types.variables:
            return None
        declared = re.findall(
            rf"\b(?!(?:return|else|case|sizeof)\b)[A-Za-z_]\w*[\s*]+{name}\b|"
            rf",\s*\**{name}\s*[=;,\[]", self.sources[input_name])
        if len(declared) > (one.owner._made_of[1] == input_name):
            return None
        types = one.owner._types
        return Printer(types, self.names, 10).show(types.variables[name][2], one.address)

    def _prototype(self, address: int) -> str:
        for one in self.names.known.values():
            if one.address == address:
                text = one.text.removeprefix("extern ").rstrip("\n;")
                return re.sub(r"\((\w+)\)", r"\1", text, count=1)
        return f"a function at {address:#x}"

    def _run(self, found: Compiled) -> None:
        sys.stdout.flush()
        try:
            guarded(ctypes.CFUNCTYPE(None)(found.address(RUN)))
        finally:
            ctypes.CDLL(None).fflush(None)

    def _declare(self, found: Compiled) -> None:
        """Takes up what a text has declared."""
        self.names.namespace.setdefault("__builtins__", None)
        if not isinstance(self.names.namespace["__builtins__"], c_sharing.Builtins):
            self.names.namespace["__builtins__"] = c_sharing.Builtins(self.names)
        for *_, names, _, _ in found.declared("t"):
            print(f"`{names[0]}` is of each thread, and known to this input only",
                  file=sys.stderr)
        for kind, begin, end, names, symbol, text in found.declared("fvd"):
            source = found.text[begin:end].decode()
            if names[0].startswith("clinch_prompt_") or names == [""]:
                continue
            if kind == "d":
                if names == ["<using-directive>"]:
                    names = []
                one = Declaration(names, (text or source) + ";\n", self.names.next_order())
                one.owner = found.made
            else:
                text = text or source.partition("=")[0]
                how = "template <>" if SPECIALISES.match(source) else "extern"
                one = Declaration(names, f"{how} {text};\n", self.names.next_order())
                one.owner = found.made
                one.symbol = symbol or names[0]
                one.address = found.address(symbol) if symbol else \
                    ctypes.c_size_t.from_address(
                        found.address(f"clinch_prompt_at_{names[0]}")).value
            self.names.add(one, kind == "f" and config.language != "c")

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
                        self._brought[header] = of_header, diagnostics
                        self.names.include(header)
                elif again:
                    hidden |= again
                else:
                    raise InputError(diagnostics or error.diagnostics) from None

    def _ask(self, offer: Callable[[str, str], bool]) -> None:
        """Asks for each header that an input needs, once it compiles with them."""
        while self._brought:
            header, (name, diagnostics) = self._brought.popitem()
            if not offer(name, header):
                raise Declined(diagnostics)
            self._wanted.append(header)

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
        options = dict(
            language=config.language, tier=tier, cpu="", symbols=symbols,
            flags=(), keep=("declarations",), disk_cache=False, debug=config.debug,
            prefix="".join(f"#include {one}\n" for one in self.names.includes))
        whole = head + text + after
        made = CompiledText(_clinch.Text(whole, "<declarations>", options),
                            (whole, name, options))
        vars(made).update(_owners=owners, _guard=guarded)
        return Compiled(made, begin, len(head.encode()), whole)

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


def _initialised(statement: str, names: list[str]) -> str:
    """Returns what gives the variables of a declaration their values, one after another:
    each may use the address of those before it, and its own."""
    parts = Shape(statement.rstrip().removesuffix(";")).parts_at(",")
    made = ""
    for part, name in zip(parts, names):
        _, equals, value = part.partition("=")
        if equals:
            made += (f"{{ __typeof__({name}) clinch_prompt_new = {value}; __builtin_memcpy("
                     f"clinch_prompt_at_{name}, &clinch_prompt_new, sizeof {name}); }}")
    return made + "\n" * (statement.count("\n") - made.count("\n"))


def _c_linkage() -> str:
    return "" if config.language == "c" else 'extern "C" '


def _lacks_end(shape: Shape) -> bool:
    """Whether a declaration that ends with a brace needs a semicolon behind it."""
    words = [token for _, token, _ in shape.tokens]
    return shape.first in ("struct", "union", "enum", "class", "typedef") or \
        "=" in words[:words.index("{")] if "{" in words else False

"""Compiles and runs what is typed in C at the prompt."""

from __future__ import annotations

import ctypes
import re
import sys
from functools import partial

from .. import _clinch
from ..base.configuration import config
from ..errors import CompileError
from . import c_sharing
from .c_compiling import RUN, Compiled, Compiling, c_linkage
from .c_guard import Crash
from .c_mistakes import Declined, InputError, better, of_input
from .c_names import SPECIALISES, Declaration, Names
from .c_shape import Shape
from .c_values import Printer, Value, is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable, Iterable, Sequence
    from ..source.c_types import Types
    from .c_guard import Interrupted

    Run = Callable[[], None]

_VALUE, _AT, _ELSE = "clinch_prompt_value", "clinch_prompt_at", "clinch_prompt_else"
_PLACE = re.compile(r".* (?:in|from) (.+), line (\d+)$")
_OF_THREADS = {"_Thread_local", "thread_local", "__thread"}
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:include|define|undef|pragma)\b"
                        r"(?:\\\n|[^\n])*", re.MULTILINE)


class Inputs(Compiling):
    """The C of one prompt."""

    def __init__(self, session: Any) -> None:
        super().__init__(Names(session.namespace))
        self.session = session
        #: All texts: values may point into them.
        self.kept: list[Any] = []
        #: What was typed, and the files that were taken, for what crashes later.
        self.sources: dict[str, str] = {}
        #: Neither values nor included headers are shown.
        self.is_quiet = False
        #: What shows a value.
        self.give: Callable[[Value], None] = print
        #: Whether an `else` may follow: where the last `if` says that it was false.
        self.otherwise: ctypes.c_int | None = None
        #: Of each input that declared something: where its names begin, its texts.
        self.done: list[tuple[int, list[Any]]] = []

    def enter(self, text: str, name: str, whole: bool = False) -> None:
        """Compiles and runs an input; one with an error declares nothing."""
        mark = self.names.mark()
        kept: list[Any] = []
        includes = len(self.names.includes)
        self.brought, self.wanted = {}, []
        before, self.otherwise = self.otherwise, None
        self.sources[name] = text
        try:
            if before is not None and Shape(text).first == "else":
                run = self._else(text, name, kept, bool(before.value))
            else:
                run = self._all(self._parts(text), name, kept, whole)
            run()
        except BaseException as error:
            self.names.back_to(mark)
            for header in self.wanted:
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
            self._declarations(text, name, kept, False)()
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

    def _all(self, parts: Iterable[str], name: str, kept: list[Any], whole: bool) -> Run:
        """Compiles parts of an input, each with the names of those before it."""
        runs = [self._enter(part, name, kept, whole) for part in parts if part.strip()]

        def run() -> None:
            for one in runs:
                one()
        return run

    def _enter(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        """Compiles a text in the first form that Clang takes."""
        shape = Shape(text)
        if shape.is_directive():
            return self._direct(text, name)
        first: InputError | None = None
        for form in self._forms(shape):
            try:
                return form(text, name, kept, whole)
            except Declined:
                raise
            except InputError as error:
                first = better(first, error)
        assert first
        raise first

    def _forms(self, shape: Shape) -> Sequence[Callable[..., Run]]:
        """Returns what a text may be, the likeliest first."""
        is_cxx = config.language != "c"
        if not is_cxx and any(token == "::" for _, token, _ in shape.tokens):
            return [self._statements]  # Clang never ends over `typeof((::f()))` in C.
        if shape.declares() or is_cxx and shape.is_statement():
            forms = [self._declarations, self._statements]
            if is_cxx and shape.is_made_value():
                forms.insert(0, self._expression)
        elif shape.is_statement():
            forms = [self._statements, self._declarations]
            if shape.first == "if":
                forms.insert(0, self._if)
        elif shape.is_path():
            forms = [self._place, self._expression, self._statements]
        else:
            forms = [self._expression, self._statements]
            if shape.is_literal() and not is_cxx:
                forms[0] = self._literal
            if "{" in shape.text:
                # Outside of a function a literal's items would have to be constants.
                forms.insert(1, self._in_function)
        if not all(Shape(part).declares() for part in shape.inputs()):
            forms.append(self._one_by_one)
        return forms

    def _one_by_one(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        """Compiles declarations and statements that are no text of C together."""
        parts, mark = Shape(text).inputs(), self.names.mark()
        if len(parts) < 2:
            raise InputError([])
        try:
            return self._all(parts, name, kept, whole)
        except InputError:
            self.names.back_to(mark)
            raise

    def _direct(self, text: str, name: str) -> Run:
        mark = self.names.mark()
        self.names.direct(text)
        try:
            self.compile("", "", "", name)
        except InputError:
            self.names.back_to(mark)
            raise
        return _nothing

    def _declarations(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        shape = Shape(text)
        if shape.last != ";" and (shape.last != "}" or _lacks_end(shape)):
            text += ";"
        found = self.compile("", text, "", name, config.tier)
        statics = [names[0] for kind, *_, names, symbol, _ in found.declared("fv")
                   if not symbol and not names[0].startswith("clinch_prompt_")]
        if statics:
            addresses = "".join(f"\nvoid *clinch_prompt_at_{one} = (void *)&{one};"
                                for one in statics)
            found = self.compile("", text, addresses, name, config.tier)
        kept.append(found.made)
        self._declare(found)
        return partial(self._run, found)

    def _if(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        """Runs an `if` that has no `else`, and remembers whether one would run."""
        found = self.compile(f"int {_ELSE};\n{c_linkage()}void {RUN}(void) {{\n", text,
                              f"\nelse {_ELSE} = 1;}}", name)
        kept.append(found.made)

        def run() -> None:
            self._run(found)
            self.otherwise = ctypes.c_int.from_address(found.address(_ELSE))
        return run

    def _else(self, text: str, name: str, kept: list[Any], is_run: bool) -> Run:
        """Runs the `else` of the `if` before it, or only looks at it."""
        rest = text.replace("else", "    ", 1)
        if is_run:
            return self._enter(rest, name, kept, False)
        self.compile(f"void {RUN}(void) {{\n", rest, "\n;}", name)
        if Shape(rest).first == "if":
            self.otherwise = ctypes.c_int(0)
        return _nothing

    def _statements(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        found = self.compile(f"{c_linkage()}void {RUN}(void) {{\n", text, "\n;}", name)
        local = list(found.declared("l"))
        is_mixed = len(Shape(text).inputs()) > 1 and any(found.declared("k"))
        if Shape(text).declares() and not local or local and (
                is_mixed or config.language != "c"):
            raise InputError([])  # Nothing of it would be left.
        if local:
            head, places, made = _with_variables(found, local, text)
            found = self.compile(f"{head}void {RUN}(void) {{ {places}\n", made, "\n;}",
                                 name)
            self._declare(found)
        kept.append(found.made)
        return partial(self._run, found)

    def _place(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        before = (f"__typeof__((\n#line 1 \"{name}\"\n{text}\n)) *{_VALUE};\n"
                  f"{c_linkage()}void {RUN}(void) {{ {_VALUE} = &(\n")
        found = self.compile(before, text, "\n);}", name)
        kept.append(found.made)

        def run() -> None:
            self._run(found)
            types = found.made._types
            symbol, _, kind = types.variables[_VALUE]
            kind = kind[1:].removeprefix("const ")
            address = ctypes.c_size_t.from_address(found.address(symbol)).value
            if kind.startswith("("):
                if not self.is_quiet:
                    self.give(Value(self._prototype(address), kind, types, 0))
            elif is_there(types, kind, address):
                self._show(types, kind, address, whole)
            else:  # It crashes, and says so.
                self._expression(text, name, kept, whole)()
        return run

    def _literal(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        """A compound literal, which lives as long as its function runs, is copied."""
        before, after = f"{c_linkage()}void {RUN}(void) {{ ", f"\n), sizeof {_VALUE}); }}"
        found = self.compile(f"{before}__auto_type {_AT} = &(\n", text, "\n);}", name)
        (*_, declared), = found.declared("l")
        before = (f"{declared};\n__typeof__(*{_AT}) {_VALUE};\n{before}"
                  f"__builtin_memcpy(&{_VALUE}, &(\n")
        return self._shown(self.compile(before, text, after, name), kept, whole)

    def _in_function(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        """A value but no array, nor a pointer: what it points at may live no longer."""
        check = f"_Static_assert(__builtin_classify_type({_VALUE}) != 5, \"\");"
        if config.language != "c":
            before = (f"auto {_VALUE} = []() -> __typeof__((\n#line 1 \"{name}\"\n{text}\n"
                      f")) {{ return (\n")
            after = f'\n); }}();\n{check}\nextern "C" void {RUN}() {{}}'
            return self._shown(self.compile(before, text, after, name), kept, whole)
        before = f"void {RUN}(void) {{ "
        found = self.compile(f"{before}__auto_type {_VALUE} = (\n", text,
                             f"\n);{check}}}", name)
        (*_, declared), = found.declared("l")
        return self._shown(self.compile(
            f"{declared};\n{before}{_VALUE} = (\n", text, "\n);}", name), kept, whole)

    def _expression(self, text: str, name: str, kept: list[Any], whole: bool) -> Run:
        # The comma makes a pointer of an array.
        before = (f"__typeof__(((void)0,(\n#line 1 \"{name}\"\n{text}\n))) {_VALUE};\n"
                  f"void {RUN}(void) {{ {_VALUE} = (\n")
        after = "\n);}"
        if config.language != "c":
            before = f"auto {_VALUE} = (\n"
            after = f"\n);\nextern \"C\" void {RUN}() {{}}"
        return self._shown(self.compile(before, text, after, name), kept, whole)

    def _shown(self, found: Compiled, kept: list[Any], whole: bool) -> Run:
        """Returns what runs a text, and shows its value."""
        kept.append(found.made)

        def run() -> None:
            self._run(found)
            symbol, _, kind = found.made._types.variables[_VALUE]
            self._show(found.made._types, kind, found.address(symbol), whole)
        return run

    def _show(self, types: Types, kind: str, address: int, whole: bool) -> None:
        if not self.is_quiet:
            printer = Printer(types, self.names, sys.maxsize if whole else 100)
            self.give(Value(printer.show(kind, address), kind, types, address))

    def line_at(self, error: Crash | Interrupted) -> str:
        """Returns the line where C was left, and the functions that called it."""
        place = _PLACE.match(error.where)
        lines = self.sources[place[1]].split("\n") if place and \
            place[1] in self.sources else []
        if not place or int(place[2]) > len(lines):
            return ""
        text = f"  {lines[int(place[2]) - 1].strip()}\n"
        if error.number != Crash.count:
            return text  # The extension knows the frames of the last signal.
        total, found = _clinch.crash_frames()
        more = total - len(found)
        for name, file, line in found[1:2] if more else found[1:]:
            if name not in ("", RUN) and not name.startswith(("_GLOBAL__", "__cxx_global")):
                where = "" if file == place[1] else f"{file}, "
                text += f"  called by {name}, {where}line {line}\n"
        # Of an endless recursion not all are counted.
        end = " or more" if more > 9000 else " more"
        return text + (f"  ... {more + len(found) - 2}{end}\n" if more else "")

    def _prototype(self, address: int) -> str:
        for one in self.names.known.values():
            if one.address == address:
                text = one.text.removeprefix("extern ").rstrip("\n;")
                return re.sub(r"\((\w+)\)", r"\1", text, count=1)
        return f"a function at {address:#x}"

    @staticmethod
    def _run(found: Compiled) -> None:
        """Runs a text, which may print."""
        sys.stdout.flush()
        try:
            found.run()
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
        constants = {names[0]: text for *_, names, _, text in found.declared("c")}
        for kind, begin, end, names, symbol, text in found.declared("fvd"):
            source = found.text[begin:end].decode()
            if names[0].startswith("clinch_prompt_") or names == [""]:
                continue
            if kind == "d":
                if names == ["<using-directive>"]:
                    names = []
                one = Declaration(names, (text or source) + ";\n", self.names.next_order())
                one.owner = found.made
                one.place = (found.made._made_of[1],
                             found.text[found.start:begin].count(b"\n") + 1)
            else:
                text = text or source.partition("=")[0]
                constant = constants.get(names[0])
                how = "template <>" if SPECIALISES.match(source) else "extern"
                order = self.names.next_order()
                label = symbol or names[0]
                if kind == "f" and not symbol and config.language != "c":
                    # Its own symbol would have its parameters' types.
                    label = f"clinch_prompt_static_{order}"
                    text += f' __asm__("{label}")'
                one = Declaration(names, f"{constant or f'{how} {text}'};\n", order)
                one.owner, one.is_constant = found.made, constant is not None
                one.symbol = label
                one.address = found.address(symbol) if symbol else \
                    ctypes.c_size_t.from_address(
                        found.address(f"clinch_prompt_at_{names[0]}")).value
            self.names.add(one, kind == "f" and config.language != "c")


def _nothing() -> None:
    """Runs what only declares."""


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


def _lacks_end(shape: Shape) -> bool:
    """Whether a declaration that ends with a brace needs a semicolon behind it."""
    words = [token for _, token, _ in shape.tokens]
    return shape.first in ("struct", "union", "enum", "class", "typedef") or \
        "=" in words[:words.index("{")] if "{" in words else False


def _with_variables(found: Compiled, local: Any, text: str) -> tuple[str, str, str]:
    """Makes variables of statements those of the prompt: each declaration becomes
    blocks that copy its values. Returns the declarations, what must know
    their places, and the statements."""
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
    return head, places, made

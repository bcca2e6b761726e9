"""Compiles and runs what is typed in C at the prompt."""

from __future__ import annotations

import ctypes
import re
import sys

from ..configuration import config
from ..errors import CompileError
from . import c_mixed, c_save, c_sharing
from .c_compiling import RUN, Compiled, Compiling, c_linkage
from .c_frames import frames
from .c_guard import guarded, initialise
from .c_mistakes import Declined, InputError, better, of_input
from .c_names import SPECIALISES, Declaration, Names
from .c_shape import Shape
from .c_steps import Step
from .c_values import Printer, Value, is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any, Callable, Iterable
    from ..c_types import Types
    from .c_guard import Crash, Interrupted

_VALUE, _ELSE = "clinch_prompt_value", "clinch_prompt_else"
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
        #: What has run, for `:save`.
        self.steps: list[Step] = []
        self._mark = 0

    def enter(self, text: str, name: str, whole: bool = False) -> None:
        """Compiles and runs an input; one with an error declares nothing."""
        self._mark = mark = self.names.mark()
        kept: list[Any] = []
        includes, steps = len(self.names.includes), len(self.steps)
        self.brought, self.wanted = {}, []
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
            del self.steps[steps:]
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

    def _did(self, kind: str, text: str) -> None:
        """Remembers a step that has run."""
        if kind == "statement" and Shape(text).last not in (";", "}"):
            text += ";"
        self.steps.append(Step(kind, text, config.language, self.names,
                               self.names.since(self._mark)))
        self._mark = self.names.mark()

    def replay(self, text: str, name: str) -> None:
        """Does again what a saved session did."""
        self.sources[name] = text
        mark, steps = self.names.mark(), len(self.steps)
        kept: list[Any] = []
        self._mark = mark
        try:
            for header in c_save.headers_of(text):
                self.names.include(header)
            for kind, part in c_save.inputs_of(text):
                if kind == "statement":
                    self._statements(part, name, kept, False)
                elif Shape(part).is_directive():
                    self._direct(part, name)
                else:
                    self._declarations(part, name, kept, False)
        except BaseException:
            self.names.back_to(mark)
            del self.steps[steps:]
            raise
        finally:
            self.kept += kept
        self.done.append((mark, kept))

    def load(self, text: str, name: str) -> None:
        """Takes a C file: what it includes and defines holds afterwards, too."""
        if c_save.is_session(text):
            return self.replay(text, name)
        self.sources[name] = text
        self._mark = mark = self.names.mark()
        kept: list[Any] = []
        try:
            is_plain = not re.search(r"^\s*#\s*(if|el|endif)", text, re.MULTILINE)
            for one in _DIRECTIVE.findall(text) if is_plain else ():
                self.names.direct(one.strip())
                self._did("directive", one.strip())
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
        gone = {one.order for one in self.names.since(mark)}
        self.steps = [
            step for at, step in enumerate(self.steps)
            if not (step.is_idle and step.own and step.own <= gone) or any(
                step.own.intersection(other.meant.values()) for other in self.steps[at + 1:])]
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
            if config.language != "c":
                forms.append(self._mixed)
                if shape.is_made_value():
                    forms.insert(0, self._expression)
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
        if not self.names.includes or self.names.includes[-1] not in text:
            self._did("directive", text)

    def _declarations(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        shape = Shape(text)
        if shape.last != ";" and (shape.last != "}" or _lacks_end(shape)):
            text += ";"
        self._define(text, text, name, kept)
        self._did("declaration", text)

    def _mixed(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        for is_statement, part in c_mixed.compiled(
                text, lambda written: self._define(written, text, name, kept), name):
            self._did("statement" if is_statement else "declaration", part)

    def _define(self, text: str, typed: str, name: str, kept: list[Any]) -> None:
        """Compiles definitions that were `typed` so, and takes them up."""
        found = self.compile("", text, "", name, config.tier, typed)
        statics = [names[0] for kind, *_, names, symbol, _ in found.declared("fv")
                   if not symbol and not names[0].startswith("clinch_prompt_")]
        if statics:
            addresses = "".join(f"\nvoid *clinch_prompt_at_{one} = (void *)&{one};"
                                for one in statics)
            found = self.compile("", text, addresses, name, config.tier, typed)
        kept.append(found.made)
        self._call(initialise)
        self._declare(found)

    def _if(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        """Runs an `if` that has no `else`, and remembers whether one would run."""
        found = self.compile(f"int {_ELSE};\n{c_linkage()}void {RUN}(void) {{\n", text,
                              f"\nelse {_ELSE} = 1;}}", name)
        kept.append(found.made)
        self._run(found)
        self._did("statement", text)
        self.otherwise = ctypes.c_int.from_address(found.address(_ELSE))

    def _else(self, text: str, name: str, kept: list[Any], is_run: bool) -> None:
        """Runs the `else` of the `if` before it, or only looks at it."""
        rest = text.replace("else", "    ", 1)
        before = len(self.steps) - 1
        whole = f"{self.steps[before].text}\n{text}"
        if is_run:
            self._enter(rest, name, kept, False)
            del self.steps[before:]
            return self._did("statement", whole)
        self.compile(f"void {RUN}(void) {{\n", rest, "\n;}", name)
        if Shape(rest).first == "if":
            self.otherwise = ctypes.c_int(0)
        del self.steps[before:]
        return self._did("statement", whole)

    def _statements(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        found = self.compile(f"{c_linkage()}void {RUN}(void) {{\n", text, "\n;}", name)
        local = list(found.declared("l"))
        if Shape(text).declares() and not local or local and config.language != "c":
            raise InputError([])  # Nothing of it would be left.
        if local:
            head, places, made = _with_variables(found, local, text)
            found = self.compile(f"{head}void {RUN}(void) {{ {places}\n", made, "\n;}",
                                 name)
            text = f"{{ {places}\n{made}\n}}"
            self._declare(found)
            self._did("declaration", head)
        kept.append(found.made)
        self._run(found)
        self._did("statement", text)

    def _place(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        before = (f"__typeof__((\n#line 1 \"{name}\"\n{text}\n)) *{_VALUE};\n"
                  f"{c_linkage()}void {RUN}(void) {{ {_VALUE} = &(\n")
        found = self.compile(before, text, "\n);}", name)
        kept.append(found.made)
        self._run(found)
        types = found.made._types
        symbol, _, kind = types.variables[_VALUE]
        kind = kind[1:].removeprefix("const ")
        address = ctypes.c_size_t.from_address(found.address(symbol)).value
        if kind.startswith("("):
            if not self.is_quiet:
                self.give(Value(self._prototype(address), kind, types, 0))
            return None
        if not is_there(types, kind, address):
            return self._expression(text, name, kept, whole)  # It crashes, and says so.
        return self._show(types, kind, address, whole)

    def _expression(self, text: str, name: str, kept: list[Any], whole: bool) -> None:
        # The comma makes a pointer of an array.
        before = (f"__typeof__(((void)0,(\n#line 1 \"{name}\"\n{text}\n))) {_VALUE};\n"
                  f"void {RUN}(void) {{ {_VALUE} = (\n")
        after = "\n);}"
        if config.language != "c":
            before = f"auto {_VALUE} = (\n"
            after = f"\n);\nextern \"C\" void {RUN}() {{}}"
        found = self.compile(before, text, after, name)
        kept.append(found.made)
        self._run(found)
        self._did("statement", f"(void)({text.strip()});")
        symbol, _, kind = found.made._types.variables[_VALUE]
        self._show(found.made._types, kind, found.address(symbol), whole)

    def _show(self, types: Types, kind: str, address: int, whole: bool) -> None:
        if not self.is_quiet:
            printer = Printer(types, self.names, sys.maxsize if whole else 100)
            self.give(Value(printer.show(kind, address), kind, types, address))

    def line_at(self, error: Crash | Interrupted) -> str:
        """Returns the line where C was left, the values of the variables there and in
        what called it, and those of the prompt that it mentions."""
        place = _PLACE.match(error.where)
        lines = self.sources[place[1]].split("\n") if place and \
            place[1] in self.sources else []
        if not place or int(place[2]) > len(lines):
            return ""
        line = lines[int(place[2]) - 1].strip()
        found, more = frames(self, error)
        if not found:
            return f"  {line}\n"
        here, *outer = found
        for _, token, _ in Shape(line).tokens:
            if token not in here.names and (value := self._value_of(token)) is not None:
                here.values.setdefault(token, value)
        where = here.listed("  where ")
        text = f"  {line}\n{where}" + "\n" * bool(where)
        for frame in outer[:1] if more else outer:
            if frame.line and (frame.name != RUN or frame.values):
                text += frame.called(place[1])
        # Of an endless recursion not all are counted.
        end = " or more" if more > 9000 else " more"
        return text + (f"  ... {more + len(outer) - 1}{end}\n" if more else "")

    def _value_of(self, name: str) -> str | None:
        """Returns the value of a variable of the prompt."""
        one = self.names.known.get(name)
        if one is None or not one.address or name not in one.owner._types.variables:
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
        def both() -> None:
            initialise()
            guarded(ctypes.CFUNCTYPE(None)(found.address(RUN)))
        self._call(both)

    @staticmethod
    def _call(body: Callable[[], None]) -> None:
        """Calls what may print in C."""
        sys.stdout.flush()
        try:
            body()
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

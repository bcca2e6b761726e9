"""`:save`: a session of C as a file that any compiler takes and that does the same."""

from __future__ import annotations

import re

from ..errors import CompileError
from . import c_sharing
from .c_memory import quoted
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any, Iterable
    from .c_inputs import Inputs
    from .c_steps import Step

_HEAD = "// A session of Clinch; `:load` does again what its main does.\n"
_DECLARES, _RUNS, _ENDS = "\n// Declares:\n", "\n// Runs:\n", "\n// All in their order.\n"
_MARK = re.compile(r"^// (Declares|Runs):\n|^// All in their order\.\n", re.MULTILINE)


class NotSaved(Exception):
    """A session cannot be a file of its own; only the message is shown."""


class _File:
    """The text of a session, as far as it is written."""

    def __init__(self, inputs: Inputs) -> None:
        self.names = inputs.names
        self.current = {one.order for one in self.names.known.values()}
        self.steps = list(_needed(inputs, self.current))
        self.is_c = all(step.language == "c" for step in self.steps)
        if not self.is_c and any(step.language == "c" for step in self.steps):
            raise NotSaved("the session has inputs of C and of C++; one file is of one")
        self.words = {word for step in self.steps for word in Shape(step.text).words()}
        self.text = _HEAD
        self.macros: dict[str, str] = {}
        #: Python's values that are written: {name: [value]}.
        self.values: dict[str, list[Any]] = {}
        self.count = 0

    def name_of(self, name: str, step: Step) -> str:
        """Returns the name that a name of a step has in the file."""
        plain = name.removeprefix("struct ")
        order = step.meant.get(name)
        if order is None:
            return self._of_python(plain, step) if name in step.shared else plain
        if plain != "main" and order in self.current:
            return plain
        return self._free(plain, order)

    def _of_python(self, name: str, step: Step) -> str:
        versions = self.values.setdefault(name, [])
        value = step.shared[name]
        for at, known in enumerate(versions):
            if known is value:
                return self._free(name, at) if at else name
        versions.append(value)
        return self._free(name, len(versions) - 1) if len(versions) > 1 else name

    def _free(self, name: str, number: int) -> str:
        found = f"{name}_{number}"
        while found in self.words:
            found += "_"
        return found

    def write(self) -> str:
        """Returns the whole text."""
        if self.is_c and self.words & {"bool", "true", "false"}:
            self.text += "#include <stdbool.h>\n"
        self.text += "".join(f"#include {one}\n" for one in self.names.includes)
        for step in self.steps:
            text = step.written(step.text, self.name_of)
            self._share(step)
            self._define(step)
            if step.kind == "directive":
                self._direct(step, text)
            elif step.kind == "declaration":
                self.text += f"{_DECLARES}{text.strip()}\n"
            else:
                self._run(text)
        calls = "".join(f"  clinch_input_{number}();\n" for number in
                        range(1, self.count + 1)) if self.is_c else ""
        arguments = "void" if self.is_c else ""
        self.text += f"{_ENDS}int main({arguments}) {{\n{calls}  return 0;\n}}\n"
        return self.text

    def _run(self, text: str) -> None:
        self.count += 1
        name = f"clinch_input_{self.count}"
        self.text += _RUNS + (f"static void {name}(void) {{\n{text.strip()}\n}}\n"
                              if self.is_c else
                              f"static const int {name} = [] {{\n{text.strip()}\n"
                              "return 0; }();\n")

    def _direct(self, step: Step, text: str) -> None:
        if match := re.match(r"\s*#\s*define\s+(\w+)", text):
            text = f"#undef {match[1]}\n{text.strip()}"
            self.macros[match[1]] = text
        self.text += f"{_DECLARES}{text.strip()}\n"

    def _define(self, step: Step) -> None:
        """Writes macros again whose words mean something else in the step."""
        for name, given in step.macros.items():
            text = step.written(given, self.name_of).strip()
            if step.kind != "directive" and self.macros.get(name, text) != text:
                self.text += f"{_DECLARES}{text}\n"
            self.macros[name] = text

    def _share(self, step: Step) -> None:
        for name, value in step.shared.items():
            known = self._of_python(name, step)
            if f" {known}" not in self.words:
                self.words.add(f" {known}")
                self.text += _DECLARES + _value(known, value, self.is_c)


def _needed(inputs: Inputs, current: set[int]) -> Iterable[Step]:
    """Yields the steps without declarations that nothing uses any more."""
    used, found = set(current), []
    for step in reversed(inputs.steps):
        if step.is_idle and not used & step.own:
            continue
        used.update(step.meant.values())
        found.append(step)
    return reversed(found)


def _value(name: str, value: Any, is_c: bool) -> str:
    """Returns the definition of what C has seen of Python's."""
    if c_sharing.is_of_numpy(value, "generic"):
        value = value.item()
    if isinstance(value, str):
        return f"static const char {name}[] = {quoted(value.encode())};\n"
    if isinstance(value, bytes):
        return f"static const char {name}[] = {quoted(value)};\n"
    declared = c_sharing.declarations({name: value}, {name})[0]
    if c_sharing.is_of_numpy(value, "ndarray"):
        items = ", ".join(_item(one) for one in value.ravel().tolist())
        return declared.removeprefix("extern ").replace(";\n", f" = {{{items}}};\n")
    if is_c and isinstance(value, int) and -2**31 < value < 2**31:
        return f"enum {{ {name} = {int(value)} }};\n"
    return declared.replace("constexpr", "static const")


def _item(value: Any) -> str:
    if isinstance(value, complex):
        return f"{_item(value.real)} + {_item(value.imag)} * 1.0i"
    return c_sharing.number(value)[1]


def save(inputs: Inputs, path: str) -> None:
    """Writes the session to a file."""
    from ..compiled_text import compile_object
    file = _File(inputs)
    text = file.write()
    try:
        compile_object(text, path, language="c" if file.is_c else "c++")
    except CompileError as error:
        raise NotSaved(f"the session cannot be one file: {error}") from None
    with open(path, "w", encoding="utf-8") as opened:
        opened.write(text)


def is_session(text: str) -> bool:
    """Whether a text is what save() has written."""
    return text.startswith(_HEAD)


def inputs_of(text: str) -> Iterable[tuple[str, str]]:
    """Yields (kind, text) of the inputs of a session, at their lines."""
    marks = list(_MARK.finditer(text))
    for mark, following in zip(marks, marks[1:]):
        inner = text[mark.end():following.start()].rstrip("\n")
        lines = text[:mark.end()].count("\n")
        if mark[1] == "Runs":
            inner = "\n" + inner.partition("\n")[2].rpartition("\n")[0]
        elif inner.startswith("#undef"):
            inner = "\n" + inner.partition("\n")[2]
        yield "statement" if mark[1] == "Runs" else "declaration", "\n" * lines + inner


def headers_of(text: str) -> Iterable[str]:
    """Returns the headers that a session includes."""
    return re.findall(r"^#include (<[^>]+>)$", text.partition(_DECLARES)[0], re.MULTILINE)

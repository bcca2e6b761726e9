"""The colon commands: one table serves dispatch, `:help`, completion and
suggestions."""

from __future__ import annotations

import os
import re
import shlex
import sys

from ..base.configuration import config
from ..base.suggestions import did_you_mean
from . import c_commands, c_program
from . import emit as emitting
from . import stats as figures
from .batch import is_c_file
from .c_shape import Shape
from .options import NAMES, STAGES, UsageError, check_value, parse
from .timing import compare, time_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable, Sequence

    Body = Callable[[Any, str], None]

COMMANDS: dict[str, Command] = {}
_ALIASES = {"exit": "quit"}
#: Those that need no name of Python's.
_OF_C = {"undo", "c", "py", "auto", "type", "layout", "asm", "llvm", "print", "set", "help",
         "quit", "exit", "why"}
_HEAD = 26
_FILE = re.compile(r"\.\w+$")
_SETTINGS = ("tier", "language", "form", "linker", "colour")


class CommandError(Exception):
    """A mistake in a command; only its message is shown."""


class Command:
    """One command. `offers(session)` returns the words that may follow it, and
    `values(word)`, if any, those that may follow that word."""

    def __init__(self, name: str, arguments: str, help_text: str, body: Body,
                 offers: Callable[[Any], list[str]] | None,
                 values: Callable[[str], list[str]] | None) -> None:
        self.name = name
        self.arguments = arguments
        self.help = help_text
        self.body = body
        self.offers = offers
        self.values = values

    def words(self, session: Any, before: Sequence[str] = ()) -> list[str]:
        """Returns the completions after the command's name and the words
        `before`."""
        if before and self.values:
            return self.values(before[0]) if len(before) == 1 else []
        return self.offers(session) if self.offers else []


def command(name: str, arguments: str, help_text: str,
            offers: Callable[[Any], list[str]] | None = None,
            values: Callable[[str], list[str]] | None = None
            ) -> Callable[[Body], Body]:
    """Adds a function(session, rest of the line) to the table."""
    def register(body: Body) -> Body:
        COMMANDS[name] = Command(name, arguments, help_text, body, offers, values)
        return body
    return register


def run_command(session: Any, line: str) -> None:
    """Runs `:name rest`."""
    name, _, rest = line[1:].lstrip().partition(" ")
    found = COMMANDS.get(_ALIASES.get(name, name))
    if found is None:
        raise CommandError(f"there is no command `:{name}`"
                           + (did_you_mean(name, COMMANDS) if name else "")
                           + " (`:help` lists them)")
    if name not in _OF_C:
        session.fill()
    found.body(session, rest.strip())


def _names(session: Any) -> list[str]:
    return list(session.functions())


def _split(rest: str, name: str) -> list[str]:
    try:
        return shlex.split(rest)
    except ValueError as error:
        raise CommandError(f"`:{name}`: {error}") from None


def _function(session: Any, text: str, name: str) -> Any:
    """Returns the function that a command's argument names."""
    if not text:
        raise CommandError(f"`:{name}` needs a function: "
                           f":{name} {COMMANDS[name].arguments}")
    if text in session.functions():
        return session.functions()[text]
    try:
        value = eval(text, session.namespace)
    except SyntaxError:
        raise CommandError(f"`{text}` is no function: "
                           f":{name} {COMMANDS[name].arguments}") from None
    except NameError:
        functions = session.functions()
        hint = did_you_mean(text, functions) if functions else \
            "; none is bound to a name yet"
        raise CommandError(f"there is no function `{text}`{hint}") from None
    if not isinstance(value, session.package.Function):
        raise CommandError(f"`{text}` is a `{type(value).__name__}` and no "
                           "function; " + _how_to_name_one(session, text, name))
    return value


def _how_to_name_one(session: Any, text: str, name: str) -> str:
    called = text.partition("(")[0].strip()
    if called != text and called in session.functions():
        return f"leave the call away: :{name} {called}"
    return "`function(inputs, outputs)` makes one"


@command("help", "[COMMAND]", "say what the commands do",
         lambda session: list(COMMANDS))
def _help(session: Any, rest: str) -> None:
    name = rest.lstrip(":")
    if name and name not in COMMANDS:
        raise CommandError(f"there is no command `:{name}`"
                           + did_you_mean(name, COMMANDS))
    for entry in [COMMANDS[name]] if name else COMMANDS.values():
        head = f":{entry.name} {entry.arguments}".rstrip()
        if len(head) > _HEAD:
            print("  " + head)
            head = ""
        print(f"  {head:<{_HEAD}}  {entry.help}")


@command("emit", "STAGE[,STAGE] f [-o FILE] [--lines]",
         "show stages: " + ", ".join(STAGES),
         lambda session: [*STAGES, *_names(session), "--lines", "-o"])
def _emit(session: Any, rest: str) -> None:
    words = _split(rest, "emit")
    lines = "--lines" in words
    words = [w for w in words if w != "--lines"]
    for word in words:
        if word.startswith("--"):
            raise CommandError(f"`:emit` has no option `{word}`; there is `--lines`")
    output = None
    if "-o" in words[:-1]:
        at = words.index("-o")
        output = words[at + 1]
        del words[at:at + 2]
    if not words:
        raise CommandError("`:emit` needs a stage and a function: "
                           ":emit " + COMMANDS["emit"].arguments)
    if words[0] in session.functions():
        raise CommandError("`:emit` needs a stage first: "
                           f":emit labels {words[0]}")
    try:
        stages = check_value(NAMES["--emit"], ":emit", words[0])
    except UsageError as error:
        raise CommandError(error) from None
    name = " ".join(words[1:])
    function = _function(session, name, "emit")
    try:
        emitting.emit({name: function}, stages, output, lines, session.colour)
    except (OSError, ValueError) as error:
        raise CommandError(f"`:emit`: {error}") from None


@command("time", "EXPRESSION", "time a call or an expression: its distribution, and "
         "apart from it what the compile cost", _names)
def _time(session: Any, rest: str) -> None:
    if not rest:
        raise CommandError("`:time` needs a call: :time f(1.0, 2.0)")
    if rest in session.functions():
        names = ", ".join(v.name or "..."
                          for v in session.functions()[rest].inputs)
        raise CommandError(f"`:time` needs a call: :time {rest}({names})")
    time_call(session, rest)


@command("bench", "A, B", "time two expressions in turns", _names)
def _bench(session: Any, rest: str) -> None:
    first, *second = Shape(rest).parts_at(",")
    if len(second) != 1 or not first or not second[0]:
        raise CommandError("`:bench` needs two expressions: :bench f(1), g(1)")
    compare(session, (first, second[0]))


@command("edit", "", "change the last input in $EDITOR, and enter it again")
def _edit(session: Any, rest: str) -> None:
    from .editing import edit
    edit(session.reader)


@command("graph", "f [FILE.mmd|FILE.txt]", "draw the graph and its ladder of "
         "labels", _names)
def _graph(session: Any, rest: str) -> None:
    output = None
    words = _split(rest, "graph")
    if len(words) > 1 and _FILE.search(words[-1]):
        output = words.pop()
        rest = " ".join(words)
    function = _function(session, rest, "graph")
    from . import drawing
    if output is None:
        print(drawing.text(function), end="")
        return
    try:
        drawing.save(function, output)
    except (OSError, ValueError) as error:
        raise CommandError(f"`:graph`: {error}") from None


@command("load", "FILE [--function=NAME --inputs=TYPES --outputs=TYPES]",
         "run a script, take a C file, or make a function of an Op's C file",
         lambda session: os.listdir("."))
def _load(session: Any, rest: str) -> None:
    try:
        options: Any = parse(_split(rest, "load"))
    except UsageError as error:
        raise CommandError(f"`:load`: {error}") from None
    if not options.file:
        raise CommandError("`:load` needs a file: :load "
                           + COMMANDS["load"].arguments)
    try:
        if not is_c_file(options.file):
            with open(options.file, "rb") as file:
                text = file.read()
            exec(compile(text, options.file, "exec"), session.namespace)
            return
        if options.inputs is None and options.outputs is None and \
                not c_program.is_of_op(options.file):
            c_commands.load(session, options.file)
            return
        from .c_file import load
        name = load(session, options.file, options.function,
                    options.inputs, options.outputs)
    except OSError as error:
        raise CommandError(f"`{options.file}` cannot be read: "
                           f"{error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"`:load`: {error}") from None
    print(f"`{name}` is the function of {options.file}")


@command("stats", "[f] [json]", "say what functions cost: stages, sizes, cache",
         lambda session: [*_names(session), "json"])
def _stats(session: Any, rest: str) -> None:
    words = rest.split()
    as_json = bool(words) and words[-1] == "json"
    text = " ".join(words[:-1] if as_json else words)
    chosen = {text: _function(session, text, "stats")} if text else None
    sys.stdout.write(figures.report(session, as_json, chosen))


@command("cache", "[clear]", "say where compiled code is kept, or forget it",
         lambda session: ["clear"])
def _cache(session: Any, rest: str) -> None:
    if rest == "clear":
        print(f"{session.package.cache_clear()} bytes given back")
    elif rest:
        raise CommandError(f"`:cache` knows `clear`, not `{rest}`")
    else:
        for key, value in session.package.cache_info().items():
            print(f"  {key:<14} {value if value is not None else 'none'}")


def _values(setting: str) -> list[str]:
    return (list(NAMES["--" + setting].choices) if setting in _SETTINGS
            else [])


@command("set", "[NAME VALUE]", "set a default, or list them: "
         + ", ".join(_SETTINGS), lambda session: list(_SETTINGS), _values)
def _set(session: Any, rest: str) -> None:
    words = rest.replace("=", " ").split()
    if not words:
        for name in _SETTINGS[:-1]:
            print(f"  {name:<10} {getattr(config, name)}")
        print(f"  {'colour':<10} {session.when_colour}")
        return
    if words[0] not in _SETTINGS:
        raise CommandError(f"there is no setting `{words[0]}`"
                           + did_you_mean(words[0], _SETTINGS))
    option = NAMES["--" + words[0]]
    if len(words) != 2:
        raise CommandError(f"`:set {words[0]}` needs one of "
                           + ", ".join(option.choices))
    try:
        check_value(option, words[0], words[1])
    except UsageError as error:
        raise CommandError(error) from None
    if words[0] == "colour":
        session.when_colour = words[1]
    else:
        setattr(config, words[0], words[1])


def _mode_command(mode: str, help_text: str) -> None:
    def body(session: Any, rest: str) -> None:
        session.mode = mode
    command(mode, "", help_text)(body)


_mode_command("c", "take C only, until `:auto`")
_mode_command("py", "take Python only, until `:auto`")
_mode_command("auto", "take Python and C, each line as what it is")


@command("print", "EXPRESSION", "show a value of C whole")
def _print(session: Any, rest: str) -> None:
    if not rest:
        raise CommandError("`:print` needs an expression of C: :print a")
    session.c.enter(rest, "<print>", True)


def _about_c(name: str, arguments: str, help_text: str, body: Body) -> None:
    def checked(session: Any, rest: str) -> None:
        if not rest:
            raise CommandError(f"`:{name}` needs {arguments}: :{name} {arguments}")
        try:
            body(session, rest)
        except c_commands.NotOfC as error:
            raise CommandError(f"`:{name}`: {error}") from None
    command(name, arguments, help_text,
            lambda session: list(session.c.names.known))(checked)


_about_c("type", "EXPRESSION", "say the type of an expression of C", c_commands.type_of)
_about_c("layout", "TYPE", "say where the members of a struct of C lie",
         c_commands.layout)
_about_c("asm", "f", "show the assembly of a function of C",
         lambda session, name: c_commands.stage_of(session, name, "asm"))
_about_c("llvm", "f", "show the LLVM IR of a function of C",
         lambda session, name: c_commands.stage_of(session, name, "llvm-opt"))


_about_c("why", "f", "say what of a function of C was vectorised and inlined, and why not",
         c_commands.why)


@command("undo", "", "take back the last input that declared something in C")
def _undo(session: Any, rest: str) -> None:
    names = session.c.undo()
    if not names:
        raise CommandError("there is no input of C to take back")
    print(f"taken back: {', '.join(names)}")


@command("quit", "", "leave; so do `:exit` and Ctrl-D")
def _quit(session: Any, rest: str) -> None:
    raise SystemExit(0)

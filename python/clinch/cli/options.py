"""The options of the driver: one table for parsing, help and suggestions.

They are parsed by hand: argparse has no option with a value that may only be attached
(`--run=1.0` and `--run FILE`), and names no nearest value. `clinch check` uses argparse.
"""

from __future__ import annotations

from collections import namedtuple

from .. import _clinch
from ..base.class_methods import ASSEMBLED
from ..base.configuration import Config
from ..base.suggestions import did_you_mean, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Iterable

STAGES = (*ASSEMBLED, *_clinch.stages, "html")
#: Those of a file of CUDA, FILE.cu.
DEVICE_STAGES = ("ptx", "llvm-device")
TIERS, LANGUAGES, FORMS, LINKERS = (
    Config.choices[name] for name in ("tier", "language", "form", "linker"))

# `value`: None for a switch, "X" for a required value, "[=X]" for an optional
# one. `choices` are its allowed values; in a list, the value is split at commas.
Option = namedtuple("Option", "names value key choices help")

TABLE = (
    Option(("-c",), "CODE", "code", None, "run CODE instead of a file"),
    Option(("-i",), None, "interactive", None,
           "go to the prompt after FILE or CODE"),
    Option(("--emit",), "STAGES", "emit", [(*STAGES, *DEVICE_STAGES)],
           "show stages of functions, at commas: " + ", ".join(STAGES)
           + "; of FILE.cu: " + ", ".join(DEVICE_STAGES)),
    Option(("--device",), "DEVICE", "device", None,
           "of FILE.cu: the GPU, sm_90 unless given"),
    Option(("-o",), "FILE", "output", None,
           "write what --emit shows to FILE"),
    Option(("--lines",), None, "lines", None,
           "with asm and llvm-opt, show the C line each part comes from"),
    Option(("--function",), "NAME", "function", None,
           "the function to show or run; of an Op's C file, the C function"),
    Option(("--inputs",), "TYPES", "inputs", None,
           "an Op's C file: the types it takes, as in float64[:],double"),
    Option(("--outputs",), "TYPES", "outputs", None,
           "an Op's C file: the types it gives"),
    Option(("--run",), "[=ARGUMENTS]", "run", None,
           "call the function with ARGUMENTS, or with those after FILE"),
    Option(("--stats",), "[=json]", "stats", ["json"],
           "say what each function cost; json is one line, the last one"),
    Option(("--tier",), "TIER", "tier", TIERS,
           "how much to optimise: " + ", ".join(TIERS)),
    Option(("--language",), "LANGUAGE", "language", LANGUAGES,
           "of blocks that do not say: " + ", ".join(LANGUAGES)),
    Option(("--form",), "FORM", "form", FORMS,
           "of functions that do not say: " + ", ".join(FORMS)),
    Option(("--linker",), "LINKER", "linker", LINKERS,
           "one thunk, cut around Ops without C; one, or an error; "
           "one for each Op: "
           + ", ".join(LINKERS)),
    Option(("--debug",), None, "debug", None,
           "write sources for gdb and tell it and perf of the code"),
    Option(("--no-cache",), None, "no_cache", None,
           "neither read nor write the cache on disk"),
    Option(("--cache-dir",), "DIR", "cache_dir", None,
           "the cache on disk, instead of $CLINCH_CACHE_DIR"),
    Option(("--colour", "--color"), "WHEN", "colour",
           ("auto", "always", "never"), "colours: auto, always, never"),
    Option(("--version",), None, "version", None, "print the versions"),
    Option(("-h", "--help"), None, "help", None, "show this help"),
)
NAMES = {name: option for option in TABLE for name in option.names}


_HEAD = 28


class UsageError(Exception):
    """Options are invalid; the status is 2."""


class Options:
    """The options' values: None or False for one that was not given."""

    def __init__(self) -> None:
        for option in TABLE:
            setattr(self, option.key, None if option.value else False)
        self.code: str | None = None
        self.file: str | None = None
        self.arguments: list[str] = []


def parse(arguments: Iterable[str]) -> Options:
    """Parses options, FILE, then options and arguments; `--` ends options."""
    options, rest = Options(), list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            _positional(options, rest)
            break
        if _is_option(word):
            _take(options, word, rest)
        else:
            _positional(options, [word])
    _check(options)
    return options


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and not word[1].isdigit() \
        and word[1] != "."


def _positional(options: Options, words: Iterable[str]) -> None:
    words = list(words)
    if options.file is None and options.code is None and words:
        options.file = words.pop(0)
    options.arguments += words


def _take(options: Options, word: str, rest: list[str]) -> None:
    name, equals, value = word.partition("=")
    option = NAMES.get(name)
    if option is None:
        close = nearest(name, NAMES)
        hint = f"did you mean `{close}`?" if close else "see `clinch --help`"
        raise UsageError(f"there is no option `{name}`; {hint}")
    if not option.value:
        if equals:
            raise UsageError(f"`{name}` takes no value, and `{value}` was given")
        setattr(options, option.key, True)
        return
    if not equals:
        value = _next_value(option, name, rest)
    setattr(options, option.key, check_value(option, name, value))


def _next_value(option: Option, name: str, rest: list[str]) -> str:
    if option.value.startswith("["):
        return ""
    if not rest:
        raise UsageError(f"`{name}` needs a value: {name} {option.value}")
    return rest.pop(0)


def check_value(option: Option, name: str, value: str) -> Any:
    """Returns the value, split if it is a list; raises UsageError if invalid."""
    if option.choices is None or (not value and option.value[0] == "["):
        return value
    many = isinstance(option.choices[0], tuple)
    allowed = option.choices[0] if many else option.choices
    given = value.split(",") if many else [value]
    for word in given:
        if word not in allowed:
            raise UsageError(f"`{word}` is no value of `{name}`"
                             + did_you_mean(word, allowed))
    return given if many else value


def _check(options: Any) -> None:
    if options.code is not None and options.file is not None:
        # As with `python -c`, what follows CODE belongs to the code.
        options.arguments.insert(0, options.file)
        options.file = None
    given = options.code is not None or options.file is not None
    for key, name in (("emit", "--emit"), ("run", "--run"),
                      ("function", "--function"), ("inputs", "--inputs"),
                      ("outputs", "--outputs"), ("interactive", "-i"),
                      ("device", "--device")):
        if getattr(options, key) not in (None, False) and not given:
            raise UsageError(f"`{name}` needs a FILE or `-c CODE`")
    of_device = bool(options.file and options.file.endswith(".cu"))
    for stage in options.emit or ():
        if (stage in DEVICE_STAGES) != of_device:
            raise UsageError(f"`{stage}` is no stage of "
                             + (f"`{options.file}`: it has ptx and llvm-device"
                                if of_device else "this: it is of a FILE.cu"))
    if options.device is not None and not of_device:
        raise UsageError("`--device` is of a FILE.cu")
    if options.output is not None and options.emit is None:
        raise UsageError("`-o` needs `--emit`")
    if options.emit and "obj" in options.emit and len(options.emit) > 1:
        raise UsageError("`obj` is binary and stands alone: --emit=obj -o FILE")
    if options.emit and "html" in options.emit and len(options.emit) > 1:
        raise UsageError("`html` is a page of all stages and stands alone: "
                         "--emit=html -o FILE")


def usage() -> str:
    """Returns the text of --help."""
    lines = ["usage: clinch [options] [FILE [options] [--] [arguments]]",
             "",
             "With no FILE: a prompt; a session, if standard input is no "
             "terminal.",
             "FILE is a Python script with the package's names in scope, a "
             "program in C",
             "or an Op's C file.",
             "`clinch check PATH...` looks at blocks only: `clinch check "
             "--help`.",
             "`clinch cc` and `clinch c++` take the arguments of gcc and g++.",
             "`clinch install-compilers [FOLDER]` links both there as gcc and g++.",
             ""]
    for option in TABLE:
        head = ", ".join(name + _metavar(name, option.value)
                         for name in option.names)
        lines += _entry(head, option.help)
    return "\n".join(lines) + "\n"


def _entry(head: str, text: str) -> list[str]:
    """Formats the head and the text beside it in lines of up to 79 columns."""
    lines: list[str] = []
    room = 79 - _HEAD - 3
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < room:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return [f"  {head if i == 0 else '':<{_HEAD}} {line}"
            for i, line in enumerate(lines)]


def _metavar(name: str, value: str | None) -> str:
    if not value:
        return ""
    if value.startswith("["):
        return value
    return ("=" if name.startswith("--") else " ") + value

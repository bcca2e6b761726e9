"""What Clang says of an input in C, at the input's own lines; the headers it lacks."""

from __future__ import annotations

import re
import sys

from .. import _clinch
from ..base.suggestions import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Iterable

_HEADER = re.compile(r"include the header (<[^>]+>) or .* for '(\w+)'")
_UNKNOWN = re.compile(r"(?:undeclared identifier|unknown type name|undeclared "
                      r"(?:library )?function) '(\w+)'")
_RETURNS = "void function 'clinch_prompt_run' should not return a value"
_NO_DECLARATION = "a type specifier is required for all declarations"
_MISPLACED = "function definition is not allowed here"
#: Of names that Clang has no header for, or that are often meant by others.
HEADERS = {name: f"<{header}.h>" for header, names in {
    "assert": "assert", "complex": "complex I", "errno": "errno",
    "float": "DBL_MAX DBL_MIN DBL_EPSILON FLT_MAX FLT_EPSILON",
    "limits": "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN CHAR_BIT",
    "ctype": "isalpha isdigit isspace toupper tolower",
    "math": "sqrt sin cos tan exp log pow fabs floor ceil round M_PI M_E INFINITY NAN "
            "isnan isinf isfinite",
    "pthread": "pthread_t pthread_create pthread_join pthread_mutex_t",
    "signal": "signal raise SIGINT SIGTERM SIGSEGV",
    "stdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
              "intptr_t uintptr_t SIZE_MAX INT32_MAX INT64_MAX UINT32_MAX UINT64_MAX",
    "stddef": "NULL size_t ptrdiff_t offsetof",
    "stdio": "FILE stdin stdout stderr EOF printf scanf puts sprintf snprintf "
             "fprintf sscanf fopen fread fwrite fclose fgets fputs getchar putchar getline "
             "perror rewind fseek ftell fflush remove tmpfile",
    "stdlib": "malloc calloc realloc free exit abort abs qsort bsearch atoi atof atol "
              "strtol strtod strtoul rand srand getenv setenv system RAND_MAX "
              "EXIT_SUCCESS EXIT_FAILURE",
    "string": "strlen strcpy strncpy strcat strcmp strncmp strchr strrchr strstr strdup "
              "memcpy memmove memset memcmp strtok strsep memccpy",
    "time": "time clock difftime strftime localtime nanosleep clock_gettime time_t "
            "CLOCKS_PER_SEC CLOCK_MONOTONIC", "unistd": "sleep usleep getpid read write",
}.items() for name in names.split()}

_OF_STD = re.compile(r"no (?:member|template|type) named '(\w+)' in namespace 'std'|"
                     r"undeclared identifier 'std'")
#: Of the C++ library.
_HEADERS_OF_STD = {name: f"<{header}>" for header, names in {
    "iostream": "cout cin cerr endl", "string": "string to_string stoi stod getline",
    "vector": "vector", "map": "map multimap", "set": "set multiset", "array": "array",
    "list": "list", "deque": "deque", "queue": "queue priority_queue", "stack": "stack",
    "unordered_map": "unordered_map", "unordered_set": "unordered_set", "tuple": "tuple",
    "algorithm": "sort max min find count reverse copy fill transform for_each max_element "
                 "min_element lower_bound upper_bound", "utility": "pair move swap",
    "numeric": "accumulate iota gcd", "functional": "function", "optional": "optional",
    "memory": "unique_ptr shared_ptr make_unique make_shared", "thread": "thread",
    "cmath": "sqrt abs pow sin cos exp log", "string_view": "string_view",
    "initializer_list": "initializer_list", "stdexcept": "runtime_error invalid_argument",
}.items() for name in names.split()}


class InputError(Exception):
    """An input in C does not compile; `diagnostics` are at its lines."""

    def __init__(self, diagnostics: list[Any]) -> None:
        super().__init__()
        self.diagnostics = diagnostics

    def render(self, colour: bool = False) -> str:
        return _clinch.render("", self.diagnostics, colour).strip("\n") + "\n"

    def __str__(self) -> str:
        return self.render()

    def show_as_typed(self, name: str, text: str) -> None:
        """Puts what is said at the lines of the input as it was typed; where only an
        included header is wrong, at the directive."""
        found = of_input(self.diagnostics, name, text)
        if not found and text.lstrip().startswith("#"):
            found = [dict(one, origin=name, line=1, source_line=text, notes=[],
                          column=max(text.find("<"), text.find('"')) + 1)
                     for one in self.diagnostics[:1]]
        self.diagnostics = found or self.diagnostics

    def suggest(self, names: Iterable[str]) -> None:
        """Adds what a name that nobody knows may have meant, of `names` and of the C
        library, where Clang says nothing."""
        for one in self.diagnostics:
            unknown = _UNKNOWN.search(one["message"])
            if unknown and len(unknown[1]) > 2 and not re.search(
                    "type name|did you mean", one["message"]):
                close = nearest(unknown[1], {*names, *HEADERS} - {unknown[1]})
                one["message"] += f"; did you mean '{close}'?" if close else ""

    @property
    def is_suggesting(self) -> bool:
        return any("did you mean" in one["message"] for one in self.diagnostics)


class Declined(InputError):
    """The user does not want the header that an input needs."""


def missing_headers(diagnostics: list[Any], known: list[str]) -> dict[str, str]:
    """Returns the headers of what is unknown, if they are not included yet, and which
    name is of them."""
    found: dict[str, str] = {}
    for one in diagnostics:
        for note in one["notes"]:
            found |= dict(_HEADER.findall(note["message"]))
        unknown = _UNKNOWN.search(one["message"])
        if unknown and unknown[1] in HEADERS:
            found.setdefault(HEADERS[unknown[1]], unknown[1])
        if member := _OF_STD.search(one["message"]):
            typed = re.match(r"std\s*::\s*(\w+)", one["source_line"][one["column"] - 1:])
            name = member[1] or (typed[1] if typed else "")
            if name in _HEADERS_OF_STD:
                found.setdefault(_HEADERS_OF_STD[name], name)
    return {header: name for header, name in found.items() if header not in known}


def of_input(diagnostics: list[Any], name: str, text: str) -> list[Any]:
    """Returns those at the input's own lines, each once, with the line as typed."""
    lines, seen, found = text.split("\n"), set(), []
    for one in diagnostics:
        place = one["line"], one["column"], one["message"]
        if one["origin"] != name or place in seen or (
                one["severity"] == "warning" and one["line"] > len(lines)):
            continue
        seen.add(place)
        line = min(one["line"], len(lines))
        message = one["message"].replace(_RETURNS, "there is no function to return from")
        found.append(dict(one, line=line, message=message, source_line=lines[line - 1], column=min(
            one["column"] if line == one["line"] else sys.maxsize,
            len(lines[line - 1]) + 1), notes=[
                note for note in one["notes"] if note["origin"] == name]))
    return found


def better(first: InputError | None, second: InputError) -> InputError:
    """Returns the error of the form that Clang has understood further; the first if
    all it lacks is a name, or if it is of a function."""
    def reached(error: InputError) -> tuple[int, int]:
        one = error.diagnostics[0] if error.diagnostics else {"line": 0, "column": 0}
        return one["line"], one["column"]
    if first and any(_UNKNOWN.search(one["message"]) for one in first.diagnostics
                     if len(first.diagnostics) == 1):
        return first
    if first and any(_NO_DECLARATION in one["message"] for one in first.diagnostics):
        return second
    if first and any(_MISPLACED in one["message"] for one in second.diagnostics):
        return first
    return second if first is None or reached(second) > reached(first) else first

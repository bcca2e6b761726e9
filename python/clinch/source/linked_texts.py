"""Several texts that are one program."""

from __future__ import annotations

import os
import re
from threading import Thread

from .. import _clinch
from ..base.annotations import Any, Diagnostic, Iterable, Sequence
from .c_text import CompiledText
from .compiled_text import KNOWN, compile, object_of, settled
from ..errors import LinkError
from .text_warnings import warn_of_text

#: Options that the program has of all its texts.
_OF_ALL = ("objects", "libraries", "library_dirs")
#: Options that only one text can have.
_OF_ONE = ("name", "key", "trace")
_MISSING = r"(A symbol is|Symbols are) missing"


def link(texts: Iterable[str | tuple[str, dict[str, Any]]], *,
         threads: int | None = None, **options: Any) -> CompiledText:
    """Compiles several C or C++ sources, links them and returns one object, as `compile` does.

    The sources call each other's functions, and share inline variables and thread-local
    variables as the files of one program do.

    Parameters
    ----------
    texts : iterable of str or tuple
        The sources. A tuple is (source, {option: value}) with options for this source, and
        its `name`. By default the sources are called "text 1", "text 2" and so on.
    threads : int, optional
        How many threads compile the sources after the first, by default one for each
        processor.
    **options
        Options of `compile` for all sources that do not set them, except `name`, `key` and
        `trace`.

    Returns
    -------
    CompiledText
        The program. Its attributes are the functions, variables and types of all sources.
        Its stages, statistics and header describe the first source.

    Raises
    ------
    CompileError
        If a source has errors.
    LinkError
        If a symbol is missing or defined twice. The message shows the lines.
    TypeError
        If an item is not a source, or no option has that name.
    ValueError
        If there is no source.

    Examples
    --------
    >>> import clinch
    >>> program = clinch.link([
    ...     "int twice(int x) { return 2 * x; }",
    ...     "int twice(int x); int f(int x) { return twice(x) + 1; }",
    ... ])
    >>> program.f(20)
    41
    """
    if isinstance(texts, str):
        raise TypeError("link() needs a list of texts, not a text: `clinch.compile` takes one")
    given = [_one(number, text, options) for number, text in enumerate(texts, 1)]
    if not given:
        raise ValueError("link() needs a text at least")
    others = _objects(given[1:], threads)
    of_all: dict[str, Any] = {
        name: list(dict.fromkeys(item for one in given for item in one.get(name, ())))
        for name in _OF_ALL}
    of_all["objects"] = [*others, *of_all["objects"]]
    of_all["symbols"] = {name: address for one in given
                         for name, address in (one.get("symbols") or {}).items()}
    try:
        return compile(**{**given[0], **of_all})
    except LinkError as error:
        raise LinkError(error.message, _placed(error, given)) from None


def _one(number: int, text: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of compile() for a text."""
    own: Any = {}
    if isinstance(text, tuple) and len(text) == 2 and isinstance(text[1], dict):
        text, own = text
    if not isinstance(text, str):
        raise TypeError(f"link() needs texts, or tuples of a text and its options; text "
                        f"{number} is a {type(text).__name__}")
    for option in options:
        if option in _OF_ONE:
            raise TypeError(f"`{option}` is an option of one text: "
                            f"link([(text, {{{option!r}: ...}}), ...])")
    for option in (*options, *own):
        if option not in KNOWN and option != "name":
            raise TypeError(f"link() has no option {option!r}")
    return {"name": f"text {number}", **options, **own, "text": text}


def _objects(given: Sequence[dict[str, Any]], threads: int | None) -> list[bytes]:
    """Compiles texts at once; returns their machine code."""
    results: list[Any] = [None] * len(given)
    waiting = list(range(len(given)))

    def work() -> None:
        while True:
            try:
                number = waiting.pop(0)
            except IndexError:
                return
            try:
                results[number] = object_of(**given[number])
            except BaseException as error:
                results[number] = error

    workers = [Thread(target=work) for _ in
               range(min(threads or len(os.sched_getaffinity(0)), len(given)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
        warn_of_text(result[1])
    return [code for code, _ in results]


def _placed(error: LinkError, given: Sequence[dict[str, Any]]) -> list[Diagnostic]:
    """Returns what the error says, at the lines of all texts: where symbols that are
    missing are used, where one that two define is defined."""
    twice = re.search(r"both define `([^`]+)`", error.message)
    names = dict(re.findall(r"`([^`]+)` \(([^`]*)\)[,.]", error.message))
    missing = {name: names.get(name, name)
               for name in re.findall(r"`([^`]+)`", error.message)}
    found: list[Diagnostic] = []
    for one in given if twice or re.match(_MISSING, error.message) else ():
        text, name = one["text"], one["name"]
        options = settled({option: one[option] for option in KNOWN.keys() & one.keys()})
        _, lines, _, uses = _clinch.compile_object(
            text, name, {**options, "keep": ["declarations"], "disk_cache": False})
        if twice:
            found += _definitions(text, name, lines, twice[1])
        else:
            found += [{**use, "severity": "error", "message":
                       f"`{missing[use['message']]}` is used, and nothing defines it."}
                      for use in uses if use["message"] in missing]
    return found or error.diagnostics


def _definitions(text: str, name: str, lines: str, symbol: str) -> Iterable[Diagnostic]:
    """Yields where a text defines a function or a variable."""
    source = text.encode()
    for line in lines.splitlines():
        kind, begin, _, names, known, _ = line.split("\t")
        if kind in "fvt" and known and symbol.partition("(")[0] in (names, known):
            before = source[:int(begin)].decode().split("\n")
            row = len(before)
            yield {"severity": "error", "origin": name, "line": row,
                   "column": len(before[-1]) + 1,
                   "message": f"`{symbol}` is defined.",
                   "source_line": text.split("\n")[row - 1], "fixits": [], "notes": []}

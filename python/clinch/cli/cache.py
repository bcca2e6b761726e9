"""`clinch cache`: shows the disk cache, empties it, and carries it to another machine."""

from __future__ import annotations

import os
import sys

import clinch
from clinch import _clinch

from ..base.suggestions import did_you_mean
from . import cache_file
from .cache_file import Failure
from .options import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable

_SUFFIX = ".o.clinch"
_HELP = """usage: clinch cache COMMAND [--cache-dir=DIR]

  info           show the folder, and how many bytes its files take
  clear          delete all entries
  export FILE    write the entries to FILE
  import FILE    read the entries of FILE; all are checked before one is kept
"""


def main(arguments: list[str]) -> int:
    """Runs a command; returns the exit status."""
    words, folder = _split(list(arguments))
    if not words or words[0] in ("-h", "--help"):
        print(_HELP, end="")
        return 0
    name, *rest = words
    if name not in COMMANDS:
        raise UsageError(f"`cache` has no command `{name}`"
                         + (did_you_mean(name, COMMANDS) or "; see `clinch cache --help`"))
    command, takes = COMMANDS[name]
    if len(rest) != len(takes.split()):
        raise UsageError(f"usage: clinch cache {name} {takes}".rstrip())
    try:
        command(_open(folder), *rest)
    except Failure as error:
        print(f"clinch: {error}", file=sys.stderr)
        return 1
    return 0


def _split(words: list[str]) -> tuple[list[str], str | None]:
    """Returns the words, and the folder of --cache-dir."""
    rest: list[str] = []
    folder = None
    while words:
        word = words.pop(0)
        if word == "--cache-dir":
            if not words:
                raise UsageError("`--cache-dir` needs a value")
            folder = words.pop(0)
        elif word.startswith("--cache-dir="):
            folder = word.partition("=")[2]
        elif word.startswith("-") and word not in ("-h", "--help"):
            raise UsageError(f"`cache` has no option `{word}`; there is `--cache-dir=DIR`")
        else:
            rest.append(word)
    return rest, folder


def _open(folder: str | None) -> str:
    """Makes the folder this process's cache, and returns its path."""
    if folder:
        clinch.config.cache_dir = os.path.abspath(folder)
    found: str | None = clinch.cache_info()["dir"]
    if found is None:
        raise Failure("there is no cache on disk: its folder cannot be "
                      "made, or is not this user's alone")
    return found


def _keys(folder: str) -> list[str]:
    return sorted(name[:-len(_SUFFIX)] for name in os.listdir(folder)
                  if name.endswith(_SUFFIX))


def info(folder: str) -> None:
    sizes = {file.name: file.stat().st_size for file in os.scandir(folder)
             if file.is_file() and ".clinch" in file.name}
    entries = [size for name, size in sizes.items() if name.endswith(_SUFFIX)]
    print(f"folder     {folder}")
    print(f"entries    {len(entries)}, {_size(sum(entries))}")
    print(f"others     {len(sizes) - len(entries)}, "
          f"{_size(sum(sizes.values()) - sum(entries))} (precompiled headers, "
          f"files that are being written)")
    print(f"limit      {_size(clinch.config.cache_limit)}")


def clear(folder: str) -> None:
    print(f"freed {_size(clinch.cache_clear())}")


def export(folder: str, path: str) -> None:
    entries = [(key, _clinch.read_entry(folder, key)) for key in _keys(folder)]
    whole = [entry for entry in entries if entry[1] is not None]
    cache_file.write(path, whole, _clinch.code_origin(None))
    print(f"{len(whole)} entries in {path}, {_size(os.path.getsize(path))}")
    if len(whole) < len(entries):
        print(f"left out: {len(entries) - len(whole)} damaged")


def import_(folder: str, path: str) -> None:
    build, processor = _clinch.code_origin(None)
    entries, made_by, made_on = cache_file.read(path, _clinch.is_entry)
    if made_by != build:
        raise Failure(f"`{path}` was made by another build of Clinch, and none "
                      f"of it would be used here: that is {made_by}, this is "
                      f"{build}")
    if made_on != processor:
        print("made on another processor: what was compiled for that one alone "
              "is not used here", file=sys.stderr)
    known = set(_keys(folder))
    new = [entry for entry in entries if entry[0] not in known]
    for key, data in new:
        if not _clinch.add_entry(folder, key, data):
            raise Failure(f"`{folder}` cannot be written")
    print(f"{len(new)} entries imported, {len(entries) - len(new)} were there")


#: name: its function, the words that it takes.
COMMANDS: dict[str, tuple[Callable[..., Any], str]] = {
    "info": (info, ""), "clear": (clear, ""), "export": (export, "FILE"),
    "import": (import_, "FILE")}


def _size(count: float) -> str:
    for unit, bytes_ in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= bytes_:
            return f"{count / bytes_:.1f} {unit}"
    return f"{count} bytes"

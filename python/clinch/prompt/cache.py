"""`clinch cache`: inspects, prunes, exports and imports the disk cache."""

from __future__ import annotations

import os
import sys
import time

import clinch
from clinch import _clinch

from ..suggestions import did_you_mean
from . import cache_file
from .cache_file import Failure
from .options import UsageError
from .options import parse as parse_options
from .session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any

_SUFFIX = ".o.clinch"
_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def main(arguments: list[str]) -> int:
    """Runs a command; returns the exit status."""
    words, folder = _split(list(arguments))
    if not words or words[0] in ("-h", "--help"):
        print(usage(), end="")
        return 0
    name, *rest = words
    if name not in COMMANDS:
        raise UsageError(f"`cache` has no command `{name}`"
                         + (did_you_mean(name, COMMANDS)
                            or "; see `clinch cache --help`"))
    command, (least, most), _ = COMMANDS[name]
    if not least <= len(rest) <= most:
        raise UsageError(f"say `clinch cache {_synopsis(name)}`")
    try:
        return command(Cache(folder), *rest) or 0
    except Failure as error:
        print(f"clinch: {error}", file=sys.stderr)
        return 1


def _split(words: list[str]) -> Any:
    """Returns the words, and the folder of --cache-dir. The words after `warm
    FILE` belong to that file."""
    rest: list[str] = []
    folder = None
    while words:
        word = words.pop(0)
        if rest[:1] == ["warm"] and len(rest) > 1:
            rest.append(word)
        elif word.startswith("--cache-dir="):
            folder = word.partition("=")[2]
        elif word == "--cache-dir":
            if not words:
                raise UsageError("`--cache-dir` needs a value")
            folder = words.pop(0)
        elif word.startswith("-") and word not in ("-h", "--help"):
            raise UsageError(f"`cache` has no option `{word}`; there is "
                             f"`--cache-dir=DIR`")
        else:
            rest.append(word)
    return rest, folder


class Cache:
    """The files of a cache folder."""

    def __init__(self, folder: str) -> None:
        if folder:
            clinch.config.cache_dir = os.path.abspath(folder)
        self.folder = clinch.cache_info()["dir"]
        self.limit = clinch.config.cache_limit
        if self.folder is None:
            raise Failure("there is no cache on disk: its folder cannot be "
                          "made, or is not this user's alone")

    def files(self) -> Any:
        """Returns (name, bytes, used, abandoned), the most recently used first."""
        return sorted(_clinch.disk_files(self.folder),
                      key=lambda file: -file[2])

    def entries(self) -> Any:
        """Returns (key, bytes, used) of the entries."""
        return [(name[:-len(_SUFFIX)], size, used)
                for name, size, used, _ in self.files()
                if name.endswith(_SUFFIX)]

    def read(self, key: str) -> Any:
        """Returns an entry's bytes, or None if it is damaged."""
        return _clinch.read_entry(self.folder, key)

    def damaged(self) -> Any:
        """Returns the keys of damaged entries."""
        return [key for key, _, _ in self.entries() if self.read(key) is None]

    def remove(self, name: str) -> Any:
        return _clinch.remove_file(self.folder, name)


def info(cache: Cache) -> Any:
    """say where it is and how large"""
    files, entries = cache.files(), cache.entries()
    total = sum(size for _, size, _, _ in files)
    print(f"folder     {cache.folder}")
    print(f"entries    {len(entries)}, {_size(sum(e[1] for e in entries))}")
    print(f"others     {len(files) - len(entries)}, "
          f"{_size(total - sum(e[1] for e in entries))} (precompiled headers, "
          f"what is being written)")
    print(f"limit      {_size(cache.limit)}")


def list_entries(cache: Cache) -> Any:
    """list what is there, used last first"""
    for name, size, used, abandoned in cache.files():
        kind = ("code" if name.endswith(_SUFFIX) else
                "abandoned" if abandoned else
                "headers" if name.endswith(".pch.clinch") else "other")
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(used))
        print(f"{name.split('.')[0] or name}  {kind:<9} {size:>9}  {when}")


def verify(cache: Cache) -> Any:
    """read every entry; status 1 if one is damaged"""
    damaged = cache.damaged()
    for key in damaged:
        print(f"{key}  damaged")
    print(f"{len(cache.entries()) - len(damaged)} whole, "
          f"{len(damaged)} damaged")
    return 1 if damaged else 0


def prune(cache: Cache, size: Any = None) -> Any:
    """remove what is damaged or abandoned, and what was used longest ago until
    SIZE is left (100M; the limit, if none is given)"""
    limit = cache.limit if size is None else _parse_size(size)
    files = cache.files()  # Before entries are read, which marks them as used.
    gone = [key + _SUFFIX for key in cache.damaged()]
    gone += [name for name, _, _, abandoned in files if abandoned]
    kept = [f for f in files if f[0] not in gone]
    total = sum(file[1] for file in kept)
    while kept and total > limit:
        name, bytes_, _, _ = kept.pop()
        gone.append(name)
        total -= bytes_
    sizes = {name: bytes_ for name, bytes_, _, _ in files}
    removed = [name for name in gone if cache.remove(name)]
    print(f"removed {len(removed)}, {_size(sum(sizes[name] for name in removed))}; "
          f"{len(kept)} left, {_size(total)}")


def export(cache: Cache, path: str, *keys: str) -> Any:
    """write the entries, or those of the KEYs, to FILE"""
    known = {key for key, _, _ in cache.entries()}
    chosen = sorted(known)
    if keys:
        for key in keys:
            if not any(k.startswith(key) for k in known):
                raise Failure(f"there is no entry `{key}`")
        chosen = [k for k in chosen if k.startswith(tuple(keys))]
    entries = [(key, cache.read(key)) for key in chosen]
    whole = [entry for entry in entries if entry[1] is not None]
    cache_file.write(path, whole, _clinch.code_origin(None))
    print(f"{len(whole)} entries in {path}, {_size(os.path.getsize(path))}")
    if len(whole) < len(entries):
        print(f"left out: {len(entries) - len(whole)} damaged; "
              f"`clinch cache prune` removes them")


def import_(cache: Cache, path: str) -> Any:
    """read the entries of an exported FILE; all are checked before one is kept"""
    build, processor = _clinch.code_origin(None)
    entries, made_by, made_on = cache_file.read(path, _clinch.is_entry)
    if made_by != build:
        raise Failure(f"`{path}` was made by another build of Clinch, and none "
                      f"of it would be used here: that is {made_by}, this is "
                      f"{build}")
    if made_on != processor:
        print("made on another processor: what was compiled for that one alone "
              "is not used here", file=sys.stderr)
    known = {key for key, _, _ in cache.entries()}
    new = [entry for entry in entries if entry[0] not in known]
    for key, data in new:
        if not _clinch.add_entry(cache.folder, key, data):
            raise Failure(f"`{cache.folder}` cannot be written")
    print(f"{len(new)} entries imported, {len(entries) - len(new)} were there")


def warm(cache: Cache, path: str, *arguments: str) -> Any:
    """run FILE as Python does, so that what it compiles is kept"""
    options = parse_options([f"--cache-dir={cache.folder}", path, "--",
                             *arguments])
    session = Session(options)
    status = session.run(crash_notes=False)
    for function in session.functions().values():
        function.settle()
    found = clinch.cache_info()
    print(f"{found['compiles']} compiled, {found['disk_hits']} were there")
    return status


#: name: its function, how many words it takes, its synopsis.
_MANY = 1 << 30
COMMANDS: dict[str, tuple[Any, tuple[int, int], str]] = {
    "info": (info, (0, 0), ""),
    "list": (list_entries, (0, 0), ""),
    "verify": (verify, (0, 0), ""),
    "prune": (prune, (0, 1), "[SIZE]"),
    "export": (export, (1, _MANY), "FILE [KEY...]"),
    "import": (import_, (1, 1), "FILE"),
    "warm": (warm, (1, _MANY), "FILE [ARGUMENTS]"),
}


def _synopsis(name: str) -> str:
    words = COMMANDS[name][2]
    return f"{name} {words}" if words else name


def usage() -> str:
    """Returns the text of `clinch cache --help`, made of docstrings."""
    lines = ["usage: clinch cache COMMAND [--cache-dir=DIR]", ""]
    for name, (command, _, _) in COMMANDS.items():
        text = " ".join(command.__doc__.split())
        lines.append(f"  {_synopsis(name):<24} {text}")
    return "\n".join(lines) + "\n"


def _size(count: float) -> str:
    for unit, bytes_ in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= bytes_:
            return f"{count / bytes_:.1f} {unit}"
    return f"{count} bytes"


def _parse_size(text: str) -> int:
    number, unit = text.rstrip("KMG"), text[len(text.rstrip("KMG")):]
    if not number.isdigit() or unit not in _SIZES:
        raise UsageError(f"`{text}` is not a size; write 100M, for example")
    return int(number) * _SIZES[unit]

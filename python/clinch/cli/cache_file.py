"""Writes and reads the file of cache entries of `clinch cache export`.

It is a compressed tar archive: `origin.json` says which build and processor made
it, then comes a file per entry, with the checksum that it has in the cache.
"""

from __future__ import annotations

import io
import json
import os
import re
import tarfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Callable

    #: Entries, and the build and the processor that made them.
    Contents = tuple[list[tuple[str, bytes]], str, str]

_ORIGIN = "origin.json"
_VERSION = 1
_MEMBER = re.compile(r"([0-9a-f]{32})\.o\.clinch")
#: No entry is larger than a whole cache, so a larger file is refused.
_LARGEST = 512 << 20


class Failure(Exception):
    """Says why a command failed; the status is 1."""


def write(path: str, entries: list[tuple[str, bytes]], origin: tuple[str, str]) -> None:
    """Writes (key, bytes) entries of a (build, processor) origin."""
    build, processor = origin
    head = json.dumps({"version": _VERSION, "build": build,
                       "processor": processor, "entries": len(entries)})
    aside = f"{path}.{os.getpid()}.tmp"
    try:
        with tarfile.open(aside, "w:gz", compresslevel=6) as archive:
            _add(archive, _ORIGIN, head.encode())
            for key, data in entries:
                _add(archive, f"{key}.o.clinch", data)
        os.replace(aside, path)
    except OSError as error:
        if os.path.exists(aside):
            os.unlink(aside)
        raise Failure(f"`{path}` cannot be written: {error.strerror}") from None


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))


def read(path: str, is_entry: Callable[[str, bytes], bool]) -> Contents:
    """Returns (entries, build, processor); raises Failure if it is no export.

    Names in the archive are never used as paths.
    """
    try:
        with tarfile.open(path, "r:gz") as archive:
            return _read(archive, is_entry)
    except FileNotFoundError:
        raise Failure(f"there is no file `{path}`") from None
    except (tarfile.TarError, EOFError, OSError, ValueError, KeyError) as error:
        raise Failure(f"`{path}` is no export of a cache, or a damaged one: "
                      f"{error}") from None


def _read(archive: tarfile.TarFile,
          is_entry: Callable[[str, bytes], bool]) -> Contents:
    members = iter(archive)
    first = next(members, None)
    if first is None or first.name != _ORIGIN:
        raise ValueError(f"it does not begin with {_ORIGIN}")
    head = json.loads(_bytes(archive, first))
    if head["version"] != _VERSION:
        raise ValueError(f"its version is {head['version']}; this Clinch reads "
                         f"version {_VERSION}")
    entries = {}
    for member in members:
        match = _MEMBER.fullmatch(member.name)
        data = _bytes(archive, member) if match and member.isfile() else None
        if match is None or data is None or not is_entry(match[1], data):
            raise ValueError(f"`{member.name}` in it is not what it was when it "
                             f"was exported")
        entries[match[1]] = data
    if len(entries) != head["entries"]:
        raise ValueError(f"it has {len(entries)} entries, but declares "
                         f"{head['entries']}")
    return list(entries.items()), head["build"], head["processor"]


def _bytes(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    if member.size > _LARGEST:
        raise ValueError(f"`{member.name}` in it is too large")
    file = archive.extractfile(member)
    return file.read() if file else b""

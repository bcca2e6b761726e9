#!/usr/bin/env python3
"""Writes stub libraries: the C library, libm, libstdc++ and libgcc_s of an older system, as
far as a linker sees them.

    stubs.py FOLDER GLIBC GLIBCXX CXXABI GCC       for example 2.28 3.4.24 1.3.11 7.0.0

This system's own libraries keep every symbol of their ancestors, with its version. A stub
has the symbols up to a version, and no code. FOLDER/newer.txt lists the other symbols.
"""

import collections
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator, NamedTuple

COMPILER = os.environ.get("CC", "clang-22").split()
LIBRARIES = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
             "ld-linux-x86-64.so.2")
#: A line of readelf: size, type, index of the section, name, version.
LINE = re.compile(r"\s*\d+: [0-9a-f]+\s+(\S+) (\w+)\s+\w+\s+\w+\s+(?:\[.*\]\s+)?(\w+) "
                  r"([^@\s]+)@(@?)(\S+)")
WITHOUT_NUMBER = {"CXXABI_TM_1", "CXXABI_FLOAT128"}
#: Functions that glibc before 2.34 had in other libraries than libc.so.6.
DYNAMIC_LOADING = {"dlopen", "dlsym", "dladdr", "dladdr1", "dlclose", "dlerror", "dlvsym",
                   "dlinfo", "dlmopen"}
REAL_TIME = re.compile(r"(timer|aio|mq|shm|lio)_")
THREADS = re.compile(r"_*(pthread|sem)_")
SECTIONS = {"OBJECT": (".bss", "@object"), "TLS": ('.section .tbss,"awT",@nobits', "@tls_object")}


class Symbol(NamedTuple):
    """One version of a symbol."""

    name: str
    version: str
    type: str
    size: int
    is_default: bool


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def order(version: str) -> tuple[str, tuple[int, ...]]:
    """Sorts versions by name, then by number."""
    return re.sub(r"[0-9.]+$", "", version), numbers(version)


def symbols(path: str) -> Iterator[Symbol]:
    """Reads the symbols that a library defines."""
    table = subprocess.run(["readelf", "-W", "--dyn-syms", path], text=True,
                           capture_output=True, check=True).stdout
    for size, type_, section, name, default, version in map(
            re.Match.groups, filter(None, map(LINE.match, table.splitlines()))):
        if section not in ("UND", "ABS"):
            yield Symbol(name, version, type_, int(size, 0), bool(default))


def is_allowed(version: str, limits: dict[str, tuple[int, ...]]) -> bool:
    name, _, number = version.rpartition("_")
    if version in WITHOUT_NUMBER:
        return True
    return bool(re.fullmatch(r"[0-9.]+", number)) and numbers(number) <= limits.get(name, ())


def library_of(symbol: Symbol, versions: set[str]) -> str:
    """Returns the library that had a symbol of libc before glibc 2.34."""
    was_moved = any(numbers(v) >= (2, 32) for v in versions if v.startswith("GLIBC_2"))
    if symbol.name in DYNAMIC_LOADING:
        return "libdl.so.2"
    if was_moved and REAL_TIME.match(symbol.name):
        return "librt.so.1"
    if was_moved and THREADS.match(symbol.name):
        return "libpthread.so.0"
    return "libc.so.6"


def write_stub(path: Path, contents: list[Symbol]) -> None:
    """Links a library that defines the symbols."""
    versions = sorted({symbol.version for symbol in contents}, key=order)
    script = path.with_name(path.name + ".map")
    script.write_text("".join(f"{version} {{ {'' if number else 'local: *; '}}};\n"
                              for number, version in enumerate(versions)))
    lines = []
    for number, symbol in enumerate(contents):
        section, type_ = SECTIONS.get(symbol.type, (".text", "@function"))
        own, size = f"symbol{number}", max(symbol.size, 1)
        at = "@@" if symbol.is_default else "@"
        lines += [section, f".globl {own}", f".type {own}, {type_}", f".size {own}, {size}",
                  f"{own}: .zero {size}", f".symver {own}, {symbol.name}{at}{symbol.version}"]
    source = path.with_name(path.name + ".S")
    source.write_text("\n".join(lines) + "\n")
    subprocess.run([*COMPILER, "-shared", "-nostdlib", "-fuse-ld=lld",
                    "-B/usr/lib/llvm-22/bin", f"-Wl,-soname,{path.name}",
                    f"-Wl,--version-script={script}", source, "-o", path], check=True)
    script.unlink()
    source.unlink()


def installed(library: str) -> str:
    """Returns the path of a library of this system, as the compiler knows it."""
    return subprocess.run([*COMPILER, f"-print-file-name={library}"], text=True,
                          capture_output=True, check=True).stdout.strip()


def main(folder: Path, limits: dict[str, tuple[int, ...]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    newer = []
    for library in LIBRARIES:
        by_name = collections.defaultdict(list)
        for symbol in symbols(installed(library)):
            # libgcc_s has symbols without a default version for old programs alone.
            if symbol.is_default or library != "libgcc_s.so.1":
                by_name[symbol.name].append(symbol)
        stubs: dict[str, list[Symbol]] = collections.defaultdict(list)
        for name, all_versions in by_name.items():
            old = [s for s in all_versions if is_allowed(s.version, limits)]
            if not old:
                newer += [f"{library} {s.name} {s.version}\n" for s in all_versions[:1]]
                continue
            newest = max(old, key=lambda s: numbers(s.version))
            home = (library_of(newest, {s.version for s in all_versions})
                    if library == "libc.so.6" else library)
            stubs[home] += [s._replace(is_default=s is newest) for s in old]
        for soname, contents in stubs.items():
            write_stub(folder / soname, contents)
    (folder / "newer.txt").write_text("".join(sorted(newer)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), dict(zip(("GLIBC", "GLIBCXX", "CXXABI", "GCC"),
                                     map(numbers, sys.argv[2:6]), strict=True)))

"""Compiled text as a shared library on disk, which a process without Clinch loads."""

from __future__ import annotations

import glob
import os
import re
import threading

from .. import _clinch
from ..base.annotations import Any, Mapping, Sequence
from .c_header import header, no_header
from ..errors import LinkError

#: What every processor of the kind has: a file travels.
BASELINE = "x86-64"
_SYSTEM = ("/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
           "/lib64", "/usr/lib64", "/lib", "/usr/lib")
#: The libraries of C and C++; of those that are not used the file names none.
_RUNTIME = ("libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2", "libstdc++.so.6",
            "libgcc_s.so.1", "libatomic.so.1")
_UNDEFINED = re.compile(r"^ld: warning: undefined symbol: (\S+)", re.MULTILINE)
_OF_PYTHON = re.compile(r"_?Py[A-Z_]")


def processor_of(options: Any) -> str:
    """Returns the processor that a saved file is for; a flag may name it."""
    named = [flag.partition("=")[2] for flag in options["flags"]
             if flag.startswith(("-march=", "-mcpu="))]
    return options["cpu"] or (named[-1] if named else BASELINE)


def save(made_of: tuple[Any, ...], path: str, with_header: bool,
         functions: Mapping[str, str], types: str) -> None:
    """Writes the library, and its header beside it. Both are there whole, or
    neither."""
    beside = os.path.splitext(path)[0] + ".h"
    if with_header and beside == path:
        raise ValueError(f"`{path}` would be the library and its header")
    text, name, options = made_of
    _check(options)
    cpu = processor_of(options)
    known = any(flag.startswith(("-march=", "-mcpu=")) for flag in options["flags"])
    settled: dict[str, Any] = {**options, "cpu": "" if known else cpu, "keep": ["declarations"],
               "disk_cache": False, "saved": True,
               # What is linked in was made for this process.
               "flags": [*(["-femulated-tls"] if options["objects"] else []),
                         *options["flags"]]}
    code, lines, _, uses = _clinch.compile_object(text, name, settled)
    file = os.path.basename(path)
    described = ""
    if with_header:
        about = (f"{file}, made by Clinch of {name!r}: code for {cpu}, "
                 f"tier {options['tier']}")
        _check_threads(lines, settled["flags"])
        described = header(about, os.path.basename(beside), text, options, lines, functions,
                           types)
    import tempfile  # It and subprocess take 5 ms, and few texts are saved.

    with tempfile.TemporaryDirectory(prefix="clinch-") as folder:
        made = os.path.join(folder, file)
        _link([code, *options["objects"]], made, folder, options, uses)
        with open(made, "rb") as opened:
            put({path: opened.read(),
                  **({beside: described.encode()} if with_header else {})})


def _check(options: Any) -> None:
    if options["symbols"]:
        raise ValueError("a text that was linked with addresses of this process "
                         f"(symbols={sorted(options['symbols'])}) cannot be saved")


def _check_threads(lines: str, flags: Sequence[str]) -> None:
    """Refuses variables of each thread that are emulated, as code for this process has
    them."""
    models = [flag for flag in flags if flag.endswith("emulated-tls")]
    names = [line.split("\t")[3] for line in lines.splitlines()
             if line.startswith("t\t") and line.split("\t")[4]]
    if names and models and models[-1] == "-femulated-tls":
        raise no_header(f"`{names[0]}` is of each thread, which no other compiler finds in code "
                       "for a process; leave out header=, -femulated-tls or objects=")


def _library(name: str, folders: Sequence[str]) -> str:
    """Returns what names the file of a library to the linker: a file without a soname is
    needed by its own name, and not by its folder's. Without a compiler's packages there
    is no file but that with its version."""
    if "/" in name:
        return name
    stem = name[1:] if name.startswith(":") else f"lib{name}.so"
    for folder in (*folders, *_SYSTEM):
        place = os.path.join(folder, stem)
        versions = sorted(glob.glob(glob.escape(place) + ".*[0-9]"), key=len)
        for found in (place, *versions[:1], os.path.join(folder, f"lib{name}.a")):
            if os.path.exists(found):
                return f"-l:{os.path.basename(found)}"
    raise LinkError(f"A library is missing: `{name}`: expected `{stem}` in "
                    + ", ".join(f"`{folder}`" for folder in (*folders, *_SYSTEM)) + ".")


def _link(objects: Sequence[bytes], made: str, folder: str, options: Any,
          uses: Any) -> None:
    words = ["-shared", "-m", "elf_x86_64", "--hash-style=gnu", "--build-id",
             "--eh-frame-hdr", "-z", "defs", "-z", "relro", "-z", "now", "--no-demangle",
             "--error-limit=0", "--warn-unresolved-symbols", "--as-needed",
             # A function of the text is the one that the text calls, whatever else
             # the process has of that name.
             "-Bsymbolic-non-weak-functions", "-soname", os.path.basename(made), "-o", made,
             "crtbeginS.o"]
    for number, code in enumerate(objects):
        words.append(os.path.join(folder, f"{number}.o"))
        with open(words[-1], "wb") as opened:
            opened.write(code)
    words += [f"-L{place}" for place in (*options["library_dirs"], *_SYSTEM)]
    words += [_library(name, options["library_dirs"]) for name in options["libraries"]]
    for runtime in _RUNTIME:
        places = (os.path.join(place, runtime) for place in _SYSTEM)
        words += [next(filter(os.path.exists, places), "")]
    import subprocess

    program, library = _clinch.engine()
    ran = subprocess.run([program, library, "ld", *filter(None, words)],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         check=False)
    if ran.returncode:
        said = ran.stderr.replace(folder + os.sep, "").strip()
        raise LinkError("The library cannot be linked: " +
                        (said or f"the linker ended with status {ran.returncode}"))
    missing = {symbol for symbol in _UNDEFINED.findall(ran.stderr)
               if not (options["python"] and _OF_PYTHON.match(symbol))}
    if missing:
        raise _missing(missing, uses)


def _missing(symbols: set[str], uses: Any) -> LinkError:
    """An error that names the symbols, and the lines that use them."""
    named = ", ".join(f"`{one}`" for one in sorted(symbols))
    hint = ("; code with OpenMP needs libraries=[\"omp\"]"
            if any(one.startswith("__kmpc_") for one in symbols) else "")
    return LinkError(
        f"Symbols are missing: expected the text or a named library to define {named}"
        f"{hint}.",
        [{**use, "severity": "error",
          "message": f"`{use['message']}` is used, and nothing defines it."}
         for use in uses if use["message"] in symbols])


def put(files: dict[str, bytes]) -> None:
    """Writes files aside and renames them when all are whole."""
    aside = {path: f"{path}.{os.getpid()}.{threading.get_ident()}.tmp" for path in files}
    try:
        for path, bytes_ in files.items():
            mode = 0o777 if bytes_.startswith(b"\x7fELF") else 0o666
            number = os.open(aside[path], os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with open(number, "wb") as opened:
                opened.write(bytes_)
        for path, temporary in aside.items():
            os.replace(temporary, path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, error.filename
                          if error.filename not in aside.values() else
                          os.fspath(next(iter(files)))) from None
    finally:
        for temporary in aside.values():
            if os.path.exists(temporary):
                os.unlink(temporary)

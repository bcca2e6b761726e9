"""`clinch FILE.c`: a program in C, from its `main`; a text of C of the command line."""

from __future__ import annotations

import ctypes
import os
import re
import signal

from . import c_choice as choice
from . import emit
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Language, Sequence

_SECTION = re.compile(r"^\s*#\s*section\b", re.MULTILINE)


def read_text(path: str) -> str:
    """Returns the text of a C file, without the line that names its interpreter."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return re.sub(r"\A#![^\n]*", "", text)


def is_of_op(path: str) -> bool:
    """Whether a C file has the sections of an Op."""
    return bool(_SECTION.search(read_text(path)))


def is_program(path: str) -> bool:
    """Whether a C file has a `main`, and is not of an Op."""
    words = [token for _, token, _ in Shape(read_text(path)).tokens]
    return ("main", "(") in zip(words, words[1:]) and not is_of_op(path)


def compiled(path: str, keep: Sequence[str] = ()) -> Any:
    """Compiles a program; quoted headers are looked for beside it."""
    from ..source import compiled_text
    language: Language = "c" if path.endswith((".c", ".h")) else "c++"
    return compiled_text.compile(read_text(path), path, language=language, keep=keep,
                    include_dirs=[os.path.dirname(os.path.abspath(path))])


def run(path: str, arguments: Sequence[str]) -> int:
    """Runs a program and returns its exit status. Ctrl-C goes to the program."""
    given = [os.fsencode(one) for one in (path, *arguments)]
    text = compiled(path)
    address = text.lookup("main")
    if address is None:
        raise ValueError(f"`{path}` has no `main` to run: what it calls `main` is static, or "
                         "no function of its own")
    main = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(address)
    for number in (signal.SIGINT, signal.SIGPIPE):  # Python takes both.
        signal.signal(number, signal.SIG_DFL)
    status = main(len(given), (ctypes.c_char_p * (len(given) + 1))(*given))
    ctypes.CDLL(None).fflush(None)
    return status & 0xFF


def show(options: Any, colour: bool) -> None:
    """Writes the stages that `--emit` names of FILE or CODE."""
    from ..source import compiled_text
    keep = [stage for stage in options.emit if stage != "c"]
    if options.file:
        source, text = read_text(options.file), compiled(options.file, keep)
    else:
        source = options.code
        text = compiled_text.compile(source, "<command line>", keep=keep)
    emit.write([("", stage, source if stage == "c" else text.stage(stage))
                for stage in options.emit], options.output, colour)


def show_kernels(options: Any, colour: bool) -> None:
    """Writes the stages that `--emit` names of a file of CUDA, or lists its kernels."""
    from .. import cuda
    stages = options.emit or []
    code: Any = cuda.compile(read_text(options.file), options.file,
                             device=options.device or "sm_90",
                             include_dirs=[os.path.dirname(os.path.abspath(options.file))],
                             keep=[one for one in stages if one != "ptx"])
    for symbol in code.kernels if not stages else ():
        print(f"{symbol}: {code.signatures[symbol]}")
    emit.write([("", stage, code.stage(stage)) for stage in stages], options.output,
               colour)


def is_of_c(session: Any, text: str) -> bool:
    """Whether a text of the command line is C: Python does not take it or knows none of
    its names."""
    if Shape(text).is_directive():
        return True
    try:
        compile(text, "<command line>", "exec")
    except (SyntaxError, ValueError):
        return Shape(text).looks_like_c()
    return choice.is_of_c(text, session)

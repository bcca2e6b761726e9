"""`clinch FILE` and `clinch -c CODE`."""

from __future__ import annotations

import os
import sys

from ..base.suggestions import did_you_mean
from . import c_program, emit, stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable, Iterable

_C_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h")


def is_c_file(path: str | None) -> bool:
    """Whether FILE is an Op's C file and not a script."""
    return path is not None and path.endswith(_C_SUFFIXES)


def run(session: Any) -> int:
    """Runs the given code and what the options ask for; returns the exit status."""
    options = session.options
    if not (_run_code(session) and _after(session)):
        return 1
    if options.stats is not None:
        sys.stdout.write(stats.report(session, options.stats == "json"))
    return 0


def _run_code(session: Any) -> bool:
    options = session.options
    if options.code is not None:
        sys.argv = ["-c"] + options.arguments
        sys.path.insert(0, "")
        if c_program.is_of_c(session, options.code):
            return _run_c(session)
        return execute(session, options.code, "<command line>")
    try:
        with open(options.file, "rb"):
            pass
    except OSError as error:
        print(f"clinch: `{options.file}` cannot be read: {error.strerror}",
              file=sys.stderr)
        return False
    if options.file.endswith(".cu"):
        return guarded(session, lambda: _show_kernels(session))
    if is_c_file(options.file) and options.inputs is None \
            and (c_program.is_program(options.file)
                 or options.emit and not c_program.is_of_op(options.file)):
        return guarded(session, lambda: _run_program(options, session))
    if is_c_file(options.file):
        if options.inputs is None and options.outputs is None \
                and not c_program.is_of_op(options.file):
            print(f"clinch: `{options.file}` has no `main` to run. At the prompt "
                  f"`:load {options.file}` takes what it defines, and `clinch --emit=asm "
                  f"{options.file}` shows it. An Op's C file has `#section` lines.",
                  file=sys.stderr)
            return False
        from .c_file import load
        return guarded(session, lambda: load(
            session, options.file, options.function, options.inputs,
            options.outputs))
    return run_script(session, options.file, options.arguments)


def _run_c(session: Any) -> bool:
    """Runs a text of C, or shows its stages; returns whether that went well."""
    if session.options.emit:
        return guarded(session, lambda: _show_stages(session))
    return session.console().run_text(session.options.code)


def _show_stages(session: Any) -> None:
    c_program.show(session.options, session.colour)
    raise SystemExit(0)


def _show_kernels(session: Any) -> None:
    c_program.show_kernels(session.options, session.colour)
    raise SystemExit(0)


def _run_program(options: Any, session: Any) -> None:
    """Runs a program in C, or shows its stages; leaves with its status."""
    if options.emit:
        _show_stages(session)
    raise SystemExit(c_program.run(options.file, options.arguments))


def run_script(session: Any, path: str, arguments: Iterable[str] = ()) -> bool:
    """Runs a Python script in the session's namespace; returns whether it
    succeeded."""
    with open(path, "rb") as file:
        text = file.read()
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    session.namespace["__file__"] = path
    return execute(session, text, path)


def execute(session: Any, text: str | bytes, name: str) -> bool:
    """Runs Python text; returns whether it succeeded."""
    def body() -> None:
        session.fill()
        exec(compile(text, name, "exec"), session.namespace)
    return guarded(session, body)


def guarded(session: Any, body: Callable[[], Any]) -> bool:
    """Calls `body` and returns whether it succeeded. Shows an error, and with
    `--emit=c` the C text that caused it."""
    try:
        body()
        return True
    except (SystemExit, KeyboardInterrupt, BrokenPipeError):
        raise
    except BaseException as error:  # pylint: disable=broad-except
        _emit_failed_text(session, error)
        session.show(error)
        return False


def _emit_failed_text(session: Any, error: BaseException) -> None:
    """Writes the C text of a function that does not compile."""
    text = getattr(error, "source", None)
    if text and session.options.emit and "c" in session.options.emit:
        emit.write([("", "c", text)], session.options.output, session.colour)


def _after(session: Any) -> bool:
    """Does --emit and --run after the code has run; returns whether they
    succeeded."""
    options = session.options
    if not options.emit and options.run is None:
        return True
    chosen = _chosen(session)
    if chosen is None:
        return False
    return guarded(session, lambda: _emit_and_run(session, chosen))


def _emit_and_run(session: Any, chosen: Any) -> None:
    options = session.options
    if options.emit:
        emit.emit(chosen, options.emit, output=options.output,
                  lines=options.lines, colour=session.colour)
    if options.run is not None:
        call(session, chosen, options.run or ", ".join(options.arguments))


def call(session: Any, chosen: Any, arguments: str) -> None:
    """Calls each function with the arguments and prints what it returns."""
    import numpy
    names = dict(session.namespace, np=numpy, numpy=numpy,
                 array=numpy.array)
    values = eval(compile(f"({arguments},)" if arguments else "()",
                          "<arguments>", "eval"), names)
    for function in chosen.values():
        print(repr(function(*_as_arrays(numpy, values, function.inputs))))


def _as_arrays(numpy: Any, values: Any, inputs: Any) -> list[Any]:
    """Turns lists, which are easy to type in a shell, into arrays if the input is
    an array."""
    types = [variable.type for variable in inputs]
    types += [None] * (len(values) - len(types))
    return [numpy.asarray(value, dtype=kind.dtype)
            if isinstance(value, list) and hasattr(kind, "ndim") else value
            for value, kind in zip(values, types)]


def _chosen(session: Any) -> dict[str, Any] | None:
    """Returns the functions for --emit and --run, or None after a message."""
    functions = session.functions()
    name = session.options.function
    if name and not is_c_file(session.options.file):
        if name in functions:
            return {name: functions[name]}
        print(f"clinch: there is no function `{name}`"
              + (did_you_mean(name, functions) if functions else
                 "; the code makes none"), file=sys.stderr)
        return None
    if not functions:
        print("clinch: the code makes no function to show or run; bind the "
              "result of `function(...)` to a name", file=sys.stderr)
        return None
    return functions

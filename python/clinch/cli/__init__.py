"""The driver: `clinch`, and `python -m clinch`.

`main` takes the arguments after the program's name and returns the exit status:
0, 1 if the given code failed, 2 for invalid options.
"""

from __future__ import annotations

import os
import sys

from . import compilers
from .options import UsageError, parse, usage
from .report import show
from .session import Session
from .version import describe_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any


def main(arguments: list[str]) -> int:
    """Runs the driver; see `clinch --help`."""
    try:
        return _run(arguments)
    except UsageError as error:
        print(f"clinch: {error}", file=sys.stderr)
        return 2
    except SystemExit as leaving:
        return _exit_status(leaving)
    except KeyboardInterrupt as error:
        show(error)
        return 130
    except BrokenPipeError as error:
        return _closed_pipe(error)


def command() -> None:
    """The entry point of the program `clinch`."""
    sys.exit(main(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    command, rest = (arguments or [""])[0], arguments[1:]
    # To run a FILE of such a name, write `./cache`.
    if command in ("cc", "c++"):
        return compilers.run(command, rest)
    if command == "install-compilers":
        return compilers.install(rest)
    if command == "cache":
        from . import cache
        return cache.main(rest)
    if command == "check":
        from . import checking
        return checking.main(rest)
    return _dispatch(parse(arguments))


def _dispatch(options: Any) -> int:
    if options.help:
        print(usage(), end="")
        return 0
    if options.version:
        print(describe_all())
        return 0
    return Session(options).run()


def _closed_pipe(error: BrokenPipeError) -> int:
    """Returns the status if a pipe was closed. For standard output (`clinch ... |
    head`) nothing is reported; a script's own pipe is an ordinary error."""
    import select
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)
    if watched.poll(0):
        # Python must not fail again when it flushes the buffer at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    show(error)
    return 1


def _exit_status(leaving: SystemExit) -> int:
    """Returns the status that Python itself gives `SystemExit(code)`."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF
    print(leaving.code, file=sys.stderr)
    return 1

"""The driver: `clinch`, and `python -m clinch`.

`main` takes the arguments after the program's name and returns the status to
exit with: 0, 1 when the code that was given failed, 2 for options that make no
sense. Whatever is heavy is imported by the branch that needs it.
"""

import os
import sys
from importlib import import_module

from .options import UsageError, parse


def main(arguments):
    """Runs the driver; see `clinch --help`."""
    try:
        return _run(arguments)
    except UsageError as error:
        print(f"clinch: {error}", file=sys.stderr)
        return 2
    except SystemExit as leaving:
        return _exit_status(leaving)
    except KeyboardInterrupt as error:
        from .report import show
        show(error)
        return 130
    except BrokenPipeError as error:
        return _closed_pipe(error)


def command():
    """The program `clinch` that pip makes."""
    sys.exit(main(sys.argv[1:]))


#: First words that are commands of their own: the module with their `main`. A
#: FILE of that name is `./cache`.
_COMMANDS = {"cache": ".cache", "check": "..checking"}


def _run(arguments):
    if arguments and arguments[0] in _COMMANDS:
        module = import_module(_COMMANDS[arguments[0]], __name__)
        return module.main(arguments[1:])
    return _dispatch(parse(arguments))


def _dispatch(options):
    if options.help:
        from .options import usage
        print(usage(), end="")
        return 0
    if options.version:
        from .version import describe
        print(describe())
        return 0
    from .session import Session
    return Session(options).run()


def _closed_pipe(error):
    """`clinch ... | head`: nobody reads on, so nothing more is said. A pipe of
    the script's own is an error like others."""
    import select
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)
    if watched.poll(0):
        # What is still in the buffer must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    from .report import show
    show(error)
    return 1


def _exit_status(leaving):
    """What Python itself makes of `raise SystemExit(code)`."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF
    print(leaving.code, file=sys.stderr)
    return 1

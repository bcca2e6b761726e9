"""One run of the driver: its namespace and defaults, and what it runs."""

from __future__ import annotations

import builtins
import os
import sys

import __main__

import clinch

from .. import _clinch
from ..base.configuration import config, enable_crash_notes
from . import batch, report
from .c_mistakes import HEADERS
from .terminal import wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

_DEFAULTS = ("tier", "language", "form", "linker")


class Session:
    """What the prompt, a script and the colon commands share."""

    def __init__(self, options: Any) -> None:
        self.package: Any = clinch
        self.options = options
        self.when_colour = options.colour or "auto"
        #: Python's names: those of `__main__`, and the package's from fill() on.
        self.namespace = vars(__main__)
        self._given: dict[str, Any] | None = None
        self.failed = False
        #: What the prompt takes: "auto" (Python and C), "c" or "py".
        self.mode = "auto"
        #: The prompt's C, and its reader of lines.
        self.c: Any = None
        self.reader: Any = None
        _apply(options)

    @property
    def colour(self) -> bool:
        """Whether standard output gets colours."""
        return wants_colour(self.when_colour)

    @property
    def error_colour(self) -> bool:
        """Whether standard error gets colours."""
        return wants_colour(self.when_colour, sys.stderr)

    def fill(self) -> None:
        """Brings in the package's names, NumPy's and `np`, but those of builtins and of
        C. Python needs them, and C does not: with NumPy they take 110 ms."""
        if self._given is not None:
            return
        _clinch.take_interrupts(False)  # What is left of NumPy cannot be imported again.
        import numpy

        import clinch.tensor
        self._given = {name: getattr(module, name)
                       for module in (clinch.tensor, clinch) for name in module.__all__
                       if not hasattr(builtins, name)}
        self._given.update(clinch=clinch, np=numpy)
        self.namespace.update(self.c.names.beside(self._given) if self.c
                              else self._given)
        if _clinch.take_interrupts(True):
            raise KeyboardInterrupt

    def show(self, error: BaseException) -> None:
        """Prints an error of the user's code."""
        report.show(error, self.error_colour)

    def knows(self, name: str) -> bool:
        """Whether Python has a meaning for the name."""
        if name in self.namespace or hasattr(builtins, name):
            return True
        if HEADERS.get(name, "<math.h>") not in ("<math.h>", "<complex.h>"):
            return False  # No name of the package's.
        self.fill()
        return name in self.namespace or hasattr(builtins, name)

    def is_users(self, name: str) -> bool:
        """Whether the name is the user's own in Python: no builtin, and not of the
        package."""
        return name in self.namespace and \
            self.namespace[name] is not (self._given or {}).get(name, self)

    def functions(self) -> dict[str, Any]:
        """Returns {name: function} for functions bound to global names."""
        if "clinch.build.functions" not in sys.modules:
            return {}
        kind = self.package.Function
        return {name: value for name, value in self.namespace.items()
                if isinstance(value, kind) and not name.startswith("_")}

    def run(self) -> int:
        """Runs the prompt, or FILE or CODE; returns the exit status."""
        # Keeps output of blocks and error messages in order.
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[attr-defined]
        if _say_where_it_crashed():
            if self.options.file is None or self.options.interactive:
                _clinch.guard_calls()  # Below the notes, which pass signals on.
            enable_crash_notes()
        if self.options.code is None and self.options.file is None:
            return self.prompt()
        return self.batch()

    def prompt(self) -> int:
        """Reads statements and commands until the input ends."""
        if self.options.code is None and self.options.file is None:
            sys.path.insert(0, "")  # As in Python's own prompt.
        return self.console().run()

    def console(self) -> Any:
        """Returns a reader of lines."""
        from .console import Console  # Takes 5 ms, as it loads readline.
        return Console(self)

    def batch(self) -> int:
        """Runs FILE or CODE, then what the options ask; returns the status."""
        status = batch.run(self)
        if self.options.interactive:
            return self.prompt()
        return status


def _say_where_it_crashed() -> bool:
    """Shows the Python traceback if a block crashes the process; returns whether
    there is a standard error to show it on."""
    import faulthandler
    try:
        faulthandler.enable()
    except (OSError, ValueError, RuntimeError):
        return False
    return True


def _apply(options: Any) -> None:
    """Makes the options the package's defaults."""
    for key in _DEFAULTS:
        if getattr(options, key):
            setattr(config, key, getattr(options, key))
    if options.debug:
        config.debug = True
    if options.no_cache:
        config.cache = False
    if options.cache_dir:
        config.cache_dir = os.path.abspath(options.cache_dir)


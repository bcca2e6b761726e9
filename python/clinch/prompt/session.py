"""One run of the driver: the names in scope, the defaults, what runs in it."""

import builtins
import os
import sys

from . import report
from .terminal import wants_colour

_DEFAULTS = ("tier", "language", "form", "linker")


class Session:
    """What the prompt, a script and the colon commands share."""

    def __init__(self, options):
        import clinch
        self.package = clinch
        self.options = options
        self.when_colour = options.colour or "auto"
        self.namespace = _main_namespace(clinch)
        self.failed = False
        _apply(clinch.config, options)

    @property
    def colour(self):
        """Whether standard output gets colours."""
        return wants_colour(self.when_colour)

    def show(self, error):
        """Prints an error of the user's code."""
        report.show(error, wants_colour(self.when_colour, sys.stderr))

    def functions(self):
        """Name to function, for each function bound to a global name."""
        kind = self.package.Function
        return {name: value for name, value in self.namespace.items()
                if isinstance(value, kind) and not name.startswith("_")}

    def run(self):
        """The prompt, or the FILE or CODE; the status to exit with."""
        # What blocks print and what goes wrong stay in order.
        sys.stdout.reconfigure(line_buffering=True)
        _say_where_it_crashed()
        if self.options.code is None and self.options.file is None:
            return self.prompt()
        return self.batch()

    def prompt(self):
        """Reads statements and commands until the input ends."""
        from .console import Console
        if self.options.code is None and self.options.file is None:
            sys.path.insert(0, "")  # As Python's own prompt has it.
        return Console(self).run()

    def batch(self):
        """Runs a FILE or CODE, then does what the options ask; the status."""
        from .batch import run
        status = run(self)
        if self.options.interactive:
            return self.prompt()
        return status


def _say_where_it_crashed():
    """A block that crashes ends the process; the lines of Python that called
    it are shown before."""
    import faulthandler
    try:
        faulthandler.enable()
    except (OSError, ValueError, RuntimeError):
        pass  # There is no standard error.


def _apply(config, options):
    """Makes the options the package's defaults."""
    for key in _DEFAULTS:
        if getattr(options, key):
            setattr(config, key, getattr(options, key))
    # What takes longer than this is a mistake, or an attack.
    config.time_limit, config.memory_limit = 600, 8 << 30
    if options.debug:
        config.debug = True
    if options.no_cache:
        config.cache = False
    if options.cache_dir:
        config.cache_dir = os.path.abspath(options.cache_dir)


def _main_namespace(package):
    """`__main__` with the package's names, but for those Python has itself."""
    import __main__
    namespace = __main__.__dict__
    for name in package.__all__:
        if not hasattr(builtins, name):
            namespace[name] = getattr(package, name)
    namespace["clinch"] = package
    return namespace

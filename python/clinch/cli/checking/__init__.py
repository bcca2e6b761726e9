"""`clinch check`: finds faults in the blocks of Types and Ops before a graph
uses them.

No machine code is made and no block runs; modules are imported and hooks are
called in a child process. `main` takes the arguments after `check` and returns
the status: 0, 1 if something was found, 2 if something could not be checked.
"""

from __future__ import annotations

import sys

from .fixing import fix
from .options import parse
from .paths import targets
from .report import write
from .watching import look


def main(arguments: list[str]) -> int:
    """Runs `clinch check`."""
    options = parse(arguments)
    wanted, unseen = targets(options.paths)
    result = look(wanted, options, unseen)
    if options.fix:
        fix(result)
    write(result, options.format, sys.stdout)
    return result.status

"""`clinch check`: finds faults in the blocks of Types and Ops before a graph
uses them.

No machine code is made and no block runs; modules are imported and hooks are
called in a child process. `main` takes the arguments after `check` and returns
the status: 0, 1 if something was found, 2 if something could not be checked.
"""

import sys


def main(arguments):
    """Runs `clinch check`."""
    from .options import parse
    options = parse(arguments)
    from .paths import targets
    wanted, unseen = targets(options.paths)
    from .watching import look
    result = look(wanted, options, unseen)
    if options.fix:
        from .fixing import fix
        fix(result)
    from .report import write
    write(result, options.format, sys.stdout)
    return result.status

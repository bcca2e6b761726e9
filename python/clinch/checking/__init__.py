"""`clinch check`: what is wrong with the blocks of Types and Ops, before a graph
meets them.

Nothing is compiled to code and no block runs; modules are imported and hooks are
called, in a process of their own. `main` takes the arguments after `check` and
returns the status: 0, 1 when something was found, 2 when something could not be
looked at.
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

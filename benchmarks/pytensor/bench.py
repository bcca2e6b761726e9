"""PyTensor on Clinch beside PyTensor on g++ and on Numba: one table.

Everything is measured in this process (what is about new processes, in new
ones), on the same graphs, with empty caches, and is a median. What rewrites a
graph is not measured: from the rewritten graph to a function, and to its first
value where it is the call that compiles.
"""

import argparse
import os
import sys
import warnings

# PyTensor says at each function that it has no BLAS, and at each module cache
# that it is young.
warnings.filterwarnings("ignore", module="pytensor")
warnings.filterwarnings("ignore", category=UserWarning)

import pytensor  # first: g++ is to be found for the comparison

import clinch.pytensor  # noqa: F401  isort: skip

import rows
from table import Table

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from run import processor  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", help="where the list of results is written")
    parser.add_argument("only", nargs="*", help="names of rows, or parts of them")
    arguments = parser.parse_args()
    table = Table()
    print(f"PyTensor {pytensor.__version__}, Python {sys.version.split()[0]}")
    print("processor:", processor())
    for name, row in rows.ROWS.items():
        if not arguments.only or any(part in name for part in arguments.only):
            print(f"-- {name}", flush=True)
            row(table)
    table.show(arguments.output)


if __name__ == "__main__":
    main()

"""Functions in many processes beside what compiles in each: one table.

Processor times are medians over processes; the load of the machine is told, for
with other work beside it each figure is larger, and the ratios say more.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "pytensor")]

import cluster  # noqa: E402
import loads  # noqa: E402
from run import processor  # noqa: E402
from table import Table  # noqa: E402

ROWS = {
    "loads": loads.measure,
    "cluster": lambda results, _: cluster.measure(results),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", help="where the list of results is written")
    parser.add_argument("--processes", type=int, default=100)
    parser.add_argument("--only", choices=ROWS, help="one of the two measurements")
    arguments = parser.parse_args()
    print("processor:", processor())
    print("load:", *os.getloadavg(), flush=True)

    results = Table()
    for name, measure in ROWS.items():
        if arguments.only in (None, name):
            measure(results, arguments.processes)
    print("load:", *os.getloadavg())
    results.show(arguments.output)


if __name__ == "__main__":
    main()

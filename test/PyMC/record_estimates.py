"""Writes Inputs/estimates.json: what is estimated in the scenarios with g++.

    build/pymc-3.11/bin/python test/PyMC/record_estimates.py

takes an hour, nearly all of it g++. What is estimated is no question of versions, so one
file serves for all of them; it says which it was made with.
"""

import json
import platform
from importlib.metadata import version

from scenarios import QUIET, SCENARIOS
from test_scenarios import KEPT, SAME, by_gxx

COMMAND = "build/pymc-3.11/bin/python test/PyMC/record_estimates.py"


def main():
    packages = ("pymc", "pytensor", "numpy", "scipy")
    made_with = {"python": platform.python_version(), **{p: version(p) for p in packages}}
    names = [name for name in SCENARIOS if name not in SAME or SAME[name] == name]
    estimates = {}
    for name in names:
        print(name, flush=True)
        estimates[name] = by_gxx(name)
    kept = {
        "command": COMMAND,
        "seed": QUIET["random_seed"],
        "made with": made_with,
        "estimates": estimates,
    }
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()

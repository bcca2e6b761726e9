"""A process that runs cases, one line of JSON each, and says how they went.

    worker.py SEARCH

A line is {"seed": n}, or {"case": {...}}; the answer {"counts": {...}}, with
"finding" where something was wrong. It may die, or hang, at any of them: who
started it knows which.
"""

import importlib
import json
import os
import sys


def answer(search, line):
    case = line.get("case")
    if case is None:
        case = search.make(line["seed"])
        result = search.run(case)
        if "finding" in result:
            result["case"] = case
        return result
    try:
        return search.run(case)
    except Exception:  # Something made smaller that is no case.
        return {"counts": {}}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    # Whatever the code that is tried prints goes elsewhere.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    search = importlib.import_module(sys.argv[1])
    for line in sys.stdin:
        result = answer(search, json.loads(line))
        out.write(json.dumps(result) + "\n")
        out.flush()


if __name__ == "__main__":
    main()

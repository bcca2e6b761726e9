#!/usr/bin/env python3
"""Runs every `bench_*.py` beside it: prints one table, writes bench.json.

A module gives `rows(build)`, a list of dicts with the keys of `row` below.
Ours and the rival are measured in the same run; a missed target is said.
"""

import argparse
import importlib
import json
import os
import sys
import traceback

KEYS = ("name", "ours", "rival", "rival_name", "unit", "ratio", "target", "met")


def row(name, ours, rival, rival_name, unit, target, met, ratio=None):
    """One line of the table. `ratio` is rival / ours where it is not given."""
    if ratio is None and ours and rival is not None:
        ratio = rival / ours
    return dict(zip(KEYS, (name, ours, rival, rival_name, unit, ratio, target,
                           bool(met))))


def number(value):
    if value is None:
        return "-"
    if value == int(value) and abs(value) >= 100:
        return f"{int(value):,}"
    return f"{value:,.4f}" if abs(value) < 0.1 else f"{value:,.2f}"


def cells(entry):
    ours = f"{number(entry['ours'])} {entry['unit']}"
    rival = "-" if entry["rival"] is None else number(entry["rival"])
    return (entry["name"], ours, rival, entry["rival_name"] or "",
            number(entry["ratio"]), entry["target"],
            "met" if entry["met"] else "MISSED")


def table(rows):
    lines = [("what", "ours", "rival", "rival is", "rival/ours", "target", "")]
    lines += [cells(entry) for entry in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(7)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths))
        .rstrip() for line in lines)


def processor():
    """Its name, as the kernel has it: a figure without it says little."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        names = [line.split(":", 1)[1].strip()
                 for line in file if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else "unknown"


def modules(folder, only):
    for name in sorted(os.listdir(folder)):
        if name.startswith("bench_") and name.endswith(".py"):
            if not only or name[len("bench_"):-len(".py")] in only:
                yield name[:-len(".py")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("only", nargs="*", help="`core` for bench_core.py, ...")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    folder = os.path.dirname(os.path.abspath(__file__))
    there = [name[len("bench_"):] for name in modules(folder, ())]
    for name in options.only:
        if name not in there:
            parser.error(f"there is no part `{name}`; there are {', '.join(there)}")
    sys.path[:0] = [folder, os.path.join(build, "python")]
    rows, failed = [], []
    print("processor:", processor(), end="\n\n")
    for name in modules(folder, options.only):
        try:
            found = importlib.import_module(name).rows(build)
        except Exception:  # The others are still worth measuring.
            traceback.print_exc()
            failed.append(name)
            continue
        print(table(found), end="\n\n", flush=True)
        rows += found
    with open(os.path.join(build, "bench.json"), "w") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")
    missed = [entry["name"] for entry in rows if not entry["met"]]
    print(f"{len(rows) - len(missed)} targets met, {len(missed)} missed")
    for name in missed:
        print("missed:", name)
    for name in failed:
        print("could not be measured:", name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

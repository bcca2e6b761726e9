"""The core of pymc-model-catalogue on Clinch and on Numba: one table.

    catalogue.py FOLDER [PART OF A NAME ...]

FOLDER is a checkout of the catalogue. The core is the files that its BENCHMARK_CORE.md
names; with names, all files of the catalogue that contain one of them. Each model is
compiled in a process of its own, with empty caches.
"""

import argparse
import math
import re
import statistics
import sys
import tempfile
from pathlib import Path

from running import processor, run

COMPILERS = ("clinch", "numba")


def chosen(folder, parts):
    """The files to measure."""
    if parts:
        every = sorted([*folder.glob("models/*.py"), *folder.glob("models_discrete/*.py")])
        return [f for f in every if f.stem[0] != "_" and any(p in f.stem for p in parts)]
    core = (folder / "BENCHMARK_CORE.md").read_text(encoding="utf-8")
    return [folder / name for name in re.findall(r"`(models\w*/\w+\.py)`", core)]


def agree(clinch, numba):
    """Whether both give the same log-density and the same length of the gradient, as
    far as sums in another order do."""
    return all(
        math.isclose(clinch[what], numba[what], rel_tol=1e-6, abs_tol=1e-6)
        for what in ("value", "gradient")
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART")
    arguments = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {processor()}")
    print("| model | first, s: Clinch | Numba | times | evaluation, us: Clinch | Numba | ratio |")
    print("|---|---|---|---|---|---|---|")
    faster, ratios, different = [], [], []
    for file in chosen(arguments.folder, arguments.parts):
        results = []
        for compiler in COMPILERS:
            with tempfile.TemporaryDirectory() as folder:
                results.append(run(str(file), compiler, folder))
        clinch, numba = results
        if None in results:
            for compiler, result in zip(COMPILERS, results, strict=True):
                if result is None:
                    print(f"| {file.stem}: fails with {compiler} | | | | | | |", flush=True)
            continue
        if not agree(clinch, numba):
            different.append(file.stem)
        faster.append(numba["first"] / clinch["first"])
        ratios.append(clinch["evaluation"] / numba["evaluation"])
        print(
            f"| {file.stem} | {clinch['first']:.2f} | {numba['first']:.2f} | "
            f"{faster[-1]:.1f} | {clinch['evaluation']:.1f} | {numba['evaluation']:.1f} | "
            f"{ratios[-1]:.2f} |",
            flush=True,
        )
    if faster:
        print(
            f"| median of {len(faster)} | | | {statistics.median(faster):.1f} | | | "
            f"{statistics.median(ratios):.2f} |"
        )
    for name in different:
        print(f"{name}: the values of the two differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

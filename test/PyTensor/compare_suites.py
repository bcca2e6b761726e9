#!/usr/bin/env python3
"""Runs PyTensor's own suites with g++ and with Clinch, and compares test by test.

    test/PyTensor/compare_suites.py CHECKOUT [FILE or FOLDER of tests/ ...]
      --python build/pytensor-3.11/bin/python   an environment with PyTensor
      --package build/python                    Clinch's package for it
      --results build/pytensor-suites           what each run wrote; kept
      --only-failing       g++ runs only what does not pass with Clinch

CHECKOUT is PyTensor's source tree of the version that is installed, without
its folder `pytensor`. Without names all files of its tests are run, each by
itself, but for the folders of other compilers. Both compilers get the BLAS that
Clinch finds. What has been run is not run again, unless its file in --results is
removed. Tests that pass with g++ and not with Clinch are listed, and make the
exit status 1.
"""

import argparse
import glob
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

#: Tests of what neither g++ nor Clinch compiles.
OTHER_COMPILERS = ("jax", "numba", "pytorch", "mlx", "mlir")
LINKERS = {"g++": "cvm", "clinch": "clinch"}


def run(compiler, suite, where, tests=None):
    """Runs a suite, or `tests` of it, unless its results are there.

    Returns {test: outcome}.
    """
    folder = os.path.join(where.results, compiler)
    name = suite.rstrip("/").replace("/", "-").removesuffix(".py")
    report = os.path.join(folder, f"{name}.xml")
    if not os.path.exists(report):
        os.makedirs(folder, exist_ok=True)
        command = [where.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-o", "addopts=", f"--junitxml={report}"]
        command += tests or [suite]
        with open(os.path.join(folder, f"{name}.log"), "w") as log:
            subprocess.run(
                command,
                cwd=where.checkout,
                env=environment(compiler, folder, where),
                stdout=log,
                stderr=log,
                check=False,
            )
    return outcomes(report)


def environment(compiler, folder, where):
    """The variables that make PyTensor use the compiler."""
    flags = {
        "linker": LINKERS[compiler],
        "on_opt_error": "raise",
        "base_compiledir": os.path.join(folder, "compiledir"),
        "blas__ldflags": where.blas,  # Some tests name g++'s linkers.
    }
    paths = [where.package]
    if compiler == "clinch":
        # Also in the processes that tests start, PyTensor is Clinch's.
        with open(os.path.join(folder, "sitecustomize.py"), "w") as site:
            site.write("import clinch.pytensor\n")
        paths.append(folder)
    return {
        **os.environ,
        "PYTENSOR_FLAGS": ",".join("=".join(item) for item in flags.items()),
        "PYTHONPATH": os.pathsep.join(paths),
        "CLINCH_CACHE_DIR": os.path.join(folder, "cache"),
    }


def blas_flags(where):
    """What Clinch finds."""
    ask = "from clinch.pytensor import blas; print(blas.ldflags())"
    return subprocess.run(
        [where.python, "-c", ask],
        env={**os.environ, "PYTHONPATH": where.package},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def outcomes(report):
    """{test: passed, failed, error or skipped} of a JUnit file."""
    found = {}
    if not os.path.exists(report):
        return {f"::{os.path.basename(report)}": "crash"}
    for case in xml.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        name = f"{case.get('classname')}::{case.get('name')}"
        kind = next((k for k in ("failure", "error", "skipped") if k in kinds), "passed")
        found[name] = kind
    return found


def address(test, where):
    """How pytest is told to run the test of this name in a JUnit file."""
    parts, name = test.rsplit("::", 1)
    if not parts:  # A file that cannot be imported.
        return os.path.join(*name.split(".")) + ".py"
    parts = parts.split(".")
    for i in range(len(parts), 0, -1):
        file = os.path.join(*parts[:i]) + ".py"
        if os.path.exists(os.path.join(where.checkout, file)):
            return "::".join([file, *parts[i:], name])
    raise FileNotFoundError(f"no file in {where.checkout} has {test}")


def run_both(suite, where):
    """{test: outcome} of g++ and of Clinch.

    What passes with Clinch needs no g++ to say that as many pass; told to, g++
    runs only the others.
    """
    if not where.only_failing:
        return [run(compiler, suite, where) for compiler in LINKERS]
    ours = run("clinch", suite, where)
    failing = [test for test, how in ours.items() if how not in ("passed", "skipped")]
    if not failing:
        return [{}, ours]
    crashed = "crash" in ours.values()
    tests = None if crashed else [address(test, where) for test in failing]
    theirs = run("g++", suite, where, tests)
    return [{test: theirs.get(test, "absent") for test in failing}, ours]


def all_files(where):
    """The files with tests, by their paths in the checkout."""
    found = glob.glob("tests/**/test_*.py", root_dir=where.checkout, recursive=True)
    return sorted(
        file for file in found if not set(OTHER_COMPILERS) & set(file.split(os.sep))
    )


def summary(results):
    kinds = list(results.values())
    return f"{kinds.count('passed')} of {len(kinds) - kinds.count('skipped')}"


def compare(suite, where):
    """Prints a line for the suite, and its differences; returns how many are ours."""
    theirs, ours = run_both(suite, where)
    compared = theirs.keys() if where.only_failing else theirs.keys() | ours.keys()
    among = " of these" if where.only_failing else ""
    print(
        f"{suite}: Clinch {summary(ours)}, g++ {summary(theirs)}{among}", flush=True
    )
    worse = 0
    for test in sorted(compared):
        left, right = (which.get(test, "absent") for which in (theirs, ours))
        if left != right:
            print(f"  {test}: g++ {left}, Clinch {right}")
        worse += left == "passed" != right
    return worse


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout")
    parser.add_argument("suites", nargs="*", metavar="FILE", default=[])
    parser.add_argument("--python", default="build/pytensor-3.11/bin/python")
    parser.add_argument("--package", default="build/python")
    parser.add_argument("--results", default="build/pytensor-suites")
    parser.add_argument("--only-failing", action="store_true")
    where = parser.parse_args()
    for name in ("checkout", "python", "package", "results"):
        setattr(where, name, os.path.abspath(getattr(where, name)))
    where.blas = blas_flags(where)
    for suite in where.suites:
        if not os.path.exists(os.path.join(where.checkout, suite)):
            parser.error(f"{where.checkout} has no {suite}")
    worse = sum(compare(suite, where) for suite in where.suites or all_files(where))
    print(f"{worse} tests pass with g++ and not with Clinch.")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())

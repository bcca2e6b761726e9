#!/usr/bin/env python3
"""Runs every suite of a build and ends with `N passed, N failed`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
NOT_TO_BE_HAD = 75
#: Of these suites slices are run, and the whole of some with --whole.
OF_PYPI = {"pytensor": "PyTensor", "dask": "Dask", "pymc": "PyMC", "clients": "FFCx"}
WHOLE = ("pytensor", "dask", "pymc")
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}
LIT = "/usr/lib/llvm-22/bin/lit"
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

sys.path.insert(0, os.path.join(SOURCE, "test"))
import sanitizers


def run_lit(build, jobs, report):
    """Returns (passed, failed, skipped, status) of lit, GoogleTest included."""
    folders = [os.path.join(build, "test"), os.path.join(build, "test/Unit")]
    if sanitizers.sees_threads(build):
        del folders[0]
    command = [sys.executable, LIT, "-sv", "-j", jobs, "--order=lexical",
               "--timeout=600", "-o", report, *folders]
    status = subprocess.run(command).returncode
    if not os.path.exists(report):
        return 0, 1, 0, status or 1
    with open(report) as file:
        tests = json.load(file)["tests"]
    codes = [test["code"] for test in tests]
    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    return passed, len(codes) - passed - skipped, skipped, status


def run_pytest(build, jobs, report):
    folder = os.path.join(SOURCE, "test", "Python")
    if not os.path.isdir(folder):
        return 0, 0, 0, 0
    tests = [folder]
    if sanitizers.sees_threads(build):
        tests = [os.path.join(folder, name) for name in sanitizers.THREADED]
    environment = dict(os.environ,
                       PYTHONPATH=os.path.join(build, "python"),
                       PYTHONDONTWRITEBYTECODE="1",
                       CLINCH_CACHE_DIR=os.path.join(build, "test", "pycache"),
                       **sanitizers.environment(build))
    command = [sys.executable, "-m", "pytest", "-q",
               "-n", jobs, "--dist", "loadfile",
               "-p", "no:cacheprovider", "--junitxml", report, *tests]
    status = subprocess.run(command, env=environment).returncode
    return counted(report, status)


def run_of_pypi(build, scratch, whole):
    """Runs the suites whose packages are PyPI's, or slices of them; where those cannot
    be had, what is left is skipped, as one test."""
    if sanitizers.environment(build):
        return [(0, 0, 1, 0)]
    suite = os.path.join(SOURCE, "scripts", "suite.sh")
    results = []
    for name, package in OF_PYPI.items():
        report = os.path.join(scratch, f"{name}.xml")
        how_much = "once" if whole and name in WHOLE else "slice"
        status = subprocess.run(
            [suite, build, f"{name}-{how_much}", "--junitxml", report],
            env={**os.environ, "PYTHON": sys.executable}).returncode
        if status == NOT_TO_BE_HAD:
            left = list(OF_PYPI.values())[len(results):]
            print(f"SKIPPED: the suites with {', '.join(left)}: pip cannot install "
                  f"what {package}'s needs", flush=True)
            return [*results, (0, 0, 1, 0)]
        results.append(counted(report, status))
    return results


def counted(report, status):
    """Returns (passed, failed, skipped, status) of pytest's report."""
    if not os.path.exists(report):
        return 0, 1, 0, status or 1
    suite = ElementTree.parse(report).getroot().find("testsuite")
    total, failed, errors, skipped = (
        int(suite.get(name)) for name in
        ("tests", "failures", "errors", "skipped"))
    bad = failed + errors
    return total - bad - skipped, bad, skipped, status


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("-j", dest="jobs", default=str(os.cpu_count()))
    parser.add_argument("--whole", action="store_true",
                        help=f"all of {', '.join(WHOLE)}, for one version of each")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory() as scratch:
        lit = run_lit(build, options.jobs, os.path.join(scratch, "lit.json"))
        python = run_pytest(build, options.jobs,
                            os.path.join(scratch, "pytest.xml"))
        of_pypi = run_of_pypi(build, scratch, options.whole)
    passed, failed, skipped, status = map(sum, zip(lit, python, *of_pypi))
    if skipped:
        print(f"{passed} passed, {failed} failed, {skipped} skipped")
    else:
        print(f"{passed} passed, {failed} failed")
    if not passed:
        return 1
    return 1 if failed or status else 0


if __name__ == "__main__":
    sys.exit(main())

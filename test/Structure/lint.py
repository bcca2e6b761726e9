"""A finding of clang-format, clang-tidy, mypy or ruff makes `make lint` fail, and is shown."""
# RUN: %python %s %source

import os
import subprocess
import sys
import tempfile

source = sys.argv[1]
FINDING = "a.cpp:1:1: error: a finding"


def lint(*arguments, folder=source, **says):
    """Runs the script with tools that print a line, if any, and end with a status."""
    with tempfile.TemporaryDirectory() as tools:
        for name in ("clang_format_22", "run_clang_tidy_22", "mypy", "ruff"):
            line, status = says.get(name, ("", 0))
            path = os.path.join(tools, name.replace("_", "-"))
            with open(path, "w") as tool:
                tool.write(f"#!/bin/sh\necho '{line}'\nexit {status}\n")
            os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
        ran = subprocess.run([f"{source}/scripts/lint.sh", *arguments], cwd=folder,
                             env=environment, capture_output=True, text=True)
    return ran.returncode, ran.stdout.lstrip()


status, printed = lint()
assert status == 0 and printed.endswith("files are clean\n"), printed
for said in (dict(run_clang_tidy_22=(FINDING, 1)), dict(run_clang_tidy_22=(FINDING, 0)),
             dict(run_clang_tidy_22=("", 1)), dict(clang_format_22=(FINDING, 1)),
             dict(mypy=(FINDING, 1)), dict(ruff=(FINDING, 1))):
    status, printed = lint(**said)
    assert status == 1 and "are clean" not in printed, (said, printed)
    assert (FINDING in printed) == (FINDING in str(said)), (said, printed)

# Before `make check`, clang-tidy reads what differs from origin/main, if that is little.
with tempfile.TemporaryDirectory() as folder:
    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def change(*numbers):
        for number in numbers:
            with open(f"{folder}/lib/{number}.cpp", "a") as file:
                file.write("\n")

    os.mkdir(f"{folder}/lib")
    change(*range(8))
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "a")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    finding = dict(folder=folder, run_clang_tidy_22=(FINDING, 1))
    assert lint("build", "changed", **finding) == (0, "lint: 8 files are clean\n")
    change(*range(6))
    git("commit", "-qam", "b")
    assert lint("build", "changed", **finding) == (1, f"{FINDING}\n")
    change(7)
    assert lint("build", "changed", **finding) == (
        0, "lint: 7 sources differ from origin/main; `make lint` reads them\n"
           "lint: 8 files are clean\n")

#!/usr/bin/env python3
"""Runs every block of a page of documentation and compares its output.

A page's blocks run from top to bottom in a scratch folder of its own:

  ```python         runs; all of a page share one process and its names
  ```cpp, ```c      a program: built, linked with Clinch, run
  ```console        `$ command` runs in bash, build/bin on its PATH; lines that
                    begin with `>>> ` or `... ` are its standard input; the
                    other lines are its output
  ```text           what the block before it prints; so is a block of any
                    language with the word `output` after it
  ```LANG file=NAME is written to NAME, for the blocks after it
  ```LANG unchecked is shown only: a command that installs, a fragment

In expected output `...` stands for any text, on a line of its own for any
number of lines. A block of no known kind is an error: nothing goes unchecked
by accident. Links to files of the repository must lead somewhere.
"""

import argparse
import contextlib
import ctypes
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import sanitizers

FENCE = re.compile(r"^ *```(.*)$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
TIME_LIMIT = 300


class Block:
    """One fenced block: where it stands, what it is, its text."""

    def __init__(self, line, words, text):
        self.line = line
        self.language = words[0] if words else ""
        self.words = words[1:]
        self.text = text

    @property
    def file(self):
        """The name after `file=`, or None."""
        return next((w[5:] for w in self.words if w.startswith("file=")), None)

    @property
    def is_output(self):
        """Whether this is what the block before it prints."""
        return self.language == "text" and not self.words \
            or "output" in self.words


def blocks_of(text):
    """The fenced blocks of a page."""
    found, start, words, body = [], 0, None, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and words is None:
            start, words, body = number, fence.group(1).split(), []
        elif fence:  # The end of the block.
            text = textwrap.dedent("".join(line + "\n" for line in body))
            found.append(Block(start, words, text))
            words = None
        elif words is not None:
            body.append(line)
    if words is not None:
        raise SystemExit(f"the block of line {start} does not end")
    return found


def matches(expected, actual):
    """Whether output is as expected, `...` standing for anything."""
    pattern = ""
    for line in expected.rstrip().split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*?".join(map(re.escape, line.rstrip().split("...")))
            pattern += r"[ \t]*\n"
    return re.fullmatch(pattern, actual.rstrip() + "\n") is not None


@contextlib.contextmanager
def captured(result):
    """What is written to descriptors 1 and 2, by C code too."""
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile() as file:
        sys.stdout.flush()
        saved = [os.dup(1), os.dup(2)]
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            libc.fflush(None)
            for number, copy in zip((1, 2), saved):
                os.dup2(copy, number)
                os.close(copy)
            file.seek(0)
            result.append(file.read().decode(errors="replace"))


class Page:
    """Runs the blocks of one page."""

    def __init__(self, path, source, build):
        self.path, self.source, self.build = path, source, build
        self.names = {"__name__": "__main__"}
        self.failures = []

    def fail(self, block, what, expected="", actual=""):
        """Notes a difference."""
        text = f"{self.path}:{block.line}: {what}\n"
        if expected or actual:
            text += f"--- expected\n{expected}--- printed\n{actual}---\n"
        self.failures.append(text)

    def run(self):
        """Runs all blocks; the failures."""
        with open(self.path) as file:
            text = file.read()
        blocks = blocks_of(text)
        self.check_links(text)
        for block, after in zip(blocks, blocks[1:] + [None]):
            if block.is_output or "unchecked" in block.words:
                continue
            output = after if after is not None and after.is_output else None
            self.run_block(block, output)
        return self.failures

    def check_links(self, text):
        """Each link to a file of the repository leads somewhere."""
        folder = os.path.dirname(self.path)
        for target in LINK.findall(re.sub(r"```.*?```", "", text, flags=re.S)):
            if "://" in target or os.path.exists(os.path.join(folder, target)):
                continue
            self.failures.append(f"{self.path}: a link leads to `{target}`, "
                                 "which is not there\n")

    def run_block(self, block, output):
        """Runs one block and compares with the block after it."""
        if block.file:
            os.makedirs(os.path.dirname(block.file) or ".", exist_ok=True)
            with open(block.file, "w") as file:
                file.write(block.text)
            return
        kinds = {"python": self.run_python, "console": self.run_console,
                 "cpp": self.run_program, "c": self.run_program}
        if block.language not in kinds:
            self.fail(block, f"a block of kind `{block.language}` is not "
                      "checked; see test/Docs/check_page.py")
            return
        actual = kinds[block.language](block, output is not None)
        if actual is not None and not matches(
                output.text if output else "", actual):
            self.fail(block, "this prints something else",
                      output.text if output else "", actual)

    def run_python(self, block, may_fail):
        """Python text; an exception is output when output is expected."""
        printed = []
        with captured(printed):
            try:
                # Lines of a traceback are those of the page.
                text = "\n" * block.line + block.text
                exec(compile(text, self.path, "exec"), self.names)
            except BaseException as error:  # pylint: disable=broad-except
                if may_fail:
                    print("".join(traceback.format_exception_only(error)),
                          end="")
                else:
                    traceback.print_exc()
        return printed[0]

    def run_console(self, block, _):
        """Commands, each with its standard input and its output."""
        for command, given, expected in commands_of(block.text):
            if "libasan.so" in command and sanitizers.of(self.build):
                continue  # A second run time beside the build's own hangs.
            environment = dict(os.environ)
            if command.startswith("gdb "):  # A sanitizer in gdb itself hangs.
                environment.pop("LD_PRELOAD", None)
            try:
                done = subprocess.run(
                    ["bash", "-c", command], input=given, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    env=environment, timeout=TIME_LIMIT)
            except subprocess.TimeoutExpired:
                self.fail(block, f"`{command}` does not end")
                continue
            if not matches(expected, done.stdout):
                self.fail(block, f"`{command}` prints something else",
                          expected, done.stdout)

    def run_program(self, block, _):
        """A program in C or C++, built against this build."""
        suffix, compiler = (("cpp", ["g++", "-std=c++20"])
                            if block.language == "cpp"
                            else ("c", ["gcc", "-std=gnu17"]))
        name = f"block{block.line}"
        with open(f"{name}.{suffix}", "w") as file:
            file.write(block.text)
        built = subprocess.run(
            compiler + ["-Wall", "-O1", f"{name}.{suffix}", "-o", name]
            + self.flags(), capture_output=True, text=True)
        if built.returncode or built.stderr:
            self.fail(block, "this does not build cleanly", "", built.stderr)
            return None
        done = subprocess.run([f"./{name}"], text=True, timeout=TIME_LIMIT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            self.fail(block, f"this ends with status {done.returncode}", "",
                      done.stdout)
        return done.stdout

    def flags(self):
        """As for a program that uses the library and embeds Python."""
        libraries = os.path.join(self.build, "lib")
        python = "python" + sysconfig.get_config_var("LDVERSION")
        # A sanitizer's run time has functions that the linker warns of.
        quiet = ["-Wl,--no-warnings"] if sanitizers.of(self.build) else []
        return [f"-I{self.source}/include", f"-I{self.build}/include",
                f"-I{sysconfig.get_path('include')}", f"-L{libraries}",
                f"-Wl,-rpath,{libraries}", "-lclinch", "-lclinch-compiler",
                f"-L{sysconfig.get_config_var('LIBDIR')}", f"-l{python}",
                *quiet]


def commands_of(text):
    """(command, standard input, expected output) of a console block."""
    found, typing = [], False
    for line in text.splitlines():
        was_typing, typing = typing, False
        if line.startswith("$ "):
            found.append([line[2:], "", ""])
        elif not found:
            raise SystemExit("a console block begins with `$ command`")
        elif found[-1][0].endswith("\\") and not found[-1][2]:
            found[-1][0] += "\n" + line
        elif line.startswith(">>> ") or line == ">>>" or (
                was_typing and (line.startswith("... ") or line == "...")):
            found[-1][1] += line[4:] + "\n"
            typing = True
        else:
            found[-1][2] += line + "\n"
    return found


def main():
    """Checks one page; status 1 and the differences when it lies."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page")
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    page = os.path.abspath(options.page)
    source, build = map(os.path.abspath, (options.source, options.build))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        sys.path.insert(0, scratch)
        # Paths beside a class of a page are in the page's folder.
        sys.modules["__main__"].__file__ = os.path.join(scratch, "page.py")
        failures = Page(page, source, build).run()
        os.chdir(source)
    for failure in failures:
        print(failure, end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

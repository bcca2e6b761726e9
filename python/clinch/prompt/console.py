"""The prompt: reads and runs statements as Python does, and also colon commands
and `//` comments."""

import codeop
import linecache
import sys

from .commands import COMMANDS, CommandError, run_command
from .history import History
from .interruptible import InterruptibleReading
from .version import describe

_CONTINUES = ("else", "elif", "except", "finally")


class Console:
    """Reads lines and runs statements in a session's namespace."""

    def __init__(self, session):
        self.session = session
        self.terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self.compile = codeop.CommandCompiler()
        self.lines = []
        self.count = 0
        self.interrupted = False
        self.pasting = False

    def run(self):
        """Reads to the end of the input; returns the exit status."""
        if not self.terminal:
            return self._loop(self._read_pipe)
        self.reading = InterruptibleReading()
        # Python's own prompts, which show that input is expected.
        sys.ps1, sys.ps2 = ">>> ", "... "
        print(f"{describe()}. `:help` lists the commands.")
        with History(self.session) as self.history:
            return self._loop(self._read_terminal)

    def _loop(self, read):
        while True:
            # A second Ctrl-C may arrive while the first one is reported.
            try:
                if self.interrupted:
                    self.interrupted = False
                    print("\nKeyboardInterrupt")
                line = read()
                if line is None:
                    return self._end()
                self._guarded(lambda: self.push_lines(line))
            except KeyboardInterrupt:
                if not self.terminal:
                    raise
                self.interrupted = True
                self.lines = []

    def _read_terminal(self):
        """Reads a line; returns None at the end of the input."""
        try:
            with self.reading:
                line = input(str(sys.ps2 if self.lines else sys.ps1))
        except EOFError:
            return None
        self.history.save()
        return line

    def _read_pipe(self):
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None

    def _end(self):
        """Runs what is pending at the end of the input; returns the status."""
        lines, self.lines = self.lines, []
        if self.terminal:
            print()
        elif lines:
            self._guarded(lambda: self._run_whole(lines))
        return 0

    def _guarded(self, body):
        try:
            body()
        except (SystemExit, KeyboardInterrupt, BrokenPipeError):
            raise
        except CommandError as error:
            sys.stdout.flush()
            print(error, file=sys.stderr)
        except BaseException as error:  # pylint: disable=broad-except
            lines, self.lines = self.lines, []
            self.session.show(_without_console(error))
            if isinstance(error, SyntaxError) and len(lines) == 1:
                self._hint(lines[0].strip())

    def _hint(self, line):
        """Suggests the command that the user may have meant."""
        name = line.split()[0]
        if name in COMMANDS and name not in self.session.namespace:
            print(f"Commands begin with a colon: :{line}", file=sys.stderr)
        elif line.endswith("?"):
            print(f"`help({line.rstrip('?')})` says what something is; "
                  "`:help` lists the commands", file=sys.stderr)

    def push_lines(self, text):
        """Takes a line, or several that were pasted. As in a pipe, blank lines
        do not end a block; it ends with the paste."""
        first, *rest = text.split("\n")
        self.pasting = bool(rest)
        try:
            for line in (first, *rest):
                self.push(line)
        finally:
            self.pasting = False
        if not rest or not self.lines:
            return
        code = self._compile(self.lines + [""])
        if code is not None:
            self.lines = []
            self._execute(code)

    def push(self, line):
        """Takes one line: a command, a comment, or part of a statement."""
        if not self.lines:
            stripped = line.strip()
            if not stripped or stripped.startswith("//"):
                return
            if stripped.startswith(":"):
                run_command(self.session, stripped)
                return
        elif self._ends_block(line):
            lines, self.lines = self.lines, []
            try:
                self._run_whole(lines)
            finally:
                self.push(line)
            return
        self.lines.append(line)
        # In a pipe a blank line does not end a block, because functions and
        # classes may contain some; the next line decides.
        typed = self.terminal and not self.pasting
        if not typed and not line.strip() and len(self.lines) > 1:
            return
        code = self._compile(self.lines)
        if code is not None:
            self.lines = []
            self._execute(code)

    def _ends_block(self, line):
        """Whether `line` starts a new statement while a block is open."""
        if not line.strip() or line[:1].isspace():
            return False
        word = line.replace(":", " ").split()
        if word and word[0] in _CONTINUES:
            return False
        try:
            whole = self.compile("\n".join(self.lines) + "\n", "<prompt>",
                                 "single")
        except (SyntaxError, ValueError, OverflowError):
            return True
        return whole is not None

    def _compile(self, lines):
        """Returns the code, or None if more lines are needed."""
        name = f"<prompt:{self.count + 1}>"
        text = "\n".join(lines)
        try:
            code = self.compile(text, name, "single")
        except (SyntaxError, ValueError, OverflowError) as error:
            self._remember(name, lines)
            raise _as_python_says(error, text, name) from None
        if code is not None:
            self._remember(name, lines)
        return code

    def _run_whole(self, lines):
        code = self._compile(lines + [""])
        if code is None:
            raise SyntaxError("the input ended inside a statement")
        self._execute(code)

    def _remember(self, name, lines):
        """Lets tracebacks and `inspect` find the source of typed code."""
        self.count += 1
        text = [line + "\n" for line in lines]
        linecache.cache[name] = (sum(map(len, text)), None, text, name)

    def _execute(self, code):
        exec(code, self.session.namespace)
        sys.stdout.flush()


def _as_python_says(error, text, name):
    """Returns Python's own error, as codeop may only say "incomplete input"."""
    try:
        compile(text + "\n", name, "single")
    except (SyntaxError, ValueError, OverflowError) as better:
        return better
    return error


def _without_console(error):
    """Removes the frames before the typed statement from the error."""
    frame = error.__traceback__
    while frame and not frame.tb_frame.f_code.co_filename.startswith(
            "<prompt"):
        frame = frame.tb_next
    return error.with_traceback(frame) if frame else error

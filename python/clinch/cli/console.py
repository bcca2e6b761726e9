"""The prompt: reads and runs statements of Python and C, colon commands and `//`
comments.

`code.InteractiveConsole` is not what it is made of: that ends a block at a blank line,
which C in a pipe or a paste has in it, knows one language for what is open, and offers
its loop or its `push` whole; nothing but `codeop`, which is here too, would be shared.
"""

from __future__ import annotations

import codeop
import linecache
import signal
import sys
from functools import partial

from .. import _clinch
from . import c_sharing
from .c_choice import is_of_c
from .c_guard import Crash, Interrupted
from .c_inputs import Inputs
from .c_mistakes import InputError
from .c_shape import Shape
from .commands import COMMANDS, CommandError, run_command
from .history import History
from .interruptible import InterruptibleReading
from .version import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

    from ..base.annotations import Any, Callable, Iterable, Sequence

_PROMPTS = {"c": "c>> ", "py": "py> "}
_CONTINUES = ("else", "elif", "except", "finally")


class Console:
    """Reads lines and runs statements in a session's namespace."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self.compile = codeop.CommandCompiler()
        self.lines: list[str] = []
        self.count = 0
        self.title = "prompt"
        self.interrupted = False
        self.pasting = False
        self.in_c = False  # Whether the lines are C.
        #: The last input, for `:edit`.
        self.last = ""
        session.c, session.reader = Inputs(session), self
        if self.terminal:
            session.c.offer = _offer

    def run(self) -> int:
        """Reads to the end of the input; returns the exit status."""
        if not self.terminal:
            return self._loop(self._read_pipe)
        self.reading = InterruptibleReading()
        # Python's own prompts, which show that input is expected.
        sys.ps1, sys.ps2 = ">>> ", "... "
        signal.signal(signal.SIGINT, _clinch.on_interrupt)
        try:
            print(f"{describe()}. `:help` lists the commands.")
            with History(self.session) as self.history:
                return self._loop(self._read_terminal)
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def run_text(self, text: str) -> bool:
        """Runs a text in C to its first mistake; returns whether there is none."""
        mode, self.session.mode = self.session.mode, "c"
        self.title, self.session.c.is_quiet, Crash.is_first = "command line", True, False
        try:
            return self._guarded(lambda: self.run_lines(text.split("\n")))
        finally:
            self.session.mode = mode
            self.title, self.session.c.is_quiet = "prompt", False

    def run_lines(self, lines: Iterable[str]) -> None:
        """Takes lines, of which the last ends what is open."""
        for line in lines:
            self.push(line)
        if self.lines:
            rest, self.lines = self.lines, []
            self._run_whole(rest)

    def _loop(self, read: Callable[[], str | None]) -> int:
        while True:
            if self.interrupted:
                self.interrupted = False
                print("\nKeyboardInterrupt")
            try:
                if _clinch.take_interrupts(True):
                    raise KeyboardInterrupt
                line = read()
                if line is not None:
                    self.take(line)
                _clinch.take_interrupts(False)
            except KeyboardInterrupt:
                # Python looks for signals behind a call, and nowhere between the two lines.
                _clinch.take_interrupts(False)
                if not self.terminal:
                    raise
                self.interrupted = True
                self.lines, self.in_c = [], False
                continue
            if line is None:
                return self._end()

    def take(self, text: str) -> None:
        """Takes lines, and shows what is wrong with them."""
        self._guarded(lambda: self.push_lines(text))

    def _read_terminal(self) -> str | None:
        """Reads a line; returns None at the end of the input."""
        try:
            with self.reading:
                first = _PROMPTS.get(self.session.mode, str(sys.ps1))
                line = input(str(sys.ps2) if self.lines else first)
        except EOFError:
            return None
        self.history.save()
        return line

    def _read_pipe(self) -> str | None:
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None

    def _end(self) -> int:
        """Runs what is pending at the end of the input; returns the status."""
        lines, self.lines = self.lines, []
        if self.terminal:
            print()
        elif lines and self.in_c:
            self._guarded(lambda: self._enter_c("\n".join(lines)))
        elif lines:
            self._guarded(lambda: self._run_whole(lines))
        return 0

    def _guarded(self, body: Callable[[], Any]) -> bool:
        """Calls `body`; shows an error. Returns whether there was none."""
        try:
            body()
            return True
        except (SystemExit, BrokenPipeError):
            raise
        except CommandError as error:
            sys.stdout.flush()
            print(error, file=sys.stderr)
        except Crash as error:
            self.lines, self.in_c = [], False
            sys.stdout.flush()
            print(self.session.c.line_at(error) + str(error), file=sys.stderr)
        except Interrupted as error:
            sys.stdout.flush()
            print(self.session.c.line_at(error), end="", file=sys.stderr)
            raise KeyboardInterrupt from None
        except KeyboardInterrupt:
            raise
        except InputError as error:
            self.lines, self.in_c = [], False
            sys.stdout.flush()
            print(error.render(self.session.error_colour), end="", file=sys.stderr)
        except BaseException as error:  # pylint: disable=broad-except
            self.lines, self.in_c = [], False
            self.session.show(_without_console(error))
            if isinstance(error, SyntaxError) and error.lineno == 1 and error.text:
                self._hint(error.text.strip())
        return False

    def _hint(self, line: str) -> None:
        """Suggests the command that the user may have meant."""
        name = line.split()[0]
        if name in COMMANDS and not self.session.knows(name):
            print(f"Commands begin with a colon: :{line}", file=sys.stderr)
        elif line.endswith("?"):
            print(f"`help({line.rstrip('?')})` says what something is; "
                  "`:help` lists the commands", file=sys.stderr)

    def push_lines(self, text: str) -> None:
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
        statement = self._statement(self.lines + [""])
        if statement is not None:
            self.lines, self.in_c = [], False
            statement()

    def push(self, line: str) -> None:
        """Takes one line: a command, a comment, or part of a statement."""
        if not self.lines:
            stripped = line.strip()
            if not stripped or stripped.startswith("//"):
                return
            if stripped.startswith(":") and not stripped.startswith("::"):
                run_command(self.session, stripped)
                return
        elif not self.in_c and self._ends_block(line):
            lines, self.lines = self.lines, []
            self._guarded(lambda: self._run_whole(lines))
            self.push(line)
            return
        self.lines.append(line)
        # In a pipe a blank line does not end a block, because functions and
        # classes may contain some; the next line decides.
        typed = self.terminal and not self.pasting
        if not line.strip() and len(self.lines) > 1 and not typed:
            return
        statement = self._statement(self.lines, ended=not line.strip())
        if statement is not None:
            self.lines, self.in_c = [], False
            statement()

    def _statement(self, lines: Sequence[str], ended: bool = False
                   ) -> Callable[[], None] | None:
        """Returns what runs these lines; None if more are needed."""
        text = "\n".join(lines)
        mode = self.session.mode
        if mode == "c" or mode != "py" and (
                self.in_c or Shape(text).is_directive() or self._goes_on_in_c(text)):
            return self._statement_of_c(text, ended)
        try:
            code = self._compile(lines)
        except (SyntaxError, ValueError, OverflowError) as error:
            shape = Shape(text)
            is_c = (shape.looks_like_c()
                    or shape.words() & self.session.c.names.known.keys())
            if mode == "py" or shape.is_open() and not is_c:
                raise
            return self._statement_of_c(text, ended, None if is_c else error)
        if code is None:
            return None
        if mode == "auto" and is_of_c(text, self.session):
            return partial(self._c_or_python, text, code)
        return partial(self._execute, code, text)

    def _goes_on_in_c(self, text: str) -> bool:
        return Shape(text).first == "else" and self.session.c.otherwise is not None

    def _statement_of_c(self, text: str, ended: bool, python_error: Exception | None = None
                        ) -> Callable[[], None] | None:
        """Returns what runs C; if Clang does not take it, `python_error` is raised."""
        if not ended and Shape(text).is_open():
            self.in_c = True
            return None

        def statement() -> None:
            try:
                self._enter_c(text)
            except InputError as error:
                raise (python_error or error) from None
        return statement

    def _c_or_python(self, text: str, code: CodeType) -> None:
        """Runs what both may take in C; in Python if Clang does not take it."""
        try:
            self._enter_c(text)
        except InputError as error:
            if Shape(text).assigns() in self.session.c.names.known:
                raise
            try:
                self._execute(code, text)
            except Exception as other:
                is_c = Shape(text).words() & self.session.c.names.known.keys() or (
                    isinstance(other, NameError)
                    and (Shape(text).looks_like_c() or error.is_suggesting))
                raise (error if is_c else other) from None

    def _enter_c(self, text: str) -> None:
        self.last = text
        self.count += 1
        try:
            self.session.c.enter(text, f"<{self.title}:{self.count}>")
        except InputError as error:
            self.count -= 1
            error.suggest(self.session.c.names.known)
            raise

    def _ends_block(self, line: str) -> bool:
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

    def _compile(self, lines: Sequence[str]) -> CodeType | None:
        """Returns the code, or None if more lines are needed."""
        name = f"<prompt:{self.count + 1}>"
        text = "\n".join(lines)
        try:
            code = self.compile(text, name, "single")
        except (SyntaxError, ValueError, OverflowError) as error:
            raise _as_python_says(error, text, name) from None
        return code

    def _run_whole(self, lines: list[str]) -> None:
        statement = self._statement(lines + [""], ended=True)
        if statement is None:
            raise SyntaxError("the input ended inside a statement")
        statement()

    def _remember(self, text: str) -> None:
        """Lets tracebacks and `inspect` find the source of typed code."""
        self.count += 1
        self.last = text
        name = f"<prompt:{self.count}>"
        linecache.cache[name] = (len(text) + 1, None, (text + "\n").splitlines(True), name)

    def _execute(self, code: CodeType, text: str) -> None:
        self._remember(text)
        self.session.fill()
        try:
            exec(code, self.session.namespace)
        finally:
            c_sharing.take_back(self.session.c.names)
        sys.stdout.flush()


def _offer(name: str, header: str) -> bool:
    """Asks whether a header is wanted."""
    print(f"`{name}` is of {header}: include it? [y] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")


def _as_python_says(error: Exception, text: str, name: str) -> Exception:
    """Returns Python's own error, as codeop may only say "incomplete input"."""
    try:
        compile(text + "\n", name, "single")
    except (SyntaxError, ValueError, OverflowError) as better:
        return better
    return error


def _without_console(error: BaseException) -> BaseException:
    """Removes the frames before the typed statement from the error."""
    frame = error.__traceback__
    while frame and not frame.tb_frame.f_code.co_filename.startswith(
            "<prompt"):
        frame = frame.tb_next
    return error.with_traceback(frame) if frame else error

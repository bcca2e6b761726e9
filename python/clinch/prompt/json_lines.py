"""`clinch --json`: requests in, one a line; answers out, one a line.

docs/guide/08-the-driver.md has the keys. They are stable: keys are added, never renamed.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import sys
import tempfile

from ..c_types import BUILTINS
from . import report
from .c_commands import spelled
from .c_guard import Crash, Interrupted
from .c_memory import read
from .c_mistakes import InputError
from .commands import CommandError
from .console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any
    from .c_values import Value

_DIAGNOSTIC = ("severity", "message", "line", "column", "source_line")
_MOST = 10_000  # Items of an array, bytes of a text.


class JsonConsole(Console):
    """Reads requests, and writes what became of each."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.answer: dict[str, Any] = {}
        self.begin = 0  # The line of the request at which the input begins.
        session.c.give = self._give
        session.c.doubt = lambda found: self._add_diagnostics(found.diagnostics)
        sys.displayhook = self._give_python

    def run(self) -> int:
        """Answers to the end of the input; what code writes is in the answers."""
        with open(os.dup(1), "w", encoding="utf-8", buffering=1) as out:
            while line := sys.stdin.readline():
                if line.strip():
                    status = self._take(line)
                    out.write(json.dumps(self.answer, allow_nan=False) + "\n")
                    if status is not None:
                        return status
        return 0

    def _take(self, line: str) -> int | None:
        """Runs a request; returns the status if it asks to leave."""
        self.answer = {"ok": False, "values": [], "diagnostics": []}
        try:
            request = json.loads(line)
        except ValueError as error:
            self.answer["error"] = f"this is no line of JSON: {error}"
            return None
        if not isinstance(request, dict) or not isinstance(request.get("code"), str):
            self.answer["error"] = 'a request is an object such as {"code": "int i = 3;"}'
            return None
        if "id" in request:
            self.answer["id"] = request["id"]
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            kept = os.dup(1), os.dup(2)
            os.dup2(output.fileno(), 1), os.dup2(errors.fileno(), 2)
            try:
                return self._run(request["code"])
            finally:
                sys.stdout.flush(), sys.stderr.flush()
                ctypes.CDLL(None).fflush(None)
                for number, file in enumerate(kept, 1):
                    os.dup2(file, number)
                    os.close(file)
                for key, written in (("output", output), ("errors", errors)):
                    written.seek(0)
                    self.answer[key] = written.read().decode(errors="replace")

    def _run(self, code: str) -> int | None:
        """Runs the code to its first mistake."""
        try:
            for number, text in enumerate(code.split("\n")):
                self.begin = self.begin if self.lines else number
                self.push(text)
            self.run_lines([])
            self.answer["ok"] = True
        except SystemExit as leaving:
            self.answer["ok"] = True
            return leaving.code if isinstance(leaving.code, int) else int(bool(leaving.code))
        except InputError as error:
            self._add_diagnostics(error.diagnostics)
        except Crash as error:
            self.answer["crash"] = {
                "message": str(error).partition("\n")[0].removeprefix("crashed: "),
                "where": error.where.removeprefix("clinch: "),
                "at": self.session.c.line_at(error).rstrip("\n")}
        except (Interrupted, KeyboardInterrupt):
            self.answer["error"] = "interrupted"
        except CommandError as error:
            self.answer["error"] = str(error)
        except BaseException as error:  # pylint: disable=broad-except
            self.answer["error"] = report.render(error).rstrip("\n")
        finally:
            self.lines, self.in_c = [], False
        return None

    def _add_diagnostics(self, found: list[Any]) -> None:
        self.answer["diagnostics"] += [
            {**{key: one[key] for key in _DIAGNOSTIC}, "line": one["line"] + self.begin}
            for one in found]

    def _give(self, value: Value) -> None:
        self.answer["values"].append({
            "text": value.text, "type": spelled(value.types, value.kind),
            "value": _data(value.types, value.kind, value.address) if value.address else None})

    def _give_python(self, value: Any) -> None:
        if value is not None:
            plain = isinstance(value, (bool, int, str)) or \
                isinstance(value, float) and math.isfinite(value)
            self.answer["values"].append({"text": repr(value), "type": type(value).__name__,
                                          "value": value if plain else None})


def _text(address: int) -> str | None:
    """Returns the text at an address, if there is one."""
    found = b""
    while len(found) < _MOST and (more := read(address + len(found), 1)):
        if more == b"\0":
            return found.decode(errors="replace")
        found += more
    return None


def _data(types: Any, kind: str, address: int) -> Any:
    """Returns a value of C as JSON has it: a number, a text, a list, an object; None for
    what it has not, such as an address."""
    if kind.startswith("["):
        count, _, item = kind[1:].partition("]")
        if item == "char":
            return ctypes.string_at(address, int(count)).partition(b"\0")[0].decode(
                errors="replace")
        if int(count) > _MOST:
            return None
        size = types.size(item)
        return [_data(types, item, address + at * size) for at in range(int(count))]
    if kind.startswith("#"):
        what, _, *rest = types._rows[kind]
        if what == "e":
            return _data(types, rest[0], address)
        if what == "l":
            return None
        found = types.ctype(kind).from_address(address) if what != "c" else None
        return {rest[at]: getattr(found, rest[at], None) if rest[at + 2] else
                _data(types, rest[at + 3], address + int(rest[at + 1]) // 8)
                for at in range(2, len(rest), 4) if rest[at]}
    if kind in ("*char", "*const char"):
        return _text(ctypes.c_size_t.from_address(address).value)
    if kind not in BUILTINS or kind == "void":
        return None
    value = getattr(ctypes, BUILTINS[kind] or "").from_address(address).value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return None if isinstance(value, float) and not math.isfinite(value) else value

"""Checks modules and C files step by step and reports each step."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import sys

from ... import _clinch
from ...base import headers
from ...base.annotations import Any
from ...ops.hook_errors import author_of, file_of, merged, place_of, plain_note, reword
from . import cfiles
from .kinds import SAMPLES, ClinchKind, look_at_samples
from .result import Finding
from .saying import LOADING, CannotCheck, Skipped, described


class Looker:
    """Checks the targets and reports in lines of JSON."""

    def __init__(self, out: Any, skipped: Any, options: Any) -> None:
        self.out = out
        self.skipped = skipped
        self.options = options
        self.path = ""
        self.assumed = ""  # About the types of the inputs.
        self._digests: dict[str, str] = {}
        self._kinds: list[Any] = []

    def tell(self, kind: Any, **said: Any) -> None:
        self.out.write(json.dumps({"kind": kind, **said}) + "\n")
        self.out.flush()

    def step(self, what: str) -> None:
        """Reports the next step; raises Skipped if it is known not to end."""
        if (self.path, what) in self.skipped:
            raise Skipped
        self.tell("step", path=self.path, what=what)

    def unseen(self, why: str) -> None:
        self.tell("unseen", path=self.path, why=why)

    @contextlib.contextmanager
    def trying(self) -> Any:
        """Reports what cannot be checked and lets the rest go on."""
        try:
            yield
        except Skipped:
            pass
        except CannotCheck as error:
            self.unseen(str(error))

    def end_after(self, crash: Any) -> None:
        """Ends this process, whose compiler is not used again."""
        self.tell("crash", why=crash.message.partition(": ")[2].rstrip("."))
        raise SystemExit(1)

    def run(self, targets: Any) -> None:
        self.tell("step", path=targets[0], what=LOADING)
        _clinch.start_checker(headers.folders(),
                              _clinch.cache_info()["dir"] or "")
        for done, path in enumerate(targets, 1):
            self.path, self.assumed = path, ""
            with self.trying():
                if path.endswith(".py"):
                    self._module(path)
                else:
                    cfiles.look(self, path)
            self.tell("target", done=done)
        self.tell("end")

    def _module(self, path: str) -> Any:
        self.step("importing it")
        try:
            module = _imported(path)
        except (Exception, SystemExit) as error:
            raise CannotCheck("it cannot be imported: " + described(error)) from None
        if not self._kinds:
            self._kinds.append(ClinchKind(self))
            self._kinds[0].begin()
        if "pytensor" in sys.modules and len(self._kinds) == 1:
            from .of_pytensor import PyTensorKind  # Imports PyTensor.
            self._kinds.append(PyTensorKind(self))
            self._kinds[1].begin()
        kinds = self._kinds
        given = getattr(module, SAMPLES, None)
        if callable(given):
            return look_at_samples(self, kinds, given)
        for kind in kinds:
            kind.look(module)

    def found(self, diagnostics: Any, classes: Any) -> None:
        """Reports the diagnostics of a graph's blocks."""
        checks = {id(diagnostic): check for diagnostic, check in diagnostics}
        for diagnostic in merged([diagnostic for diagnostic, _ in diagnostics]):
            finding = self._finding(diagnostic, checks[id(diagnostic)], classes)
            self.tell("finding", **vars(finding))

    def _finding(self, diagnostic: Any, check: Any, classes: Any) -> Any:
        author = author_of(diagnostic)
        file = file_of(diagnostic)
        reword(diagnostic, author is not None and not file)
        finding = Finding(
            path=self.path, line=0, column=0, severity=diagnostic["severity"],
            check=check or diagnostic["severity"],
            message=diagnostic["message"], hook=".".join(author or ()),
            source_line=diagnostic["source_line"],
            fixits=diagnostic["fixits"], notes=diagnostic["notes"])
        if self.assumed and diagnostic["severity"] == "error":
            finding.notes.append(plain_note(self.assumed))
        if file:
            finding.path, finding.line = file, diagnostic["line"]
            finding.column = diagnostic["column"]
            finding.digest = self._digest(file)
            return finding
        place = place_of(classes, author[0], author[1], True) if author else None
        if place is not None:
            finding.path, finding.line = place
        finding.text_line = diagnostic["line"]
        finding.text_column = diagnostic["column"]
        return finding

    def _digest(self, path: str) -> Any:
        if path not in self._digests:
            with open(path, "rb") as file:
                self._digests[path] = hashlib.sha256(file.read()).hexdigest()
        return self._digests[path]


def _imported(path: str) -> Any:
    """Imports a file as a module. If it mentions PyTensor, `clinch.pytensor` is
    imported first, as PyTensor alone would look for a C++ compiler and run it."""
    name = _name_of(path)
    with open(path, "rb") as file:
        wanted = b"pytensor" in file.read()
    if wanted and "pytensor" not in sys.modules:
        with contextlib.suppress(Exception):  # The module's import reports it.
            importlib.import_module("clinch.integrations.pytensor")
    return importlib.import_module(name)


def _name_of(path: str) -> Any:
    """Returns the module name of a file and puts its folder on sys.path."""
    folder, name = os.path.split(path)
    parts = [os.path.splitext(name)[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)

"""The result of `clinch check`."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...base.annotations import Any


@dataclass
class Finding:
    """One fault that was found."""

    path: str
    line: int  # In the file; for a hook in Python, the hook's first line.
    column: int  # 0 if only the hook's place in the file is known.
    severity: str
    check: str
    message: str
    hook: str = ""  # "Half.c_code".
    text_line: int = 0  # In the text that the hook returned; 0: use `line`.
    text_column: int = 0
    source_line: str = ""
    fixits: list[Any] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    digest: str = ""  # SHA-256 of the C file as it was read.
    fixed: bool = False

    @property
    def key(self) -> tuple[Any, ...]:
        """A key that is equal for findings of the same fault."""
        return (self.path, self.line, self.column, self.hook, self.text_line,
                self.text_column, self.check, self.message)


@dataclass
class Result:
    """All findings, and what could not be checked as (path, reason)."""

    findings: list[Finding] = field(default_factory=list)
    unseen: list[tuple[str, str]] = field(default_factory=list)
    graphs: int = 0  # The number of graphs.
    files: int = 0

    @property
    def status(self) -> int:
        if self.unseen:
            return 2
        return int(any(not finding.fixed for finding in self.findings))

    def finish(self) -> None:
        """Sorts the findings; a fault found in two graphs is kept once."""
        known = {finding.key: finding for finding in reversed(self.findings)}
        self.findings = sorted(known.values(), key=lambda f: f.key)
        self.unseen = sorted(dict.fromkeys(self.unseen))

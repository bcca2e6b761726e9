"""What came of looking."""

from dataclasses import dataclass, field


@dataclass
class Finding:
    """One thing that was found, as data."""

    path: str
    line: int  # In the file; of a hook in Python, where the hook begins.
    column: int  # 0 where only the hook's place in the file is known.
    severity: str
    check: str
    message: str
    hook: str = ""  # "Half.c_code".
    text_line: int = 0  # In what the hook returned; 0: `line` says it.
    text_column: int = 0
    source_line: str = ""
    fixits: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    digest: str = ""  # Of the C file that was read.
    fixed: bool = False

    @property
    def key(self):
        """Equal for findings that tell of one fault."""
        return (self.path, self.line, self.column, self.hook, self.text_line,
                self.text_column, self.check, self.message)


@dataclass
class Result:
    """All findings, and what could not be looked at: (path, why)."""

    findings: list = field(default_factory=list)
    unseen: list = field(default_factory=list)
    looked_at: int = 0  # Types and Ops.
    files: int = 0

    @property
    def status(self):
        if self.unseen:
            return 2
        return int(any(not finding.fixed for finding in self.findings))

    def finish(self):
        """Sorts; the same fault in two graphs is told once."""
        known = {finding.key: finding for finding in reversed(self.findings)}
        self.findings = sorted(known.values(), key=lambda f: f.key)
        self.unseen = sorted(dict.fromkeys(self.unseen))

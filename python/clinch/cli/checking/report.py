"""Writes the findings as text, as JSON, or as SARIF for code hosts."""

from __future__ import annotations

import json
import os

from ... import _clinch
from ...base.annotations import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from .result import Finding, Result

_SARIF = ("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
          "sarif-schema-2.1.0.json")


def write(result: Result, form: str, out: TextIO) -> None:
    """Writes the whole report."""
    {"text": _as_text, "json": _as_json, "sarif": _as_sarif}[form](result, out)


def _short(path: str) -> str:
    """Returns the path relative to the current folder if it is inside it."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def _place(finding: Finding) -> str:
    place = _short(finding.path) + (f":{finding.line}" if finding.line else "")
    if finding.column:
        return f"{place}:{finding.column}"
    if finding.text_line:
        place += (f": line {finding.text_line}, column {finding.text_column} "
                  f"of `{finding.hook}`")
    elif finding.hook:
        place += f": `{finding.hook}`"
    return place


def _as_text(result: Result, out: TextIO) -> None:
    for finding in result.findings:
        diagnostic = {
            "severity": finding.severity, "origin": _place(finding), "line": 0,
            "column": finding.column or finding.text_column,
            "message": f"{finding.message} [{finding.check}]"
            + (" (mended)" if finding.fixed else ""),
            "source_line": finding.source_line,
            "fixits": [] if finding.fixed else finding.fixits,
            "notes": finding.notes}
        # With line 0 the column only places the caret.
        out.write(_clinch.render("", [diagnostic], False) + "\n")
    for path, why in result.unseen:
        out.write(f"{_short(path)}: could not be looked at: {why}\n")
    out.write(_sum(result) + "\n")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _sum(result: Result) -> str:
    mended = sum(finding.fixed for finding in result.findings)
    said = (f"{_count(len(result.findings), 'finding')} in "
            f"{_count(result.graphs, 'graph')} of "
            f"{_count(result.files, 'file')}")
    if mended:
        said += f", {mended} mended"
    if result.unseen:
        said += (f"; {_count(len(result.unseen), 'thing')} could not be looked "
                 "at")
    return said + "."


def _as_json(result: Result, out: TextIO) -> None:
    findings = [{key: value for key, value in vars(finding).items()
                 if key != "digest"} for finding in result.findings]
    json.dump({"version": 1, "findings": findings,
               "unseen": [{"path": path, "why": why}
                          for path, why in result.unseen],
               "graphs": result.graphs, "files": result.files,
               "status": result.status}, out, indent=1)
    out.write("\n")


def _as_sarif(result: Result, out: TextIO) -> None:
    checks = sorted({finding.check for finding in result.findings})
    run = {
        "tool": {"driver": {
            "name": "clinch check", "version": _clinch.version,
            "rules": [{"id": check} for check in checks]}},
        "columnKind": "utf16CodeUnits",
        "results": [_sarif_result(finding, checks)
                    for finding in result.findings],
        "invocations": [{
            "executionSuccessful": not result.unseen,
            "toolExecutionNotifications": [
                {"level": "error", "message": {"text": why},
                 "locations": [_sarif_location(path, 0, 0)]}
                for path, why in result.unseen]}]}
    json.dump({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, out,
              indent=1)
    out.write("\n")


def _sarif_location(path: str, line: int, column: int) -> dict[str, Any]:
    place: dict[str, Any] = {
        "artifactLocation": {"uri": _short(path).replace(os.sep, "/")}}
    if line:
        place["region"] = {"startLine": line}
        if column:
            place["region"]["startColumn"] = column
    return {"physicalLocation": place}


def _sarif_result(finding: Finding, checks: list[str]) -> dict[str, Any]:
    message = finding.message
    if finding.text_line:
        message = (f"line {finding.text_line} of `{finding.hook}`, "
                   f"`{finding.source_line.strip()}`: {message}")
    result = {
        "ruleId": finding.check, "ruleIndex": checks.index(finding.check),
        "level": finding.severity, "message": {"text": message},
        "locations": [_sarif_location(finding.path, finding.line,
                                      finding.column)]}
    if finding.fixits and finding.column and not finding.fixed:
        result["fixes"] = [{"artifactChanges": [{
            "artifactLocation": {"uri": _short(finding.path)},
            "replacements": [_sarif_replacement(finding, fixit)
                             for fixit in finding.fixits]}]}]
    return result


def _sarif_replacement(finding: Finding, fixit: Any) -> dict[str, Any]:
    return {"deletedRegion": {"startLine": finding.line,
                              "startColumn": fixit["begin_column"],
                              "endColumn": fixit["end_column"]},
            "insertedContent": {"text": fixit["replacement"]}}

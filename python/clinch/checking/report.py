"""Writes the findings as text, as JSON, or as SARIF for code hosts."""

import json
import os

from .. import _clinch

_SARIF = ("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
          "sarif-schema-2.1.0.json")


def write(result, form, out):
    """Writes the whole report."""
    {"text": _as_text, "json": _as_json, "sarif": _as_sarif}[form](result, out)


def _short(path):
    """Returns the path relative to the current folder if it is inside it."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def _place(finding):
    place = _short(finding.path) + (f":{finding.line}" if finding.line else "")
    if finding.column:
        return f"{place}:{finding.column}"
    if finding.text_line:
        place += (f": line {finding.text_line}, column {finding.text_column} "
                  f"of `{finding.hook}`")
    elif finding.hook:
        place += f": `{finding.hook}`"
    return place


def _as_text(result, out):
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


def _count(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _sum(result):
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


def _as_json(result, out):
    findings = [{key: value for key, value in vars(finding).items()
                 if key != "digest"} for finding in result.findings]
    json.dump({"version": 1, "findings": findings,
               "unseen": [{"path": path, "why": why}
                          for path, why in result.unseen],
               "graphs": result.graphs, "files": result.files,
               "status": result.status}, out, indent=1)
    out.write("\n")


def _as_sarif(result, out):
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


def _sarif_location(path, line, column):
    place = {"artifactLocation": {"uri": _short(path).replace(os.sep, "/")}}
    if line:
        place["region"] = {"startLine": line}
        if column:
            place["region"]["startColumn"] = column
    return {"physicalLocation": place}


def _sarif_result(finding, checks):
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


def _sarif_replacement(finding, fixit):
    return {"deletedRegion": {"startLine": finding.line,
                              "startColumn": fixit["begin_column"],
                              "endColumn": fixit["end_column"]},
            "insertedContent": {"text": fixit["replacement"]}}

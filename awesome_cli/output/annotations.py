"""Findings for editors and code hosts: GitHub annotations, SARIF 2.1.0, error formats."""

from collections.abc import Callable, Mapping, Sequence

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.text.inert import to_json, visible, visible_line

GITHUB = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
Manual = Mapping[str, str]


def github(findings: Sequence[Finding], _manual: Manual) -> str:
    """Write GitHub workflow commands, which annotate lines of a file."""
    return "".join(
        f"::{GITHUB[f.level]} file={_property(f.path)},line={f.line},col={f.column},title={_property(f.code)}"
        f"::{_data(f.message + (f' — fix: {f.fix}' if f.fix else ''))}\n"
        for f in findings
    )


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def errorformat(findings: Sequence[Finding], _manual: Manual) -> str:
    """Write one line per finding: `path:line:column: CODE message`."""
    return "".join(
        f"{visible_line(f.path)}:{f.line}:{f.column}: {f.code} {' '.join(f.message.split())}\n" for f in findings
    )


def sarif(findings: Sequence[Finding], manual: Manual) -> str:
    """Write one SARIF run; `manual` maps the code of a rule to its text."""
    codes = sorted({f.code for f in findings})
    rules = [{"id": code, "shortDescription": {"text": manual.get(code, code).partition("\n")[0]}} for code in codes]
    tool = {"driver": {"name": "awesome", "rules": rules}}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": tool, "columnKind": "unicodeCodePoints", "results": list(map(_sarif_result, findings))}],
    }
    return to_json(log, indent=2) + "\n"


def _sarif_result(f: Finding) -> dict[str, object]:
    text = f.message + (f" Fix: {f.fix}" if f.fix else "")
    region = {"startLine": f.line, "startColumn": f.column}
    place = {"physicalLocation": {"artifactLocation": {"uri": f.path}, "region": region}}
    return {"ruleId": f.code, "level": f.level.value, "message": {"text": text}, "locations": [place]}


ANNOTATIONS: Mapping[str, Callable[[Sequence[Finding], Manual], str]] = {
    "github": github,
    "sarif": sarif,
    "errorformat": errorformat,
}

"""Check a LaTeX document against `paper.yaml` and the records."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ENDED
from awesome_cli.model.manuscript import PATH
from awesome_cli.publish.manuscript.answers import PaperAnswers, statistics_of
from awesome_cli.publish.manuscript.document import Document, MacroUse, TextPlace
from awesome_cli.publish.manuscript.files import entries
from awesome_cli.publish.manuscript.typed import typed
from awesome_cli.reports.findings import Finding, in_order
from awesome_cli.rules.checking import RULES
from awesome_cli.text.known import nearest, unknown

KINDS = {"number": "numbers", "share": "numbers", "table": "tables", "cites": "lists", "claim": "claims"}
"""The field of `PaperAnswers` with the names of each macro."""
CITED = re.compile(r"\\(?:survey)?cite\{([^}]*)\}")
ENTRY = re.compile(r"@\w+\s*[{(]\s*([^\s,]+)\s*,")


def check(document: Document, answers: PaperAnswers, stale: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Return the findings on a document, without those of lines with a comment `% awesome: ignore REASON`.

    `stale` are the paths of generated files that do not follow from the records.
    """
    findings = [
        *(f for use in document.uses for f in _use(use, answers)),
        *_citations(document, answers),
        *_typed(document, answers),
        *_stated(document, answers),
        *(_finding("N009", use.place, f"cannot read {use.name!r}", "correct the name") for use in document.missing),
        *(_finding("N010", TextPlace(path, 1, 1), "the file is stale", "awesome paper build") for path in stale),
    ]
    return in_order(finding for finding in findings if (finding.path, finding.line) not in document.ignored)


def _finding(code: str, place: TextPlace, message: str, fix: str | None = None, key: str | None = None) -> Finding:
    return Finding(code, RULES[code].level, message, place.path, place.line, place.column, key=key, fix=fix)


def _use(use: MacroUse, answers: PaperAnswers) -> Iterator[Finding]:
    kind = use.macro.removeprefix("survey")
    if kind not in KINDS:
        return
    known = getattr(answers, KINDS[kind])
    if kind == "share":
        known = {name: number for name, number in known.items() if number.percent}
    macro = rf"\{use.macro}{{{use.name}}}"
    if use.name not in known:
        noun = {"share": "share", "cites": "list"}.get(kind, kind)
        close = nearest(use.name, known)
        holder = "claims.yaml" if kind == "claim" else PATH
        fix = rf"write \{use.macro}{{{close}}}" if close else f"add it to {holder}, and run 'awesome paper build'"
        yield _finding("N002", use.place, unknown(use.name, known, noun, owner=holder), fix)
    elif kind == "claim" and (entry := answers.claims[use.name]).reason:
        by = entry.claim.revised.by if entry.status in ENDED and entry.claim.revised else ()
        fix = " or ".join(rf"write \surveyclaim{{{name}}}" for name in by) or f"awesome claims show {use.name}"
        yield _finding("N003", use.place, f"claim {use.name!r} does not hold: {entry.reason}", fix)
    if use.moving and kind in {"table", "cites", "claim"}:
        fix = rf"move {macro} into the text; \surveynumber and \surveyshare work in \{use.moving}"
        yield _finding("N008", use.place, rf"{macro} stands in the moving argument of \{use.moving}", fix)


def cited(document: Document, answers: PaperAnswers | None) -> frozenset[str]:
    """Return the citation keys in a document, and those in the lists, tables and claims that it uses."""
    texts = entries(answers) if answers else {}
    keys = [use.name for use in document.uses if use.macro == "cite"]
    for use in document.uses:
        kind = use.macro.removeprefix("survey")
        keys += texts.get(("list", use.name), "").split(",") if kind == "cites" else ()
        text = texts.get((kind, use.name), "") + texts.get(("note", use.name), "") * (kind == "claim" and use.starred)
        keys += [key for match in CITED.findall(text) for key in match.split(",")]
    return frozenset(keys)


def _citations(document: Document, answers: PaperAnswers) -> Iterator[Finding]:
    known, own = _bibliography(document.bibliographies), frozenset(answers.cites.values())
    for use in document.uses:
        if use.macro != "cite" or use.name in own or use.name == "*":
            continue
        if use.name in known:
            yield _finding("N011", use.place, "a cited work is not a paper of the survey", key=use.name)
        else:
            fix = (
                f"write {nearest(use.name, own)!r}" if nearest(use.name, own) else "add the work: awesome add REFERENCE"
            )
            yield _finding("N004", use.place, unknown(use.name, own, "citation key"), fix)
    used = cited(document, answers)
    for paper in answers.corpus.papers if "*" not in used else ():
        if answers.cites[paper.key] not in used:
            place = TextPlace(paper.path, 1, 1)
            yield _finding(
                "N005", place, "the document never cites this paper", f"cite {answers.cites[paper.key]}", paper.key
            )


def _bibliography(paths: Iterable[Path]) -> frozenset[str]:
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())
    return frozenset(key for text in texts for key in ENTRY.findall(text))


def _typed(document: Document, answers: PaperAnswers) -> Iterator[Finding]:
    for place, text, number in typed(document, answers, statistics_of(Pool(answers.corpus))):
        yield _finding("N006", place, f"{text!r} is typed by hand", number.fix)


def _stated(document: Document, answers: PaperAnswers) -> Iterator[Finding]:
    places: Mapping[str, set[str]] = {name: set() for name in answers.claims}
    for use in document.uses:
        if use.macro == "surveyclaim" and use.name in places:
            places[use.name] |= use.sections
    for name, entry in answers.claims.items():
        for part in entry.claim.stated if entry.status not in ENDED else ():
            if (title := part.lower()) in document.sections and title not in places[name]:
                message = f"claim {name!r} is stated in {part!r}, but that part does not contain it"
                yield _finding("N007", document.sections[title], message, rf"write \surveyclaim{{{name}}} there")

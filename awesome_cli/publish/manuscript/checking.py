"""Check a LaTeX document against `paper.yaml` and the records."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ENDED
from awesome_cli.model.manuscript import PATH
from awesome_cli.publish.manuscript.answers import PaperAnswers, statistics_of
from awesome_cli.publish.manuscript.document import Document, MacroUse, TextPlace
from awesome_cli.publish.manuscript.files import entries
from awesome_cli.publish.manuscript.typed import typed
from awesome_cli.reports.findings import Finding, in_order
from awesome_cli.rules.checking import RULES
from awesome_cli.text.known import LISTED, nearest, unknown
from awesome_cli.text.numbers import shortened

KINDS = {"number": "numbers", "share": "numbers", "table": "tables", "cites": "lists", "claim": "claims"}
"""The field of `PaperAnswers` with the names of each macro."""
CITED = re.compile(r"\\(?:survey)?cite\{([^}]*)\}")


def check(document: Document, answers: PaperAnswers, stale: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Return the findings on a document, without those of lines with a comment `% awesome: ignore REASON`.

    `stale` are the paths of generated files that do not follow from the records.
    """
    used, own = cited(document, answers), frozenset(answers.cites.values())
    findings = [
        *(f for use in document.uses for f in _use(use, answers)),
        *_bibliographies(document, used & own),
        *_citations(document, answers, used, own),
        *_typed(document, answers),
        *_stated(document, answers),
        *(
            _finding("N009", use.place, f"{use.name!r} was not read", "correct the name, or ignore it")
            for use in document.missing
        ),
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
    elif kind == "cites" and not answers.lists[use.name]:
        yield _finding("N003", use.place, f"list {use.name!r} has no paper", f"correct its query in {PATH}")
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


def _bibliographies(document: Document, needed: frozenset[str]) -> Iterator[Finding]:
    main = document.sources[0].path
    fix = f"awesome export bibtex --cited-in {main} --out {PurePath(main).parent}/{{}}"
    for name, place, keys in document.bibliographies:
        if keys is None:
            yield _finding("N012", place, f"{name} is missing beside the document", fix.format(name))
    known = _known(document)
    if known and (lost := sorted(needed - known)):
        name, place, _ = document.bibliographies[0]
        message = f"the bibliography lacks {shortened(lost, LISTED)}, which the document cites"
        yield _finding("N012", place, message, fix.format(name))


def _known(document: Document) -> frozenset[str]:
    """Return the keys of all bibliographies of a document."""
    return frozenset[str]().union(*(entry.keys or () for entry in document.bibliographies))


def _citations(
    document: Document, answers: PaperAnswers, used: frozenset[str], own: frozenset[str]
) -> Iterator[Finding]:
    known = _known(document)
    for use in document.uses:
        if use.macro != "cite" or use.name in own | {"*"}:
            continue
        if use.name in known:
            yield _finding("N011", use.place, "a cited work is not a paper of the survey", key=use.name)
        else:
            close = nearest(use.name, own)
            fix = (
                f"write {close!r}" if close else "awesome add REFERENCE, or add the work to a bibliography of your own"
            )
            yield _finding("N004", use.place, unknown(use.name, own, "citation key"), fix)
    for paper in answers.corpus.papers if "*" not in used else ():
        if answers.cites[paper.key] not in used:
            place = TextPlace(paper.path, 1, 1)
            yield _finding(
                "N005", place, "the document never cites this paper", f"cite {answers.cites[paper.key]}", paper.key
            )


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

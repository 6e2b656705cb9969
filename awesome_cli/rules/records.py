"""Rules on single records (K, P, X, F): dates agree, readers can find the work, references exist."""

from collections.abc import Iterator

from awesome_cli.model.records import Exclusion
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import ADDRESS, AUTHOR, DOTS


@rule("K001", Level.WARNING)
def contradicting_dates(corpus: Corpus) -> Iterator[Found]:
    """Two dates of a paper contradict each other.

    The paper was withdrawn or corrected before it was added, or added more than a year before its publication.
    """
    for paper in corpus.papers:
        if paper.withdrawn is not None and paper.withdrawn < paper.added:
            message = f"withdrawn on {paper.withdrawn}, before it was added on {paper.added}"
            yield at(paper, ("withdrawn",), message, f"awesome set {paper.key} withdrawn={DOTS}")
        if paper.year is not None and paper.added.year < paper.year - 1:
            message = f"added on {paper.added}, more than a year before its publication in {paper.year}"
            yield at(paper, ("added",), message, f"awesome set {paper.key} year={DOTS}")
        for i, correction in enumerate(paper.corrections):
            if correction.corrected_on < paper.added:
                message = f"corrected on {correction.corrected_on}, before it was added on {paper.added}"
                yield at(paper, ("corrections", i, "corrected_on"), message, "correct the date")


@rule("P001", Level.WARNING)
def unreachable(corpus: Corpus) -> Iterator[Found]:
    """A paper has neither a link nor an identifier, so readers cannot find it."""
    for paper in corpus.papers:
        if not paper.links and not paper.identifiers.pairs():
            fix = f"awesome set {paper.key} links={ADDRESS} # or identifiers.arxiv=ID, identifiers.doi=ID"
            yield at(paper, ("title",), "the paper has neither a link nor an identifier", fix)


@rule("P002", Level.WARNING)
def no_authors(corpus: Corpus) -> Iterator[Found]:
    """A paper has no authors.

    Bibliographies cannot cite it. An author may be a company or `Anonymous`.
    """
    for paper in corpus.papers:
        if not paper.authors:
            fix = f"awesome set {paper.key} authors='{AUTHOR}; others'"
            if paper.identifiers.is_askable:
                fix = f"awesome refresh {paper.key} --apply # or {fix}"
            yield at(paper, ("title",), "the paper has no authors", fix)


@rule("X001", Level.NOTE)
def no_note(corpus: Corpus) -> Iterator[Found]:
    """An exclusion has no note.

    A sentence in `note` lets others check the decision. No note is needed if a file in screenings/ has the decision
    with the same date and reason.
    """
    screened = {(d.key, d.reason, d.on) for held in corpus.screenings for d in held.decisions}
    for exclusion in corpus.exclusions:
        why = (exclusion.key, exclusion.screening.reason, exclusion.screening.on)
        if not exclusion.note and why not in screened:
            fix = f"awesome set {exclusion.key} note='{DOTS}'"
            yield at(exclusion, ("screening",), "the exclusion has no note with its reason", fix)


@rule("F001", Level.ERROR)
def unknown_record(corpus: Corpus) -> Iterator[Found]:
    """A record refers to an unknown record.

    `version_of` and `distinct_from` contain keys of other records.
    """
    known = {*corpus.by_key, *corpus.unread}
    for record in corpus.records:
        names: list[tuple[Route, str]] = [(("distinct_from", i), name) for i, name in enumerate(record.distinct_from)]
        if not isinstance(record, Exclusion) and record.version_of is not None:
            names.append((("version_of", 0), record.version_of))
        for route, name in names:
            if name not in known:
                message = f"{route[0]} refers to an unknown record: {name!r}"
                yield at(record, route, message, f"remove {name!r} from {route[0]}")


@rule("F002", Level.ERROR)
def unknown_field(corpus: Corpus) -> Iterator[Found]:
    """The history or a correction names an unknown field."""
    for work in corpus.works:
        for name in ("corrections", "history"):
            for i, entry in enumerate(getattr(work, name)):
                if entry.field.partition(".")[0] not in type(work).model_fields:
                    message = f"{entry.field!r} is not a field of records"
                    yield at(work, (name, i, "field"), message, "see 'awesome schema paper'")

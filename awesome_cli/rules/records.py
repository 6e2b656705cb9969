"""Rules on single records (P, X, F): readers can find the work, references exist."""

from collections.abc import Iterator
from datetime import date, timedelta
from shlex import quote
from typing import Any

from awesome_cli.model.misfits import unread
from awesome_cli.model.records import Exclusion
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus, as_of
from awesome_cli.text import names
from awesome_cli.text.known import ADDRESS, AUTHOR, DOTS, shown


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


@rule("P003", Level.NOTE)
def unsplit_name(corpus: Corpus) -> Iterator[Found]:
    """An author is a name without a comma, such as `Kim Lee`.

    A name without a comma is that of an organization, so it is not sorted, shortened or compared by its family name.
    """
    for work in corpus.works:
        if wrong := [n for n, author in enumerate(work.authors) if names.is_unsplit(author)]:
            split = "; ".join(names.inverted(a) if names.is_unsplit(a) else a for a in work.authors)
            fix = f"awesome set {work.key} authors={quote(split)}"
            name = shown(work.authors[wrong[0]])
            yield at(work, ("authors", wrong[0]), f"the author {name} has no comma after the family name", fix)


@rule("P004", Level.WARNING)
def retracted(corpus: Corpus) -> Iterator[Found]:
    """A paper or candidate was retracted, withdrawn or questioned by its publisher, and nobody has dealt with it.

    'awesome watch' names the claims that rest on it. Screen the work out, or say in `retraction.handled` why it stays.
    """
    for work in corpus.works:
        if work.retraction is not None and work.retraction.is_open:
            fix = f"awesome exclude {work.key} --stage {DOTS} --reason {DOTS}"
            fix += f" # or awesome set {work.key} retraction.handled={quote(DOTS)}"
            yield at(work, ("retraction",), f"the work is {work.retraction}", fix)


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
    """A record refers to an unknown record, or to itself.

    `version_of` and `distinct_from` contain keys of other records.
    """
    known = {*corpus.by_key, *corpus.unread}
    for record in corpus.records:
        names: list[tuple[Route, str]] = [(("distinct_from", i), name) for i, name in enumerate(record.distinct_from)]
        if not isinstance(record, Exclusion) and record.version_of is not None:
            names.append((("version_of", 0), record.version_of))
        for route, name in names:
            itself = name in {record.key, *record.aliases}
            if itself or name not in known:
                message = f"{route[0]} refers to {'the record itself' if itself else 'an unknown record'}: {name!r}"
                yield at(record, route, message, f"remove {name!r} from {route[0]}")


@rule("F002", Level.ERROR)
def unknown_field(corpus: Corpus) -> Iterator[Found]:
    """The history, a correction or a rejected value names an unknown field, or an impossible former value."""
    for work in corpus.works:
        for name in ("corrections", "history", "rejected"):
            for i, entry in enumerate(getattr(work, name)):
                if entry.field.partition(".")[0] not in type(work).model_fields:
                    message = f"{entry.field!r} is not a field of records"
                    yield at(work, (name, i, "field"), message, "see 'awesome schema paper'")
        # Former codings have a rule of their own (V014).
        if work.corrections or any(not entry.field.startswith("tags") for entry in work.history):
            yield from _impossible_past(work)


def _impossible_past(work: Any) -> Iterator[Found]:
    """Yield the latest entry whose former value makes the record of the day before invalid."""
    days = [(entry.corrected_on, ("corrections", i)) for i, entry in enumerate(work.corrections)]
    days += [(entry.on, ("history", i)) for i, entry in enumerate(work.history)]
    if not days or _fault(work, min(days)[0]) is None:  # what restores the first day restores the others
        return
    day, (name, i) = max(entry for entry in days if _fault(work, entry[0]))
    message = f"with this value the record of the day before is not valid: {_fault(work, day)}"
    yield at(work, (name, i, "published" if name == "corrections" else "was"), message, "correct the value")


def _fault(work: Any, day: date) -> str | None:
    """Return why the record of the day before `day` is not valid; None if it is."""
    try:
        as_of(work, day - timedelta(days=1))
    except (ValueError, LookupError, TypeError) as error:
        return unread(error)
    return None

"""Rules on measures and on the sources of codings (V): figures are possible, and sources can be looked up."""

import re
from collections.abc import Iterator, Mapping

from awesome_cli.model.records import AnyRecord, AnyWork
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, choose, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import fold
from awesome_cli.text.known import DOTS, URL

ENOUGH, ENOUGH_WHOLE = 2, 10
"""Minimum numbers of other values with which the size of a value is compared, and a fraction with whole numbers."""
ABSURD = 1000
"""A value is absurd if it is this many times the largest other value of the measure."""


@rule("V020", Level.WARNING)
def odd_figure(corpus: Corpus) -> Iterator[Found]:
    """A value of a measure differs from all other values of the measure.

    It is negative although no other is; a thousand times the largest of at least two others; or a fraction although at
    least ten others are all whole. Read the figure again.
    """
    for name in (measure.id for measure in corpus.taxonomy.measures):
        measured = ((work, work.measures[name].value) for work in corpus.works if name in work.measures)
        facts = [(work, value) for work, value in measured if value is not None]
        values = sorted(value for _, value in facts)
        whole = sum(value.is_integer() for value in values)
        for work, value in facts:
            largest = values[-1] if value != values[-1] or values.count(value) > 1 else (values[-2:-1] or [0.0])[0]
            if why := _oddity(value, values, largest, whole):
                message = f"{value:,.12g} {why} of {name!r}"
                yield at(
                    work, ("measures", name, "value"), message, f"awesome set {work.key} measures.{name}.value={DOTS}"
                )


def _oddity(value: float, values: list[float], largest: float, whole: int) -> str:
    """Describe how a value differs from the others; `largest` is the largest other, `whole` the count of whole ones."""
    if value < 0 and sum(v < 0 for v in values) == 1:
        return "is the only negative value"
    if not value.is_integer() and whole == len(values) - 1 >= ENOUGH_WHOLE:
        return "is the only fraction among the values"
    absurd = len(values) > ENOUGH and value > ABSURD * largest > 0
    return f"is more than {ABSURD:,} times the largest other value ({largest:,.12g})" if absurd else ""


@rule("V021", Level.WARNING)
def unsupported_figure(corpus: Corpus) -> Iterator[Found]:
    """A measure has neither a source nor a confidence, so readers cannot judge the figure."""
    levels = [level.id for level in corpus.taxonomy.confidences]
    for work in corpus.works:
        for name, fact in work.measures.items():
            if fact.value is not None and not fact.source and not fact.confidence:
                fix = choose(f"awesome set {work.key} measures.{name}.confidence=LEVEL", "LEVEL", levels)
                fix = fix if levels else f"awesome set {work.key} measures.{name}.source={URL}"
                yield at(work, ("measures", name), f"{name!r} has neither a source nor a confidence", fix)


PLACEHOLDER, LONG = re.compile(r"\W*|(?:todo|tbd|fixme|xxx|n/?a)\W*", re.IGNORECASE), 12
"""Texts that say nothing, and a length above which they are not tried."""


@rule("V022", Level.WARNING)
def empty_evidence(corpus: Corpus) -> Iterator[Found]:
    """Evidence, a quote or a source is empty, or the source of a figure or coding cannot be looked up.

    A source names a work (an identifier, a URL, or a year with authors) or a part of the paper (abstract, section,
    table, page). If it names another record of the survey, it must also name the paper itself: the evidence is
    probably that of the other work.
    """
    names = {value.lower(): record for record in corpus.records for _, value in record.identifiers.pairs()}
    for work in corpus.works:
        identifiers = [value for _, value in work.identifiers.pairs()]
        for route, field, text in _texts(work):
            if len(text) < LONG and PLACEHOLDER.fullmatch(text):
                fix = f"awesome edit {work.key} # write or remove it"
                yield at(work, (*route, field), f"{field} is empty or a placeholder", fix)
            elif field != "source" or any(value in text for value in identifiers):
                continue
            elif not re.search(r"\d|://", text) and not _has_locator(text):
                message = f"the source {text!r} does not say where to look"
                yield at(work, (*route, field), message, f"awesome edit {work.key} # write arxiv:ID §2, a DOI or a URL")
            elif (other := _other(text, work, names)) is not None:
                message = f"the source {text!r} is {other.key}, another record"
                yield at(work, (*route, field), message, f"awesome edit {work.key} # name the paper itself")


def _has_locator(source: str) -> bool:
    # Imported here, since its patterns take long to compile and most sources have a number.
    from awesome_cli.text.passages import has_locator

    return has_locator(source)


def _texts(work: AnyWork) -> Iterator[tuple[Route, str, str]]:
    for axis, tags in work.tags.items():
        for i, tag in enumerate(tags):
            fields = ((name, getattr(tag, name)) for name in ("evidence", "quote", "source"))
            yield from ((("tags", axis, i), name, text) for name, text in fields if text is not None)
    for name, fact in work.measures.items():
        if fact.source is not None:
            yield ("measures", name), "source", fact.source


IDENTIFIER = re.compile(r"\b(?:\d{4}\.\d{4,5}|10\.\d{4,}/[^\s;,]+)")


def _other(source: str, work: AnyWork, names: Mapping[str, AnyRecord]) -> AnyRecord | None:
    """Return the record of the survey that each part of a source names; None if a part names the work, or no record."""
    found = (IDENTIFIER.search(part) for part in source.split(";"))
    records = [names.get(match[0].rstrip(".)").lower()) if match else None for match in found]
    titles = {fold(record.title) for record in records if record is not None}
    return None if None in records or fold(work.title) in titles else records[0]

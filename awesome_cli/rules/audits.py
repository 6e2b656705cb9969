"""Rules on audits/ (L): columns, terms and papers exist, and first codings are those of the records."""

from collections.abc import Collection, Iterator
from datetime import date, timedelta

from awesome_cli.model.audits import ALL, NA, Audit
from awesome_cli.model.codings import parse_cell
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, missing, rule, spelt, unknown_in
from awesome_cli.survey.corpus import Corpus, as_of
from awesome_cli.text.known import unknown


@rule("L005", Level.ERROR)
def bad_coding(corpus: Corpus) -> Iterator[Found]:
    """An audit contains an unknown column, term or paper.

    A column is an axis or `axis.strength`. A cell is `NA`, or terms separated by `;`: a main term and parts
    (`press; drip:part`), or, on an axis of kind `many`, terms with strengths. A group lists papers of the audit.
    """
    axes = corpus.taxonomy.by_id
    for audit in corpus.audits:
        for i, column in enumerate(audit.columns):
            axis, dot, rest = column.partition(".")
            if axis not in axes or (dot and rest != "strength"):
                fix = "write AXIS or AXIS.strength"
                yield at(audit, ("columns", i), unknown(column, axes, "column"), fix)
        for i, coding in enumerate(audit.codings):
            yield from missing(audit.path, ("codings", i, "key"), coding.key, corpus, audit.key)
        yield from _bad_groups(audit)
        for route, column, cell in _cells(audit):
            yield from _bad_words(audit, route, column, cell, corpus.taxonomy)


def _cells(audit: Audit) -> Iterator[tuple[Route, str, str]]:
    for i, coding in enumerate(audit.codings):
        for coder in ("first", "second", "second_choice"):
            for column, cell in getattr(coding, coder).items():
                yield ("codings", i, coder, column), column, cell


def _bad_groups(audit: Audit) -> Iterator[Found]:
    keys = [coding.key for coding in audit.codings]
    for name, group in audit.groups.items():
        for key, columns in group.cells.items():
            route = ("groups", name, "cells", key)
            yield from unknown_in(audit.path, route, key, keys, "coded paper")
            for column in columns:
                yield from unknown_in(audit.path, route, column.partition("=")[0], (ALL, *audit.columns), "column")


def _bad_words(audit: Audit, route: Route, column: str, cell: str, taxonomy: Taxonomy) -> Iterator[Found]:
    name, _, strength = column.partition(".")
    axis = taxonomy.by_id.get(name)
    if axis is None or cell in {"", NA}:
        return
    for tag in parse_cell(cell):
        word: str = tag.term
        known: Collection[str] = axis.rank if strength else axis.by_id
        kind = "strength" if strength else "term"
        if word in known and tag.strength:
            word, known, kind = tag.strength, axis.rank, "strength"
        if word not in known:
            yield at(audit, route, unknown(word, known, kind, owner=f"axis {name!r}"), spelt(word, known))


@rule("L014", Level.ERROR)
def paper_twice(corpus: Corpus) -> Iterator[Found]:
    """An audit has a paper twice, so agreement counts its cells twice."""
    for audit in corpus.audits:
        seen: set[str] = set()
        for i, coding in enumerate(audit.codings):
            record = corpus.by_key.get(coding.key)
            key = record.key if record else coding.key
            if key in seen:
                yield at(audit, ("codings", i, "key"), f"{coding.key} occurs twice", "remove one of the two codings")
            seen.add(key)


@rule("L015", Level.NOTE)
def unnamed_coder(corpus: Corpus) -> Iterator[Found]:
    """An audit does not name its second coder, or names a first coder for an unknown column."""
    for audit in corpus.audits:
        if not audit.second.strip() or "second" not in audit.model_fields_set:
            yield at(audit, ("second",), "the second coder is not named", "add 'second: NAME'")
        for column in audit.first_of:
            yield from unknown_in(audit.path, ("first_of", column), column, audit.columns, "column", audit.key)


@rule("L016", Level.WARNING)
def other_first_coding(corpus: Corpus) -> Iterator[Found]:
    """The first coding of an audit has main terms that the record did not have on the day of the audit.

    The first coding is a copy of the record, so that agreement stays as it was. If the record was corrected later,
    its history needs the former coding: `awesome tag … --revised`.
    """
    for audit in corpus.audits:
        for i, coding in enumerate(audit.codings):
            paper = corpus.by_key.get(coding.key)
            if not isinstance(paper, Paper):
                continue
            for column, cell in coding.first.items():
                terms = {tag.term for tag in parse_cell(cell) if not tag.part and tag.term != NA}
                axis = corpus.taxonomy.by_id.get(column)
                if axis and not any(_is_coding(axis, terms, then) for then in _states(paper, audit.on)):
                    route = ("codings", i, "first", column)
                    message = f"{coding.key} was not coded {column}={'; '.join(sorted(terms)) or NA} on {audit.on}"
                    yield at(audit, route, message, f"correct the cell, or add the former coding to {paper.path}")


def _is_coding(axis: Axis, terms: set[str], paper: Paper) -> bool:
    had = {tag.term for tag in paper.tags_on(axis.id)}
    return terms == had or (axis.kind == "many" and bool(terms) and terms <= had)


def _states(paper: Paper, day: date) -> Iterator[Paper]:
    """Yield a paper as it is, and as it was at the start and at the end of a day, which takes longer."""
    yield paper
    if any(entry.on >= day for entry in paper.history):
        yield from (as_of(paper, day - timedelta(days=1)), as_of(paper, day))

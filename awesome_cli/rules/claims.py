"""Rules on claims.yaml and audits/: every claim can be asked, and every name in it exists."""

from collections.abc import Iterable, Iterator

from awesome_cli.errors import UsageError
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.claims import PATH, Expectation
from awesome_cli.model.codings import parse_cell
from awesome_cli.model.taxonomy import Taxonomy, did_you_mean, nearest
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Fault, Level
from awesome_cli.rules.registry import Rule, rule
from awesome_cli.survey.corpus import Corpus

Route = tuple[str | int, ...]


def id_twice(corpus: Corpus) -> Iterator[Fault]:
    """Two claims have one id, so that nobody could say which is meant."""
    ids = [claim.id for claim in corpus.claims.claims]
    for i, name in enumerate(ids):
        if name in ids[:i]:
            yield Fault("L001", PATH, ("claims", i, "id"), f"claim {name!r} stands twice", "rename one of the two")


def bad_query(corpus: Corpus) -> Iterator[Fault]:
    """A query of a claim cannot be understood.

    The queries of `count`, `share` and `ids`, and what they are compared with (`among`, `over`, `minus`), are written
    in the language of `awesome list`; try one there.
    """
    for route, expectation in _expectations(corpus):
        if expectation.kind in {"count", "share", "ids"}:
            for name in (expectation.kind, "among", "over", "minus"):
                text = getattr(expectation, name)
                if text is None:
                    continue
                try:
                    parse(text, corpus.taxonomy)
                except UsageError as error:
                    yield Fault("L002", PATH, (*route, name), error.message, error.hint)


def unknown_name(corpus: Corpus) -> Iterator[Fault]:
    """A claim or a rereading names something that does not exist.

    A measure or its group, an audit or its column, another claim, an axis, a term or a grade. A claim about the
    survival of others cannot be about one that is such a claim itself.
    """
    taxonomy, claims = corpus.taxonomy, corpus.claims
    if claims.strict_from is not None:
        yield from _known(("strict_from",), "grade", claims.strict_from, taxonomy.grade_rank)
    for route, expectation in _expectations(corpus):
        yield from _names(route, expectation, corpus)
    for i, reading in enumerate(claims.rereadings):
        place: Route = ("rereadings", i)
        yield from _known((*place, "axis"), "axis", reading.axis, taxonomy.by_id)
        if reading.axis in taxonomy.by_id:
            terms = taxonomy.by_id[reading.axis].by_id
            yield from _known((*place, "term"), "term", reading.term, terms)
            yield from _known((*place, "read_as"), "term", reading.read_as, terms)


def _names(route: Route, expectation: Expectation, corpus: Corpus) -> Iterator[Fault]:
    kind = expectation.kind
    if kind in {"largest", "median"}:
        measures = {measure.id: measure for measure in corpus.taxonomy.measures}
        yield from _known((*route, kind), "measure", expectation.asked, measures)
        if expectation.asked in measures:
            groups = [group.id for group in measures[expectation.asked].groups]
            for name in ("group", "over", "minus"):
                group = getattr(expectation, name)
                if group is not None:
                    yield from _known((*route, name), "group", group, groups)
    elif kind == "agreement":
        audits = {audit.key: audit for audit in corpus.audits}
        yield from _known((*route, "audit"), "audit", expectation.audit or "", audits)
        if expectation.audit in audits:
            yield from _known((*route, kind), "column", expectation.asked, _columns(audits[expectation.audit], corpus))
    elif kind == "survive":
        simple = [c.id for c in corpus.claims.claims if all(e.kind != "survive" for e in c.expect)]
        for i, name in enumerate(expectation.survive):
            yield from _known((*route, kind, i), "claim about the corpus", name, simple)


def _columns(audit: Audit, corpus: Corpus) -> list[str]:
    """The columns of an audit as claims name them: an axis that takes many terms has one a term."""
    names: list[str] = []
    for column in audit.columns:
        axis = corpus.taxonomy.by_id.get(column)
        many = axis is not None and axis.kind == "many"
        names += [f"{column}={term.id}" for term in axis.leaves] if axis is not None and many else [column]
    return names


def unknown_record(corpus: Corpus) -> Iterator[Fault]:
    """A claim expects a record that the survey does not have (`ids` with `equals` or `at_least`)."""
    for route, expectation in _expectations(corpus):
        for name, bound in expectation.bounds:
            if isinstance(bound, tuple) and name != "at_most":
                for i, key in enumerate(bound):
                    if key not in corpus.by_key and key not in corpus.unread:
                        message = f"no record {key!r}{did_you_mean(key, corpus.by_key)}"
                        yield Fault("L004", PATH, (*route, name, i), message, "see 'awesome list'")


def bad_coding(corpus: Corpus) -> Iterator[Fault]:
    """An audit codes a column or a term that the taxonomy does not know, or a paper that the survey does not have.

    Columns are axes and `axis.strength`; a cell is a term, terms joined by `;` on an axis that takes many, or `NA`.
    """
    for audit in corpus.audits:
        for i, column in enumerate(audit.columns):
            axis, dot, rest = column.partition(".")
            if axis not in corpus.taxonomy.by_id or (dot and rest != "strength"):
                close = did_you_mean(axis, corpus.taxonomy.by_id)
                fix = "name an axis, or write axis.strength"
                yield Fault("L005", audit.path, ("columns", i), f"no column {column!r}{close}", fix, audit.key)
        for i, coding in enumerate(audit.codings):
            if coding.key not in corpus.by_key and coding.key not in corpus.unread:
                message = f"no record {coding.key!r}{did_you_mean(coding.key, corpus.by_key)}"
                yield Fault("L005", audit.path, ("codings", i, "key"), message, "see 'awesome list'", audit.key)
            for coder in ("first", "second"):
                for column, cell in getattr(coding, coder).items():
                    for message in _cell_faults(column, cell, corpus.taxonomy):
                        route: Route = ("codings", i, coder, column)
                        yield Fault("L005", audit.path, route, message, "see 'awesome taxonomy show'", audit.key)


def _cell_faults(column: str, cell: str, taxonomy: Taxonomy) -> Iterator[str]:
    name, _, strength = column.partition(".")
    axis = taxonomy.by_id.get(name)
    if axis is None or cell in {"", NA}:
        return
    known: Iterable[str] = axis.rank if strength else axis.by_id
    for tag in parse_cell(cell):
        word, own = tag.term, tag.strength
        if word not in known:
            yield f"{column} has no {'strength' if strength else 'term'} {word!r}{did_you_mean(word, known)}"
        elif own and own not in axis.rank:
            yield f"{column} has no strength {own!r}{did_you_mean(own, axis.rank)}"


def _expectations(corpus: Corpus) -> Iterator[tuple[Route, Expectation]]:
    for i, claim in enumerate(corpus.claims.claims):
        for j, expectation in enumerate(claim.expect):
            yield ("claims", i, "expect", j), expectation


def _known(route: Route, what: str, name: str, names: Iterable[str]) -> Iterator[Fault]:
    known = list(names)
    if name not in known:
        close = nearest(name, known)
        fix = f"write {close!r}" if close else f"one of: {', '.join(known) or 'none yet'}"
        yield Fault("L003", PATH, route, f"there is no {what} {name!r}{did_you_mean(name, known)}", fix)


RULES: tuple[Rule, ...] = (
    rule("L001", Level.ERROR, id_twice),
    rule("L002", Level.ERROR, bad_query),
    rule("L003", Level.ERROR, unknown_name),
    rule("L004", Level.ERROR, unknown_record),
    rule("L005", Level.ERROR, bad_coding),
)

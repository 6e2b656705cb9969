"""Rules on claims.yaml (L): claims can be evaluated and say something, names exist, dates and successors agree."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from math import inf, isclose
from typing import get_args

from awesome_cli.errors import UsageError
from awesome_cli.model.audits import ALL
from awesome_cli.model.claims import PATH, Claim, CorpusQuestion, Expectation, State
from awesome_cli.model.codings import MAIN, split_axis
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, missing, repeated_ids, rule, unknown_in, unknown_keys, unparsed
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.text.stated import numbers, stated

QUERIES = frozenset({"count", "share", "ids"})
"""The kinds of expectation whose values are queries."""


@rule("L001", Level.ERROR)
def id_twice(corpus: Corpus) -> Iterator[Found]:
    """Two claims have the same id."""
    yield from repeated_ids(PATH, "claims", [claim.id for claim in corpus.claims.claims])


@rule("L002", Level.ERROR)
def bad_query(corpus: Corpus) -> Iterator[Found]:
    """A query of a claim is not valid.

    `count`, `share`, `ids`, `among`, `over` and `minus` are queries. Try a query with `awesome list`; `awesome explain
    query` describes the language. Dated expectations, and claims that were revised or withdrawn, use the taxonomy of
    the claim's date.
    """
    for route, expectation in expectations(corpus):
        claim = corpus.claims.claims[int(route[1])]
        words = corpus.taxonomy
        if expectation.dated or not claim.stands(None):
            words = _vocabulary(words, claim.as_of)
        for name in (expectation.kind, "among", "over", "minus") if expectation.kind in QUERIES else ():
            text = getattr(expectation, name)
            if text is not None:
                yield from unparsed(PATH, (*route, name), text, words)


def _vocabulary(taxonomy: Taxonomy, day: date) -> Taxonomy:
    try:
        return taxonomy.as_of(day)
    except ValueError:
        # The history of an axis may be invalid, and rules must not raise.
        return taxonomy


@rule("L003", Level.ERROR)
def unknown_name(corpus: Corpus) -> Iterator[Found]:
    """A claim or a rereading contains an unknown name.

    The name is that of a measure or its group, a confidence, an audit or its column, another claim, an axis or a term.
    `survive` only takes claims that do not use `survive` themselves. Write `state` as `axis=term`. A place in `stated`
    is one of `survey.places`, if the survey lists them.
    """
    taxonomy, claims = corpus.taxonomy, corpus.claims
    for route, expectation in expectations(corpus):
        for steps, name, known, kind in references(expectation, corpus):
            yield from unknown_in(PATH, (*route, *steps), name, known, kind)
    places = taxonomy.survey.places
    for i, claim in enumerate(claims.claims if places else ()):
        for j, place in enumerate(claim.stated):
            yield from unknown_in(PATH, ("claims", i, "stated", j), place, places, "place")
    for i, reading in enumerate(claims.rereadings):
        yield from unknown_in(PATH, ("rereadings", i, "axis"), reading.axis, taxonomy.by_id, "axis")
        for name in ("term", "read_as") if reading.axis in taxonomy.by_id else ():
            terms = taxonomy.by_id[reading.axis].by_id
            yield from unknown_in(PATH, ("rereadings", i, name), getattr(reading, name), terms, "term")


Reference = tuple[Route, str, Collection[str], str]
"""A name in an expectation: its route, the name, the valid names, and their kind."""


def references(question: CorpusQuestion, corpus: Corpus) -> tuple[Reference, ...]:
    """Return the names in a question."""
    return tuple(_references(question, corpus))


def _references(expectation: CorpusQuestion, corpus: Corpus) -> Iterator[Reference]:
    kind = expectation.kind
    if kind == "state":
        yield from _term_references(expectation, corpus.taxonomy)
    elif expectation.of_measure:
        yield from _measure_references(expectation, corpus.taxonomy)
    elif kind == "agreement":
        yield from _audit_references(expectation, corpus)
    elif isinstance(expectation, Expectation):
        for i, name in enumerate(expectation.survive):
            yield (kind, i), name, corpus.claims.simple, "claim without 'survive'"


def _term_references(expectation: CorpusQuestion, taxonomy: Taxonomy) -> Iterator[Reference]:
    name, term = split_axis(expectation.topic)
    yield (expectation.kind,), name, taxonomy.by_id, "axis"
    if name in taxonomy.by_id:
        yield (expectation.kind,), term or "", taxonomy.by_id[name].by_id, "term"


def _audit_references(expectation: CorpusQuestion, corpus: Corpus) -> Iterator[Reference]:
    audits = {audit.key: audit for audit in corpus.audits}
    yield ("audit",), expectation.audit or "", {*audits, *corpus.unread}, "audit"
    if expectation.audit in audits:
        audit = audits[expectation.audit]
        for i, name in enumerate(expectation.agreement):
            yield (expectation.kind, i), name, audit.names(corpus.taxonomy), "column"
        if expectation.group is not None:
            yield ("group",), expectation.group, audit.subsets, "group"


def _measure_references(expectation: CorpusQuestion, taxonomy: Taxonomy) -> Iterator[Reference]:
    measures = {measure.id: measure for measure in taxonomy.measures}
    yield (expectation.kind,), expectation.topic, measures, "measure"
    if expectation.confidence is not None:
        yield ("confidence",), expectation.confidence, taxonomy.confidence_rank, "confidence"
    if expectation.topic in measures:
        groups = [group.id for group in measures[expectation.topic].groups]
        for name in ("group", "over", "minus"):
            group = getattr(expectation, name)
            if group is not None:
                yield (name,), group, groups, "group"


@rule("L004", Level.ERROR)
def unknown_record(corpus: Corpus) -> Iterator[Found]:
    """A claim expects a record that the survey does not have.

    `equals` and `at_least` of `ids` list keys of records.
    """
    for route, expectation in expectations(corpus):
        for name, bound in expectation.bounds:
            for i, key in enumerate(bound) if isinstance(bound, tuple) and name != "at_most" else ():
                yield from missing(PATH, (*route, name, i), key, corpus)


def expectations(corpus: Corpus) -> tuple[tuple[Route, Expectation], ...]:
    """Return every expectation of a claim with its route."""
    return tuple(
        (("claims", i, "expect", j), expectation)
        for i, claim in enumerate(corpus.claims.claims)
        for j, expectation in enumerate(claim.expect)
    )


@rule("L006", Level.ERROR)
def broken_succession(corpus: Corpus) -> Iterator[Found]:
    """A claim and its successor do not refer to each other, or claims succeed each other in a cycle.

    A revised claim lists its successors in `revised.by`, and each successor lists the claim in `succeeds`.
    """
    claims = corpus.claims.by_id
    for i, claim in enumerate(corpus.claims.claims):
        by = claim.revised.by if claim.revised else ()
        sides = ((("revised", "by"), by, "succeeds"), (("succeeds",), claim.succeeds, "revised.by"))
        for steps, names, back in sides:
            for j, name in enumerate(names):
                route = ("claims", i, *steps, j)
                yield from unknown_in(PATH, route, name, claims, "claim")
                if name in claims and claim.id not in _named(claims[name], back):
                    message = f"{claim.id!r} has {name!r} in {'.'.join(steps)}, but {back} of {name!r} lacks it"
                    yield Found(PATH, route, message, f"add {claim.id!r} to {back} of {name!r}")
        later = _later(claim, claims)
        if claim.id in later:
            cycle = [name for name in claims if name in later and claim.id in _later(claims[name], claims)]
            message = f"claims succeed each other in a cycle: {', '.join(cycle)}"
            fix = "remove one name from 'revised.by', and its counterpart from 'succeeds'"
            yield Found(PATH, ("claims", i, "revised"), message, fix)


def _named(claim: Claim, field: str) -> tuple[str, ...]:
    return claim.succeeds if field == "succeeds" else claim.revised.by if claim.revised else ()


def _later(claim: Claim, claims: Mapping[str, Claim]) -> set[str]:
    later: set[str] = set()
    waiting = list(_named(claim, "revised.by"))
    while waiting:
        name = waiting.pop()
        if name in claims and name not in later:
            later.add(name)
            waiting += _named(claims[name], "revised.by")
    return later


@rule("L007", Level.ERROR)
def impossible_life(corpus: Corpus) -> Iterator[Found]:
    """A claim has two ends, ends before it begins, or ends because of unknown records.

    A claim is either revised (successors replace it) or withdrawn (without a successor), on its `as_of` date or later.
    """
    for i, claim in enumerate(corpus.claims.claims):
        if claim.revised and claim.withdrawn:
            message = f"{claim.id!r} is both revised and withdrawn"
            yield Found(PATH, ("claims", i, "withdrawn"), message, "keep one of the two")
        for name, end in (("revised", claim.revised), ("withdrawn", claim.withdrawn)):
            if end is not None and end.on < claim.as_of:
                message = f"{claim.id!r} was {name} on {end.on}, before its 'as_of' {claim.as_of}"
                yield Found(PATH, ("claims", i, name, "on"), message, "write a date that is not before as_of")
        for j, key in enumerate(claim.revised.records if claim.revised else ()):
            yield from missing(PATH, ("claims", i, "revised", "records", j), key, corpus)


@rule("L008", Level.ERROR)
def survives_ended(corpus: Corpus) -> Iterator[Found]:
    """`survive` lists a claim that was revised or withdrawn.

    `survive` tests present claims only. For an earlier date, a successor that did not exist yet is replaced by its
    predecessor.
    """
    claims = corpus.claims.by_id
    for route, expectation in expectations(corpus):
        for i, name in enumerate(expectation.survive):
            claim = claims.get(name)
            if claim is not None and not claim.stands(None):
                by = claim.revised.by if claim.revised else ()
                fix = f"write {', '.join(by)} instead of {name}" if by else f"remove {name}"
                yield Found(PATH, (*route, "survive", i), f"the claim {name!r} was revised or withdrawn", fix)


@rule("L009", Level.ERROR)
def unexpected_number(corpus: Corpus) -> Iterator[Found]:
    """A number in a claim or its headline, or in the finding of the survey, is not a number of an expectation.

    Numbers of expectations are bounds and lengths of lists of keys. The number may be in digits or words (`1,200`,
    `12.5 %`, `twenty`, `one in eight`, `no paper`; `more than 3` states 4), or be written `{2}`: that of the second
    expectation. Those in `survey.finding` must be of a claim that stands. Dates, code, names and the word `one` are not
    checked.
    """
    standing = [e for claim in corpus.claims.claims if claim.stands(None) for e in claim.expect]
    finding = (TAXONOMY, ("survey", "finding"), corpus.taxonomy.survey.finding or "", standing)
    claims = [
        (PATH, route, text, claim.expect)
        for i, claim in enumerate(corpus.claims.claims)
        for route, text in _sentences(i, claim)
    ]
    is_unread = any(f.path.startswith("claims.") for f in corpus.findings)
    for path, route, text, expect in (*claims, *[finding][is_unread:]):
        known = [n for e in expect for n in (*e.numbers, *[0.0] * ("gap" in e.allowed))]
        known += [number / 100 for e in expect if e.of_measure for number in e.numbers]
        for start, word, value in numbers(text):
            if not _among(value, known) and not _in_name(corpus, text, start, word):
                fix = "correct the number, or add an expectation and write its place: {1}"
                yield Found(path, route, f"{word!r} is not a number of an expectation", fix)


def _sentences(at: int, claim: Claim) -> Iterator[tuple[Route, str]]:
    yield ("claims", at, "statement"), claim.statement
    if claim.headline:
        yield ("claims", at, "headline", "sentence"), claim.headline.sentence


def _among(value: float, known: Iterable[float]) -> bool:
    return any(isclose(value, each, rel_tol=0.002 if each % 1 else 1e-9) for each in known)


def _in_name(corpus: Corpus, text: str, start: int, word: str) -> bool:
    names = [name for record in corpus.records for name in (record.key, record.title)]
    names += [term.label for axis in corpus.taxonomy.axes for term in axis.terms]
    # Most names are not in the text, and each pattern would be compiled anew.
    named = (re.escape(name) for name in names if name != word and name in text)
    spans = (match.span() for name in named for match in re.finditer(name, text))
    return any(first <= start < end for first, end in spans)


STATED = {"gap": r"gaps?\b|no (\w+ )?papers?\b|nobody|none\b", "sparse": "sparse", "covered": "cover"}
"""Patterns of the words that state a state of the gap map."""


@rule("L010", Level.WARNING)
def unstated_expectation(corpus: Corpus) -> Iterator[Found]:
    """A claim has an expectation that its statement does not state, so it can fail while the statement is true.

    The statement contains the number of each bound (also `no`, `not` or `without` for 0, `a` or `each` for 1); for
    `ids`, the number of keys, or each key or title; for `state`, the allowed state with the most papers (`no paper` or
    `nobody` for a gap). `survive` with the bound 0, and claims that do not stand any more, are not checked.
    """
    for route, e in expectations(corpus):
        claim = corpus.claims.claims[int(route[1])]
        missing = ", ".join(_unstated(e, claim.statement, corpus)) if claim.stands(None) else ""
        if missing:
            fix = f"{'name it' if e.allowed else f'write {{{int(route[3]) + 1}}}'} in the statement"
            message = f"the statement of {claim.id!r} does not state {missing}"
            yield Found(PATH, route, message, f"{fix}, or remove the expectation")


def _unstated(e: Expectation, text: str, corpus: Corpus) -> Iterator[str]:
    state = max(e.allowed, key=get_args(State).index, default=None)
    if state and not re.search(rf"\b(?:{STATED[state]})", text, re.IGNORECASE):
        yield f"the state {state!r}"
    for (name, bound), number in zip((*e.bounds, ("cells", 0.0)), e.numbers, strict=False):
        keys = bound if isinstance(bound, tuple) else ()
        named = keys and all(key in text or corpus.short_titles.get(key, key) in text for key in keys)
        if not (named or _among(number, stated(text)) or (e.survive and number == 0)):
            yield f"'{name}: {number:.12g}{' keys' if keys else ''}'"


@rule("L011", Level.WARNING)
def empty_expectation(corpus: Corpus) -> Iterator[Found]:
    """An expectation holds whatever the records are, so it says nothing.

    For example `at_least: 0`, a share of at most 1, or all three states at once.
    """
    for route, e in expectations(corpus):
        for name in _without_content(e) if corpus.claims.claims[int(route[1])].stands(None) else ():
            message = f"'{name}' of the expectation holds whatever the records are"
            yield Found(PATH, (*route, name), message, "write a bound that records can break, or remove it")


def _without_content(e: Expectation) -> Iterator[str]:
    if {*e.allowed} == {*get_args(State)}:
        yield "is"
    negative = e.minus is not None or e.of_measure
    if e.at_least == () or (isinstance(e.at_least, float) and e.at_least <= 0 and not negative):
        yield "at_least"
    most = 1 if e.kind == "share" else len(e.survive) or e.cells
    if isinstance(e.at_most, float) and most is not None and e.at_most >= most:
        yield "at_most"


@rule("L013", Level.ERROR)
def impossible_expectation(corpus: Corpus) -> Iterator[Found]:
    """An expectation cannot hold, or its query cannot match a record.

    Its bounds exclude each other; a query names an unknown key, or two terms of an axis on which a
    paper has one main term; an audit is later than the claim.
    """
    audits = {audit.key: audit.on for audit in corpus.audits}
    for route, e in expectations(corpus):
        day = corpus.claims.claims[int(route[1])].as_of
        if e.dated and e.audit in audits and audits[e.audit] > day:
            message = f"the audit is of {audits[e.audit]}, after the day of the claim, {day}"
            yield Found(PATH, (*route, "audit"), message, "correct as_of of the claim, or the day of the audit")
        low, high = _ends(e)
        if low > high:
            message = f"the expectation cannot hold: it is at least {low:.12g} and at most {high:.12g}"
            yield Found(PATH, (*route, e.bounds[0][0]), message, "correct the bounds")
        for name in (e.kind, "among", "over", "minus") if e.kind in QUERIES else ():
            text = getattr(e, name) or ""
            yield from unknown_keys(PATH, (*route, name), text, corpus)
            for axis, terms in _exclusive(text, corpus):
                message = f"{' and '.join(terms)} are both main terms of {axis}, and a paper has one"
                yield Found(PATH, (*route, name), message, "write OR between them, or a comma: AXIS=TERM,TERM")


def _ends(e: Expectation) -> tuple[float, float]:
    """Return the lowest and the highest number that the bounds allow."""
    numbers = {name: float(bound) for name, bound in e.bounds if not isinstance(bound, tuple)}
    low = max((numbers[name] for name in ("equals", "at_least") if name in numbers), default=-inf)
    high = min((numbers[name] for name in ("equals", "at_most") if name in numbers), default=inf)
    return low, high


def _exclusive(text: str, corpus: Corpus) -> Iterator[tuple[str, list[str]]]:
    """Yield the axes of kind `one` from which a query without alternatives takes several terms, with these terms."""
    if not text or re.search(r"\bOR\b|\bNOT\b|!=|,|\(", text):
        return
    try:
        terms = sorted(corpus.query(text).terms)
    except UsageError:
        return  # reported by L002
    for axis in (axis for axis in corpus.taxonomy.axes if axis.kind == "one"):
        chosen = [term for name, term in terms if name == axis.id]
        apart = [t for t in chosen if not any(t != other and other in axis.family[t] for other in chosen)]
        if len(apart) > 1 and (
            text.count(f":{MAIN}") >= len(apart) or not any(paper.parts_on(axis.id) for paper in corpus.papers)
        ):
            yield axis.id, apart


@rule("L012", Level.WARNING)
def half_told(corpus: Corpus) -> Iterator[Found]:
    """The claims state the agreement on an axis from some second codings by people, but not from all.

    If a claim that stands states the agreement on a column, claims state that of every audit by a person. Papers chosen
    and papers drawn at random are stated apart, and so are those coded blind and not blind: the groups `chosen`,
    `drawn`, `blind` and `not_blind` of the audit. `axis=*` states all terms of an axis.
    """
    claims = corpus.claims.claims
    stated = {
        (e.audit, name, e.group): (*route, e.kind)
        for route, e in reversed(expectations(corpus))
        for name in (e.agreement if claims[int(route[1])].stands(None) else ())
    }
    for column, route in {name.partition("=")[0]: route for (_, name, _), route in stated.items()}.items():
        for audit in (audit for audit in corpus.audits if not audit.program):
            name = column if column in audit.names(corpus.taxonomy) else f"{column}={ALL}"
            for part in audit.parts if column in audit.columns else ():
                if (audit.key, name, group := audit.group_of(part)) not in stated:
                    message = f"claims state the agreement on {column!r}, but not that in audit {audit.key!r}"
                    where = f'agreement: "{name}", audit: {audit.key}' + (f", group: {group}" if group else "")
                    fix = f"add {{{where}, equals: N}}; 'awesome audit report {audit.key}' has the number"
                    yield Found(PATH, route, f"{message} ({', '.join(part)})", fix)

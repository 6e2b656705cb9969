"""Published statements about terms, compared with the codings of the records."""

from collections.abc import Iterable, Iterator, Mapping
from operator import methodcaller

from awesome_cli.model.codings import Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.reports.report import Block, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import either


def coding(corpus: Corpus, axis: Axis, term: Term, key: str) -> str:
    """Describe a record's coding on an axis, for example `coded drip`, or `part only; main coding press`."""
    record = corpus.by_key.get(key)
    if not isinstance(record, Paper):
        return "not in the pool"
    tags = record.tags_on(axis.id)
    matching = [tag for tag in tags if tag.term in axis.family[term.id]]
    main = ", ".join(map(str, matching or tags))
    if not matching and _has(record.parts_on(axis.id), axis, term):
        return f"part only; main coding {main or 'none'}"
    return f"coded {main}" if main else "no coding on this axis"


def _has(tags: Iterable[Tag], axis: Axis, term: Term) -> bool:
    return any(tag.term in axis.family[term.id] for tag in tags)


def otherwise(corpus: Corpus, axis: Axis, term: Term) -> Mapping[str, str]:
    """Describe, by key, the codings of a term's representatives that do not have it as a main coding."""
    representatives = ((key, corpus.by_key.get(key)) for key in term.representatives)
    return {
        key: coding(corpus, axis, term, key)
        for key, record in representatives
        if not (isinstance(record, Paper) and _has(record.tags_on(axis.id), axis, term))
    }


def typical(corpus: Corpus, term: Term) -> Iterator[tuple[Axis, list[Term]]]:
    """Yield axes with their typical terms for a term; axes that did not exist on the day are left out."""
    for name, words in term.typical.items():
        if (axis := corpus.taxonomy.by_id.get(name)) is not None:
            yield axis, [axis.by_id[word] for word in words]


def sentences(corpus: Corpus, axis: Axis, term: Term) -> Iterator[str]:
    """Yield a term's published note, and its typical terms with the number of papers that have them."""
    if term.note:
        yield f"As published: {term.note}."
    expected = list(typical(corpus, term))
    papers = [paper for paper in corpus.papers if _has(paper.tags_on(axis.id), axis, term)] if expected else []
    for typical_axis, terms in expected:
        main, part = (
            sum(any(_has(tags(paper), typical_axis, t) for t in terms) for paper in papers)
            for tags in (methodcaller("tags_on", typical_axis.id), methodcaller("parts_on", typical_axis.id))
        )
        labels = either([t.label.lower() for t in terms])
        yield (
            f"Typical {typical_axis.label.lower()}, as published: {labels}. "
            f"In the records, of {len(papers)} with this main coding: {main} as main coding, {part} as a part."
        )


def blocks(corpus: Corpus, axis: Axis, term: Term) -> Iterator[Block]:
    """Yield the published statements about a term as blocks of a page."""
    yield from map(Text, sentences(corpus, axis, term))
    if term.representatives:
        differing = otherwise(corpus, axis, term)
        rows = [(key, differing.get(key, "as named")) for key in term.representatives]
        yield Table.of(("key", "in the records"), rows, title="Named in the published survey")
    if term.judged:
        judged = [(j.key, j.verdict, j.because, coding(corpus, axis, term, j.key)) for j in term.judged]
        columns = ("key", "verdict", "because", "in the records")
        yield Table.of(columns, judged, title="Judged individually, in the strictest sense of the term")


def otherwise_on(corpus: Corpus, axis: Axis) -> list[tuple[str, str, str]]:
    """Return `(term, key, coding)` of each representative on an axis without the term as its main coding."""
    return [(term.id, key, text) for term in axis.terms for key, text in otherwise(corpus, axis, term).items()]


def axis_blocks(corpus: Corpus, axis: Axis) -> Iterator[Block]:
    """Yield a table of papers that the published survey names for a term but that have another main coding."""
    rows = otherwise_on(corpus, axis)
    total = sum(len(term.representatives) for term in axis.terms)
    if rows:
        title = f"Named in the published survey and coded otherwise ({len(rows)} of {total})"
        yield Table.of(("term", "key", "in the records"), rows, title=title)


def to_json(corpus: Corpus, axis: Axis, term: Term) -> dict[str, object]:
    """The published form, without empty entries."""
    differing = otherwise(corpus, axis, term)
    entries = {
        "note": term.note,
        "typical": {name: list(words) for name, words in term.typical.items()},
        "representatives": [{"key": key, "otherwise": differing.get(key)} for key in term.representatives],
        "judged": [
            {**entry.model_dump(mode="json"), "coded": coding(corpus, axis, term, entry.key)} for entry in term.judged
        ],
    }
    return {name: value for name, value in entries.items() if value}

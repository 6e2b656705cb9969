"""What the published survey says of a term, beside what the records say: both are shown where they differ."""

from collections.abc import Iterable, Iterator, Mapping
from operator import methodcaller

from awesome_cli.model.codings import Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.reports.report import Block, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import either

AS_NAMED = "as named"


def coding(corpus: Corpus, axis: Axis, term: Term, key: str) -> str:
    """How a record is coded on the axis of a term, in words: as the term, as a part only, or otherwise."""
    record = corpus.by_key.get(key)
    if not isinstance(record, Paper):
        return "not in the pool"
    tags = record.tags_on(axis.id)
    own = [tag for tag in tags if tag.term in axis.family[term.id]]
    main = ", ".join(map(str, own or tags))
    if not own and _has(record.parts_on(axis.id), axis, term):
        return f"part only; main coding {main or 'none'}"
    return f"coded {main}" if main else "no coding on this axis"


def _has(tags: Iterable[Tag], axis: Axis, term: Term) -> bool:
    return any(tag.term in axis.family[term.id] for tag in tags)


def otherwise(corpus: Corpus, axis: Axis, term: Term) -> Mapping[str, str]:
    """How the representatives of a term are coded that do not have it as a main coding; by key, in their order."""
    named = ((key, corpus.by_key.get(key)) for key in term.representatives)
    return {
        key: coding(corpus, axis, term, key)
        for key, record in named
        if not (isinstance(record, Paper) and _has(record.tags_on(axis.id), axis, term))
    }


def typical(corpus: Corpus, term: Term) -> Iterator[tuple[Axis, list[Term]]]:
    """The axes with terms that typically go with a term; an axis that did not exist on the day is left out."""
    for name, words in term.typical.items():
        if (axis := corpus.taxonomy.by_id.get(name)) is not None:
            yield axis, [axis.by_id[word] for word in words]


def sentences(corpus: Corpus, axis: Axis, term: Term) -> Iterator[str]:
    """Yield a term's published note, and its typical terms with how many of its papers have them."""
    if term.note:
        yield f"As published: {term.note}."
    named = list(typical(corpus, term))
    papers = [paper for paper in corpus.papers if _has(paper.tags_on(axis.id), axis, term)] if named else []
    for other, terms in named:
        main, part = (
            sum(any(_has(tags(paper), other, one) for one in terms) for paper in papers)
            for tags in (methodcaller("tags_on", other.id), methodcaller("parts_on", other.id))
        )
        labels = either([one.label.lower() for one in terms])
        yield (
            f"Typical {other.label.lower()}, as published: {labels}. "
            f"In the records, of {len(papers)} with this main coding: {main} as main coding, {part} as a part."
        )


def blocks(corpus: Corpus, axis: Axis, term: Term) -> Iterator[Block]:
    """Yield the published statements on a term as blocks of a page."""
    yield from map(Text, sentences(corpus, axis, term))
    if term.representatives:
        differing = otherwise(corpus, axis, term)
        rows = [(key, differing.get(key, AS_NAMED)) for key in term.representatives]
        yield Table.of(("key", "in the records"), rows, title="Named in the published survey")
    if term.judged:
        judged = [(j.key, j.verdict, j.because, coding(corpus, axis, term, j.key)) for j in term.judged]
        columns = ("key", "verdict", "because", "in the records")
        yield Table.of(columns, judged, title="Judged one by one, in the term's strictest sense")


def otherwise_on(corpus: Corpus, axis: Axis) -> list[tuple[str, str, str]]:
    """`(term, key, coding)` of every representative on an axis that is coded otherwise."""
    return [(term.id, key, how) for term in axis.terms for key, how in otherwise(corpus, axis, term).items()]


def axis_blocks(corpus: Corpus, axis: Axis) -> Iterator[Block]:
    """Every paper that the published survey names for a term of an axis, and whose main coding is another one."""
    rows = otherwise_on(corpus, axis)
    named = sum(len(term.representatives) for term in axis.terms)
    if rows:
        title = f"Named in the published survey and coded otherwise ({len(rows)} of {named})"
        yield Table.of(("term", "key", "in the records"), rows, title=title)


def to_json(corpus: Corpus, axis: Axis, term: Term) -> dict[str, object]:
    """The published form; without what the survey does not say."""
    differing = otherwise(corpus, axis, term)
    found = {
        "note": term.note,
        "typical": {name: list(words) for name, words in term.typical.items()},
        "representatives": [{"key": key, "otherwise": differing.get(key)} for key in term.representatives],
        "judged": [
            {**entry.model_dump(mode="json"), "coded": coding(corpus, axis, term, entry.key)} for entry in term.judged
        ],
    }
    return {name: value for name, value in found.items() if value}

"""The numbers of papers of each term before and after."""

from collections import Counter
from collections.abc import Iterator, Mapping

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.diff.renaming import renames
from awesome_cli.model.codings import PART, Tag, on_axis
from awesome_cli.survey.corpus import Corpus


def changed_terms(before: Pool, after: Pool) -> dict[str, tuple[int, int]]:
    """By query, how many papers it finds before and after, where that differs."""
    names = renames(before.corpus.taxonomy, after.corpus.taxonomy)
    old: Counter[str] = Counter()
    for name, n in before.of_records("terms", _terms).items():
        old[names.query(name)] += n
    new = after.of_records("terms", _terms)
    pairs = {name: (old.get(name, 0), new.get(name, 0)) for name in sorted({*old, *new})}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _terms(corpus: Corpus) -> Mapping[str, int]:
    """How many papers each query for a term, its exact strength and its parts finds; those of no paper are left out."""
    return Counter(
        name
        for paper in corpus.papers
        for axis, tags in paper.tags.items()
        for name in {name for tag in tags for name in _queries(axis, tag)}
    )


def _queries(axis: str, tag: Tag) -> Iterator[str]:
    yield on_axis(axis, tag.term)
    if tag.strength is not None:
        yield on_axis(axis, f"{tag.term}:={tag.strength}")
    if tag.part:
        yield on_axis(axis, f"{tag.term}:{PART}")

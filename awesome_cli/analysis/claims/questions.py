"""The questions that claims ask a pool, by the axes that they read, to find those that a small change moves."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from awesome_cli.analysis.claims.perturbations import Perturbation
from awesome_cli.model.records import AnyWork, Paper
from awesome_cli.query.parser import Query
from awesome_cli.survey.corpus import Corpus

Question = tuple[str, str]
"""A query or a measure: `(papers | exclusions, query)` or `(measure, name)`."""


class Questions:
    """Questions to one pool, with the keys of the records behind each.

    `fitting` returns the keys of the changed papers of a perturbation that match a query.
    """

    def __init__(self, corpus: Corpus, fitting: Callable[[Query, Perturbation], frozenset[str]]) -> None:
        self.corpus, self.fitting = corpus, fitting
        self.known: dict[Question, frozenset[str]] = {}
        self.queries: list[tuple[Question, Query, frozenset[str]]] = []
        self.by_axis: dict[str, list[tuple[Question, Query, frozenset[str]]]] = {axis: [] for axis in self._axes}
        self.others: list[tuple[Question, Query, frozenset[str]]] = []

    @property
    def _axes(self) -> Iterable[str]:
        return self.corpus.taxonomy.by_id

    @cached_property
    def _papers(self) -> Mapping[str, Paper]:
        return {paper.key: paper for paper in self.corpus.papers}

    def add(self, question: Question, behind: frozenset[str], query: Query | None) -> None:
        """Add a question once; a question to papers comes with its parsed query."""
        self.known[question] = behind
        if query is not None:
            entry = (question, query, behind)
            self.queries.append(entry)
            for group in [self.by_axis[axis] for axis in query.axes] if query.reads_axes_alone else [self.others]:
                group.append(entry)

    def moved_by(self, change: Perturbation) -> Iterator[Question]:
        """Yield the questions of which a perturbation changes the records; some twice."""
        if not change.papers and not change.readmitted:
            return
        yield from self._other_moves(change)
        if len(change.papers) == 1:
            yield from self._moved_by_one(*next(iter(change.papers.items())))
        else:
            papers = change.papers
            yield from (
                q for q, query, keys in self.queries if keys.intersection(papers) != self.fitting(query, change)
            )

    def _other_moves(self, change: Perturbation) -> Iterator[Question]:
        new = [paper for paper in change.papers.values() if paper is not None]
        for (of, text), keys in self.known.items():
            changed = change.readmitted if of == "exclusions" else change.papers if of == "measure" else ()
            if (changed and not keys.isdisjoint(changed)) or (of == "measure" and any(text in p.measures for p in new)):
                yield of, text

    def _moved_by_one(self, key: str, new: AnyWork | None) -> Iterator[Question]:
        if new is None:
            return (question for question, _, keys in self.queries if key in keys)
        old = self._papers.get(key)
        if old is None:
            return (question for question, query, _ in self.queries if query.matches(new))
        recoded = [axis for axis in self._axes if old.tags.get(axis) != new.tags.get(axis)]
        asked = (entry for group in (self.others, *map(self.by_axis.__getitem__, recoded)) for entry in group)
        return (question for question, query, keys in asked if (key in keys) != query.matches(new))

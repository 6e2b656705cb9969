"""DataFrames of a corpus, which `api.Survey` documents; categoricals have all words of the taxonomy in its order."""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

from awesome_cli.analysis.statistics import counts
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork, Candidate, Exclusion
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd

DAY = "datetime64[s]"
TEXT = "str"
WORK: Mapping[str, Any] = {
    "title": TEXT,
    "authors": object,
    "year": "Int64",
    "venue": TEXT,
    "added": DAY,
    "arxiv": TEXT,
    "doi": TEXT,
    "url": TEXT,
}


def papers(corpus: Corpus) -> "pd.DataFrame":
    return _works(corpus.papers, corpus.taxonomy, {})


def candidates(corpus: Corpus) -> "pd.DataFrame":
    taxonomy = corpus.taxonomy
    judged = {
        "proposal": _in_order([["exclude", "consider", "retain"]]),
        "stage": _in_order([_ids(taxonomy.stages)]),
        "reason": _in_order([_ids(taxonomy.reasons)]),
        "confidence": _in_order([_ids(taxonomy.confidences)]),
    }
    return _works(corpus.candidates, taxonomy, judged)


def exclusions(corpus: Corpus) -> "pd.DataFrame":
    taxonomy = corpus.taxonomy
    types = {
        "title": TEXT,
        "authors": object,
        "year": "Int64",
        "stage": _in_order([_ids(taxonomy.stages)]),
        "reason": _in_order([_ids(taxonomy.reasons)]),
        "source": TEXT,
        "query_family": TEXT,
        "screened": DAY,
        "near_miss": object,
        "url": TEXT,
    }
    return _frame((_excluded(record) for record in corpus.exclusions), types, index="key")


def codings(corpus: Corpus) -> "pd.DataFrame":
    taxonomy = corpus.taxonomy
    types = {
        "key": TEXT,
        "axis": _in_order([list(taxonomy.by_id)]),
        "term": _in_order([list(axis.by_id) for axis in taxonomy.axes]),
        "strength": _in_order([_strengths(axis) for axis in taxonomy.axes]),
        "part": bool,
        "confidence": _in_order([_ids(taxonomy.confidences)]),
        "contested": _in_order([_ids(taxonomy.grades)]),
        "evidence": TEXT,
        "direction": TEXT,
        "source": TEXT,
    }
    rows = (
        {"key": paper.key, "axis": axis, **dict(tag), "contested": tag.contested and tag.contested.grade}
        for paper in corpus.papers
        for axis, tags in paper.tags.items()
        for tag in tags
    )
    return _frame(rows, types)


def measures(corpus: Corpus) -> "pd.DataFrame":
    """One row per paper and recorded measure; `value` is missing if no figure was found."""
    taxonomy = corpus.taxonomy
    units = {measure.id: measure.unit for measure in taxonomy.measures}
    types = {
        "key": TEXT,
        "measure": _in_order([list(units)]),
        "value": "float64",
        "unit": TEXT,
        "confidence": _in_order([_ids(taxonomy.confidences)]),
        "basis": TEXT,
        "source": TEXT,
    }
    rows = (
        {"key": paper.key, "measure": name, "unit": units.get(name), **dict(fact)}
        for paper in corpus.papers
        for name, fact in paper.measures.items()
    )
    return _frame(rows, types)


def crosstab(corpus: Corpus, rows: str, columns: str) -> "pd.DataFrame":
    """Papers by pair of values, zeros included; a paper with several terms counts in each."""
    import pandas as pd

    grid = counts.crosstab(corpus, rows, columns)
    frame = pd.DataFrame.from_dict(grid, orient="index", dtype="int64")
    names = ((frame.index, rows), (frame.columns, columns if columns != rows else f"{columns}_columns"))
    frame.index, frame.columns = (pd.CategoricalIndex(values, values, name=name) for values, name in names)
    return frame


def _works(works: Sequence[AnyWork], taxonomy: Taxonomy, more: Mapping[str, Any]) -> "pd.DataFrame":
    axes = {axis.id: _in_order([list(axis.by_id)]) if axis.kind == "one" else object for axis in taxonomy.axes}
    return _frame((_work(work, taxonomy) for work in works), {**WORK, **more, **axes}, index="key")


def _work(work: AnyWork, taxonomy: Taxonomy) -> dict[str, Any]:
    row = {name: getattr(work, name) for name in ("key", "title", "authors", "year", "venue", "added")}
    row |= {"arxiv": work.identifiers.arxiv, "doi": work.identifiers.doi, "url": work.address}
    if isinstance(work, Candidate):
        row |= {name: getattr(work, name) for name in ("proposal", "stage", "reason", "confidence")}
    for axis in taxonomy.axes:
        terms = tuple(tag.term for tag in work.tags_on(axis.id))
        row[axis.id] = terms if axis.kind == "many" else next(iter(terms), None)
    return row


def _excluded(record: Exclusion) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in ("key", "title", "authors", "year", "url")}
    near = tuple(on_axis(miss.axis, miss.term) for miss in record.near_miss)
    return {**row, **dict(record.screening), "screened": record.screening.on, "near_miss": near}


def _frame(rows: Iterable[Mapping[str, Any]], types: Mapping[str, Any], index: str | None = None) -> "pd.DataFrame":
    """Return a frame with exactly these columns; values outside the categories of a column become missing."""
    import pandas as pd

    names = [*([index] if index else []), *types]
    frame = pd.DataFrame([[row.get(name) for name in names] for row in rows], columns=names, dtype=object)
    frame = frame.astype({index: TEXT, **types} if index else dict(types))
    return frame.set_index(index) if index else frame


def _in_order(lists: Iterable[Sequence[str]]) -> "pd.CategoricalDtype":
    """Return a categorical in an order consistent with each list; unordered if two lists contradict each other."""
    import pandas as pd

    before: dict[str, list[str]] = {}
    for words in lists:
        for i, word in enumerate(words):
            before.setdefault(word, []).extend(words[max(i - 1, 0) : i])
    try:
        return pd.CategoricalDtype([*TopologicalSorter(before).static_order()], ordered=True)
    except CycleError:
        return pd.CategoricalDtype([*before])


def _strengths(axis: Axis) -> list[str]:
    """Strengths from weak to strong; a retired one immediately before its successor."""
    return sorted(axis.rank, key=lambda strength: (axis.rank[strength], strength in axis.strength_ids))


def _ids(entries: Iterable[Any]) -> list[str]:
    return [entry.id for entry in entries]

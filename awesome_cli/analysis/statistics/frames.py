"""DataFrames of a corpus: for counting, with all terms of the taxonomy as categories, and for `api.Survey`.

Categoricals are in taxonomy order.
"""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

import pandas as pd

from awesome_cli.analysis.statistics import SPLITS
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork, Candidate, Exclusion
from awesome_cli.model.taxonomy import NA, Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


def papers_frame(corpus: Corpus) -> pd.DataFrame:
    """One row per paper: identity, dates, and one column per axis with its terms joined by `;`."""
    axes, fields = corpus.taxonomy.by_id, ("key", "title", "first_author", "year", "venue", "added")
    rows = [
        {
            **{field: getattr(paper, field) for field in fields},
            "arxiv": paper.identifiers.arxiv,
            "doi": paper.identifiers.doi,
            **{axis: ";".join(tag.term for tag in paper.tags_on(axis)) or NA for axis in axes},
        }
        for paper in corpus.papers
    ]
    return pd.DataFrame(rows, columns=[*fields, "arxiv", "doi", *axes]).astype({"year": "Int64"})


def tags_frame(corpus: Corpus) -> pd.DataFrame:
    """One row per coding: key, axis, term, strength, part, confidence, contested (grade)."""
    rows = [
        (paper.key, axis, tag.term, tag.strength, tag.part, tag.confidence, tag.contested and tag.contested.grade)
        for paper in corpus.papers
        for axis, tags in paper.tags.items()
        for tag in tags
    ]
    columns = ["key", "axis", "term", "strength", "part", "confidence", "contested"]
    return pd.DataFrame(rows, columns=columns, dtype="object").astype({"part": bool})


def require_dimension(corpus: Corpus, name: str) -> None:
    """Raise `UsageError` unless tables can be split by `name`."""
    corpus.taxonomy.refuse_former(name)
    require_known(name, [*corpus.taxonomy.by_id, *SPLITS], "axis")


def dimension(corpus: Corpus, name: str) -> pd.DataFrame:
    """Return columns `key` and `name`: one row per paper and value, `NA` for none.

    For an axis, the categories are all its leaf terms in taxonomy order and `NA`, so that counts include zeros; for one
    of `SPLITS`, the values that occur. Raises `UsageError` for another name.
    """
    if name in corpus.taxonomy.by_id:
        rows = [
            (paper.key, term) for paper in corpus.papers for term in [tag.term for tag in paper.tags_on(name)] or [NA]
        ]
        categories = [*(term.id for term in corpus.taxonomy.by_id[name].leaves), NA]
    else:
        require_dimension(corpus, name)
        rows = [(paper.key, str(getattr(paper, name) or NA)) for paper in corpus.papers]
        categories = [*sorted({value for _, value in rows} - {NA}), NA]
    rows = [row for row in rows if row[1] in set(categories)]
    frame = pd.DataFrame(rows, columns=["key", name], dtype="object")
    return frame.astype({name: pd.CategoricalDtype(categories)})


def crosstab(corpus: Corpus, rows: str, columns: str) -> pd.DataFrame:
    """Count the papers by pair of values, zeros included; a paper with several terms counts in each."""
    pairs = dimension(corpus, rows).merge(dimension(corpus, columns), on="key", suffixes=("", "_columns"))
    other = columns if columns != rows else f"{columns}_columns"
    return pairs.groupby([rows, other], observed=False).size().unstack(fill_value=0)


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


def papers(corpus: Corpus) -> pd.DataFrame:
    """One row per paper, by key; one column per axis."""
    return _works(corpus.papers, corpus.taxonomy, {})


def candidates(corpus: Corpus) -> pd.DataFrame:
    """One row per candidate, by key; one column per axis."""
    taxonomy = corpus.taxonomy
    judged = {
        "proposal": pd.CategoricalDtype(["exclude", "consider", "retain"], ordered=True),
        "stage": _in_order([_ids(taxonomy.stages)]),
        "reason": _in_order([_ids(taxonomy.reasons)]),
        "confidence": _in_order([_ids(taxonomy.confidences)]),
    }
    return _works(corpus.candidates, taxonomy, judged)


def exclusions(corpus: Corpus) -> pd.DataFrame:
    """One row per exclusion, by key."""
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


def codings(corpus: Corpus) -> pd.DataFrame:
    """One row per coding, parts included."""
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


def measures(corpus: Corpus) -> pd.DataFrame:
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


def _works(works: Sequence[AnyWork], taxonomy: Taxonomy, more: Mapping[str, Any]) -> pd.DataFrame:
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


def _frame(rows: Iterable[Mapping[str, Any]], types: Mapping[str, Any], index: str | None = None) -> pd.DataFrame:
    """Return a frame with exactly these columns; values outside the categories of a column become missing."""
    names = [*([index] if index else []), *types]
    frame = pd.DataFrame([[row.get(name) for name in names] for row in rows], columns=names, dtype=object)
    frame = frame.astype({index: TEXT, **types} if index else dict(types))
    return frame.set_index(index) if index else frame


def _in_order(lists: Iterable[Sequence[str]]) -> pd.CategoricalDtype:
    """Return a categorical in an order consistent with each list; unordered if two lists contradict each other."""
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

"""A corpus as DataFrames to count in; `ordered` has those that people ask. Categories are all terms of the taxonomy."""

import pandas as pd

from awesome_cli.analysis.statistics import SPLITS
from awesome_cli.model.taxonomy import NA
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


def papers_frame(corpus: Corpus) -> pd.DataFrame:
    """One row per paper: identity, dates, and one column per axis with its terms joined by `;`."""
    axes = corpus.taxonomy.by_id
    rows = [
        {
            "key": paper.key,
            "title": paper.title,
            "first_author": paper.first_author,
            "year": paper.year,
            "venue": paper.venue,
            "added": paper.added,
            "arxiv": paper.identifiers.arxiv,
            "doi": paper.identifiers.doi,
            **{axis: ";".join(tag.term for tag in paper.tags_on(axis)) or NA for axis in axes},
        }
        for paper in corpus.papers
    ]
    names = ["key", "title", "first_author", "year", "venue", "added", "arxiv", "doi", *axes]
    return pd.DataFrame(rows, columns=names).astype({"year": "Int64"})


def tags_frame(corpus: Corpus) -> pd.DataFrame:
    """One row per coding: key, axis, term, strength, part, confidence, contested (grade); no row without codings."""
    rows = [
        (
            paper.key,
            axis,
            tag.term,
            tag.strength,
            tag.part,
            tag.confidence,
            tag.contested.grade if tag.contested is not None else None,
        )
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
    """Columns `key` and `name`: one row per paper and value, `NA` where a paper has none.

    An axis gives a categorical over all its leaf terms in taxonomy order and `NA`, so that counting
    shows the zeros; one of `SPLITS` has the values that occur. Raises `UsageError` for another name.
    """
    if name in corpus.taxonomy.by_id:
        leaves = [term.id for term in corpus.taxonomy.by_id[name].leaves]
        rows = [
            (paper.key, term) for paper in corpus.papers for term in [tag.term for tag in paper.tags_on(name)] or [NA]
        ]
        categories = [*leaves, NA]
    else:
        require_dimension(corpus, name)
        rows = [(paper.key, str(SPLITS[name](paper) or NA)) for paper in corpus.papers]
        categories = [*sorted({value for _, value in rows} - {NA}), NA]
    rows = [row for row in rows if row[1] in set(categories)]
    frame = pd.DataFrame(rows, columns=["key", name], dtype="object")
    return frame.astype({name: pd.CategoricalDtype(categories)})


def crosstab(corpus: Corpus, rows: str, columns: str) -> pd.DataFrame:
    """How many papers have each pair of values, zeros included; a paper with several terms counts in each."""
    pairs = dimension(corpus, rows).merge(dimension(corpus, columns), on="key", suffixes=("", "_columns"))
    other = columns if columns != rows else f"{columns}_columns"
    return pairs.groupby([rows, other], observed=False).size().unstack(fill_value=0)

"""The published artifact: `papers.csv`, `excluded.csv` and `papers.bib` in the layout that the taxonomy declares."""

from collections.abc import Mapping
from dataclasses import replace

from awesome_cli.errors import UsageError
from awesome_cli.formats import bibtex_writing, csv_writing
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers, Paper
from awesome_cli.model.taxonomy import Column
from awesome_cli.survey.corpus import Corpus

PAPERS, EXCLUDED, BIBLIOGRAPHY = "papers.csv", "excluded.csv", "papers.bib"
SEPARATOR = " ; "


def export(corpus: Corpus) -> Mapping[str, str]:
    """The texts of the three files by name; papers in their published order, those without one after them by key."""
    layout = corpus.taxonomy.artifact
    if layout is None:
        raise UsageError(
            "the taxonomy declares no artifact", hint="name its columns under 'artifact:' in taxonomy.yaml"
        )
    papers = sorted(corpus.papers, key=lambda paper: (paper.order is None, paper.order, paper.key))
    exclusions = sorted(corpus.exclusions, key=lambda exclusion: exclusion.key)
    return {
        PAPERS: _table(layout.papers, papers),
        EXCLUDED: _table(layout.exclusions, exclusions),
        BIBLIOGRAPHY: bibtex_writing.export(replace(corpus, papers=tuple(papers))),
    }


def _table(columns: tuple[Column, ...], records: list[Paper] | list[Exclusion]) -> str:
    rows = ({column.column: cell(column, record) for column in columns} for record in records)
    return csv_writing.write([column.column for column in columns], rows)


def cell(column: Column, record: AnyRecord) -> str:
    """What a column says of a record, in the column's own words."""
    if column.constant is not None:
        return column.constant
    if column.axis is not None and not isinstance(record, Exclusion):
        values = [column.words.get(tag.term, tag.term) for tag in record.tags_on(column.axis)]
    else:
        values = _values(record, column)
    return SEPARATOR.join(values) or column.default


def _values(record: object, column: Column) -> list[str]:
    value = record
    for name in (column.field or "").split("."):
        value = getattr(value, name, None)
    if isinstance(value, Identifiers):
        return [column.words.get(scheme, "") + name for scheme, name in value.pairs()[:1]]
    if isinstance(value, tuple):
        return [str(getattr(part, "url", part)) for part in value]
    return [] if value is None else [column.words.get(str(value), str(value))]

"""CSV: one row a paper, one column a field, an axis or a measure."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.names import marked

SEPARATOR = "; "


def export(corpus: Corpus) -> str:
    """The papers as a table. Several values of a cell are joined by `; `; a strength follows its term after a colon.

    A corporate author of several words ends in a comma, so that nobody takes it for a first and a last name.
    """
    columns = [*COLUMNS, *corpus.taxonomy.by_id, *(measure.id for measure in corpus.taxonomy.measures)]
    return write(columns, (_row(paper, corpus.taxonomy) for paper in corpus.papers))


def write(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Rows as CSV text with one header row and LF line ends; None is an empty cell."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def _row(paper: Paper, taxonomy: Taxonomy) -> dict[str, object]:
    row: dict[str, object] = {name: SEPARATOR.join(map(str, f.own(paper))) for name, f in COLUMNS.items()}
    row["url"] = paper.address
    row["authors"] = SEPARATOR.join(map(marked, paper.authors))
    for axis in taxonomy.by_id:
        row[axis] = SEPARATOR.join(map(str, paper.tags_on(axis)))
    for measure in taxonomy.measures:
        fact = paper.measures.get(measure.id)
        if fact is not None and fact.value is not None:
            row[measure.id] = f"{fact.value:.15g}"
    return row

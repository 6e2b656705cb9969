"""CSV: a header row, then a row for each work.

Columns are recognised by name or by axis id; `--column` and `--mapping` say what other columns hold.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.entries import ReadingOptions, collect, entry_draft
from awesome_cli.model.drafts import Batch
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.names import marked

SEPARATOR = "; "


def write(corpus: Corpus) -> str:
    """The papers as a table. Several values of a cell are joined by `; `; a strength follows its term after a colon.

    A coding beside the main one ends in `:part`.
    A corporate author of several words ends in a comma, because it would be read as a first and a last name.
    """
    columns = [*COLUMNS, *corpus.taxonomy.by_id, *(measure.id for measure in corpus.taxonomy.measures)]
    return table(columns, (_row(paper, corpus.taxonomy) for paper in corpus.papers))


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
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
        row[axis] = SEPARATOR.join(map(str, paper.tags.get(axis, ())))
    for measure in taxonomy.measures:
        fact = paper.measures.get(measure.id)
        if fact is not None and fact.value is not None:
            row[measure.id] = f"{fact.value:.15g}"
    return row


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """The rows of a table with one header row, separated by commas, semicolons or tabs."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    csv.field_size_limit(10_000_000)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    if len(reader.fieldnames or ()) < 2 and not options.columns:
        raise ValueError("the first line names no columns")

    values = ({key: value for key, value in row.items() if key is not None} for row in reader)
    entries = ((f"{name}:{reader.line_num}", row) for row in values if any(row.values()))
    return collect(entries, partial(entry_draft, options=options))


EXPORT = ExportFormat("papers.csv", "one row a paper, for spreadsheets", write)
IMPORT = ImportFormat(("csv", "tsv"), lambda start: "," in start.partition("\n")[0], read)

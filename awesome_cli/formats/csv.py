"""CSV: a header row and one row per work, with cells separated by commas, semicolons or tabs.

Columns are recognised by name or axis id; `--column` and `--mapping` assign other columns. Authors may be in any usual
form; an ambiguous cell is read in the style of its column. Cells beyond the header are kept under `extra`, with a
warning. An export survives a round trip. Formulas are escaped with an apostrophe; an import removes the apostrophe if
the first column is `key`.

`On Tea,"Bean, Ada",2024` under `title,authors,year` becomes a draft with these three fields.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from typing import Any

from awesome_cli.formats import ExportFormat, ImportFormat, ReadingOptions, cells, people
from awesome_cli.formats.rows import BEYOND, CITATION, FIELDS, coded, column_of, plain_name, row_batch
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Batch, Failure, link
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.records import Candidate, Citation, Paper, Screening
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import changed_key, citation_keys
from awesome_cli.text import names
from awesome_cli.text.inert import from_cell, to_csv

SEPARATOR = "; "
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
DATA = re.compile(r"(?:1[5-9]|20)\d\d|10\.\d{4,9}/\S+|https?://\S+")
"""A cell that never occurs in a header: a year, a DOI or a URL."""
END = "\x1a"
"""A sentinel after the last line; a row that contains the sentinel has an unclosed quote."""
LONGEST = 300
"""Maximum length of a header in a message, in characters."""
OWN = "key"
"""The first column of tables that this program writes."""
OPPOSED = "evidence_against"
"""The column of codings whose evidence speaks against them; only in tables of papers with such codings."""
PLAIN = ("keywords", "abstract")
"""Entries of `extra` that have a column without the prefix `extra.`."""
KEEPS = frozenset(["title", "authors", "year", "venue", "affiliation", "identifiers", "links", "citation", "added"])
KEEPS |= {"tags.term", "tags.strength", "tags.part", "measures.value", "summary", "note", "extra"}
KEEPS |= {"stage", "reason", "screening.stage", "screening.reason", "screening.on"}


def write(corpus: Corpus, *, raw: bool = False) -> str:
    """Return the papers as a table. Lists are joined by `; `; a tag is `term:strength`, or `term:strength:part`.

    A corporate author of several words ends in a comma, to distinguish it from a first and a last name. Values that
    these forms cannot represent are written as JSON.
    """
    taxonomy = corpus.taxonomy
    extra = dict.fromkeys(f"extra.{name}" for paper in corpus.papers for name in paper.extra if name not in PLAIN)
    further = ("links", "note", "arxiv_version", *PLAIN, *CITATION)
    screened = {record.key: record.screening for record in corpus.exclusions}
    decided = [_decision(paper, screened.get(paper.key)) for paper in corpus.papers]
    opposed = (OPPOSED,) if any(tag.mark for paper in corpus.papers for tag in chain(*paper.tags.values())) else ()
    columns = list(
        dict.fromkeys([*COLUMNS, *coded(taxonomy), *opposed, *further, *next(filter(None, decided), ()), *extra])
    )
    keys = citation_keys(paper for paper in corpus.papers if paper.key not in screened)
    rows = zip(corpus.papers, decided, strict=True)
    cited = ({**row(paper, taxonomy), "citation.key": keys.get(paper.key), **decision} for paper, decision in rows)
    return table(columns, cited, raw=raw)


def _decision(record: Paper | Candidate, screening: Screening | None) -> dict[str, object]:
    """Return the cells from which an import restores a candidate or an exclusion; empty for a paper."""
    if isinstance(record, Candidate):
        return {"decision": "candidate", "stage": record.stage, "reason": record.reason}
    return {"decision": "excluded", "stage": screening.stage, "reason": screening.reason} if screening else {}


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, raw: bool = False) -> str:
    """Return rows as CSV, after a header row."""
    return to_csv((columns, *([row.get(name) for name in columns] for row in rows)), raw=raw)


def row(paper: Paper, taxonomy: Taxonomy) -> dict[str, object]:
    """Return the cells of a paper by column."""
    citation = paper.citation or Citation()
    links = [entry.model_dump() for entry in paper.links]
    keywords = paper.extra.get("keywords", "")
    values: dict[str, object] = {
        f"extra.{name}": cells.cell(value) for name, value in paper.extra.items() if name not in PLAIN
    }
    values |= {path: getattr(citation, path.partition(".")[2]) for path in CITATION}
    values |= {name: SEPARATOR.join(map(str, f.values(paper))) for name, f in COLUMNS.items()}
    values |= {
        "url": cells.joined([link("Paper", address)], [address], cells.links) if (address := paper.address) else "",
        "authors": cells.joined(
            paper.authors, map(names.marked, paper.authors), lambda text: names.listed(people.authors_of(text))
        ),
        "links": cells.joined(links, (f"{entry['label']}: {entry['url']}" for entry in links), cells.links),
        "note": paper.note,
        "arxiv_version": paper.identifiers.arxiv_version,
        "abstract": cells.cell(paper.extra.get("abstract", "")),
        "keywords": cells.joined(keywords, keywords) if isinstance(keywords, list) else keywords,
    }
    opposed = (on_axis(axis, tag) for axis, tags in paper.tags.items() for tag in tags if tag.mark)
    values |= {OPPOSED: SEPARATOR.join(opposed)}
    values |= {axis: SEPARATOR.join(map(str, paper.tags.get(axis, ()))) for axis in taxonomy.by_id}
    facts = ((measure.id, paper.measures.get(measure.id)) for measure in taxonomy.measures)
    return values | {name: f"{fact.value:.15g}" for name, fact in facts if fact and fact.value is not None}


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """Read a table with one header row, separated by commas, semicolons or tabs."""
    records = rows_of(text)
    _, header = next(records, (1, []))
    if isinstance(header, ValueError):
        raise header
    if not header:
        raise ValueError("the first line does not contain column names")
    # Apostrophes in other tables belong to the text: "'-' considered harmful" is a title.
    written = from_cell if header[0] == OWN and not options.raw else str
    columns = _columns([*map(written, header)])
    body = [(f"{name}:{line}", row) for line, row in records if isinstance(row, ValueError) or any(row)]
    if body and "title" not in column_of(columns, options):
        why = _without_title(columns, [row for _, row in body[:20] if isinstance(row, list)])
        return Batch((), (Failure(name, why),), tuple(columns))
    rows = [(at, _by_column(columns, [*map(written, row)]) if isinstance(row, list) else row) for at, row in body]
    return replace(row_batch(rows, options), columns=tuple(columns))


def rows_of(text: str) -> Iterator[tuple[int, list[str] | ValueError]]:
    """Yield `(line, cells)` of each row of a table separated by commas, semicolons or tabs; see `_records`."""
    text = text.removeprefix("\ufeff")
    first = re.match(r"sep=(.)\n", text)  # spreadsheets declare the separator in this line
    text = text[first.end() :] if first else text
    separator = first[1] if first else _separator(text)
    rows = (_plain_tabs(text) if separator == "\t" else None) or _records(text, separator)
    return ((line + bool(first), row) for line, row in rows)


def _without_title(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the error for a table without a title column; suggest a header line or the likely title column."""
    names = ", ".join(columns) if len(", ".join(columns)) < LONGEST else f"{', '.join(columns)[:LONGEST]}…"
    above = "add a header line above it, such as title,authors,year"
    if any(DATA.fullmatch(name) for name in columns):
        return f"the first line is a work, not a header ({names}); {above}"
    known = {plain_name(name) for name in columns} & KNOWN
    free = [n for n, name in enumerate(columns) if plain_name(name) not in KNOWN.difference(FIELDS["url"])]
    best = max(free or [0], key=lambda n: sum(len(row[n]) for row in rows if n < len(row)))
    or_else = "" if known else f"; if the first line is a work, {above}"
    return f"no column of titles ({names}); specify it: --column '{columns[best]}=title'{or_else}"


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str] | ValueError]]:
    """Yield `(line, cells)` of each row; `line` is the number of the row's first line.

    A row with a misplaced quote is an error instead of cells. So is each row after it, until a row has balanced quotes
    and as many cells as the first row. Raises `ValueError` for an unclosed quote.
    """
    source = io.StringIO(f"{text}\n{END}", newline="")
    reader = csv.reader(source, delimiter=separator, strict=True)
    line, width, is_broken = 1, 0, False
    while True:
        try:
            row = next(reader)
        except csv.Error:
            if source.tell() > len(text) + 1:
                raise ValueError(f"line {line}: unclosed quote") from None
            is_broken = True
            yield line, ValueError("text after a closing quote; double the quotes within a cell")
        else:
            if row == [END]:
                return
            width = width or len(row)
            is_broken = is_broken and (len(row) != width or any(cell.count('"') % 2 for cell in row))
            yield line, ValueError("not read: an earlier row has a misplaced quote") if is_broken else row
        line = reader.line_num + 1


def _plain_tabs(text: str) -> Iterator[tuple[int, list[str]]] | None:
    """Return `(line, cells)` of each line of a tab-separated text; None if a quoted cell may span several lines."""
    lines = [(number, line.split("\t")) for number, line in enumerate(text.split("\n"), 1) if line]
    is_open = (cell.startswith('"') and not QUOTED.fullmatch(cell) for _, row in lines for cell in row)
    if len({len(row) for _, row in lines}) > 1 and any(is_open):
        return None
    return (
        (number, [quoted[1].replace('""', '"') if (quoted := QUOTED.fullmatch(cell)) else cell for cell in row])
        for number, row in lines
    )


def _separator(text: str) -> str:
    """Return the separator that splits the header into the most known names; in a tie, into the most columns."""

    def gain(mark: str) -> tuple[int, int]:
        header = next(csv.reader([text.partition("\n")[0][:100_000]], delimiter=mark), [])
        return sum(plain_name(cell) in KNOWN for cell in header), len(header)

    return max("\t,;", key=gain)


KNOWN = frozenset(name for names in FIELDS.values() for name in names)


def _columns(header: Sequence[str]) -> list[str]:
    """Make the column names unique: number repeated names, and call a nameless column `column N`."""
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(header, 1)]
    seen = Counter[str]()
    for place, name in enumerate(names):
        seen[name] += 1
        names[place] = f"{name} ({seen[name]})" if seen[name] > 1 else name
    return names


def _by_column(columns: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    """Return a row's cells by column, '' for missing cells; cells beyond the header are a list under `BEYOND`."""
    width = len(columns)
    cells = dict(zip_longest(columns, row[:width], fillvalue=""))
    cells.pop(OPPOSED, None)  # the records have it beside their evidence
    return {**cells, BEYOND: list(filter(None, row[width:]))}


def _is_table(start: str) -> bool:
    """True if a text starts with a header row that has a title column."""
    header = re.split(r"[\t,;]", start.partition("\n")[0].replace('"', ""))
    titles = {"TI", *FIELDS["title"]}
    return start.startswith("sep=") or (len(header) > 1 and any(titles & {cell, plain_name(cell)} for cell in header))


EXPORT = ExportFormat(
    "papers.csv", "one row per paper, for spreadsheets", write, KEEPS, changes=changed_key, raw=partial(write, raw=True)
)
IMPORT = ImportFormat(("csv", "tsv", "tab"), _is_table, read)

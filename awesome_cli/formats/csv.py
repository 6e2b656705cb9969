"""CSV: a header row, then a row for each work, divided by commas, semicolons or tabs.

Columns are recognised by name or by axis id; `--column` and `--mapping` say what other columns hold. Authors may be
written as most programs write them; where one cell is ambiguous, the others of its column decide. A cell beyond the
header is kept under `extra`, with a warning. What is written here is read back whole. A cell that a spreadsheet would
run as a formula is written with an apostrophe in front, which reading takes off where the first column is `key`.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from awesome_cli.formats import ExportFormat, ImportFormat, ReadingOptions, cells, people
from awesome_cli.formats.rows import BEYOND, CITATION, FIELDS, coded, column_of, plain_name, row_batch
from awesome_cli.model.drafts import Batch, Failure, link
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.records import Candidate, Citation, Paper, Screening
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names
from awesome_cli.text.inert import from_cell, to_csv

SEPARATOR = "; "
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
DATA = re.compile(r"(?:1[5-9]|20)\d\d|10\.\d{4,9}/\S+|https?://\S+")
"""What stands in a row and never in a header: a year, a DOI, an address."""
END = "\x1a"
"""A line behind the last one: what is read up to it without an end has a quote that was left open."""
LONGEST = 300
"""A message shows this many characters of a header."""
OWN = "key"
"""The first column of the tables of this program."""
PLAIN = ("keywords", "abstract")
"""What stands under `extra` in records and has a column by its own name."""
KEEPS = {"title", "authors", "year", "venue", "affiliation", "identifiers", "links", "citation", "added"}
KEEPS |= {"tags.term", "tags.strength", "tags.part", "measures.value", "summary", "note", "extra"}
KEEPS |= {"stage", "reason", "screening.stage", "screening.reason", "screening.on"}


def write(corpus: Corpus, *, raw: bool = False) -> str:
    """The papers as a table. Several values of a cell are joined by `; `; a tag is written `term:strength:part`.

    A coding beside the main one ends in `:part`. A corporate author of several words ends in a comma, because it would
    be read as a first and a last name. What these forms cannot hold is written as JSON.
    """
    taxonomy = corpus.taxonomy
    extra = dict.fromkeys(f"extra.{name}" for paper in corpus.papers for name in paper.extra if name not in PLAIN)
    own = ("links", "note", "arxiv_version", *PLAIN, *CITATION)
    screened = {record.key: record.screening for record in corpus.exclusions}
    decided = [_decision(paper, screened.get(paper.key)) for paper in corpus.papers]
    columns = list(dict.fromkeys([*COLUMNS, *coded(taxonomy), *own, *next(filter(None, decided), ()), *extra]))
    rows = zip(corpus.papers, decided, strict=True)
    return table(columns, ({**row(paper, taxonomy), **decision} for paper, decision in rows), raw=raw)


def _decision(record: Paper | Candidate, screening: Screening | None) -> dict[str, object]:
    """What makes a candidate or an exclusion of a row again; nothing for a paper."""
    if isinstance(record, Candidate):
        return {"decision": "candidate", "stage": record.stage, "reason": record.reason}
    return {"decision": "excluded", "stage": screening.stage, "reason": screening.reason} if screening else {}


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, raw: bool = False) -> str:
    """Rows as `to_csv` writes them, under one header row."""
    return to_csv((columns, *([row.get(name) for name in columns] for row in rows)), raw=raw)


def row(paper: Paper, taxonomy: Taxonomy) -> dict[str, object]:
    """The cells of a paper by their columns."""
    citation = paper.citation or Citation()
    links = [entry.model_dump() for entry in paper.links]
    keywords = paper.extra.get("keywords", "")
    found: dict[str, object] = {
        f"extra.{name}": cells.cell(value) for name, value in paper.extra.items() if name not in PLAIN
    }
    found |= {path: getattr(citation, path.partition(".")[2]) for path in CITATION}
    found |= {name: SEPARATOR.join(map(str, f.own(paper))) for name, f in COLUMNS.items()}
    found |= {
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
    found |= {axis: SEPARATOR.join(map(str, paper.tags.get(axis, ()))) for axis in taxonomy.by_id}
    facts = ((measure.id, paper.measures.get(measure.id)) for measure in taxonomy.measures)
    return found | {name: f"{fact.value:.15g}" for name, fact in facts if fact and fact.value is not None}


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """The rows of a table with one header row, separated by commas, semicolons or tabs."""
    text = text.removeprefix("\ufeff")
    first = re.match(r"sep=(.)\n", text)  # a line by which spreadsheets say how the others are divided
    text = text[first.end() :] if first else text
    separator = first[1] if first else _separator(text)
    records = (_plain_tabs(text) if separator == "\t" else None) or _records(text, separator)
    _, header = next(records, (1, []))
    if isinstance(header, ValueError):
        raise header
    if not header:
        raise ValueError("the first line names no columns")
    # Other people's apostrophes are theirs: "'-' considered harmful" is a title.
    written = from_cell if header[0] == OWN and not options.raw else str
    columns = _columns([*map(written, header)])
    found = [(f"{name}:{line + bool(first)}", row) for line, row in records if isinstance(row, ValueError) or any(row)]
    if found and "title" not in column_of(columns, options):
        why = _without_title(columns, [row for _, row in found[:20] if isinstance(row, list)])
        return Batch((), (Failure(name, why),), tuple(columns))
    rows = [(at, _named(columns, [*map(written, row)]) if isinstance(row, list) else row) for at, row in found]
    return replace(row_batch(rows, options), columns=tuple(columns))


def _without_title(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """What to do with a table without a column of titles: it may have no header, or the longest cells are titles."""
    names = ", ".join(columns) if len(", ".join(columns)) < LONGEST else f"{', '.join(columns)[:LONGEST]}…"
    above = "put a line of names above it, such as title,authors,year"
    if any(DATA.fullmatch(name) for name in columns):
        return f"the first line is a work, and not the names of the columns ({names}); {above}"
    known = {plain_name(name) for name in columns} & KNOWN
    free = [n for n, name in enumerate(columns) if plain_name(name) not in KNOWN.difference(FIELDS["url"])]
    best = max(free or [0], key=lambda n: sum(len(row[n]) for row in rows if n < len(row)))
    or_else = "" if known else f"; if the first line is a work, {above}"
    return f"no column holds the titles ({names}); name it: --column '{columns[best]}=title'{or_else}"


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str] | ValueError]]:
    """`(line, cells)` of each row, with the line at which it begins; an error for a row with a wrong quote.

    What follows such a row may be the rest of it, until a row has as many cells as the first and pairs of quotes.
    Raises `ValueError` for a quote left open.
    """
    source = io.StringIO(f"{text}\n{END}", newline="")
    reader = csv.reader(source, delimiter=separator, strict=True)
    line, width, is_broken = 1, 0, False
    while True:
        try:
            row = next(reader)
        except csv.Error:
            if source.tell() > len(text) + 1:
                raise ValueError(f"line {line}: a quote is opened and not closed") from None
            is_broken = True
            yield line, ValueError("text stands behind a closing quote; a quote within a cell is written twice")
        else:
            if row == [END]:
                return
            width = width or len(row)
            is_broken = is_broken and (len(row) != width or any(cell.count('"') % 2 for cell in row))
            yield line, ValueError("not read: the row before it has a wrong quote") if is_broken else row
        line = reader.line_num + 1


def _plain_tabs(text: str) -> Iterator[tuple[int, list[str]]] | None:
    """The rows of a text in which each line is a row, and a quote within a cell only a quote; None for another text."""
    lines = [(number, line.split("\t")) for number, line in enumerate(text.split("\n"), 1) if line]
    is_open = (cell.startswith('"') and not QUOTED.fullmatch(cell) for _, row in lines for cell in row)
    if len({len(row) for _, row in lines}) > 1 and any(is_open):
        return None
    return (
        (number, [found[1].replace('""', '"') if (found := QUOTED.fullmatch(cell)) else cell for cell in row])
        for number, row in lines
    )


def _separator(text: str) -> str:
    """What divides the columns: the mark that gives the header most known names, of several the most columns."""

    def gain(mark: str) -> tuple[int, int]:
        header = next(csv.reader([text.partition("\n")[0][:100_000]], delimiter=mark), [])
        return sum(plain_name(cell) in KNOWN for cell in header), len(header)

    return max("\t,;", key=gain)


KNOWN = frozenset(name for names in FIELDS.values() for name in names)


def _columns(header: Sequence[str]) -> list[str]:
    """The names of the columns, each once: a repeated name gets its number, a column without a name its place."""
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(header, 1)]
    seen = Counter[str]()
    for place, name in enumerate(names):
        seen[name] += 1
        names[place] = f"{name} ({seen[name]})" if seen[name] > 1 else name
    return names


def _named(columns: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    """The cells by their columns' names, also those that a short row leaves out; those behind the last one together."""
    width = len(columns)
    return {**dict(zip_longest(columns, row[:width], fillvalue="")), BEYOND: list(filter(None, row[width:]))}


def _is_table(start: str) -> bool:
    """Whether a text begins with a row of names of columns, a title's among them."""
    header = re.split(r"[\t,;]", start.partition("\n")[0].replace('"', ""))
    titles = {"TI", *FIELDS["title"]}
    return start.startswith("sep=") or (len(header) > 1 and any(titles & {cell, plain_name(cell)} for cell in header))


EXPORT = ExportFormat(
    "papers.csv", "one row a paper, for spreadsheets", write, frozenset(KEEPS), raw=partial(write, raw=True)
)
IMPORT = ImportFormat(("csv", "tsv", "tab"), _is_table, read)

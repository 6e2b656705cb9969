"""The columns of a row: which of them hold fields of a record, by their usual names or as the user says."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.cells import line
from awesome_cli.formats.decisions import COLREV, kind_of
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.publication import named as named_type
from awesome_cli.model.records import Citation
from awesome_cli.model.taxonomy import Taxonomy

TEXTS = tuple(name for name, field in COLUMNS.items() if field.kind == "text" and not (field.asked or field.many))
"""Fields that hold one text."""
CITATION = tuple(f"citation.{name}" for name in Citation.model_fields)
BEYOND = "beyond_header"
"""The name of the cells of a row that stand beyond its header."""
RECORD_KIND, LABEL = "record_kind", "included"
"""The columns of this program's own labelled tables: the kind of each record, and its label."""
_OTHER_NAMES: Mapping[str, str] = {
    "key": "id citation_key citekey bibtex_key record_id slug",
    "title": "name paper_title article_title",
    "authors": "author_full_names authors author author_s first_author creators",
    "year": "publication_year date published",
    "venue": "journal conference booktitle publication_title source_title container journal_book",
    "affiliation": "institution organization",
    "arxiv": "arxiv_id eprint",
    "openreview": "openreview_id",
    "acl": "acl_id anthology_id",
    "url": "link paper paper_url pdf urls",
    "pmid": "pubmed_id pubmedid",
    "keywords": "tags topics labels author_keywords manual_tags",
    "abstract": "abstracts abstract_note",
    "summary": "one_liner tldr",
    "note": "notes comment comments",
    "decision": "final_decision screening_decision inclusion_decision screening included include include_y_n "
    f"included_y_n final_included label_included included_label included_final included_flag asreview_label {COLREV} "
    "label2 label1 label status",
    "stage": "screening_stage",
    "reason": "exclusion_reason reason_code",
    "citation.key": "citekey bibtex_key",
    "citation.volume": "volume",
    "citation.number": "issue number",
    "citation.pages": "pages page page_range",
    "page_start": "start_page",
    "page_end": "end_page",
    "article_number": "art_no article_no",
    "type": "document_type item_type publication_type",
    "citation.publisher": "publisher",
    "citation.month": "month publication_month",
}
_ONE_NAME = ("arxiv_version", "doi", "isbn", "other", "links", "added", RECORD_KIND, *TEXTS, *CITATION)
FIELDS: Mapping[str, tuple[str, ...]] = {
    field: usual if (plain := field.replace(".", "_")) in usual else (plain, *usual)
    for field in (*_OTHER_NAMES, *_ONE_NAME)
    for usual in (tuple(_OTHER_NAMES.get(field, "").split()),)
}
"""The fields that a column may hold, with the usual names of such columns, the best first."""
_TAGS: Mapping[str, str] = {
    "AU": "authors",
    "AF": "authors",
    "TI": "title",
    "SO": "venue",
    "DT": "type",
    "DE": "keywords",
    "AB": "abstract",
    "PY": "year",
    "VL": "citation.volume",
    "IS": "citation.number",
    "PU": "citation.publisher",
    "BP": "page_start",
    "EP": "page_end",
    "AR": "article_number",
    "DI": "doi",
    "PM": "pmid",
}
"""The columns of a table of Web of Science, of two for one field the best last. Its column `ID` holds keywords."""
DOUBTFUL = ("status", "label", "label1", "label2")
"""Names of columns that hold decisions in some tables and other things in others."""
IDS = re.compile(r"\s*\(\d+\)(?=\s*(?:;|$))")
"""The number of an author, which Scopus writes behind each full name, and in a column of its own."""


@dataclass(frozen=True, slots=True)
class NamedRow:
    """The values of a row, for each field the column that holds it, and all columns, also of empty values.

    A row that is `undecided` has a column for its decision, and nothing in it.
    """

    values: Mapping[str, Any]
    held: Mapping[str, str]
    columns: frozenset[str]
    undecided: bool

    def raw(self, field: str) -> Any:
        """The value of a field as it was read; None without one."""
        return self.values.get(self.held[field]) if field in self.held else None

    def get(self, field: str) -> str:
        """The value of a field on one line."""
        return line(self.raw(field))

    def text(self, field: str) -> str:
        """A text that may have several lines."""
        value = self.raw(field)
        return value.strip() if isinstance(value, str) else line(value)

    @property
    def rest(self) -> dict[str, Any]:
        """The values that no field holds."""
        return {name: value for name, value in self.values.items() if name not in self.held.values()}


def coded(taxonomy: Taxonomy) -> tuple[str, ...]:
    """The axes and measures, whose columns hold codings."""
    return (*taxonomy.by_id, *(measure.id for measure in taxonomy.measures))


def named(row: Mapping[str, Any], options: ReadingOptions) -> NamedRow:
    """A row with the fields that its columns hold."""
    values = {str(name): value for name, value in row.items() if value not in (None, "", [])}
    held = dict(_held(values, options))
    word = held.get("decision", "")
    if _is_status(word, options, DOUBTFUL) and not _decides(word, line(values[word]), options):
        # Such a column may say anything; it decides only with a word that is known.
        del held["decision"]
    _choose(values, held)
    decides = _held(map(str, row), options).get("decision")
    if decides not in values and (decides in options.columns or plain_name(decides) in DOUBTFUL):
        held.pop("decision", None)  # An empty label is none, whatever an earlier stage said.
    undecided = decides is not None and decides not in values and not _is_status(decides, options)
    return NamedRow(values, held, frozenset(map(plain_name, row)), undecided)


def _choose(values: dict[str, Any], held: dict[str, str]) -> None:
    """Leave to `extra` what a field says already, or cannot hold: a second form of the pages, an unknown type."""
    pages = [name for name in ("citation.pages", "page_start", "article_number") if name in held]
    unused = {*pages[1:], *(() if pages[:1] == ["page_start"] else ("page_end",))}
    if "citation.type" in held or not named_type(line(values.get(held.get("type", "")))):
        unused.add("type")
    if "other" in held or not line(values.get(held.get("pmid", ""))).isdigit():
        unused.add("pmid")
    for name in unused & held.keys():
        del held[name]
    names = held.get("authors", "")
    if plain_name(names) == "author_full_names":
        values[names] = IDS.sub("", line(values[names]))


def has_title(columns: Iterable[str], options: ReadingOptions) -> bool:
    """Whether one of the columns holds titles."""
    return "title" in _held(columns, options)


def decision_column(columns: Iterable[str], options: ReadingOptions) -> str | None:
    """The column that holds decisions, or labels; None without one."""
    return _held(columns, options).get("decision")


def _held(columns: Iterable[str], options: ReadingOptions) -> Mapping[str, str]:
    kept = frozenset({*coded(options.taxonomy), *options.tags_from} - {"keywords"})
    return _fields(tuple(columns), tuple(options.columns.items()), kept)


def _decides(column: str, word: str, options: ReadingOptions) -> bool:
    """Whether a word in a doubtful column is a known one, or beside labels the code of a reason."""
    is_code = word.isdigit() and plain_name(column) != "status"
    return is_code or kind_of(word, options.decisions, of_status=True) is not None


def _is_status(column: str, options: ReadingOptions, names: Collection[str] = ("status", "label")) -> bool:
    return plain_name(column) in names and column not in options.columns


@lru_cache(maxsize=10_000)
def plain_name(column: object) -> str:
    """A column's name as in `FIELDS`."""
    return re.sub(r"\W+", "_", str(column).strip().casefold()).strip("_")


@lru_cache(maxsize=1000)
def _fields(names: tuple[str, ...], own: tuple[tuple[str, str], ...], kept: frozenset[str]) -> Mapping[str, str]:
    """The column that holds each field; the user's mapping comes first, and columns that are `kept` hold no field."""
    other = {*kept, *dict(own)}
    if "TI" in names and not {"PT", "AU", "SO", "PY"}.isdisjoint(names):
        found = {field: tag for tag, field in _TAGS.items() if tag in names and tag not in other}
        return found | {field: name for name, field in own if field in FIELDS and name in names}
    plain = {plain_name(name): name for name in reversed(names) if name not in other}
    found = {field: plain[alias] for field, usual in FIELDS.items() for alias in reversed(usual) if alias in plain}
    return found | {field: name for name, field in own if field in FIELDS and name in names}

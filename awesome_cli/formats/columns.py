"""The columns of a row: which of them hold fields of a record, by their usual names or as the user says."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.cells import line
from awesome_cli.formats.decisions import COLREV, kind_of
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.records import Citation
from awesome_cli.model.taxonomy import Taxonomy

TEXTS = tuple(name for name, field in COLUMNS.items() if field.kind == "text" and not (field.asked or field.many))
"""Fields that hold one text."""
CITATION = tuple(f"citation.{name}" for name in Citation.model_fields)
BEYOND = "beyond_header"
"""The name of the cells of a row that stand beyond its header."""
_OTHER_NAMES: Mapping[str, str] = {
    "key": "id citation_key citekey bibtex_key record_id slug",
    "title": "name paper_title article_title",
    "authors": "author author_s first_author creators",
    "year": "publication_year date published",
    "venue": "journal conference booktitle publication_title source_title container",
    "affiliation": "institution organization",
    "arxiv": "arxiv_id eprint",
    "openreview": "openreview_id",
    "acl": "acl_id anthology_id",
    "url": "link paper paper_url pdf urls",
    "keywords": "tags topics labels author_keywords",
    "abstract": "abstracts abstract_note",
    "summary": "one_liner tldr",
    "note": "notes comment comments",
    "decision": "final_decision screening_decision inclusion_decision screening included include include_y_n "
    f"included_y_n final_included label_included asreview_label {COLREV} status",
    "stage": "screening_stage",
    "reason": "exclusion_reason reason_code",
    "citation.volume": "volume",
    "citation.number": "issue number",
    "citation.pages": "pages page page_range",
    "citation.publisher": "publisher",
    "citation.month": "month publication_month",
}
_ONE_NAME = ("arxiv_version", "doi", "isbn", "other", "links", "added", *TEXTS, *CITATION)
FIELDS: Mapping[str, tuple[str, ...]] = {
    field: (field.replace(".", "_"), *_OTHER_NAMES.get(field, "").split()) for field in (*_OTHER_NAMES, *_ONE_NAME)
}
"""The fields that a column may hold, with the usual names of such columns, the best first."""


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
    if _is_status(word, options) and kind_of(line(values[word]), options.decisions, of_status=True) is None:
        # A status may say anything; it decides only with a word that is known.
        del held["decision"]
    decides = _held(map(str, row), options).get("decision")
    undecided = decides is not None and decides not in values and not _is_status(decides, options)
    return NamedRow(values, held, frozenset(map(plain_name, row)), undecided)


def has_title(columns: Iterable[str], options: ReadingOptions) -> bool:
    """Whether one of the columns holds titles."""
    return "title" in _held(columns, options)


def _held(columns: Iterable[str], options: ReadingOptions) -> Mapping[str, str]:
    kept = frozenset({*coded(options.taxonomy), *options.tags_from} - {"keywords"})
    return _fields(tuple(columns), tuple(options.columns.items()), kept)


def _is_status(column: str, options: ReadingOptions) -> bool:
    return plain_name(column) == "status" and column not in options.columns


@lru_cache(maxsize=10_000)
def plain_name(column: object) -> str:
    """A column's name as in `FIELDS`."""
    return re.sub(r"\W+", "_", str(column).strip().casefold()).strip("_")


@lru_cache(maxsize=1000)
def _fields(names: tuple[str, ...], own: tuple[tuple[str, str], ...], kept: frozenset[str]) -> Mapping[str, str]:
    """The column that holds each field; the user's mapping comes first, and columns that are `kept` hold no field."""
    other = {*kept, *dict(own)}
    plain = {plain_name(name): name for name in reversed(names) if name not in other}
    found = {field: plain[alias] for field, usual in FIELDS.items() for alias in reversed(usual) if alias in plain}
    return found | {field: name for name, field in own if field in FIELDS and name in names}

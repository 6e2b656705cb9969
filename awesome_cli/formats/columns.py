"""The columns of a row: which of them hold fields of a record, by their usual names or as the user says."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from awesome_cli.formats.cells import line
from awesome_cli.formats.decisions import COLREV, kind_of
from awesome_cli.formats.options import ReadingOptions
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.records import Citation

PLAIN = tuple(name for name, field in COLUMNS.items() if field.kind == "text" and not (field.asked or field.many))
"""Columns that hold one text."""
CITATION = tuple(f"citation.{name}" for name in Citation.model_fields)
BEYOND = "beyond_header"
"""The name of the cells of a row that stand beyond its header."""
_ALIASES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "id", "citation_key", "citekey", "bibtex_key", "record_id", "slug"),
    "title": ("title", "name", "paper_title", "article_title"),
    "authors": ("authors", "author", "author_s", "first_author", "creators"),
    "year": ("year", "publication_year", "date", "published"),
    "venue": ("venue", "journal", "conference", "booktitle", "publication_title", "source_title", "container"),
    "affiliation": ("affiliation", "institution", "organization"),
    "arxiv": ("arxiv", "arxiv_id", "eprint"),
    "arxiv_version": ("arxiv_version",),
    "doi": ("doi",),
    "openreview": ("openreview", "openreview_id"),
    "acl": ("acl", "acl_id", "anthology_id"),
    "isbn": ("isbn",),
    "other": ("other",),
    "url": ("url", "link", "paper", "paper_url", "pdf", "urls"),
    "links": ("links",),
    "keywords": ("keywords", "tags", "topics", "labels", "author_keywords"),
    "abstract": ("abstract", "abstracts", "abstract_note"),
    "summary": ("summary", "one_liner", "tldr"),
    "note": ("note", "notes", "comment", "comments"),
    "added": ("added",),
    "decision": ("decision", "screening", "included", COLREV, "status"),
    "stage": ("stage", "screening_stage"),
    "reason": ("reason", "exclusion_reason", "reason_code"),
    "citation.volume": ("volume",),
    "citation.number": ("issue", "number"),
    "citation.pages": ("pages", "page", "page_range"),
    "citation.publisher": ("publisher",),
    "citation.month": ("month", "publication_month"),
}
ALIASES: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in PLAIN},
    **_ALIASES,
    **{path: (path.replace(".", "_"), *_ALIASES.get(path, ())) for path in CITATION},
}
"""The names by which a column is taken for a field, the best first; the user's column mapping comes before them."""


@dataclass(frozen=True, slots=True)
class NamedRow:
    """The values of a row, for each field the name that holds it, and all names, also of empty values."""

    values: Mapping[str, Any]
    taken: Mapping[str, str]
    names: frozenset[str]

    def raw(self, field: str) -> Any:
        """The value of a field as it was read; None without one."""
        return self.values.get(self.taken[field]) if field in self.taken else None

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
        return {name: value for name, value in self.values.items() if name not in self.taken.values()}


def named(row: Mapping[str, Any], options: ReadingOptions) -> NamedRow:
    """A row with the fields that its columns hold."""
    values = {str(name): value for name, value in row.items() if value not in (None, "", [])}
    coded = frozenset((*options.taxonomy.by_id, *(measure.id for measure in options.taxonomy.measures)))
    own = frozenset(options.columns.items())
    taken = dict(_recognised(tuple(values), own, coded | frozenset(options.tags_from) - {"keywords"}))
    word = taken.get("decision", "")
    may_decide = plain_name(word) != "status" or word in options.columns
    if not may_decide and kind_of(line(values[word]), options.decisions) is None:
        # A status may say anything; it decides only with a word that is known.
        del taken["decision"]
    return NamedRow(values, taken, frozenset(map(plain_name, row)))


@lru_cache(maxsize=10_000)
def plain_name(name: object) -> str:
    """A column's name as in `ALIASES`."""
    return re.sub(r"\W+", "_", str(name).strip().casefold()).strip("_")


@lru_cache(maxsize=1000)
def _recognised(
    names: tuple[str, ...], columns: frozenset[tuple[str, str]], kept: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """`(field, name)` for each field that one of the names holds; names that are `kept` hold no field."""
    own = dict(columns)
    plain = {plain_name(name): name for name in reversed(names) if name not in own and name not in kept}
    found = {field: plain[alias] for field, aliases in ALIASES.items() for alias in reversed(aliases) if alias in plain}
    return tuple({**found, **{field: name for name, field in columns if field in ALIASES and name in names}}.items())

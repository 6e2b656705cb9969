"""A table of the fields of records: the kind of value of each field, and the places where the field is used.

A field in a record's file has an attribute in `records` and a row here. Queries, tables (CSV and the columns of
`list`), `show`, `set`, merges and corrections use the row; schemas and JSON use the attribute. Rows without attribute
exist for queries only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from awesome_cli.model.records import AnyRecord, Identifiers

FieldKind = Literal["text", "number", "date", "word", "grade", "flag", "entries"]
"""How queries compare a field; `entries` are nested values, which queries do not compare."""
Use = Literal["query", "table", "show"]
EVERYWHERE: tuple[Use, ...] = ("query", "table", "show")
GRADE = "tags.contested.grade"
QUERY: tuple[Use, ...] = ("query",)


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field of records, with the same name in all kinds of records.

    `path` is the dotted path of the value in the record [default: `name`]; it descends into lists and mappings. Queries
    use the name `query` [default: `name`] and the values at all `paths` [default: `path`].

    `many` fields hold several strings; `joined` lists are concatenated when two records are merged; `text~` searches
    `prose` fields; the pool of a past date has the value that a `dated` field had on this date. A field of kind `word`
    has a value from the list `words` of the taxonomy; a field of kind `flag` is true if the record has a value.
    """

    name: str
    kind: FieldKind
    help: str = ""
    path: str = ""
    query: str = ""
    paths: tuple[str, ...] = ()
    uses: tuple[Use, ...] = EVERYWHERE
    words: Literal["stages", "reasons", "confidences", ""] = ""
    many: bool = False
    joined: bool = False
    prose: bool = False
    dated: bool = True

    @property
    def query_name(self) -> str:
        """The name in queries."""
        return self.query or self.name

    @property
    def attribute(self) -> str:
        """The name of the record's attribute that contains the field."""
        return (self.path or self.name).partition(".")[0]

    def values(self, record: AnyRecord) -> tuple[object, ...]:
        """Return the record's values of the field; empty if this kind of record does not have the field."""
        return _values(record, self.path or self.name)

    def get(self, record: AnyRecord) -> tuple[object, ...]:
        """Return the values that a query compares."""
        paths = self.paths or (self.path or self.name,)
        values = tuple(value for path in paths for value in _values(record, path))
        return (bool(values),) if self.kind == "flag" else values


def _values(value: object, path: str) -> tuple[object, ...]:
    if isinstance(value, tuple | dict):
        if not path:
            return tuple(value)
        parts = value.values() if isinstance(value, dict) else value
        return tuple(leaf for part in parts for leaf in _values(part, path))
    if value is None or not path:
        return () if value is None else (value,)
    name, _, rest = path.partition(".")
    return _values(getattr(value, name, None), rest)


def _identifier(scheme: str, description: str = "") -> RecordField:
    """Return the row of an identifier. With a description, queries can use it, and compare all versions' ids."""
    path = f"identifiers.{scheme}"
    uses: tuple[Use, ...] = ("query", "table", "show") if description else ("table", "show")
    return RecordField(scheme, "text", description, path, paths=(path, f"versions.{path}"), uses=uses)


def _screening(name: str, description: str, words: Literal["stages", "reasons"]) -> RecordField:
    """Return the row of a stage or reason, which an exclusion has in `screening` and a candidate at top level."""
    path = f"screening.{name}"
    return RecordField(name, "word", description, path, paths=(path, name), uses=QUERY, words=words)


_ROWS = (
    RecordField("key", "text", "the file name, or a former one", paths=("key", "aliases"), prose=True),
    RecordField("title", "text", "the title", uses=("query", "table"), prose=True),
    RecordField("authors", "text", "an author as written, `Last, First`", query="author", many=True, prose=True),
    RecordField("year", "number", "the year of publication"),
    RecordField("venue", "text", "where it was published", prose=True),
    RecordField("affiliation", "text", "the first author's affiliation", prose=True),
    _identifier("arxiv", "an arXiv id without version"),
    RecordField("arxiv_version", "number", path="identifiers.arxiv_version", uses=(), dated=False),
    _identifier("doi", "a DOI"),
    _identifier("openreview", "an OpenReview forum id"),
    _identifier("acl", "an ACL Anthology id"),
    _identifier("isbn"),
    _identifier("other"),
    RecordField("link", "entries", path="links.url", uses=("show",), joined=True),
    RecordField("url", "text", "a link", paths=("links.url", "url"), uses=("query", "table", "show")),
    RecordField("added", "date", "the day on which it entered the pool"),
    RecordField("withdrawn", "date", uses=("show",)),
    RecordField("contested", "grade", "yes, no, or a grade: contested at that grade or above", GRADE, uses=QUERY),
    RecordField("confidence", "word", "a coding's confidence", "tags.confidence", uses=QUERY, words="confidences"),
    RecordField("kind", "text", "paper, exclusion or candidate", "KIND", uses=QUERY),
    _screening("stage", "the screening stage of an exclusion", "stages"),
    _screening("reason", "the coded reason of an exclusion", "reasons"),
    RecordField("source", "text", "where an exclusion was found", "screening.source", uses=QUERY),
    RecordField("query_family", "text", "the search that found an exclusion", "screening.query_family", uses=QUERY),
    RecordField("screened", "date", "the day of screening", "screening.on", uses=QUERY),
    RecordField("near_miss", "flag", "yes or no: an exclusion that came close", uses=QUERY),
    RecordField("version_of", "text", uses=("show",)),
    RecordField("proposal", "text", "the proposal: retain, consider or exclude", uses=("query", "show")),
    RecordField("retraction", "text", "the retraction status in a registry", "retraction.status", uses=QUERY),
    RecordField("summary", "text", uses=("table",), prose=True),
    RecordField("note", "text", uses=(), prose=True, dated=False),
    RecordField("aliases", "text", uses=(), many=True, joined=True),
    RecordField("not_coded", "text", uses=(), many=True),
    RecordField("passed", "text", uses=(), many=True, joined=True),
    RecordField("distinct_from", "text", uses=(), many=True, joined=True),
    RecordField("order", "number", uses=()),
    RecordField("first_public", "text", uses=()),
    *(RecordField(name, "entries", uses=(), joined=True) for name in ("versions", "corrections", "history")),
    RecordField("rejected", "entries", uses=(), joined=True, dated=False),
    *(RecordField(name, "entries", uses=()) for name in ("tags", "measures", "citation", "provenance", "readmitted")),
    *(RecordField(name, "entries", uses=()) for name in ("found", "screening", "paper", "extra")),
)
_PROSE = tuple(row.name for row in _ROWS if row.prose)
_IDS = tuple(f"{of}identifiers.{name}" for of in ("", "versions.") for name in Identifiers.SCHEMES)
_HELP = f"{', '.join(_PROSE)}, evidence, year, former and citation keys, identifiers"
_FOUND = (*_PROSE, "tags.evidence", "year", "aliases", "citation.key", *_IDS)
_TEXT = RecordField("text", "text", _HELP, paths=_FOUND, uses=QUERY)
RECORD_FIELDS = (*_ROWS, _TEXT)
FIELDS: Mapping[str, RecordField] = {row.query_name: row for row in RECORD_FIELDS if "query" in row.uses}
"""The fields of the query language, by their names in queries."""
COLUMNS: Mapping[str, RecordField] = {row.name: row for row in RECORD_FIELDS if "table" in row.uses}
"""The columns of a table of records, in order."""

"""The fields of records, one row each: what a field holds, and where it is used.

A field that stands in a record's file has its attribute in `records` and its row here. Queries, the search of the site,
tables (CSV and the columns of `list`), `show`, `set`, merges and corrections follow the row; schemas and JSON follow
the attribute. Some rows have no attribute: they are what a query may ask besides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from awesome_cli.model.records import AnyRecord

FieldKind = Literal["text", "number", "date", "word", "grade", "flag", "entries"]
"""How a query compares a field; `entries` have parts of their own, and no query compares them."""
Use = Literal["query", "site", "table", "show"]
EVERYWHERE: tuple[Use, ...] = ("query", "site", "table", "show")
GRADE = "tags.contested.grade"
SEARCH: tuple[Use, ...] = ("query", "site")
QUERY: tuple[Use, ...] = ("query",)


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field of records, under one name in all kinds of records.

    `path` leads to its value, through attributes and the entries of lists and mappings (by default the name). In
    queries it is called `query` (by default the name) and has the values at the paths `asked` (by default the path).

    `many` fields take several texts; `joined` lists are put together when two records are merged; `prose` is searched
    by `text~`; the former value of a `dated` field counts in the pool of an earlier day. A `word` is one of those in
    the list `words` of the taxonomy; a `flag` says whether there is a value.
    """

    name: str
    kind: FieldKind
    help: str = ""
    path: str = ""
    query: str = ""
    asked: tuple[str, ...] = ()
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
        """The name of the record's attribute that holds it."""
        return (self.path or self.name).partition(".")[0]

    def own(self, record: AnyRecord) -> tuple[object, ...]:
        """The values that stand in the record; none where its kind has no such field."""
        return _values(record, self.path or self.name)

    def get(self, record: AnyRecord) -> tuple[object, ...]:
        """The values that a query compares."""
        asked = self.asked or (self.path or self.name,)
        values = tuple(value for path in asked for value in _values(record, path))
        return (bool(values),) if self.kind == "flag" else values


def _values(value: object, path: str) -> tuple[object, ...]:
    if isinstance(value, tuple | dict):
        if not path:
            return tuple(value)
        parts = value.values() if isinstance(value, dict) else value
        return tuple(found for part in parts for found in _values(part, path))
    if value is None or not path:
        return () if value is None else (value,)
    name, _, rest = path.partition(".")
    return _values(getattr(value, name, None), rest)


def _identifier(scheme: str, what: str = "") -> RecordField:
    """An identifier of the record; a query, which knows those that `what` describes, reads other versions' too."""
    path = f"identifiers.{scheme}"
    uses: tuple[Use, ...] = ("query", "table", "show") if what else ("table", "show")
    return RecordField(scheme, "text", what, path, asked=(path, f"versions.{path}"), uses=uses)


def _screening(name: str, what: str, words: Literal["stages", "reasons"]) -> RecordField:
    """A word of an exclusion's screening, or of what is proposed for a candidate."""
    path = f"screening.{name}"
    return RecordField(name, "word", what, path, asked=(path, name), uses=SEARCH, words=words)


_ROWS = (
    RecordField("key", "text", "the file name, or a former one", asked=("key", "aliases"), prose=True),
    RecordField("title", "text", "the title", uses=("query", "site", "table"), prose=True),
    RecordField("authors", "text", "an author as written, `Last, First`", query="author", many=True, prose=True),
    RecordField("year", "number", "the year of publication"),
    RecordField("venue", "text", "where it was published", prose=True),
    RecordField("affiliation", "text", "the first author's", prose=True),
    _identifier("arxiv", "an arXiv id without version"),
    RecordField("arxiv_version", "number", path="identifiers.arxiv_version", uses=(), dated=False),
    _identifier("doi", "a DOI"),
    _identifier("openreview", "an OpenReview forum id"),
    _identifier("acl", "an ACL Anthology id"),
    _identifier("isbn"),
    _identifier("other"),
    RecordField("link", "entries", path="links.url", uses=("show",), joined=True),
    RecordField("url", "text", "a link", asked=("links.url", "url"), uses=("query", "table", "show")),
    RecordField("added", "date", "the day it entered the pool"),
    RecordField("withdrawn", "date", uses=("show",)),
    RecordField("contested", "grade", "yes, no, or a grade: contested at that grade or above", GRADE, uses=QUERY),
    RecordField("confidence", "word", "the confidence of a coding", "tags.confidence", uses=QUERY, words="confidences"),
    RecordField("kind", "text", "paper, exclusion or candidate", "KIND", uses=QUERY),
    _screening("stage", "the screening stage of an exclusion", "stages"),
    _screening("reason", "the coded reason of an exclusion", "reasons"),
    RecordField("source", "text", "where an exclusion was found", "screening.source", uses=SEARCH),
    RecordField("query_family", "text", "the search that found an exclusion", "screening.query_family", uses=SEARCH),
    RecordField("screened", "date", "the day of screening", "screening.on", uses=SEARCH),
    RecordField("near_miss", "flag", "yes or no: an exclusion that came close", uses=QUERY),
    RecordField("version_of", "text", uses=("show",)),
    RecordField("proposal", "text", "what is proposed for a candidate", uses=("query", "show")),
    RecordField("retraction", "text", "what a registry said", "retraction.status", uses=SEARCH),
    RecordField("summary", "text", uses=("site", "table"), prose=True),
    RecordField("note", "text", uses=("site",), prose=True, dated=False),
    RecordField("aliases", "text", uses=("site",), many=True, joined=True),
    RecordField("not_coded", "text", uses=("site",), many=True),
    RecordField("passed", "text", uses=(), many=True, joined=True),
    RecordField("distinct_from", "text", uses=(), many=True, joined=True),
    RecordField("order", "number", uses=()),
    RecordField("first_public", "text", uses=()),
    *(RecordField(name, "entries", uses=(), joined=True) for name in ("versions", "corrections", "history")),
    *(RecordField(name, "entries", uses=()) for name in ("tags", "measures", "citation", "provenance", "readmitted")),
    *(RecordField(name, "entries", uses=()) for name in ("found", "screening", "paper", "extra")),
)
_PROSE = tuple(row.name for row in _ROWS if row.prose)
_TEXT = RecordField("text", "text", f"{', '.join(_PROSE)}, evidence", asked=(*_PROSE, "tags.evidence"), uses=QUERY)
RECORD_FIELDS = (*_ROWS, _TEXT)
FIELDS: Mapping[str, RecordField] = {row.query_name: row for row in RECORD_FIELDS if "query" in row.uses}
"""The fields of the query language by their names in it."""
COLUMNS: Mapping[str, RecordField] = {row.name: row for row in RECORD_FIELDS if "table" in row.uses}
"""The columns of a table of records, in their order."""

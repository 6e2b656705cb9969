"""The survey's data as files to download: every export, what their fields and words mean, one archive of all."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from awesome_cli.errors import AwesomeError
from awesome_cli.files import paths
from awesome_cli.formats import export_format
from awesome_cli.formats.json import SCHEMA
from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.taxonomy import Axis, Measure, Taxonomy
from awesome_cli.publish.schemas import DRAFT, meanings, schema_of
from awesome_cli.publish.site import linked
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.text.inert import to_csv, to_json, visible

Row = tuple[str, str, str, str, str]
HEADER = ("file", "field", "type", "meaning", "values")
WORDS = ("list", "id", "code", "label", "definition", "parent")
RECORDS = "corpus.json"
TABLES = ("vocabulary.csv", "dictionary.csv")
"""The tables that say what others mean; meanings.yaml describes their columns."""
WORDS_OF = {"stage": "stages", "reason": "reasons", "confidence": "confidences", "grade": "grades"}
"""Fields whose values the taxonomy lists, and the list."""
OWN_COLUMNS: Mapping[str, Callable[[Taxonomy], Iterable[Axis | Measure]]] = {
    "tags": lambda taxonomy: taxonomy.axes,
    "measures": lambda taxonomy: taxonomy.measures,
}
"""Fields whose parts the taxonomy names."""
TYPES = {"string": "text", "array": "list", "integer": "number", "boolean": "true or false"}
WHOLE = {"paper", "readmitted"}
"""Fields that hold a whole record of another kind: its fields are described there."""
KINDS = {row.name: row.kind for row in RECORD_FIELDS}


def dictionary(taxonomy: Taxonomy, tables: Mapping[str, str]) -> str:
    """The dictionary as CSV: columns of `tables`, CSV by path, and of `TABLES`, then fields of the JSON export."""
    headers = {path: next(csv.reader(io.StringIO(text))) for path, text in tables.items()}
    rows = [row for path, header in headers.items() for row in _columns(taxonomy, path, header)]
    for table, header in zip(TABLES, (WORDS, HEADER), strict=True):
        rows += [(table, name, "text", meanings()["Dictionary"][name], "") for name in header]
    for kind in ("paper", "exclusion"):
        rows += _fields(taxonomy, kind)
    return to_csv((HEADER, *rows))


def vocabulary(taxonomy: Taxonomy) -> str:
    """Every word that codings, screening and contests use, as CSV, with its meaning."""
    rows: list[tuple[str, ...]] = []
    for axis in taxonomy.axes:
        rows += [(axis.id, t.id, t.code or "", t.label, _line(t.definition), t.parent or "") for t in axis.terms]
        rows += [(f"{axis.id} (strength)", s.id, "", s.label, _line(s.definition), "") for s in axis.strengths]
    for name in ("stages", "reasons", "confidences", "grades"):
        rows += [(name, one.id, "", one.label, _line(one.definition), "") for one in getattr(taxonomy, name)]
    return to_csv((WORDS, *rows))


def _line(text: str) -> str:
    return " ".join(text.split())


def _columns(taxonomy: Taxonomy, path: str, names: Iterable[str]) -> Iterator[Row]:
    layout = taxonomy.artifact if path.startswith("artifact/") else None
    own = {one.column: one for one in (*layout.exclusions, *layout.papers)} if layout else {}
    if layout and path.endswith("papers.csv"):
        own = {one.column: one for one in layout.papers}
    for name in names:
        column = own.get(name)
        kind, meaning, values = _column(taxonomy, (column.axis or column.field or "") if column else name)
        if column and not (column.axis or column.field):
            kind, meaning, values = "text", "the same in every row", column.constant or column.default
        yield path, name, kind, meaning, "; ".join(column.words.values()) if column and column.words else values


def _column(taxonomy: Taxonomy, name: str) -> tuple[str, str, str]:
    """Type, meaning and values of a column that holds an axis, a measure or a field."""
    if axis := taxonomy.by_id.get(name):
        return "list" if axis.kind == "many" else "word", _line(axis.question), _terms(axis)
    if measure := next((one for one in taxonomy.measures if one.id == name), None):
        return "number", f"{measure.label}, in {measure.unit}", ""
    known, (first, _, last) = meanings(), name.partition(".")
    if first == "extra":
        return "text", "a value that was imported and has no field of its own", ""
    shapes = (first.capitalize(), "*") if last else ("Table", "Screening", "Record", "Identifiers", "*")
    meaning = next((known[shape][last or first] for shape in shapes if (last or first) in known.get(shape, {})), "")
    words = getattr(taxonomy, WORDS_OF.get(last or first, ""), ())
    return KINDS.get(last or first, "text"), meaning, "; ".join(one.id for one in words)


def _terms(axis: Axis) -> str:
    """Each term that can be given; on an axis with strengths a cell holds `term:strength`."""
    strengths = f", each with :{' or :'.join(axis.strength_ids)}" if axis.strengths else ""
    return "; ".join(term.id for term in axis.leaves) + strengths


def _fields(taxonomy: Taxonomy, kind: str) -> Iterator[Row]:
    """The fields of the records of a kind, those of inner shapes after the field that holds them."""
    schema = schema_of(kind, None)
    shapes: Mapping[str, Mapping[str, Any]] = schema.get("$defs", {})

    def rows(shape: Mapping[str, Any], above: str) -> Iterator[Row]:
        for name, field in shape.get("properties", {}).items():
            inner = list(_shapes(field, shapes))
            kinds = " or ".join(dict.fromkeys(kind for one in inner for kind in _kinds(one)))
            words = [str(word) for one in inner for word in one.get("enum", ())]
            known = WORDS_OF.get(name) if not words else None
            words += [one.id for one in getattr(taxonomy, known)] if known else []
            said = next((text for one in (field, *inner) if (text := one.get("description"))), "")
            place = f"{above}.{name}"
            yield RECORDS, place, kinds or "any", _line(said), "; ".join(dict.fromkeys(words))
            if name in OWN_COLUMNS:
                yield from (
                    (RECORDS, f"{place}.{one.id}", *_column(taxonomy, one.id)) for one in OWN_COLUMNS[name](taxonomy)
                )
            for one in inner if name not in WHOLE else ():
                yield from rows(one, f"{place}[]" if "list" in kinds else place)

    yield RECORDS, f"{kind}s[].key", "text", meanings()["Table"]["key"], ""
    yield from rows(schema, f"{kind}s[]")


def _shapes(field: Mapping[str, Any], shapes: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The shapes that a field can have: alternatives, entries of lists and values of mappings included."""
    if "$ref" in field:
        field = shapes[field["$ref"].rpartition("/")[2]]
    inner = [field.get("items"), field.get("additionalProperties"), *field.get("anyOf", ())]
    if "anyOf" not in field:
        yield field
    for one in inner:
        if isinstance(one, Mapping):
            yield from _shapes(one, shapes)


def _kinds(shape: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in shape:
        yield "word"
    elif shape.get("type") not in (None, "null"):
        yield "date" if shape.get("format") == "date" else TYPES.get(shape["type"], shape["type"])


MEDIA: Mapping[str, str] = {
    "zip": "application/zip",
    "csv": "text/csv",
    "json": "application/json",
    "bib": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
}
"""Media types by the ending of a file's name."""
ONE_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, the first that the format knows: the same files give the same bytes."""
OWN: Mapping[str, str] = {
    "taxonomy.yaml": "the survey's own file of its vocabulary",
    "claims.yaml": "the survey's own file of its claims, each with the query that checks it",
    "protocol.yaml": "the survey's own file of how papers were searched and screened",
    "LICENSE": "the licence of the repository",
    "LICENSE-CORPUS": "the licence of the records",
}
"""Files of a survey that the archive holds as they are, and what each is."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download."""

    path: str
    about: str
    size: int


def download_pages(frame: Frame, root: Path) -> Iterator[SitePage]:
    """The files, the archive of all of them, and the page that lists them."""
    files = list(_files(frame))
    files += [_dictionary(frame.corpus.taxonomy, [page for page, _ in files])]
    files += [(SitePage("data/vocabulary.csv", vocabulary(frame.corpus.taxonomy)), "what each word in them means")]
    packed = [*files, *_own(root)]
    about = "\n".join([*_headline(frame), "", *(f"{page.path.partition('/')[2]}: {what}" for page, what in packed)])
    readme = SitePage("data/README.txt", visible(about) + "\n")
    whole = archive(_short(frame.corpus.taxonomy), [readme, *(page for page, _ in packed)])
    files = [(whole, "all files of this page, and the survey's own, in one archive"), *files]
    yield from (page for page, _ in files)
    media = {page.path: MEDIA.get(page.path.rpartition(".")[2], "text/plain") for page, _ in files}
    yield frame.page(
        "data.html",
        "data",
        title="Data",
        description=f"Every record of {frame.corpus.taxonomy.survey.title}, as files to download.",
        linked=linked.dataset(frame.corpus, frame.description, frame.base, media, frame.modified),
        files=[Download(page.path, about, len(page.data)) for page, about in files],
    )


def _own(root: Path) -> Iterator[tuple[SitePage, str]]:
    """Files of the survey itself that stand in the archive beside the exports; not those that are links out of it."""
    for name, what in OWN.items():
        with suppress(AwesomeError):
            if (content := paths.read(root, name)) is not None:
                yield SitePage(f"data/{name}", content), what


NAME = 60
"""How many signs of a survey's name stand in the name of a file."""


def _short(taxonomy: Taxonomy) -> str:
    return (
        re.sub(r"[^a-z0-9]+", "-", (taxonomy.survey.short or taxonomy.survey.title).lower())[:NAME].strip("-")
        or "survey"
    )


def archive(name: str, pages: Iterable[SitePage]) -> SitePage:
    """The files in one folder of a zip archive."""
    held = io.BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as packed:
        for page in sorted(pages, key=lambda page: page.path):
            entry = ZipInfo(f"{name}/{page.path.partition('/')[2]}", ONE_TIME)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, page.data)
    return SitePage(f"data/{name}.zip", held.getvalue())


def _headline(frame: Frame) -> Iterator[str]:
    survey, day = frame.corpus.taxonomy.survey, frame.day
    known = {
        "": survey.title,
        "By ": "; ".join(survey.authors),
        "Pool as of ": day,
        "Codings as of ": frame.recoded,
        "Licence of the records: ": survey.licence,
        "Published at ": survey.url,
        "Site: ": frame.base,
        "Repository: ": survey.repository,
        "Contact: ": survey.contact,
    }
    yield from (f"{words}{value}" for words, value in known.items() if value)


def _dictionary(taxonomy: Taxonomy, pages: Iterable[SitePage]) -> tuple[SitePage, str]:
    # In the archive and on the site the tables stand beside the dictionary, or in a folder there.
    tables = {page.path.partition("/")[2]: page.data.decode() for page in pages if page.path.endswith(".csv")}
    return SitePage("data/dictionary.csv", dictionary(taxonomy, tables)), "what each column and each field means"


def _files(frame: Frame) -> Iterator[tuple[SitePage, str]]:
    for form, answer in frame.exported.items():
        chosen = export_format(form)
        if isinstance(answer, str):
            yield SitePage(f"data/{chosen.file}", answer), chosen.about
        else:
            for name, text in answer.items():
                yield SitePage(f"data/{chosen.file}{name}", text), f"{chosen.about}: {name}"
    yield SitePage("data/corpus.schema.json", corpus_schema(frame.corpus.taxonomy)), "JSON Schema of corpus.json"


def corpus_schema(taxonomy: Taxonomy) -> str:
    """JSON Schema of the JSON export: the schemas of the records' files, with the key that the file name holds."""
    records: dict[str, Any] = {}
    for kind in ("paper", "exclusion"):
        schema = schema_of(kind, taxonomy)
        properties = {"key": {"type": "string"}, **schema["properties"]}
        # Its own $id keeps the references inside of each schema its own.
        records[kind] = {**schema, "$id": kind, "properties": properties, "required": ["key", *schema["required"]]}
    lists = {f"{kind}s": {"type": "array", "items": {"$ref": kind}} for kind in records}
    data = {"type": "object", "properties": lists, "required": list(lists)}
    properties = {"schema": {"const": SCHEMA}, "data": data}
    whole = {"type": "object", "properties": properties, "required": list(properties), "$defs": records}
    return to_json({"$schema": DRAFT, "title": "corpus.json", **whole}, indent=2) + "\n"

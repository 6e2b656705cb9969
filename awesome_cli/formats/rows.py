"""Rows with named values, from a table or a list in YAML or JSON, as drafts of records, each read by itself.

Which columns hold fields of a record is told by their usual names, or as the user says.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.formats import ReadingOptions, cells, csljson, datacite, people
from awesome_cli.formats.cells import line
from awesome_cli.formats.decisions import COLREV, decided, kind_of
from awesome_cli.formats.people import PMID, Style, style_of
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Batch, Draft, Failure, filled, link, year_of
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.identifiers import address_of, given, identifiers
from awesome_cli.model.misfits import unread
from awesome_cli.model.publication import named as named_type
from awesome_cli.model.records import Candidate, Citation
from awesome_cli.model.taxonomy import NA, Taxonomy
from awesome_cli.text.inert import NUMBER
from awesome_cli.text.latex import is_latex, to_unicode
from awesome_cli.text.names import listed

LARGEST = 200_000_000
"""The size in bytes up to which a file is read."""
TEXTS = tuple(name for name, field in COLUMNS.items() if field.kind == "text" and not (field.asked or field.many))
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
    "AU": "authors", "AF": "authors", "TI": "title", "SO": "venue", "DT": "type", "DE": "keywords", "AB": "abstract",
    "PY": "year", "VL": "citation.volume", "IS": "citation.number", "PU": "citation.publisher", "BP": "page_start",
    "EP": "page_end", "AR": "article_number", "DI": "doi", "PM": "pmid",
}  # fmt: skip
"""The columns of a table of Web of Science, of two for one field the best last. Its column `ID` holds keywords."""
DOUBTFUL = ("status", "label", "label1", "label2")
"""Names of columns that hold decisions in some tables and other things in others."""
IDS = re.compile(r"\s*\(\d+\)(?=\s*(?:;|$))")
"""The number of an author, which Scopus writes behind each full name, and in a column of its own."""


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row's values, the column of each field, all columns; with `undecided` the column of its decision is empty."""

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
    held = dict(column_of(values, options))
    word = held.get("decision", "")
    if _is_status(word, options, DOUBTFUL) and not _decides(word, line(values[word]), options):
        # Such a column may say anything; it decides only with a word that is known.
        del held["decision"]
    _choose(values, held)
    decides = column_of(map(str, row), options).get("decision")
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


def column_of(columns: Iterable[str], options: ReadingOptions) -> Mapping[str, str]:
    """Return the column that holds each field: `title`, `decision` (labels, too) and the other names of `FIELDS`."""
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


SERVED = ("arxiv", "doi", "openreview", "acl")
ADDRESS = re.compile(r"https?://\S+")


def draft(row: Mapping[str, Any], place: str, options: ReadingOptions, style: Style = people.PLAIN) -> Draft:
    """A row as a draft; raises `ValueError` for one without a title.

    A name that is an axis holds terms, the name of a measure its number. A value with an unknown name becomes a link
    with that label if it is an address, and otherwise stays under `extra`.
    """
    it = named(row, options)
    title = it.get("title")
    if not title:
        raise ValueError("the entry has no title")
    tags, measures = _codings(it.rest, options)
    held = {*options.taxonomy.by_id, *measures}
    rest = {name: value for name, value in it.rest.items() if options.columns.get(name, name) not in held}
    links = _links(it, rest)
    authors = listed(people.authors_of(it.raw("authors"), style))
    fields = {
        **{name: it.get(name) for name in TEXTS},
        "title": to_unicode(title) if is_latex(title) else title,
        "authors": authors,
        "year": year_of(it.get("year")),
        "identifiers": _identifiers(it, links),
        "links": links,
        "citation": _citation(it),
        "added": it.get("added") if _is_day(it.get("added")) else None,
        "measures": measures,
        "summary": it.text("summary"),
        "note": it.text("note"),
    }
    extra = {"abstract": it.text("abstract"), **_extra(rest), **_lost(it, fields)}
    made = Draft(
        filled({**fields, "extra": extra}),
        place,
        given(it.get("key")) or None,
        tuple(cells.words(it.raw("keywords"))),
        tuple(_doubts(it, authors)),
        tags=tags,
    )
    return _decided(made, it, options)


def _citation(it: NamedRow) -> dict[str, str | None]:
    """What a bibliography needs; pages may be given by the first and the last, or by the number of the article."""
    fields = {path.partition(".")[2]: it.get(path) or None for path in CITATION}
    pages = "--".join(filter(None, (it.get("page_start"), it.get("page_end")))) or it.get("article_number")
    return fields | {"type": fields["type"] or named_type(it.get("type")), "pages": fields["pages"] or pages}


def _doubts(it: NamedRow, authors: Sequence[str]) -> Iterator[str]:
    if beyond := it.values.get(BEYOND):
        yield f"the row has {len(beyond)} more cells than the header; they are kept under extra.{BEYOND}"
    text = it.raw("authors")
    if isinstance(text, str) and ";" not in text and listed(people.authors_of(text)) != authors:
        yield f"authors: {text!r} is read as {'; '.join(authors)}, as the other rows suggest"


def _is_link(name: str, value: Any) -> bool:
    return not name.startswith("extra.") and isinstance(value, str) and bool(ADDRESS.fullmatch(value.strip()))


def _links(it: NamedRow, rest: Mapping[str, Any]) -> list[dict[str, str]]:
    """The links of a row, each address once. Beside a column `links`, `url` may repeat the page of an identifier."""
    pages = {address_of(scheme, given(it.get(scheme))) for scheme in SERVED} if "links" in it.columns else set[None]()
    name = it.held.get("url", "")
    own = cells.links(it.raw("links"))
    main = cells.links(it.raw("url"), "Paper" if plain_name(name) in FIELDS["url"] else _label(name))
    if it.get("url") in {entry["url"] for entry in own}:
        main = []
    others = (link(_label(name), value.strip()) for name, value in rest.items() if _is_link(name, value))
    found: dict[str, dict[str, str]] = {}
    for entry in (*own, *(entry for entry in main if entry["url"] not in pages), *others):
        found.setdefault(entry["url"], entry)
    return list(found.values())


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _identifiers(it: NamedRow, links: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    found = identifiers((entry["url"] for entry in links), **{scheme: given(it.get(scheme)) for scheme in SERVED})
    if "arxiv" in found and it.get("arxiv_version").isdigit():
        found["arxiv_version"] = int(it.get("arxiv_version"))
    pmid = f"{PMID}{it.get('pmid')}" if it.get("pmid") else ""
    return {**found, "isbn": given(it.get("isbn")), "other": given(it.get("other")) or pmid}


def _lost(it: NamedRow, fields: Mapping[str, Any]) -> dict[str, str]:
    """The values that were taken for a field and do not fit it."""
    ids = fields["identifiers"]
    lost = {s: given(it.get(s)) for s in SERVED if s not in ids and not (s == "doi" and "arxiv" in ids)}
    return filled(lost | {name: it.get(name) for name in ("year", "added") if not fields[name]})


def _extra(rest: Mapping[str, Any]) -> dict[str, Any]:
    """The values without a field; `extra.NAME` is the column of this program's own export."""
    return {
        name.removeprefix("extra."): cells.value_of(value) if name.startswith("extra.") else value
        for name, value in rest.items()
        if not _is_link(name, value)
    }


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _codings(row: Mapping[str, Any], options: ReadingOptions) -> tuple[tuple[str, ...], dict[str, dict[str, float]]]:
    """The tags in the columns of axes, as `axis=term`, and the numbers in those of measures."""
    tags: list[str] = []
    measures: dict[str, dict[str, float]] = {}
    for name, value in row.items():
        target = options.columns.get(name, name)
        if target in options.taxonomy.by_id:
            tags += (on_axis(target, word) for word in cells.words(value) if word != NA)
        elif target in coded(options.taxonomy) and NUMBER.fullmatch(line(value)):
            measures[target] = {"value": float(line(value))}
    return tuple(tags), measures


def _decided(made: Draft, it: NamedRow, options: ReadingOptions) -> Draft:
    """The draft as a paper, a candidate or an exclusion, by its row; a candidate of our tables keeps its label."""
    word, stage, reason = (it.get(name) for name in ("decision", "stage", "reason"))
    if it.get(RECORD_KIND) == Candidate.KIND:
        extra = {**made.fields.get("extra", {}), LABEL: word, "stage": stage, "reason": reason}
        return replace(made, kind="candidate", fields=filled({**made.fields, "extra": extra}))
    if word or reason:
        return decided(made, word, stage, reason, options.decisions)
    if not it.undecided:
        return made
    return replace(made, kind="candidate", warnings=(*made.warnings, "no decision: a candidate"))


def collect(entries: Iterable[tuple[str, Any]], make: Callable[[Any, str], Draft]) -> Batch:
    """Drafts that `make` gives of entries and their places; an entry for which it raises is a failure."""
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, entry in entries:
        try:
            drafts.append(make(entry, place))
        except (ValueError, TypeError, AttributeError) as error:
            key = (entry.get("id") or entry.get("key")) if isinstance(entry, dict) else None
            failures.append(Failure(place, unread(error), str(key) if key else None))
    return Batch(tuple(drafts), tuple(failures))


def joined(batches: Iterable[Batch]) -> Batch:
    """The drafts and failures of several batches as one."""
    parts = list(batches)
    drafts = tuple(draft for batch in parts for draft in batch.drafts)
    failures = tuple(failure for batch in parts for failure in batch.failures)
    columns = tuple(dict.fromkeys(name for batch in parts for name in batch.columns))
    left_out = tuple(entry for batch in parts for entry in batch.left_out)
    title = next((batch.title for batch in parts if batch.title), "")
    others = sum(batch.others for batch in parts)
    return Batch(drafts, failures, columns, left_out=left_out, others=others, title=title)


def listing(value: Any, name: str, text: str, options: ReadingOptions) -> Batch:
    """The entries of a list of mappings, alone or as the only list in a mapping; raises `ValueError` for neither."""
    route: tuple[str | int, ...] = ()
    if isinstance(value, dict) and {"survey", "axes"} <= value.keys():
        raise ValueError("a survey's taxonomy, not its records; import what 'awesome export json' writes there")
    if is_record(value):
        record, key = value, name.rpartition(".")[0]
        return collect([(name, record)], lambda one, place: record_draft({"key": key, **one}, place))
    if isinstance(value, dict):
        lists = [key for key, child in value.items() if isinstance(child, list) and dict in map(type, child)]
        titled = any("title" in one for name in lists for one in value[name] if isinstance(one, dict))
        is_one = ("title" in value and not titled) or csljson.is_item(value) or datacite.is_record(value)
        route = tuple(lists) if len(lists) == 1 and not is_one else ()
        value = value[lists[0]] if route else [value]
    if not isinstance(value, list):
        raise ValueError("not a list of entries")
    lines = yaml_reading.lines(text, route) if len(value) > 1 or route else (1,)
    places = (f"{name}:{line}" for line in (*lines, *[1] * (len(value) - len(lines))))
    return row_batch(list(zip(places, value, strict=False)), options)


def is_record(value: Any) -> bool:
    """Whether a value is a record as in a file of a survey."""
    own = ("identifiers", "tags", "citation", "screening")
    return isinstance(value, dict) and "title" in value and any(isinstance(value.get(name), dict) for name in own)


def record_draft(record: Any, place: str, kind: Any = None) -> Draft:
    """A record of this program, with all its fields; raises `ValueError` for one without a title."""
    if not isinstance(record, dict) or not record.get("title"):
        raise ValueError("the entry has no title")
    fields = {field: value for field, value in record.items() if field != "key"}
    return Draft(fields, place, record.get("key"), kind=kind or ("exclusion" if "screening" in record else "paper"))


def row_batch(entries: Sequence[tuple[str, Any]], options: ReadingOptions) -> Batch:
    """The drafts of entries with named values, with the names that they have."""
    style = style_of(named(entry, options).raw("authors") for _, entry in entries if isinstance(entry, dict))
    batch = collect(entries, partial(entry_draft, options=options, style=style))
    columns = dict.fromkeys(str(name) for _, entry in entries if isinstance(entry, dict) for name in entry)
    return replace(batch, columns=tuple(columns))


def entry_draft(entry: Any, place: str, options: ReadingOptions, style: Style) -> Draft:
    """An entry with named values as a draft; raises `ValueError` for an unreadable one, or itself."""
    if isinstance(entry, ValueError):
        raise entry
    if not isinstance(entry, dict):
        raise ValueError("not an entry: it has no named values")
    if not options.columns and csljson.is_item(entry):
        return csljson.draft(entry, place)
    if not options.columns and datacite.is_record(entry):
        return datacite.draft(entry, place)
    return draft(entry, place, options, style)

"""Convert rows of named values to drafts of records; the rows come from tables or from lists in YAML or JSON.

Columns are assigned to fields by their usual names or by the user's mapping: `{"Paper Title": "On Tea", "Date": 2024}`
becomes a draft with title and year.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.formats import ReadingOptions, answers, cells, csljson, people
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
from awesome_cli.text import names
from awesome_cli.text.inert import NUMBER
from awesome_cli.text.known import excerpt
from awesome_cli.text.latex import is_latex, to_unicode

LARGEST = 200_000_000
"""Maximum size of a file in bytes."""
TEXTS = tuple(name for name, field in COLUMNS.items() if field.kind == "text" and not (field.paths or field.many))
CITATION = tuple(f"citation.{name}" for name in Citation.model_fields)
BEYOND = "beyond_header"
"""Name under `extra` of cells beyond the header."""
RECORD_KIND, LABEL = "record_kind", "included"
"""Columns of `screening.csv`: the kind of record, and the record's label (1, 0 or empty)."""
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
"""The usual column names of each field, most specific first."""
_TAGS: Mapping[str, str] = {
    "AU": "authors", "AF": "authors", "TI": "title", "SO": "venue", "DT": "type", "DE": "keywords", "AB": "abstract",
    "PY": "year", "VL": "citation.volume", "IS": "citation.number", "PU": "citation.publisher", "BP": "page_start",
    "EP": "page_end", "AR": "article_number", "DI": "doi", "PM": "pmid",
}  # fmt: skip
"""Columns of a Web of Science table with their fields; the last of two columns of a field counts."""
DOUBTFUL = ("status", "label", "label1", "label2")
"""Columns that contain decisions only in some tables."""
IDS = re.compile(r"\s*\(\d+\)(?=\s*(?:;|$))")
"""The id that Scopus appends to each full name of an author."""


@dataclass(frozen=True, slots=True)
class NamedRow:
    """The values of a row by column. `held` is the column of each field; `columns` are all normalized column names.

    `undecided` is True if the row has a decision column and its cell is empty.
    """

    values: Mapping[str, Any]
    held: Mapping[str, str]
    columns: frozenset[str]
    undecided: bool

    def raw(self, field: str) -> Any:
        """Return the raw value of a field, None if missing."""
        return self.values.get(self.held[field]) if field in self.held else None

    def get(self, field: str) -> str:
        """Return the value of a field on one line, '' if missing."""
        return line(self.raw(field))

    def text(self, field: str) -> str:
        """Return the value of a field with its line breaks, '' if missing."""
        value = self.raw(field)
        return value.strip() if isinstance(value, str) else line(value)

    @property
    def rest(self) -> dict[str, Any]:
        """The values of columns without a field."""
        return {name: value for name, value in self.values.items() if name not in self.held.values()}


def coded(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the ids of axes and measures; columns with these names contain codings."""
    return (*taxonomy.by_id, *(measure.id for measure in taxonomy.measures))


def named_row(row: Mapping[str, Any], options: ReadingOptions) -> NamedRow:
    """Assign the columns of a row to fields."""
    values = {str(name): value for name, value in row.items() if value not in (None, "", [], {})}
    held = dict(column_of(values, options))
    word = held.get("decision", "")
    if _is_status(word, options, DOUBTFUL) and not _decides(word, line(values[word]), options):
        # Such a column may have other contents; only a known word is a decision.
        del held["decision"]
    _choose(values, held)
    decides = column_of(map(str, row), options).get("decision")
    if decides not in values and (decides in options.columns or plain_name(decides) in DOUBTFUL):
        held.pop("decision", None)  # An empty label overrides the decision of an earlier stage.
    undecided = decides is not None and decides not in values and not _is_status(decides, options)
    return NamedRow(values, held, frozenset(map(plain_name, row)), undecided)


def _choose(values: dict[str, Any], held: dict[str, str]) -> None:
    """Unassign redundant or invalid values (duplicate pages, a mapping as venue), so that `extra` keeps the values."""
    pages = [name for name in ("citation.pages", "page_start", "article_number") if name in held]
    unused = {*pages[1:], *(() if pages[:1] == ["page_start"] else ("page_end",))}
    flat = held.keys() - {"authors", "url", "links"}
    unused |= {name for name in flat if cells.mappings([values[held[name]]]) or cells.mappings(values[held[name]])}
    if "citation.type" in held or not named_type(line(values.get(held.get("type", "")))):
        unused.add("type")
    if "other" in held or not line(values.get(held.get("pmid", ""))).isdigit():
        unused.add("pmid")
    for name in unused & held.keys():
        del held[name]
    column = held.get("authors", "")
    if plain_name(column) == "author_full_names":
        values[column] = IDS.sub("", line(values[column]))


def column_of(columns: Iterable[str], options: ReadingOptions) -> Mapping[str, str]:
    """Return the column of each field that has a column; a column of labels has the field `decision`."""
    reserved = frozenset({*coded(options.taxonomy), *options.tags_from} - {"keywords"})
    return _fields(tuple(columns), tuple(options.columns.items()), reserved)


def _decides(column: str, word: str, options: ReadingOptions) -> bool:
    """True if a word in a doubtful column is a known decision, or is the reason code in a column of labels."""
    is_code = word.isdigit() and plain_name(column) != "status"
    return is_code or kind_of(word, options.decisions, of_status=True) is not None


def _is_status(column: str, options: ReadingOptions, usual: Collection[str] = ("status", "label")) -> bool:
    return plain_name(column) in usual and column not in options.columns


@lru_cache(maxsize=10_000)
def plain_name(column: object) -> str:
    """Normalize a column name: `Paper Title` becomes `paper_title`."""
    return re.sub(r"\W+", "_", str(column).strip().casefold()).strip("_")


@lru_cache(maxsize=1000)
def _fields(
    columns: tuple[str, ...], mapping: tuple[tuple[str, str], ...], reserved: frozenset[str]
) -> Mapping[str, str]:
    """Return the column of each field; the user's `mapping` takes precedence, and `reserved` columns have no field."""
    used = {*reserved, *dict(mapping)}
    mapped = {field: name for name, field in mapping if field in FIELDS and name in columns}
    if "TI" in columns and not {"PT", "AU", "SO", "PY"}.isdisjoint(columns):
        return {field: tag for tag, field in _TAGS.items() if tag in columns and tag not in used} | mapped
    plain = {plain_name(name): name for name in reversed(columns) if name not in used}
    usual = {field: plain[alias] for field, aliases in FIELDS.items() for alias in reversed(aliases) if alias in plain}
    return usual | mapped


SERVED = ("arxiv", "doi", "openreview", "acl")
ADDRESS = re.compile(r"https?://\S+")


def draft(row: Mapping[str, Any], place: str, options: ReadingOptions, style: Style = people.PLAIN) -> Draft:
    """Convert a row to a draft; raises `ValueError` if the title is missing.

    A column named like an axis contains terms; a column named like a measure contains a number. A value without a field
    becomes a link if it is a URL, and is otherwise kept under `extra`.
    """
    it = named_row(row, options)
    title = it.get("title")
    if not title:
        raise ValueError("the entry has no title")
    tags, measures = _codings(it.rest, options)
    held = {*options.taxonomy.by_id, *measures}
    rest = {name: value for name, value in it.rest.items() if options.columns.get(name, name) not in held}
    links = _links(it, rest)
    authors = names.listed(people.authors_of(it.raw("authors"), style))
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
    """Return the citation; pages may be a range, a first and last page, or an article number."""
    fields = {path.partition(".")[2]: it.get(path) or None for path in CITATION}
    pages = "--".join(filter(None, (it.get("page_start"), it.get("page_end")))) or it.get("article_number")
    return fields | {"type": fields["type"] or named_type(it.get("type")), "pages": fields["pages"] or pages}


def _doubts(it: NamedRow, authors: Sequence[str]) -> Iterator[str]:
    if beyond := it.values.get(BEYOND):
        yield f"the row has {len(beyond)} more cells than the header; extra.{BEYOND} keeps these cells"
    text = it.raw("authors")
    if isinstance(text, str) and ";" not in text and names.listed(people.authors_of(text)) != authors:
        yield f"authors: {text!r} is read as {'; '.join(authors)}, in the style of the other rows"


def _is_link(name: str, value: Any) -> bool:
    return not name.startswith("extra.") and isinstance(value, str) and bool(ADDRESS.fullmatch(value.strip()))


def _links(it: NamedRow, rest: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return a row's links without duplicates; beside a column `links`, omit a `url` that repeats an identifier."""
    pages = {address_of(scheme, given(it.get(scheme))) for scheme in SERVED} if "links" in it.columns else set[None]()
    name = it.held.get("url", "")
    labelled = cells.links(it.raw("links"))
    main = cells.links(it.raw("url"), "Paper" if plain_name(name) in FIELDS["url"] else _label(name))
    if it.get("url") in {entry["url"] for entry in labelled}:
        main = []
    further = (link(_label(name), value.strip()) for name, value in rest.items() if _is_link(name, value))
    by_url: dict[str, dict[str, str]] = {}
    for entry in (*labelled, *(entry for entry in main if entry["url"] not in pages), *further):
        by_url.setdefault(entry["url"], entry)
    return list(by_url.values())


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _identifiers(it: NamedRow, links: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    ids = identifiers((entry["url"] for entry in links), **{scheme: given(it.get(scheme)) for scheme in SERVED})
    if "arxiv" in ids and it.get("arxiv_version").isdigit():
        ids["arxiv_version"] = int(it.get("arxiv_version"))
    pmid = f"{PMID}{it.get('pmid')}" if it.get("pmid") else ""
    return {**ids, "isbn": given(it.get("isbn")), "other": given(it.get("other")) or pmid}


def _lost(it: NamedRow, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are invalid for the field of their column."""
    ids = fields["identifiers"]
    lost = {s: given(it.get(s)) for s in SERVED if s not in ids and not (s == "doi" and "arxiv" in ids)}
    lost |= {name: it.get(name) for name in ("year", "added") if not fields[name]}
    return filled({**lost, "authors": None if fields["authors"] else it.raw("authors")})


def _extra(rest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without a field; the prefix of `extra.NAME`, a column of our export, is removed."""
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
    """Return the tags in columns of axes, as `axis=term`, and the numbers in columns of measures."""
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
    """Return the draft with the kind of record that its row decides; a candidate of our export keeps its label."""
    word, stage, reason = (it.get(name) for name in ("decision", "stage", "reason"))
    if it.get(RECORD_KIND) == Candidate.KIND:
        extra = {**made.fields.get("extra", {}), LABEL: word, "stage": stage, "reason": reason}
        return replace(made, kind="candidate", fields=filled({**made.fields, "extra": extra}))
    if word or reason:
        return decided(made, word, stage, reason, options.decisions)
    if not it.undecided:
        return made
    return replace(made, kind="candidate", warnings=(*made.warnings, "no decision, so the work is a candidate"))


def collect(entries: Iterable[tuple[str, Any]], make: Callable[[Any, str], Draft]) -> Batch:
    """Convert `(position, entry)` pairs to drafts with `make`; if `make` raises, the entry is a failure."""
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
    """Concatenate batches."""
    parts = list(batches)
    drafts = tuple(draft for batch in parts for draft in batch.drafts)
    failures = tuple(failure for batch in parts for failure in batch.failures)
    columns = tuple(dict.fromkeys(name for batch in parts for name in batch.columns))
    left_out = tuple(entry for batch in parts for entry in batch.left_out)
    title = next((batch.title for batch in parts if batch.title), "")
    others = Counter[str]()
    for batch in parts:
        others.update(batch.others)
    return Batch(drafts, failures, columns, left_out=left_out, others=others, title=title)


def listing(value: Any, name: str, text: str, options: ReadingOptions, *, judged: bool = False) -> Batch:
    """Convert a list of mappings, or a mapping with a single list; if `judged`, the values must be understood.

    Raises `ValueError` for other values.
    """
    route: tuple[str | int, ...] = ()
    if isinstance(value, dict) and {"survey", "axes"} <= value.keys():
        raise ValueError("this is a taxonomy, not records; import the output of 'awesome export json' in its survey")
    if is_record(value):
        record, key = value, name.rpartition(".")[0]
        return collect([(name, record)], lambda fields, place: record_draft({"key": key, **fields}, place))
    if isinstance(value, dict):
        lists = [key for key, child in value.items() if isinstance(child, list) and dict in map(type, child)]
        titled = any("title" in entry for name in lists for entry in value[name] if isinstance(entry, dict))
        is_entry = ("title" in value and not titled) or reader_of(value) is not None
        route = tuple(lists) if len(lists) == 1 and not is_entry else ()
        value = value[lists[0]] if route else [value]
    if not isinstance(value, list):
        raise ValueError("expected a list of entries")
    lines = yaml_reading.lines(text, route) if len(value) > 1 or route else (1,)
    places = (f"{name}:{line}" for line in (*lines, *[1] * (len(value) - len(lines))))
    batch = row_batch(list(zip(places, value, strict=False)), options)
    is_judged = judged and not any(reader_of(entry) for entry in value if isinstance(entry, dict))
    why = _not_understood(batch, options) if is_judged else ""
    return replace(batch, drafts=(), failures=(Failure(name, why),)) if why else batch


def is_record(value: Any) -> bool:
    """True if a value looks like a record file of a survey."""
    nested = ("identifiers", "tags", "citation", "screening")
    return isinstance(value, dict) and "title" in value and any(isinstance(value.get(name), dict) for name in nested)


def record_draft(record: Any, place: str, kind: Any = None) -> Draft:
    """Convert a record of a survey to a draft with all its fields; raises `ValueError` if the title is missing."""
    if not isinstance(record, dict) or not record.get("title"):
        raise ValueError("the entry has no title")
    fields = {field: value for field, value in record.items() if field != "key"}
    return Draft(fields, place, record.get("key"), kind=kind or ("exclusion" if "screening" in record else "paper"))


def row_batch(entries: Sequence[tuple[str, Any]], options: ReadingOptions) -> Batch:
    """Convert `(position, entry)` pairs with named values to a batch with their column names."""
    style = style_of(named_row(entry, options).raw("authors") for _, entry in entries if isinstance(entry, dict))
    batch = collect(entries, partial(entry_draft, options=options, style=style))
    columns = dict.fromkeys(str(name) for _, entry in entries if isinstance(entry, dict) for name in entry)
    return replace(batch, columns=tuple(columns))


def reader_of(entry: Mapping[str, Any]) -> Callable[[Mapping[str, Any], str], Draft] | None:
    """Return the reader of a service's record or a CSL item, None if the fields of the entry are named freely."""
    service = answers.service_of(entry)
    return partial(answers.draft, service) if service else csljson.draft if csljson.is_item(entry) else None


def _not_understood(batch: Batch, options: ReadingOptions) -> str:
    """Return the error if most works have values without a field but neither authors nor a year; else ''."""
    if any(field in {"authors", "year"} or field.startswith("extra.") for field in options.columns.values()):
        return ""
    understood = {"abstract", *options.tags_from}
    undated = (draft.fields for draft in batch.drafts if not {"authors", "year"} & draft.fields.keys())
    left = [rest for fields in undated if (rest := [*(fields.get("extra", {}).keys() - understood)])]
    columns = sorted(name for rest in left for name in rest)
    if 2 * len(left) <= len(batch.drafts):
        return ""
    return (
        f"{len(left)} of {len(batch.drafts)} works have neither authors nor a year, but values without a field: "
        f"{excerpt(', '.join(dict.fromkeys(columns)))}; specify the fields with --column '{columns[0]}=authors', or "
        f"keep a value as it is: --column '{columns[0]}=extra.{columns[0]}'"
    )


def entry_draft(entry: Any, place: str, options: ReadingOptions, style: Style) -> Draft:
    """Convert an entry with named values to a draft; raises `ValueError` if the entry is invalid or an error."""
    if isinstance(entry, ValueError):
        raise entry
    if entry is None:
        raise ValueError("the entry is null: the service has no record of this work")
    if not isinstance(entry, dict):
        raise ValueError("expected an entry with named values")
    read_entry = None if options.columns else reader_of(entry)
    return read_entry(entry, place) if read_entry else draft(entry, place, options, style)

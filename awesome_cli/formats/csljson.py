"""CSL-JSON, the exchange format of Zotero, pandoc and DOI registries.

Crossref's records have nearly the same schema and can also be read; only the first of several titles is used, and the
abstract loses its markup. `id` is the citation key. Fields that CSL lacks are written under `custom.awesome`, and an
import restores them, such as a record key that differs from `id`, and `et_al` for a truncated list of authors. CSL data
cannot express "et al."; to cite works with truncated lists with pandoc, use `papers.bib`.

`{"type": "book", "title": "On Tea", "issued": {"date-parts": [[2024, 5]]}}` becomes the title, year 2024, month `may`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.formats import ExportFormat, cells, people
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import given, identifiers
from awesome_cli.model.publication import CROSSREF, KINDS, MONTHS, kind_of, month_named
from awesome_cli.model.records import Citation, Paper, to_document
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import citation_keys
from awesome_cli.text import names
from awesome_cli.text.html import unmarked
from awesome_cli.text.inert import to_json
from awesome_cli.text.latex import is_latex, to_unicode

TYPES = {**CROSSREF, **{kind.csl: kind.bibtex for kind in KINDS.values()}, "article": "article", "thesis": "phdthesis"}
CITATION = {"volume": "volume", "number": "issue", "pages": "page", "publisher": "publisher", "note": "note"}
READ = {"id", "type", "title", "author", "issued", "container-title", "citation-key", "DOI", "ISBN", "URL", "keyword"}
READ |= {"container-title-short", "archive", "archive_location", "abstract", "custom", *CITATION.values()}
OWN = ("affiliation", "links", "summary", "note", "extra")
"""Fields of a record that are written unchanged under `custom.awesome`."""
NAME, ET_AL = "awesome", "et_al"
KEPT = {"title", "authors", "year", "venue", "identifiers", "citation", *OWN}


def is_item(value: Mapping[str, Any]) -> bool:
    """True if a mapping looks like a CSL item or a record of Crossref."""
    known = any({"family", "literal"} & author.keys() for author in cells.mappings(value.get("author")))
    named = known or "issued" in value or "DOI" in value or _text(value.get("type")) in TYPES
    return "type" in value and named and not {"authors", "creators", "year", "date"} & value.keys()


def draft(item: Mapping[str, Any], place: str) -> Draft:
    """Convert a CSL item to a draft; raises `ValueError` if it has no title."""
    title = unmarked(_text(item.get("title")))
    if not title:
        raise ValueError("the item has no title")
    container = _text(item.get("container-title"))
    url, (year, month) = _text(item.get("URL")), _date(item.get("issued"))
    arxiv = item.get("archive_location") if _text(item.get("archive")).casefold() == "arxiv" else None
    ids = identifiers([url], arxiv=arxiv, doi=item.get("DOI"))
    authors = item.get("author") or item.get("editor") or []
    ours = cells.at(item, "custom", NAME)
    ours = ours if isinstance(ours, dict) else {}
    people_of = map(people.of_mapping, cells.mappings(authors))
    fields: dict[str, Any] = {
        "title": to_unicode(title) if is_latex(title) else title,
        "authors": names.listed([*people_of, *([names.OTHERS] if ours.get(ET_AL) else [])]),
        "year": year,
        "venue": _text(item.get("container-title-short")) or container,
        "identifiers": {**ids, "isbn": given(_text(item.get("ISBN")))},
        "links": [link("Paper", url)] if url.startswith(("http://", "https://")) else [],
        "citation": {
            "key": _text(item.get("citation-key")),
            "type": TYPES.get(_text(item.get("type")), "misc"),
            "container": container,
            **{name: _text(item.get(field)) for name, field in CITATION.items()},
            "month": month,
        },
    }
    key = given(_text(ours.get("key") or item.get("id"))) or None
    fields["citation"] |= ours.get("citation", {})
    fields["identifiers"] |= ours.get("identifiers", {})
    ours = {name: ours[name] for name in OWN if name in ours}
    extra = {"abstract": unmarked(_text(item.get("abstract"))), **_extra(item, fields), **ours.pop("extra", {})}
    return Draft(filled({**fields, **ours, "extra": extra}), place, key, tuple(cells.words(item.get("keyword") or "")))


def _extra(item: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    read = READ | (set() if item.get("author") else {"editor"})
    extra = {name: value for name, value in item.items() if name not in read}
    if isinstance(item.get("custom"), dict):
        extra["custom"] = {name: value for name, value in item["custom"].items() if name != NAME}
    if given(_text(item.get("DOI"))) and not {"doi", "arxiv"} & fields["identifiers"].keys():
        extra["DOI"] = item["DOI"]
    if item.get("issued") and not _is_held(item["issued"], fields["year"], fields["citation"]["month"]):
        extra["issued"] = item["issued"]
    return extra


def _text(value: Any) -> str:
    """Return a value on one line. Registries use a list for some texts; only its first text is used."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return cells.line(value) if isinstance(value, str | int | float) else ""


def _date(issued: Any) -> tuple[int | None, str | None]:
    """Return `(year, month)` of a CSL date; some programs write `[[null]]`, which gives `(None, None)`."""
    if not isinstance(issued, dict):
        return year_of(issued), None
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = first if isinstance(first, list) else []
    month = month_named(str(numbers[1])) if len(numbers) > 1 else None
    return year_of(numbers[0] if numbers else issued.get("raw") or issued.get("literal")), month


def _is_held(issued: Any, year: int | None, month: str | None) -> bool:
    """True if a date has only this year and month; False if the date has a day, a season or an end."""
    if not isinstance(issued, dict):
        return str(issued) == str(year)
    parts = {name: value for name, value in issued.items() if value}
    dates = [[year], [str(year)]]
    if month in MONTHS:
        number = MONTHS.index(month) + 1
        dates = [[y, m] for y in (year, str(year)) for m in (number, str(number), f"{number:02}")]
    return parts in [*({"date-parts": [date]} for date in dates), {"raw": str(year)}, {"literal": str(year)}]


def write(corpus: Corpus) -> str:
    """Return the papers as a CSL-JSON array; empty fields are omitted."""
    keys = citation_keys(corpus.papers)
    return to_json([item(paper, keys[paper.key]) for paper in corpus.papers], indent=2) + "\n"


def item(paper: Paper, key: str) -> dict[str, Any]:
    """Convert a paper to a CSL item with a citation key."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    data: dict[str, Any] = {"id": key, "citation-key": key, "type": kind_of(paper).csl, "title": paper.title}
    data["author"] = [_author(author) for author in paper.authors if not names.is_cut(author)]
    if paper.year is not None:
        month = citation.month
        data["issued"] = {"date-parts": [[paper.year, *([MONTHS.index(month) + 1] if month in MONTHS else [])]]}
    data["container-title"] = citation.container or paper.venue
    if paper.venue != data["container-title"]:
        data["container-title-short"] = paper.venue
    data |= {name: getattr(citation, field) for field, name in CITATION.items()}
    if data["page"]:
        data["page"] = data["page"].replace("--", "-")
    data |= {"DOI": ids.doi, "ISBN": ids.isbn, "URL": paper.address}
    if ids.arxiv:
        data |= {"archive": "arXiv", "archive_location": ids.arxiv}
    data |= _custom(paper, key)
    return {name: value for name, value in data.items() if value}


def _custom(paper: Paper, key: str) -> dict[str, Any]:
    """Return the abstract, the keywords and, under `custom`, the fields that CSL does not have."""
    extra = dict(paper.extra)
    abstract, keywords = extra.pop("abstract", ""), extra.pop("keywords", "")
    ours = {name: value for name, value in to_document(paper).items() if name in OWN}
    if ours.get("links") == [link("Paper", paper.address or "")]:
        del ours["links"]
    elif not paper.links and paper.address:
        ours["links"] = []
    ours["extra"] = {"abstract": abstract, **extra} if unmarked(_text(abstract)) != abstract else extra
    ids = paper.identifiers.model_dump(include={"arxiv_version", "openreview", "acl", "other"}, exclude_none=True)
    ours |= {"identifiers": ids, "citation": _unnamed(paper, key)}
    ours |= {"key": paper.key if paper.key != key else "", ET_AL: any(map(names.is_cut, paper.authors))}
    ours = {name: value for name, value in ours.items() if value or name == "links"}
    if isinstance(keywords, list):
        keywords = cells.joined(keywords, keywords)
    return {"abstract": abstract, "keyword": keywords, "custom": {NAME: ours} if ours else {}}


def _unnamed(paper: Paper, key: str) -> dict[str, Any]:
    """Return the values of a citation that its CSL fields do not preserve, such as a month without a year."""
    citation = paper.citation or Citation()
    written = {name: getattr(citation, name) or "" for name in CITATION}
    changed = {name: text for name, text in written.items() if _text(text) != text}
    if "--" in written["pages"]:
        changed["pages"] = written["pages"]
    month = "" if citation.month in MONTHS and paper.year else citation.month
    finer = citation.type if citation.type != TYPES[kind_of(paper).csl] else ""
    return filled({**changed, "key": citation.key if citation.key != key else "", "month": month, "type": finer})


def _author(author: str) -> dict[str, str]:
    family, given_name = names.split(author)
    return {"literal": family} if given_name is None else {"family": family, "given": given_name}


def changes(paper: Paper) -> Iterator[str]:
    """Yield `title` if it contains markup, which CSL would interpret."""
    if unmarked(paper.title) != paper.title:
        yield "title"


EXPORT = ExportFormat("papers.csl.json", "CSL-JSON, for pandoc and Zotero", write, frozenset(KEPT), changes=changes)

"""CSL-JSON: what Zotero, pandoc and the registries of DOIs exchange. It is read as JSON, item by item."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from awesome_cli.formats import ExportFormat
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.publication_types import KINDS, kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.model.references import identifiers
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

TYPES = {kind.csl: kind.bibtex for kind in KINDS.values()} | {"article": "article", "thesis": "phdthesis"}
CITATION = {"volume": "volume", "number": "issue", "pages": "page", "publisher": "publisher", "note": "note"}
READ = {"id", "type", "title", "author", "issued", "container-title", "citation-key", "DOI", "ISBN", "URL", "keyword"}
READ |= {"archive", "archive_location", *CITATION.values()}


def is_item(value: Mapping[str, Any]) -> bool:
    """Whether a mapping looks like a CSL item."""
    authors = value.get("author")
    named = isinstance(authors, list) and any(isinstance(a, dict) and {"family", "literal"} & set(a) for a in authors)
    return "type" in value and (named or "issued" in value or "DOI" in value or value["type"] in TYPES)


def draft(item: Mapping[str, Any], place: str) -> Draft:
    """A CSL item as a draft; raises `ValueError` for one without a title."""
    title = _text(item.get("title"))
    if not title:
        raise ValueError("the item has no title")
    container, pages = _text(item.get("container-title")), _text(item.get("page"))
    url = _text(item.get("URL"))
    arxiv = item.get("archive_location") if _text(item.get("archive")).casefold() == "arxiv" else None
    ids = identifiers([url], arxiv=arxiv, doi=item.get("DOI"))
    authors = item.get("author") or item.get("editor") or []
    fields = {
        "title": to_unicode(title),
        "authors": names.listed(_name(author) for author in authors if isinstance(author, dict)),
        "year": _year(item.get("issued")),
        "venue": container,
        "identifiers": {**ids, "isbn": _text(item.get("ISBN"))},
        "links": [link("Paper", url)] if url.startswith(("http://", "https://")) else [],
        "citation": {
            "key": _text(item.get("citation-key")),
            "type": TYPES.get(_text(item.get("type")), "misc"),
            "container": container,
            **{name: _text(item.get(field)) for name, field in CITATION.items()},
            "pages": pages.replace("-", "--") if pages.count("-") == 1 else pages,
        },
    }
    read = READ | (set() if item.get("author") else {"editor"})
    extra = {name: value for name, value in item.items() if name not in read}
    if item.get("DOI") and "doi" not in ids and "arxiv" not in ids:
        extra["DOI"] = item["DOI"]
    if not fields["year"] and item.get("issued"):
        extra["issued"] = item["issued"]
    keywords = tuple(word.strip() for word in _text(item.get("keyword")).split(",") if word.strip())
    return Draft(filled({**fields, "extra": extra}), place, _text(item.get("id")) or None, keywords)


def _text(value: Any) -> str:
    """A value as one line; registries put some texts in lists."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _name(author: Mapping[str, Any]) -> str:
    particle = f"{author['non-dropping-particle']} " if author.get("non-dropping-particle") else ""
    family, given = _text(author.get("family")), _text(author.get("given"))
    if family and given:
        return f"{particle}{family}, {given}" + (f" {author['suffix']}" if author.get("suffix") else "")
    return _text(author.get("literal")) or _text(author.get("name")) or family or given


def _year(issued: Any) -> int | None:
    """The year of a CSL date; None for `[[null]]`, which some programs write."""
    if not isinstance(issued, dict):
        return year_of(issued)
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, Sequence) and parts else None
    return year_of(first[0] if isinstance(first, list) and first else issued.get("raw") or issued.get("literal"))


def write(corpus: Corpus) -> str:
    """The papers as a CSL-JSON array; fields that a paper does not have are absent."""
    return json.dumps([item(paper) for paper in corpus.papers], ensure_ascii=False, indent=2) + "\n"


def item(paper: Paper) -> dict[str, Any]:
    """One paper; `citation-key` is the citation key, `id` the record's, which is the unique one."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    data: dict[str, Any] = {"id": paper.key, "type": kind_of(paper).csl, "title": paper.title}
    data["citation-key"] = citation.key
    data["author"] = [_author(author) for author in paper.authors]
    if paper.year is not None:
        data["issued"] = {"date-parts": [[paper.year]]}
    data["container-title"] = citation.container or paper.venue
    data |= {name: getattr(citation, field) for field, name in CITATION.items()}
    if data["page"]:
        data["page"] = data["page"].replace("--", "-")
    data |= {"DOI": ids.doi, "ISBN": ids.isbn, "URL": paper.address}
    if ids.arxiv:
        data |= {"archive": "arXiv", "archive_location": ids.arxiv}
    return {name: value for name, value in data.items() if value}


def _author(author: str) -> dict[str, str]:
    # pandoc's citeproc reads the literal "others" as "et al."
    family, given = names.split(author)
    return {"literal": family} if given is None else {"family": family, "given": given}


EXPORT = ExportFormat("papers.csl.json", "CSL-JSON, for pandoc and Zotero", write)

"""Papers as RIS; tags are keywords of the form `axis=term:strength`."""

import re
from collections.abc import Iterator
from typing import Any

from awesome_cli.formats.extras import PMID, authors_and_editors
from awesome_cli.formats.ris.drafts import ALIASES, LIKE, RANGE, TYPES, date_of
from awesome_cli.formats.ris.references import tag_names
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import year_of
from awesome_cli.model.publication import MONTHS, kind_of
from awesome_cli.model.records import Citation, Identifiers, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names

KEEPS = frozenset(["title", "authors", "year", "venue", "affiliation", "links.url", "summary", "extra.keywords"]) | {
    *(f"identifiers.{scheme}" for scheme in ("arxiv", "arxiv_version", "doi", "openreview", "acl", "isbn")),
    *(f"citation.{name}" for name in Citation.model_fields),
}
"""What comes back from what is written."""
TAKEN = {
    "authors",
    "first_authors",
    "id",
    "volume",
    "number",
    "issue",
    "publisher",
    "start_page",
    "end_page",
    "summary",
}
TAKEN |= {"secondary_title", "alternate_title3", "book_title", "end_of_reference", "unknown_tag"}
"""Names of tags whose values an import takes for fields of a record."""
TAG = re.compile("[A-Z][A-Z0-9]")


def keeps_too(paper: Paper) -> Iterator[str]:
    """What else of a paper comes back: entries of `extra` that have a tag, and PubMed's number."""
    yield from (f"extra.{name}" for name, value in paper.extra.items() if _has_tag(paper, name) and _is_line(value))
    if (paper.identifiers.other or "").startswith(PMID):
        yield "identifiers.other"


def changes(paper: Paper) -> Iterator[str]:
    """Texts of several lines, and pages whose one hyphen an import doubles."""
    citation = paper.citation or Citation()
    texts = {"citation.note": citation.note, "summary": paper.summary, "affiliation": paper.affiliation}
    yield from (name for name, text in texts.items() if text and not _is_line(text))
    pages = citation.pages or ""
    if RANGE.fullmatch(pages) and RANGE.sub(r"\1--\2", pages) != pages:
        yield "citation.pages"


def _has_tag(paper: Paper, name: str) -> bool:
    """Whether an entry of `extra` has a tag that means the same: one by whose name an import keeps it."""
    if TAG.fullmatch(name):
        return name not in tag_names() and name not in ALIASES
    citation = paper.citation or Citation()
    container = citation.container or paper.venue
    # An import takes the first value of these tags for the field.
    first = {"notes": citation.note, "author_address": paper.affiliation, "notes_abstract": paper.extra.get("abstract")}
    first |= dict.fromkeys(("journal_name", "series", *(f"alternate_title{n}" for n in (1, 2))), container)
    return name in tag_names().values() and name not in TAKEN and bool(first.get(name, True))


def _is_line(value: Any) -> bool:
    texts = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(text, str) and text == " ".join(text.split()) for text in texts)


def write(corpus: Corpus) -> str:
    """The papers as RIS in their order."""
    import rispy

    # By default rispy writes a number before each reference, which is not part of RIS.
    writer = type("Writer", (rispy.RisWriter,), {"set_header": lambda _self, _count: ""})
    references = [_reference(paper) for paper in corpus.papers]
    return str(rispy.dumps(references, implementation=writer, mapping=tag_names(), enforce_list_tags=False))


def _reference(paper: Paper) -> dict[str, Any]:
    """The values by the names of their tags, in the order in which they are written."""
    extra, known = paper.extra, {*tag_names().values()}
    fields = {
        name: _line(value) for name, value in {**_work(paper), **_published(paper), **_about(paper)}.items() if value
    }
    held = fields.keys() | {"keywords"}
    rest = {name: _line(_several(text)) for name, text in extra.items() if name not in held and _has_tag(paper, name)}
    unnamed = {name: rest.pop(name) for name in [*rest] if name not in known}
    return {**fields, **rest, "unknown_tag": unnamed}


def _work(paper: Paper) -> dict[str, Any]:
    """What the work is and who made it."""
    authors, editors = authors_and_editors(paper)
    return {
        "type_of_reference": _type(paper),
        "id": (paper.citation and paper.citation.key) or paper.key,
        "title": _several(paper.title, paper.extra.get("title")),
        "authors": list(map(_person, authors)),
        "editor": list(map(_person, editors)),
    }


def _published(paper: Paper) -> dict[str, Any]:
    """Where and when it appeared."""
    citation, extra = paper.citation or Citation(), paper.extra
    container = citation.container or paper.venue
    start, _, end = (citation.pages or "").partition("--")
    of_book = "alternate_title3" if _type(paper) == "JOUR" else "book_title"
    year = extra.get("year")
    finer = citation.type if citation.type != TYPES.get(_type(paper)) else None
    return {
        "year": year if year and year_of(year) == paper.year else paper.year,
        "date": _date(paper),
        "secondary_title": paper.venue or container,
        of_book: container if container != (paper.venue or container) else None,
        "volume": citation.volume,
        "number": citation.number,
        "start_page": start,
        "end_page": end,
        "publisher": citation.publisher,
        "type_of_work": _several(finer, extra.get("type_of_work")),
    }


def _about(paper: Paper) -> dict[str, Any]:
    """Where to find it, and what was said of it."""
    extra, ids = paper.extra, paper.identifiers
    tags = [on_axis(axis, tag) for axis, tags in paper.tags.items() for tag in tags]
    return {
        "author_address": _several(paper.affiliation, extra.get("author_address")),
        "doi": _several(ids.doi, extra.get("doi")),
        "issn": _several(ids.isbn, extra.get("issn")),
        "accession_number": _several(*_numbers(ids), extra.get("accession_number")),
        "notes": _several(paper.citation and paper.citation.note, extra.get("notes")),
        "summary": paper.summary,
        "keywords": _several(*tags, extra.get("keywords")),
        "urls": [link.url for link in paper.links],
    }


def _type(paper: Paper) -> str:
    """The type of the reference: the one it was read with, if the record still has the type that was made of it."""
    kind, read = kind_of(paper), paper.extra.get("type_of_reference")
    return read if isinstance(read, str) and LIKE.get(read) == kind.bibtex else kind.ris


def _date(paper: Paper) -> str | None:
    """The date with its month, in RIS's form YYYY/MM/DD/other; the one it was read with, if that says the same."""
    month, year = paper.citation and paper.citation.month, paper.year or ""
    read = paper.extra.get("date")
    if isinstance(read, str) and date_of([str(year), read])[1] == (month or None):
        return read
    if not month:
        return None
    return f"{year}/{MONTHS.index(month) + 1:02}//" if month in MONTHS else f"{year}///{month}"


def _numbers(ids: Identifiers) -> list[str]:
    """The identifiers for which RIS has no tag."""
    arxiv = f"arXiv:{ids.arxiv}" + (f"v{ids.arxiv_version}" if ids.arxiv_version else "") if ids.arxiv else ""
    others = [f"{scheme}:{text}" for scheme, text in ids.pairs() if scheme in {"openreview", "acl"}]
    return _several(arxiv, *others, ids.other if (ids.other or "").startswith(PMID) else None)


def _person(name: str) -> str:
    return "et al." if name == names.OTHERS else names.marked(name)


def _several(*values: Any) -> list[str]:
    """Texts and lists of texts as one list."""
    lists = (value if isinstance(value, list | tuple) else [value] for value in values)
    return [text for texts in lists for text in texts if text and isinstance(text, str)]


def _line(value: Any) -> Any:
    """A value on one line, since in RIS a new line begins another tag."""
    if isinstance(value, list):
        return [_line(part) for part in value]
    return " ".join(str(value).split())

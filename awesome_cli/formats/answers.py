"""Records of works as services answer them, over the network or in a saved file: one table of paths per service.

`{"paperId": "1", "title": "On Tea", "externalIds": {"DOI": "10.1000/x"}, "journal": {"name": "Tea"}}` of Semantic
Scholar becomes title, DOI and venue.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.formats import people
from awesome_cli.formats.cells import at, line, mappings
from awesome_cli.model.drafts import Draft, Fields, filled, link, year_of
from awesome_cli.model.identifiers import SCHEMES, identifiers
from awesome_cli.model.publication import CROSSREF
from awesome_cli.text import names
from awesome_cli.text.html import unmarked


@dataclass(frozen=True, slots=True)
class ServiceRecord:
    """A service's record of a work: the paths of each field; of several paths, the first with a value counts.

    A mapping with any of `signs` is such a record. `types` are BibTeX types by the service's types, the finest first;
    a service without them states BibTeX types. `extra` has the values that no path reads, and those of the path `kept`.
    """

    signs: frozenset[str]
    paths: Mapping[str, str]
    types: Mapping[str, str] = field(default_factory=dict)

    def first(self, record: Mapping[str, Any], name: str) -> str:
        """Return the first value of a field on one line, '' if missing."""
        values = (line(at(record, *path.split("."))) for path in self.paths.get(name, "").split())
        return next(filter(None, values), "")


OPENALEX = ServiceRecord(
    frozenset({"authorships", "abstract_inverted_index"}),
    {
        "title": "title display_name", "authors": "authorships", "year": "publication_year publication_date",
        "venue": "primary_location.source.display_name primary_location.raw_source_name host_venue.display_name",
        "affiliation": "authorships.institutions.display_name", "doi": "doi ids.doi", "pmid": "ids.pmid", "url": "id",
        "page": "primary_location.landing_page_url", "volume": "biblio.volume", "number": "biblio.issue",
        "start": "biblio.first_page", "end": "biblio.last_page", "type": "type", "keywords": "keywords.display_name",
        "source": "primary_location.source.type", "index": "abstract_inverted_index",
    },
    {
        "article": "article", "review": "article", "letter": "article", "book": "book", "book-chapter": "incollection",
        "dissertation": "phdthesis", "report": "techreport", "preprint": "unpublished",
    },
)  # fmt: skip
SEMANTIC_SCHOLAR = ServiceRecord(
    frozenset({"paperId", "externalIds"}),
    {
        "title": "title", "authors": "authors", "year": "year publicationDate", "doi": "externalIds.DOI",
        "venue": "venue publicationVenue.name journal.name", "abstract": "abstract",
        "container": "journal.name venue publicationVenue.name", "arxiv": "externalIds.ArXiv", "acl": "externalIds.ACL",
        "pmid": "externalIds.PubMed", "url": "url", "pdf": "openAccessPdf.url", "volume": "journal.volume",
        "pages": "journal.pages", "type": "publicationTypes", "summary": "tldr.text", "kept": "externalIds url",
    },
    {"BookSection": "incollection", "Book": "book", "Conference": "inproceedings", "JournalArticle": "article"},
)  # fmt: skip
UNPAYWALL = ServiceRecord(
    frozenset({"z_authors", "oa_locations", "doi_url"}),
    {
        "title": "title", "authors": "z_authors", "year": "year published_date", "venue": "journal_name", "doi": "doi",
        "url": "doi_url", "pdf": "best_oa_location.url_for_pdf", "type": "genre", "publisher": "publisher",
        "kept": "best_oa_location",
    },
    CROSSREF,
)  # fmt: skip
DATACITE = ServiceRecord(
    frozenset({"titles"}),
    {
        "title": "titles.title", "authors": "creators", "year": "publicationYear", "doi": "doi", "url": "url",
        "venue": "container.title publisher.name publisher", "container": "container.title",
        "publisher": "publisher.name publisher", "type": "types.bibtex", "keywords": "subjects.subject", "id": "id",
    },
)  # fmt: skip


def service_of(record: Mapping[str, Any]) -> ServiceRecord | None:
    """Return the service whose record of a work a mapping looks like, perhaps with only some of its fields."""
    services = (OPENALEX, SEMANTIC_SCHOLAR, UNPAYWALL, DATACITE)
    is_openalex = line(record.get("id")).startswith("https://openalex.org/W")
    return OPENALEX if is_openalex else next((s for s in services if s.signs & record.keys()), None)


def fields_of(service: ServiceRecord, record: Mapping[str, Any]) -> Fields:
    """Return the fields of a service's record; raises `ValueError` if the title is missing."""
    get = {name: service.first(record, name) for name in service.paths}.get
    title, venue, kinds = unmarked(get("title", "")), get("venue", ""), get("type", "").split("; ")
    if not title:
        raise ValueError("the record has no title")
    pages = [get("page", ""), *(line(place.get("landing_page_url")) for place in mappings(record.get("locations")))]
    ids = identifiers(pages, **{scheme: get(scheme) for scheme in ("arxiv", "doi", "acl")})
    pmid = get("pmid", "").rpartition("/")[2]
    ids |= {"other": people.PMID + pmid} if pmid else {}
    addresses = [SCHEMES[scheme].address + str(ids[scheme]) for scheme in ("doi", "arxiv") if scheme in ids]
    links = {"Paper": next(iter(addresses), get("url", "")), "PDF": get("pdf", "")}
    kind = next((kind for name, kind in service.types.items() if name in kinds), "") or (not service.types and kinds[0])
    # In OpenAlex, an author is {"author": {"display_name": …}, "raw_author_name": …}.
    entries = record.get(service.paths["authors"]) or ()
    authors = (e if isinstance(e, str) else {**e, "author": "", **(e.get("author") or {})} for e in entries if e)
    in_proceedings = (kind, get("source")) == ("article", "conference")
    fields = {
        "title": title,
        "authors": names.listed(people.person(a) if isinstance(a, str) else people.of_mapping(a) for a in authors),
        "year": year_of(get("year")),
        "venue": venue,
        "affiliation": get("affiliation"),
        "identifiers": ids or {"other": get("url", "")},
        "links": [link(label, url) for label, url in links.items() if url],
        "citation": {
            "type": "inproceedings" if in_proceedings else kind or ("article" if get("volume") else "misc"),
            "container": get("container") or ("" if service.paths.get("container") else venue),
            **{name: get(name) for name in ("volume", "number", "publisher")},
            "pages": get("pages") or "--".join(dict.fromkeys(filter(None, (get("start"), get("end"))))),
        },
        "summary": get("summary"),
    }
    return filled(fields)


def abstract_of(index: Any) -> str:
    """Return an abstract, rebuilt from OpenAlex's index of the positions of each word."""
    pairs = index.items() if isinstance(index, Mapping) else ()
    return " ".join(word for _, word in sorted((n, word) for word, found in pairs for n in found))


def draft(service: ServiceRecord, record: Mapping[str, Any], place: str) -> Draft:
    """Convert a record from a file to a draft; further values are in `extra`. Raises `ValueError` without a title."""
    abouts = (
        a.get("description") for a in mappings(record.get("descriptions")) if a.get("descriptionType") == "Abstract"
    )
    abstract = (
        service.first(record, "abstract")
        or line(next(abouts, ""))
        or abstract_of(at(record, "abstract_inverted_index"))
    )
    read = {path.partition(".")[0] for paths in service.paths.values() for path in paths.split()}
    read -= {*service.paths.get("kept", "").split()}
    extra = {"abstract": unmarked(abstract), **{name: value for name, value in record.items() if name not in read}}
    words, _, word = service.paths.get("keywords", "").partition(".")
    keywords = filter(None, (line(row.get(word)) for row in mappings(record.get(words))))
    return Draft(filled({**fields_of(service, record), "extra": extra}), place, None, tuple(keywords))

"""CSL-JSON, for pandoc, Zotero and whatever else formats citations."""

import json
from typing import Any

from awesome_cli.model.publication_types import kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names

FIELDS = {"volume": "volume", "number": "issue", "pages": "page", "publisher": "publisher", "note": "note"}


def export(corpus: Corpus) -> str:
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
    data |= {name: getattr(citation, field) for field, name in FIELDS.items()}
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

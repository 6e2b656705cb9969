"""RIS, for reference managers and screening tools; written by rispy."""

from typing import Any

from awesome_cli.model.publication_types import kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.names import OTHERS, marked


def export(corpus: Corpus) -> str:
    """The papers as RIS; tags are keywords of the form `axis=term:strength`."""
    import rispy

    class Writer(rispy.RisWriter):  # type: ignore[misc]
        def set_header(self, count: int) -> str:  # noqa: ARG002 - the standard knows no numbers between references
            return ""

    return str(rispy.dumps([_reference(paper) for paper in corpus.papers], implementation=Writer))


def _reference(paper: Paper) -> dict[str, Any]:
    citation, ids = paper.citation or Citation(), paper.identifiers
    first, _, last = (citation.pages or "").replace("--", "-").partition("-")
    reference = {
        "type_of_reference": kind_of(paper).ris,
        "id": citation.key or paper.key,
        "title": paper.title,
        "authors": [marked(author) for author in paper.authors if author != OTHERS],
        "year": paper.year,
        "secondary_title": citation.container or paper.venue,
        "volume": citation.volume,
        "number": citation.number,
        "start_page": first,
        "end_page": last,
        "publisher": citation.publisher,
        "author_address": paper.affiliation,
        "doi": ids.doi,
        "accession_number": f"arXiv:{ids.arxiv}" if ids.arxiv else None,
        "notes": [paper.summary] if paper.summary else None,
        "keywords": [f"{axis}={tag}" for axis, tags in paper.tags.items() for tag in tags],
        "urls": [link.url for link in paper.links],
    }
    return {name: _line(value) for name, value in reference.items() if value}


def _line(value: Any) -> Any:
    """RIS has one line a value: a line break inside would begin another tag."""
    if isinstance(value, list):
        return [_line(part) for part in value]
    return " ".join(str(value).split())

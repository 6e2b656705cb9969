"""Where the links of a paper lead, in words."""

from urllib.parse import urlsplit

from awesome_cli.model.identifiers import SCHEMES, on_page
from awesome_cli.model.records import PAPER_LABELS, Paper

SERVICES = {
    "arxiv": ("arXiv", "abstract page"),
    "doi": ("DOI", "publisher's page"),
    "openreview": ("OpenReview", "page of the paper"),
    "acl": ("ACL Anthology", "page of the paper"),
    "isbn": ("ISBN", ""),
}
"""By scheme, how people call the service, and what an address of it shows."""
HOSTS = {"github.com": "GitHub", "gitlab.com": "GitLab", "huggingface.co": "Hugging Face", "zenodo.org": "Zenodo"}
"""Hosts that people know by another name."""


def leads(paper: Paper) -> list[tuple[str, str]]:
    """Each address of a paper once, with what it leads to: `arXiv: abstract page`, `Code at GitHub`."""
    found: dict[str, str] = {}
    given = [(link.label, link.url) for link in paper.links]
    for label, url in (*given, *(("", url) for _, url in paper.identifiers.addresses())):
        found.setdefault(url, _words(label, url))
        scheme, name = on_page(url) or ("", "")
        if scheme == "arxiv" and name == paper.identifiers.arxiv:
            found.setdefault(SCHEMES[scheme].pdf + name, "arXiv: PDF")
    return [(words, url) for url, words in found.items()]


def _words(label: str, url: str) -> str:
    page = on_page(url)
    own = label if label.casefold() not in PAPER_LABELS else ""
    if page is not None:
        service, what = SERVICES[page[0]]
        shown = "PDF" if "pdf" in urlsplit(url).path.casefold().split("/")[1:2] else what
        return f"{own} ({service}: {shown})" if own else f"{service}: {shown}"
    host = _host(url)
    return f"{label or 'Page'} at {HOSTS.get(host, host)}" if host else label


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def names_of(paper: Paper) -> list[tuple[str, str]]:
    """The identifiers of a paper with the names of their services."""
    return [(SERVICES.get(scheme, ("Other", ""))[0], text) for scheme, text in paper.identifiers.pairs()]

"""The page of each paper: codings with evidence, versions, links and citation formats."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from io import StringIO
from urllib.parse import urlsplit

from awesome_cli.analysis.gaps.rereading import rereadings
from awesome_cli.analysis.likeness import nearest
from awesome_cli.formats import bibtex, csljson
from awesome_cli.model.identifiers import SCHEMES, host_of, on_page
from awesome_cli.model.publication import kind_of
from awesome_cli.model.records import PAPER_LABELS, Citation, Paper
from awesome_cli.publish.forms import form_address, forms
from awesome_cli.publish.hosts import in_repository
from awesome_cli.publish.site import data, linked
from awesome_cli.publish.site.codings import CodingWords
from awesome_cli.publish.site.groups import Groups
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.publish.site.programs import paper_file
from awesome_cli.query.parser import untagged
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import citation_keys
from awesome_cli.text.inert import to_json
from awesome_cli.text.names import is_cut

SERVICES = {
    "arxiv": ("arXiv", "abstract page"),
    "doi": ("DOI", "publisher's page"),
    "openreview": ("OpenReview", "page of the paper"),
    "acl": ("ACL Anthology", "page of the paper"),
    "isbn": ("ISBN", ""),
}
"""`(name of the service, content of its page)` by scheme of identifiers."""
HOSTS = {"github.com": "GitHub", "gitlab.com": "GitLab", "huggingface.co": "Hugging Face", "zenodo.org": "Zenodo"}
"""Names of well-known hosts."""


def leads(paper: Paper) -> list[tuple[str, str]]:
    """Return unique `(label, URL)` of a paper's links, with labels such as `arXiv: PDF` and `Code at GitHub`."""
    labels: dict[str, str] = {}
    labelled = [(link.label, link.url) for link in paper.links]
    for label, url in (*labelled, *(("", url) for _, url in paper.identifiers.addresses())):
        labels.setdefault(url, _words(label, url))
        scheme, name = on_page(url) or ("", "")
        if scheme == "arxiv" and name == paper.identifiers.arxiv:
            labels.setdefault(SCHEMES[scheme].pdf + name, "arXiv: PDF")
    return [(words, url) for url, words in labels.items()]


def _words(label: str, url: str) -> str:
    page = on_page(url)
    custom = label if label.casefold() not in PAPER_LABELS else ""
    if page is not None:
        service, what = SERVICES[page[0]]
        shown = "PDF" if "pdf" in urlsplit(url).path.casefold().split("/")[1:2] else what
        return f"{custom} ({service}: {shown})" if custom else f"{service}: {shown}"
    host = host_of(url).removeprefix("www.")
    return f"{label or 'Page'} at {HOSTS.get(host, host)}" if host else label


def names_of(paper: Paper) -> list[tuple[str, str]]:
    """Return `(service, identifier)` pairs of a paper."""
    return [(SERVICES.get(scheme, ("Other", ""))[0], text) for scheme, text in paper.identifiers.pairs()]


SIZE = 250
"""Papers in a shard; assets/cite.js has the same number."""

LAST = "ER  - \n"
"""The last line of a RIS reference; values never span lines."""


def bibliography(corpus: Corpus) -> Mapping[str, str]:
    """Return each paper's BibTeX entry by key, with its citation key from the whole bibliography."""
    keys = citation_keys(corpus.papers)
    entries = {}
    for paper in corpus.papers:
        citation = (paper.citation or Citation()).model_copy(update={"key": keys[paper.key]})
        cited = paper.model_copy(update={"citation": citation})
        entries[paper.key] = bibtex.write(replace(corpus, papers=(cited,)), cited=True)
    return entries


def citation_pages(entries: Iterable[str], references: str, table: str) -> Iterator[SitePage]:
    """Yield the shards `data/cite-N.js` with the citations of the papers, in the order of the records.

    `entries`: BibTeX entries; `references` and `table`: the whole RIS and CSV files.
    """
    header, *rows = _rows(table)
    ris = [text.lstrip("\n") + LAST for text in references.split(LAST)[:-1]]
    cited = [dict(zip(("bibtex", "ris", "csv"), entry, strict=True)) for entry in zip(entries, ris, rows, strict=True)]
    for number, start in enumerate(range(0, len(cited), SIZE)):
        shard = {"header": header, "entries": cited[start : start + SIZE]}
        yield SitePage(f"data/cite-{number}.js", data.script(f"citations[{number}]", shard))


def _rows(table: str) -> Iterator[str]:
    """Split a CSV file into rows; line feeds inside quotes do not end a row."""
    row = ""
    for line in StringIO(table, newline="\n"):
        row += line
        if row.count('"') % 2 == 0:
            yield row
            row = ""


def paper_pages(frame: Frame, authors: Groups, venues: Groups) -> Iterator[SitePage]:
    """Yield one page per paper, and the data files for citing papers."""
    taxonomy, entries = frame.corpus.taxonomy, bibliography(frame.corpus)
    keys, dispute, words = citation_keys(frame.corpus.papers), "coding" in forms(taxonomy), CodingWords(frame.corpus)
    near, contested = nearest(frame.corpus), rereadings(frame.gaps, frame.perturbed)
    for place, paper in enumerate(watched(frame.corpus.papers, "writing pages of papers")):
        path = f"papers/{paper.key}.html"
        yield (program := paper_file(frame, paper, keys[paper.key]))
        argued, plain = words.codings(paper, contested.get(paper.key, ()))
        yield frame.page(
            path,
            "paper",
            title=paper.title,
            styles=("paper",),
            scripts=("assets/view.js", "assets/cite.js"),
            program=program.path,
            paper=paper,
            place=place,
            authors=[(author, None if is_cut(author) else authors.address(author)) for author in paper.authors],
            venue=venues.address(paper.venue or ""),
            argued=argued,
            contested=[(axis, coded[1]) for axis, codings in argued for coded in codings if coded[0].contested],
            plain=plain,
            dispute=dispute,
            silent=[(axis, untagged(axis, taxonomy, paper)) for axis in taxonomy.axes if not paper.tags.get(axis.id)],
            measures=[(m, paper.measures[m.id]) for m in taxonomy.measures if m.id in paper.measures],
            links=leads(paper),
            identifiers=names_of(paper),
            near=[words.near(neighbour) for neighbour in near[paper.key]],
            repository=in_repository(taxonomy.survey, paper.path),
            correct=form_address(taxonomy.survey, "correction", key=paper.key),
            bibtex=entries[paper.key],
            csl=to_json(csljson.item(paper, keys[paper.key]), indent=2),
            metadata=metadata(paper, frame.address(path)),
            description=paper.summary or f"{paper.title}, as {taxonomy.survey.title} codes it.",
            linked=linked.article(paper, taxonomy, frame.address(path)),
        )
    yield from citation_pages(entries.values(), str(frame.exported["ris"]), str(frame.exported["csv"]))


def metadata(paper: Paper, address: str | None) -> list[tuple[str, str]]:
    """Return `citation_*` meta tags for reference managers, after Google Scholar's inclusion guidelines."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    place = "citation_conference_title" if kind_of(paper).container == "booktitle" else "citation_journal_title"
    pages = (citation.pages or "").replace("--", "-").partition("-")
    pairs: Mapping[str, str | None] = {
        "citation_publication_date": str(paper.year) if paper.year else None,
        place: citation.container or paper.venue,
        "citation_volume": citation.volume,
        "citation_issue": citation.number,
        "citation_firstpage": pages[0],
        "citation_lastpage": pages[2],
        "citation_publisher": citation.publisher,
        "citation_doi": ids.doi,
        "citation_arxiv_id": ids.arxiv,
        "citation_isbn": ids.isbn,
        "citation_pdf_url": SCHEMES["arxiv"].pdf + ids.arxiv if ids.arxiv else None,
        "citation_public_url": paper.address,
        "citation_abstract_html_url": address,
    }
    authors = [("citation_author", author) for author in paper.authors if not is_cut(author)]
    return [("citation_title", paper.title), *authors, *((name, value) for name, value in pairs.items() if value)]

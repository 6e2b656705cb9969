"""The page of each paper: its coding with definitions and evidence, its versions, and how it is cited."""

from collections.abc import Iterator, Mapping

from awesome_cli.analysis.gaps.rereading import rereadings
from awesome_cli.analysis.likeness import nearest
from awesome_cli.formats import csljson
from awesome_cli.model.identifiers import SCHEMES
from awesome_cli.model.publication import kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.publish.forms import FormText, form_address, forms
from awesome_cli.publish.hosts import in_repository
from awesome_cli.publish.site import linked
from awesome_cli.publish.site.citing import bibliography, citation_pages
from awesome_cli.publish.site.codings import CodingWords
from awesome_cli.publish.site.groups import Groups
from awesome_cli.publish.site.leads import leads, names_of
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.reports.progress import watched
from awesome_cli.text.inert import to_json
from awesome_cli.text.names import is_cut


def paper_pages(frame: Frame, authors: Groups, venues: Groups) -> Iterator[SitePage]:
    """One page a paper, and the files from which scripts cite papers."""
    taxonomy, entries = frame.corpus.taxonomy, bibliography(frame.corpus)
    form, words = forms(taxonomy).get("coding"), CodingWords(frame.corpus)
    near, contested = nearest(frame.corpus), rereadings(frame.gaps, frame.perturbed)
    for place, paper in enumerate(watched(frame.corpus.papers, "writing pages of papers")):
        path = f"papers/{paper.key}.html"
        argued, plain = words.codings(paper, contested.get(paper.key, ()))
        yield frame.page(
            path,
            "paper",
            title=paper.title,
            styles=("paper",),
            scripts=("assets/view.js", "assets/cite.js"),
            paper=paper,
            place=place,
            authors=[(author, None if is_cut(author) else authors.address(author)) for author in paper.authors],
            venue=venues.address(paper.venue or ""),
            argued=argued,
            plain=plain,
            dispute=form and FormText.of(taxonomy.survey, form, key=paper.key, coding="AXIS=TERM"),
            silent=[axis for axis in taxonomy.axes if not paper.tags.get(axis.id)],
            measures=[(m, paper.measures[m.id]) for m in taxonomy.measures if m.id in paper.measures],
            links=leads(paper),
            identifiers=names_of(paper),
            near=[words.near(one) for one in near[paper.key]],
            repository=in_repository(taxonomy.survey, paper.path),
            correct=form_address(taxonomy.survey, "correction", key=paper.key),
            bibtex=entries[paper.key],
            csl=to_json(csljson.item(paper), indent=2),
            metadata=metadata(paper, frame.address(path)),
            description=paper.summary or f"{paper.title}, as {taxonomy.survey.title} codes it.",
            linked=linked.article(paper, taxonomy, frame.address(path)),
        )
    yield from citation_pages(entries.values(), str(frame.exported["ris"]), str(frame.exported["csv"]))


def metadata(paper: Paper, address: str | None) -> list[tuple[str, str]]:
    """`citation_*` pairs that reference managers read, as Google Scholar's inclusion guidelines name them."""
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

"""Write papers as BibTeX: escaped for LaTeX, with protected capitals and stable keys."""

import re
from collections.abc import Iterator, Mapping

from awesome_cli.formats import cells
from awesome_cli.formats.bibtex.drafts import CONTAINERS, HELD, NUMBERS, PLAIN, SCHEMES, paragraphs
from awesome_cli.formats.people import AND, PMID, authors_and_editors
from awesome_cli.model.drafts import filled, link, year_of
from awesome_cli.model.publication import MISC, MONTHS, kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import changed_key, citation_keys
from awesome_cli.text import names
from awesome_cli.text.latex import to_latex

NAME = re.compile(r"[a-z][a-z0-9_:+.-]*")
NOT_WRITTEN = {"crossref", "xref", "xdata", "ids", "entrytype"}
"""Fields that refer to other entries of the imported file, and the packed name of a type."""
ABOUT = {"abstract", "affiliation", "annotation", "eventtitle", "keywords", "links"}
"""Fields for reference managers, which bibliographies do not print."""
EVERY = (
    "author title key year month note doi eprint archiveprefix primaryclass url urldate keywords annotation abstract"
    " addendum file language subtitle titleaddon"
)
BOOK = "address chapter editor isbn number pages publisher series volume"
CONFERENCE = f"{BOOK} eventtitle organization"
STANDARD: Mapping[str, tuple[str, str]] = {
    "article": ("author journal", "editor eid issn issue number pages series volume"),
    "book": ("author publisher", f"{BOOK} edition"),
    **dict.fromkeys(("inbook", "incollection"), ("author booktitle", f"{BOOK} edition")),
    **dict.fromkeys(("inproceedings", "conference"), ("author booktitle", CONFERENCE)),
    "proceedings": ("", CONFERENCE),
    **dict.fromkeys(("mastersthesis", "phdthesis"), ("author school", "address pages")),
    "techreport": ("author institution", "address number pages"),
    "unpublished": ("author note", "address howpublished"),
    "misc": ("", "address editor howpublished organization type version"),
}
"""The types of BibTeX, with the required and the further fields, beside `EVERY`, that biblatex accepts, too."""
KEEPS = frozenset(["title", "authors", "year", "venue", "affiliation", "links", "summary", "extra.keywords"]) | {
    *(f"identifiers.{scheme}" for scheme in ("arxiv", "doi", "openreview", "acl", "isbn")),
    *(f"citation.{name}" for name in Citation.model_fields),
}
"""Fields that survive a round trip."""


def keeps_too(paper: Paper) -> Iterator[str]:
    """Yield the further fields that survive a round trip: the PubMed id, and texts of `extra` that become fields."""
    yield from (f"extra.{name}" for name, value in _free(paper).items() if name in PLAIN or paragraphs(value) == value)
    if (paper.identifiers.other or "").startswith(PMID):
        yield "identifiers.other"


def changes(paper: Paper) -> Iterator[str]:
    """Yield the fields that a round trip changes: an invalid citation key, texts with line breaks in a paragraph."""
    citation = paper.citation or Citation()
    yield from changed_key(paper)
    texts = {"citation.note": citation.note, "summary": paper.summary, "affiliation": paper.affiliation}
    yield from (name for name, text in texts.items() if text and paragraphs(text) != text)


def _free(paper: Paper) -> Mapping[str, str]:
    """Return the texts of `extra` whose name is a valid field name that no other value of the paper uses."""
    ids, year = paper.identifiers, paper.extra.get("year")
    held = dict.fromkeys(("eprint", "archiveprefix"), ids.arxiv) | dict.fromkeys(("url", "links"), paper.links)
    held |= {"pmid": ids.other, **{name: getattr(ids, name) for name in (*SCHEMES, "isbn")}}
    taken = HELD | {kind_of(paper).container} | {name for name, value in held.items() if value}
    if not (paper.venue or (paper.citation and paper.citation.container)):
        taken |= {*CONTAINERS}
    if paper.year and not (isinstance(year, str) and year_of(year) == paper.year):
        taken |= {"year"}
    is_free = (name not in taken and name not in NOT_WRITTEN and NAME.fullmatch(name) for name in paper.extra)
    entries = zip(paper.extra.items(), is_free, strict=True)
    return {name: value for (name, value), free in entries if free and value and isinstance(value, str)}


def write(corpus: Corpus, *, cited: bool = False) -> str:
    """Return the papers as a BibTeX file; with `cited`, only with the fields that a bibliography prints."""
    keys, entries = citation_keys(corpus.papers), []
    for paper in corpus.papers:
        kind, fields = _entry(paper, {n: value for n, value in _values(paper) if not (cited and n in ABOUT)})
        # Names of months, which every style defines, have no braces.
        texts = {n: value if (n == "month" and value in MONTHS) else f"{{{value}}}" for n, value in fields.items()}
        lines = (f"  {name} = {text},\n" for name, text in texts.items())
        entries.append(f"@{kind}{{{keys[paper.key]},\n{''.join(lines)}}}\n")
    return "\n".join(entries)


def _entry(paper: Paper, values: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """Return a type and fields without warnings by BibTeX and biber; `verba` packs the values that these replace."""
    record_type = (paper.citation and paper.citation.type) or MISC.bibtex
    is_complete = record_type in STANDARD and values.keys() >= {*STANDARD[record_type][0].split()}
    kind = record_type if is_complete else MISC.bibtex
    defaults = {"key": "" if "author" in values else values["title"]}
    defaults |= {} if is_complete else {"howpublished": values.get(kind_of(paper).container, "")}
    number = {} if values.get("year", "1").isdecimal() else {"year": str(paper.year or "")}
    standard = {*" ".join((EVERY, *STANDARD[kind])).split()}
    shown = filled({name: value for name, value in {**defaults, **values, **number}.items() if name in standard})
    packed = {name: values.get(name, "") for name in {**values, **shown} if shown.get(name) != values.get(name)}
    packed |= {} if record_type == kind else {"entrytype": _plain(record_type)}
    return kind, shown | filled({"verba": " ".join(f"{name} = {{{text}}}" for name, text in packed.items())})


def _values(paper: Paper) -> Iterator[tuple[str, str]]:
    """Yield `(name, LaTeX value)` of the non-empty fields; authors and title come first."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    authors, editors = authors_and_editors(paper)
    container = citation.container or paper.venue or ""
    fields = {
        "author": " and ".join(map(_author, authors)),
        "editor": " and ".join(map(_author, editors)),
        "title": to_latex(paper.title, protect=True),
        kind_of(paper).container: to_latex(container),
        "eventtitle": to_latex(paper.venue or "") if paper.venue != container else "",
        "year": str(paper.year or ""),
        **{name: _numbers(getattr(citation, name) or "") for name in ("month", *NUMBERS)},
        **{name: to_latex(getattr(citation, name) or "") for name in ("publisher", "note")},
        "eprint": _plain(ids.arxiv or ""),
        "archiveprefix": "arXiv" if ids.arxiv else "",
        **{name: _plain(getattr(ids, name) or "") for name in ("doi", "isbn", "openreview", "acl")},
        "pmid": (ids.other or "").removeprefix(PMID) if (ids.other or "").startswith(PMID) else "",
        "url": _plain(_url(paper) or ""),
        "links": to_latex(_links(paper)),
        "affiliation": to_latex(paper.affiliation or ""),
        "keywords": to_latex(_keywords(paper.extra.get("keywords"))),
        "annotation": to_latex(paper.summary or ""),
    }
    if isinstance(whole := paper.extra.get("year"), str) and year_of(whole) == paper.year:
        fields["year"] = to_latex(whole)  # more than the number, such as "1998-2001"
    yield from ((name, value) for name, value in fields.items() if value)
    free = ((name, value) for name, value in _free(paper).items() if not fields.get(name))
    yield from ((name, _plain(value) if name in PLAIN else to_latex(value)) for name, value in free)


PROJECT_LABELS = frozenset(["project", "project page", "website", "blog"])


def _url(paper: Paper) -> str | None:
    """Return the URL of a paper; if that URL only repeats the DOI or arXiv id, return the project page or None."""
    ids, address = paper.identifiers, paper.address
    if address in {link.url for link in paper.links} or not (ids.doi or ids.arxiv):
        return address
    return next((link.url for link in paper.links if link.label.casefold() in PROJECT_LABELS), None)


def _numbers(text: str) -> str:
    """Convert pages or another range to LaTeX, with two hyphens: `1--9`."""
    return "--".join(map(to_latex, text.replace("\N{EN DASH}", "--").split("--")))


def _links(paper: Paper) -> str:
    """Return the links as `label: URL`, '' if the only link is already in the field `url`."""
    links = [entry.model_dump() for entry in paper.links]
    pages = {page for scheme, page in paper.identifiers.addresses() if scheme in {"openreview", "acl"}}
    if links == [link("Paper", paper.address or "")] and paper.address not in pages:
        return ""
    return cells.joined(links, (f"{entry['label']}: {entry['url']}" for entry in links), cells.links)


def _keywords(words: object) -> str:
    """Join keywords by commas, or by semicolons if a keyword contains a comma."""
    texts = [str(word) for word in words] if isinstance(words, list | tuple) else [str(words or "")]
    return "; ".join([*texts, ""]).strip() if any("," in text for text in texts) else ", ".join(texts)


def _author(author: str) -> str:
    """Return an author for BibTeX; a corporate author is braced, so that BibTeX does not read it as `First Last`."""
    if author == names.OTHERS:
        return author
    is_person = names.split(author)[1] and author.count(",") == 1 and ";" not in author and AND not in author
    return to_latex(author) if is_person else "{" + to_latex(author) + "}"


def _plain(identifier: str) -> str:
    """Percent-encode the braces of an identifier or URL, since a brace would end the field."""
    return identifier.replace("{", "%7B").replace("}", "%7D")

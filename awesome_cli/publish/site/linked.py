"""Linked data of pages (JSON-LD, schema.org): survey, dataset, papers, terms."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from markupsafe import Markup

from awesome_cli.model.appearance import About
from awesome_cli.model.identifiers import is_url
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_json
from awesome_cli.text.names import OTHERS

Linked = dict[str, Any]


def block(value: object) -> Markup:
    """Serialise a value as the content of a JSON script element, escaped so that no text can close it."""
    text = to_json(value, separators=(",", ":"))
    # Every character is JSON, and none begins a tag or a comment.
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704


def _thing(kind: str, **values: object) -> Linked:
    return {"@type": kind, **{name: value for name, value in values.items() if value not in (None, "", (), [], {})}}


def _said(thing: Linked) -> Linked:
    return {"@context": "https://schema.org", **thing}


def _people(names: Iterable[str]) -> list[Linked]:
    """Return authors as Person or, for names without a comma, as Organization."""
    return [
        _thing("Person", name=f"{first.strip()} {last}".strip(), familyName=last, givenName=first.strip())
        if comma
        else _thing("Organization", name=name)
        for name in names
        if name != OTHERS
        for last, comma, first in [name.partition(",")]
    ]


def _survey(about: About, kind: str, **values: object) -> Linked:
    return _thing(kind, name=about.title, creator=_people(about.authors), license=_licence(about.licence), **values)


def _licence(name: str) -> str | Linked | None:
    """Return the URL of a licence, from an SPDX id if needed; other texts become its name."""
    if is_url(name):
        return name
    spdx = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.+-]*", name)
    return f"https://spdx.org/licenses/{name}.html" if spdx else _thing("CreativeWork", name=name) if name else None


def website(corpus: Corpus, description: str, base: str | None) -> Linked:
    """Return the WebSite, for the front page."""
    about = corpus.taxonomy.survey
    known: Mapping[str, object] = {"alternateName": about.short, "url": base, "inLanguage": "en"}
    return _said(_survey(about, "WebSite", description=description, citation=about.url, **known))


def dataset(
    corpus: Corpus, description: str, base: str | None, files: Mapping[str, str], modified: date | None
) -> Linked:
    """Return the Dataset; `files` are media types by path."""
    about = corpus.taxonomy.survey
    page, top, axes = f"{base}data.html" if base else None, base or "", corpus.taxonomy.axes
    known: Mapping[str, object] = {
        "dateModified": str(modified or ""),
        "variableMeasured": [_thing("PropertyValue", name=axis.label, description=axis.question) for axis in axes],
        "distribution": [_thing("DataDownload", contentUrl=top + path, encodingFormat=files[path]) for path in files],
    }
    return _said(_survey(about, "Dataset", description=description, url=page, citation=about.url, **known))


def article(paper: Paper, taxonomy: Taxonomy, address: str | None) -> Linked:
    """Return a paper as ScholarlyArticle, with its codings as keywords, except those with evidence against them."""
    coded = (
        (axis, axis.by_id.get(tag.term)) for axis in taxonomy.axes for tag in paper.tags_on(axis.id) if not tag.mark
    )
    doi = paper.identifiers.doi
    return _said(
        _thing(
            "ScholarlyArticle",
            headline=paper.title,
            name=paper.title,
            author=_people(paper.authors),
            datePublished=str(paper.year or ""),
            isPartOf=_thing("CreativeWork", name=paper.venue) if paper.venue else None,
            abstract=paper.summary,
            keywords=list(dict.fromkeys(f"{axis.label}: {entry.label}" for axis, entry in coded if entry)),
            identifier=_thing("PropertyValue", propertyID="doi", value=doi) if doi else None,
            sameAs=[url for _, url in paper.identifiers.addresses()],
            mainEntityOfPage=address,
        )
    )


def term(axis: Axis, entry: Term, address: str | None) -> Linked:
    """Return a term as DefinedTerm in the set of its axis."""
    return _said({**_term(entry, address), "inDefinedTermSet": _set(axis)})


def vocabulary(taxonomy: Taxonomy) -> Linked:
    """Return every axis as DefinedTermSet."""
    return _said({"@graph": [_set(axis, [_term(entry) for entry in axis.terms]) for axis in taxonomy.axes]})


def _term(entry: Term, address: str | None = None) -> Linked:
    code = entry.code or entry.id
    return _thing("DefinedTerm", name=entry.label, description=entry.definition, termCode=code, url=address)


def _set(axis: Axis, terms: Iterable[Linked] = ()) -> Linked:
    return _thing("DefinedTermSet", name=axis.label, description=axis.question, hasDefinedTerm=list(terms))

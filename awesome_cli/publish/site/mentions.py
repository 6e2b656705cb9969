"""Names of papers, terms and claims in a line of the notes on changes, as links with the names that people read."""

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from awesome_cli.model.records import Exclusion, Paper
from awesome_cli.survey.corpus import Corpus

NAME = re.compile(r"[\w-]+=[\w-]+|[\w-]+")


def mentions(corpus: Corpus, line: str) -> Markup:
    """The line as HTML, in which each `axis=term` leads to its term, each key to its paper and each id to its claim."""
    title, _, key = line.removesuffix(")").rpartition(" (")
    record = corpus.by_key.get(key)
    if record is not None and record.title == title and (link := _record(corpus, key, first=False)):
        return Markup('<a href="{}">{}</a>').format(link[0], title)
    return Markup("").join(_parts(corpus, line))


def _parts(corpus: Corpus, line: str) -> Iterator[str]:
    end = 0
    for found in NAME.finditer(line):
        first = found.start() == 0
        # A name of letters alone can be a word of the line.
        named = first or not found[0].isalpha()
        link = _term(corpus, found[0]) or (_record(corpus, found[0], first=first) if named else None)
        if link is not None:
            yield escape(line[end : found.start()])
            yield Markup('<a href="{}">{}</a>').format(*link)
            end = found.end()
    yield escape(line[end:])


def _term(corpus: Corpus, text: str) -> tuple[str, str] | None:
    name, _, term = text.partition("=")
    axis = corpus.taxonomy.by_id.get(name)
    known = axis.by_id.get(term) if axis else None
    if axis is None or known is None:
        return None
    code = f"{known.code} " if known.code else ""
    return f"terms/{name}.{term}.html", f"{axis.label}: {code}{known.label}"


def _record(corpus: Corpus, key: str, *, first: bool) -> tuple[str, str] | None:
    """A paper, by its title where the line begins with its key, an exclusion or a claim."""
    record = corpus.by_key.get(key)
    if isinstance(record, Paper):
        return f"papers/{record.key}.html", record.title if first else key
    if isinstance(record, Exclusion):
        return f"exclusions.html#{record.key}", key
    return (f"claims.html#{key}", key) if any(claim.id == key for claim in corpus.claims.claims) else None

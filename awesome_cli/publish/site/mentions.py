"""Turn keys of papers, terms and claims in a text into links with readable names."""

import re
from collections.abc import Callable

from markupsafe import Markup, escape

from awesome_cli.analysis.claims.wording import titled
from awesome_cli.model.records import Candidate, Exclusion, Paper
from awesome_cli.query.query_words import lowered
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import split

LISTS = {Exclusion: "exclusions.html", Candidate: "candidates.html"}
Link = tuple[str, str, str]
"""`(page, link text, title attribute)`."""
BECAUSE = "because of "
"""After these words a line contains only keys."""


def dated(text: str) -> Markup:
    """Escape a text and wrap dates in <time>, which the style sheet keeps on one line."""
    # The text is escaped, and a date has only digits and hyphens.
    return Markup(re.sub(r"\b\d{4}-\d\d-\d\d\b", r"<time>\g<0></time>", str(escape(text))))  # noqa: S704


def keyed(corpus: Corpus, text: str, up: str = "") -> Markup:
    """Return the text as HTML with titles and labels as links in place of keys of records and `axis=term`.

    `up` is the path to the front page.
    """
    return _linked(text, lambda m: _record(corpus, m[0]) if m[0] in corpus.by_key else _term(corpus, m[0]), up)


def mentions(corpus: Corpus, line: str) -> Markup:
    """Return the line as HTML with links for `axis=term`, keys of records and ids of claims."""
    title, _, key = line.removesuffix(")").rpartition(" (")
    record = corpus.by_key.get(key)
    if record is not None and record.title == title and (link := _record(corpus, key)):
        return Markup('<a href="{}">{}</a>').format(link[0], title)
    keys_from = (line.find(BECAUSE) + 1) or len(line)

    def link_of(match: re.Match[str]) -> Link | None:
        # A name of letters alone can be a word of the line.
        is_name = match.start() == 0 or match.start() >= keys_from or not match[0].isalpha()
        return _term(corpus, match[0]) or (_record(corpus, match[0]) if is_name else None)

    return _linked(_in_words(corpus, line), link_of)


def _in_words(corpus: Corpus, line: str) -> str:
    """Replace ids of axes by labels and underscores in field names by blanks: `near_miss` becomes `near miss`."""
    axes = corpus.taxonomy.by_id

    def words(match: re.Match[str]) -> str:
        name = match[0]
        return lowered(axes[name].label) if name in axes else name if name in corpus.by_key else name.replace("_", " ")

    return re.sub(r"(?<![\w=-])[a-z]+(?:_[a-z]+)+(?![\w=-])", words, line)


def _linked(text: str, link_of: Callable[[re.Match[str]], Link | None], up: str = "") -> Markup:
    """Return the text as HTML; names for which `link_of` returns a link become links."""
    return Markup("").join(dated(p) if isinstance(p, str) else _link(*p, up) for p in split(text, link_of))


def _link(page: str, name: str, title: str, up: str) -> Markup:
    more = Markup(' title="{}"').format(title) if title not in {"", name} else ""
    return Markup('<a href="{}{}"{}>{}</a>').format(up, page, more, name)


def _term(corpus: Corpus, text: str) -> Link | None:
    name, _, term = text.partition("=")
    axis = corpus.taxonomy.by_id.get(name)
    known = axis.by_id.get(term) if axis else None
    if axis is None or known is None:
        return None
    return f"terms/{name}.{term}.html", f"{axis.label}: {known.full_label}", ""


def _record(corpus: Corpus, key: str) -> Link | None:
    record = corpus.by_key.get(key)
    if record is not None:
        page = f"papers/{record.key}.html" if isinstance(record, Paper) else f"{LISTS[type(record)]}#{record.key}"
        return page, corpus.short_titles[record.key], record.title
    claim = next((claim for claim in corpus.claims.claims if claim.id == key), None)
    return (f"claims.html#{key}", key, titled(corpus, claim.statement)) if claim else None

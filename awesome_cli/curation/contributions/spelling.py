"""Parse the spellings of answers: `Taste: Sour` is the coding `taste=sour`, `see arXiv:2402.01680` a reference."""

import re
from contextlib import suppress

from awesome_cli.curation.contributions.reading import ALONE
from awesome_cli.curation.editing.tagging import TagRequest, read_requests
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import Tag, on_axis
from awesome_cli.model.forms import DASH, option_name, slug
from awesome_cli.model.identifiers import Reference, given, parse_reference
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.text.known import excerpt, require_known


def assigned(text: str, taxonomy: Taxonomy) -> str:
    """Return `axis=term` for `Axis: Term` or `axis = term`; a text that names no axis is returned unchanged."""
    name = slug(re.split("[=:]", text)[0])
    axis = taxonomy.by_id.get(name) or next((axis for axis in taxonomy.axes if slug(axis.label) == name), None)
    rest = _after(axis, text) if axis else ""
    return on_axis(axis.id, ",".join(codings(axis, rest))) if axis and rest else text


def codings(axis: Axis, text: str) -> list[str]:
    """Return the codings that an answer names as `term[:strength][:part]`; unknown words stay, `NA` is left out.

    An answer is an option of a form, or terms and strengths by id, code or label, perhaps after the axis.
    """
    single = axis.kind == "one" and text.count(DASH) == 1 and not _term(axis, text.rpartition(",")[2].strip())
    words = [text] if single or (DASH not in text and _term(axis, option_name(text))) else text.split(",")
    return [*dict.fromkeys(_coding(axis, word) for word in words if given(word) or _term(axis, word.strip()))]


def _coding(axis: Axis, text: str) -> str:
    name = option_name(text) if text.count(DASH) < 2 else text  # two options without a comma are refused, not cut
    rest = _after(axis, name)
    name = rest if rest and not _term(axis, name.partition(":")[0].strip()) else name
    term, *others = (word.strip() for word in name.split(":"))
    strengths = {slug(strength.label): strength.id for strength in axis.strengths}
    words = (_term(axis, term) or term, *(strengths.get(slug(word), slug(word)) for word in others))
    return _term(axis, name) or ":".join(words)


def requests(text: str, axis: Axis, taxonomy: Taxonomy) -> tuple[TagRequest, ...]:
    """Parse `axis=term` of one axis; the error for an unknown term lists labels, which forms show in place of ids."""
    term = Tag.parse(text.removeprefix(on_axis(axis.id, ""))).term
    if not (_term(axis, term) or axis.retirement(term)):
        require_known(term, [entry.label for entry in axis.current], "term", owner=f"axis {axis.id!r}")
    return read_requests([text], taxonomy)


def _after(axis: Axis, text: str) -> str:
    """Return the text after `Axis:` or `axis =`; empty if it does not begin so."""
    match = re.match(r"([^=:]+)[=:]", text)
    return text[match.end() :].strip() if match and slug(match[1]) in {axis.id, slug(axis.label)} else ""


def _term(axis: Axis, word: str) -> str | None:
    term = axis.by_id.get(slug(word)) or (axis.find(word) if word else None)
    return term.id if term else None


def reference(text: str) -> Reference:
    """Return the work that a text names, perhaps among other words; raises `UsageError` for none or several."""
    works = dict[tuple[str, str], Reference]()
    for word in re.split(r"\]\(|[\s,;<>|]+", text):
        with suppress(UsageError):
            # A DOI may contain parentheses.
            work = parse_reference(word.strip("[]'\".:" if "(" in word else "[]()'\".:"))
            works[work.scheme, work.id] = work
    if len(works) > 1:
        names = excerpt(", ".join(map(str, works.values())))
        raise UsageError(f"names {len(works)} works ({names}); one paper a form", hint=ALONE)
    with suppress(UsageError):
        return parse_reference(text)
    return next(iter(works.values())) if works else parse_reference(text)

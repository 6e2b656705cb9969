"""Who wrote a work and where it appeared, in the text beside its title: only what its form leaves no doubt about."""

import re
from collections.abc import Sequence

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.links import is_label
from awesome_cli.formats.markdown.words import INSTITUTIONS, JOURNAL_WORDS, NO_FAMILIES, PRIZES
from awesome_cli.formats.people import CORPORATE
from awesome_cli.text.folding import spaced

Slanted = tuple[str, str]
"""A slanted text, and what stands behind it."""
YEAR_BEHIND = re.compile(rf"[\s.,;:(|–—-]*{facts.YEAR}\b")
VOLUME_BEHIND = re.compile(rf"[\s.,]*(?:{facts.YEAR}\s*;\s*\d|\d{{1,4}}\s*[,(:]\s*(?:no\.\s*)?\d)")
"""Volume and page, as in `2014;3(2):1-9`, `13, 508` and `91, no. 5`."""
OWN_YEAR = re.compile(rf"[\s,(]+(?:\d{{1,4}}[\s,(]+)?{facts.YEAR}\)?$")
BEFORE_YEAR = re.compile(
    rf"(?:^|[.,|(–—]\s)\s*(?P<name>[A-Z][^.,;|()\d]{{4,80}}?)[,.]?\s+\(?(?={facts.YEAR})", re.MULTILINE
)
JOINING = frozenset(
    ["of", "in", "for", "on", "the", "and", "a", "an", "de", "la", "et", "der", "für", "und", "&", "at", "to"]
)
INITIALED = re.compile(
    r"(?:[A-Z]\.[ -]?){1,4}[^\W\d_][\w'’-]+|[A-Z][\w'’-]+ (?:[A-Z]\. ?)+[A-Z][\w'’-]+|"
    r"(?P<family>[A-Z][\w'’-]*[a-z]) [A-Z]{1,4}"
)
"""One name with initials: `P. W. Higgs`, `Robert T. Paine`, `Hardin G`."""
SEVERAL = re.compile(r"[,;&|]|\band\b|\bet\.? al\b")
BIBTEX = re.compile(r"[^,]+, [^,]+?(?: and [^,]+, [^,]+?)+")
FAMILY_FIRST = r"(?:[^\W\d_][\w'’-]*[a-z] ){1,3}[A-Z]{1,4}"
LISTED = re.compile(rf"(?:{FAMILY_FIRST}(?:, (?:and )?| and | & )){{1,60}}{FAMILY_FIRST}(?=\. |\.?$)")
"""Names as PubMed lists them, up to the full stop behind them: `Doll R, Hill AB. `."""


def slanted_authors(text: str, *, has_venue: bool) -> str:
    """The authors in a slanted text; nothing for what may be a journal, an institution or a name alone."""
    names = facts.names_in(text)
    if is_journal(names) or not facts.is_names(names, alone=True):
        return ""
    parts = [part.strip() for part in re.split(r",|;|\band\b|&|\|", facts.ET_AL.sub("", names)) if part.strip()]
    if len(parts) == 1 and not INITIALED.fullmatch(names) and not facts.ET_AL.search(names):
        # With a conference beside it, a name alone in the usual form is an author.
        words = set(spaced(names).split())
        plain = (
            1 < len(names.split()) < 4 and not re.search(r"[a-z][A-Z]", names) and not words & (INSTITUTIONS | PRIZES)
        )
        return names if has_venue and plain and not CORPORATE.search(names) else ""
    is_list = all(" " in part for part in parts) or BIBTEX.fullmatch(names) or re.search(r"\b[A-Z]\.", names)
    return names if is_list or facts.ET_AL.search(names) else ""


def slanted_venue(text: str, behind: str, *, has_authors: bool, year: bool) -> str:
    """The venue that a slanted text is, by its words or by the year or volume behind it; nothing if in doubt."""
    has_year = bool(YEAR_BEHIND.match(behind) or OWN_YEAR.search(text))
    text = OWN_YEAR.sub("", text).strip(" .,;:()")
    words = spaced(text).split()
    if not 0 < len(words) <= 12 or is_label(text) or set(words) & PRIZES or CORPORATE.search(_but_society(text)):
        return ""
    if (
        not _is_capital(text)
        or re.search(r"[a-z]{4}\. ", text)
        or slanted_authors(text, has_venue=False)
        or (facts.VENUE.search(text) and facts.is_venue(text))
    ):
        return ""
    volume = bool(VOLUME_BEHIND.match(behind))
    if is_journal(text):
        return text if year or volume or has_authors else ""
    plain = not re.search(r"[a-z][A-Z]", text) and not set(words) & INSTITUTIONS
    return text if volume or (plain and has_authors and has_year) else ""


def _plain_venue(text: str) -> str:
    """A journal named before a year in plain text."""
    names = (found["name"].strip() for found in BEFORE_YEAR.finditer(text[: facts.SEARCHED]))
    return next((name for name in names if is_journal(name) and _is_venue(name)), "")


def _is_venue(name: str) -> bool:
    return (
        len(name.split()) > 1
        and bool(slanted_venue(name, "", has_authors=True, year=True))
        and not facts.VENUE.search(name)
    )


def authors(names: Sequence[str], slanted: Sequence[Slanted], *, has_venue: bool) -> str:
    """The authors in slanted text, or else in plain `names`."""
    found = (*(slanted_authors(text, has_venue=has_venue) for text, _ in slanted), *map(_plain_authors, names))
    return next(filter(None, found), "")


def journal(plain: str, slanted: Sequence[Slanted], line: str, *, has_authors: bool) -> str:
    """The venue in slanted text, or else in plain text; `line` is both."""
    year = facts.year_in(line) is not None
    found = (slanted_venue(text, behind, has_authors=has_authors, year=year) for text, behind in slanted)
    return next(filter(None, found), "") or _plain_venue(plain.replace("\0", "\n"))


def _plain_authors(text: str) -> str:
    if listed := LISTED.match(text[: facts.SEARCHED]):
        return listed[0]
    names = map(facts.names_in, facts.SENTENCE.split(text))
    return next((found for found in names if SEVERAL.search(found) and facts.is_names(found)), "")


def one_author(text: str) -> str:
    """A text that is one name with initials; it needs a venue beside it."""
    text = text[: facts.SEARCHED].strip(" ,.;:|()–—-")
    found = INITIALED.fullmatch(text)
    is_name = found and spaced(found["family"] or "") not in NO_FAMILIES and not is_journal(text)
    return text if is_name else ""


def is_unsure(names: Sequence[str], slanted: Sequence[Slanted], authors: str, venue: str) -> bool:
    """Whether some words have the form of a name or of a journal, and were taken for neither."""
    left = [text for text, _ in slanted if len(text.split()) <= 30 and not facts.is_venue(text)]
    left = [text for text in left if not (venue and venue in text) and not (authors and authors in text)]
    short = [name for name in names if len(name.split()) < 15]
    said = (re.search(r"[^\W\d_]{2}", name) and not facts.is_venue(name) and not is_label(name) for name in short)
    return bool(left) or (not authors and (any(said) if slanted else any(map(_may_be_name, short))))


def _may_be_name(text: str) -> bool:
    parts = [part.strip() for part in re.split(r"[.,;]\s|[–—]", f"{text} ")]
    return any(
        1 < len(part.split()) < 5 and facts.NAME.fullmatch(part) and not facts.is_venue(part) and not is_label(part)
        for part in parts
    )


def is_dated(behind: str) -> bool:
    """Whether a year or a volume follows."""
    return bool(YEAR_BEHIND.match(behind) or VOLUME_BEHIND.match(behind))


def is_journal(text: str) -> bool:
    """Whether a text has a word that stands in names of journals."""
    return bool(set(spaced(text).split()) & JOURNAL_WORDS)


def _is_capital(text: str) -> bool:
    return all(word[:1].isupper() or word in JOINING for word in re.split(r"[\s-]+", text) if word[:1].isalpha())


def _but_society(text: str) -> str:
    """A journal may be that of a society."""
    return re.sub(r"(?i)\bsociety\b", "", text)

"""Facts in the words beside a title: authors, venue and year; and the parts of a reference that is one text."""

import re
from collections.abc import Sequence

from awesome_cli.formats.markdown.words import TITLE_WORDS, VENUES
from awesome_cli.text.folding import spaced

KNOWN = "|".join(sorted(map(re.escape, VENUES), key=len, reverse=True))
YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
VENUE = re.compile(
    rf"(?P<name>(?:(?:Findings of|ACM|IEEE|Findings)\s+)?\b(?:{KNOWN})"
    r"(?:[ -](?:Findings|Workshops?|Asia|MM|Datasets? and Benchmarks?|Oral|Demo))*)"
    rf"W?(?![A-Z]|[\w-]*[a-z])[\s,:’'`‘.()-]*(?P<year>{YEAR}|(?<=[\s’'`‘A-Z])\d\d(?!\d))?"
)
DATE = re.compile(rf"\b({YEAR})(?:[./-]?\d{{1,2}}){{0,2}}\b|\b\d{{1,2}}[./-]({YEAR})\b")
LEAD = re.compile(
    rf"\s*(?:[-*+•·>#]+\s+|\d{{1,3}}[.):]\s+|[(\[【]\s*\d{{1,3}}\s*[)\]】]\s*|(?:Papers?|Title|ListedWork)\s*:\s*|"
    rf"[\[(【]?\s*(?:{YEAR}[./-]?\d{{0,2}}(?:[./-]\d{{1,2}})?|\d{{1,2}}[./-]{YEAR})\s*[\])】]?\s*[:,|—–-]?\s*(?=\W|[^\d\s])|"
    r"(?P<bracket>[\[(【])(?P<text>[^\[\]()【】]{1,40})[\])】]\s*[:|—–-]?\s*)"
)
"""What may stand before a title: a number, a date, `Paper:`, a word in brackets."""
ET_AL = re.compile(r",?\s*\bet\.?\s*al\b\.?", re.IGNORECASE)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
NAMED = re.compile(r"([^()]*\w[^()]*)\([^()]*[A-Za-z]{2}[^()]*\)")
"""A name, with words in brackets behind it."""
QUOTES = '"“”'
NAME = re.compile(
    r"(?:(?:van|von|de|der|den|del|della|di|da|dos|la|le|el|al|bin|ten)\s+)*"
    r"[^\W\d_a-zß-öø-ÿ][\w'’.-]*(?:\s+(?:(?:van|von|de|der|den|del|della|di|da|dos|la|le|el|al|bin|ten)|[^\W\d_][\w'’.-]*)){0,4}"
)
DATED = re.compile(rf"(?P<authors>[^()]{{3,400}}?)[\s,.]*\({YEAR}[a-z]?\)[.,:]?\s+(?P<title>\S.*)", re.DOTALL)
"""Authors, the year in brackets, title: how the APA has references written."""
SHORT = r"[^\W\d_][\w'’ -]{0,40} [A-Z]{1,3}"
MEDICAL = re.compile(rf"(?P<authors>(?:{SHORT}, ){{0,60}}(?:{SHORT}|et al))\.\s+(?P<title>\S+\s\S+\s\S.*)", re.DOTALL)
"""Names with bare initials behind them, title: the style called Vancouver."""
SENTENCE = re.compile(r"(?<![A-Z])(?<!\bal)(?<!\bvs)\.[\s\"”’']+(?=\S)|(?<=[?!])[\"”’']?\s+(?=\S)|(?<=\bal)\.\s+")


ENDS = tuple(
    re.compile(rf"{end}[\s.,;|]*$")
    for end in (
        r"\s*[([【]([^()\[\]]*)[)\]】]",
        r"\s*[,.|—–-]\s+(arXiv:[\d.v]+|[^,.|—–]{2,60})",
    )
)
"""What may stand behind a title of one word: words in brackets; of two words: words behind a mark."""
KEYS = re.compile(r"(?<=[.?!])\s+[\[(][^\[\]()]{2,40}[\])]$")
"""Words in brackets behind the full stop of a title."""
TAIL = re.compile(
    rf"\s*[,|]\s*[^,|]{{2,40}}\bet\.? al\b.*$|\s*\([^()]*(?:\bet\.? al\b|,)[^()]*{YEAR}\s*\)[\s.,]*$", re.DOTALL
)
"""The first author and what follows, or authors and year in brackets, behind a title."""


def without_lead(text: str) -> str:
    """A text without what stands before its title. A word in round brackets stays, unless it is a venue."""
    while found := LEAD.match(text):
        rest = text[found.end() :]
        if found["bracket"] and not is_venue(found["text"]) and (found["bracket"] == "(" or len(rest.split()) < 2):
            break
        if not found[0].strip() or not any(c.isalpha() for c in rest):
            break
        text = rest
    return text


def venue_of(text: str) -> tuple[str, int | None]:
    """The venue and the year that a text names; nothing for a text without them."""
    year = year_in(text)
    for found in VENUE.finditer(text):
        told = found["year"]
        if told:
            year = int(told) if len(told) == 4 else 2000 + int(told) if int(told) < 50 else 1900 + int(told)
        name = " ".join(found["name"].split())
        return {"arxiv": "arXiv", "preprint": "", "corr": "arXiv"}.get(name.casefold(), name), year
    return "", year


def year_in(text: str) -> int | None:
    """The first year in a text."""
    found = DATE.search(text)
    return int(found[1] or found[2]) if found else None


def is_venue(text: str) -> bool:
    """Whether a text says no more than a venue, a year or a date."""
    named = NAMED.fullmatch(text.strip())
    if named and not VENUE.search(named[1]) and not DATE.search(named[1]):
        return False
    text = text.strip(" .,;:()[]{}|*_`'\"—–-")
    rest = DATE.sub("", VENUE.sub("", text))
    return bool(text) and rest != text and len(spaced(rest).split()) <= 2


def is_names(text: str, *, alone: bool = False) -> bool:
    """Whether a text is a list of authors; a single name counts only where it stands `alone`, apart from other text."""
    shortened = bool(ET_AL.search(text))
    text = BRACKETS.sub("", ET_AL.sub("", text)).strip(" .,;:*†‡")
    parts = [part.strip(" *†‡.") for part in re.split(r",|;|\band\b|&|\|", text)]
    parts = [part for part in parts if part]
    if not parts or len(text) > 3000 or max(len(part.split()) for part in parts) > 6:
        return False
    is_name = [bool(NAME.fullmatch(part)) and not has_plain_word(part) for part in parts]
    if shortened or alone:
        return all(is_name) and len(parts[0].split()) < 6
    initials = any(re.match(r"[A-Z]\.|\S.* [A-Z]{1,3}$", part) for part in parts)
    return sum(is_name) >= 0.8 * len(parts) and is_name[0] and (initials or (len(parts) > 1 and " " in parts[0]))


def names_in(text: str) -> str:
    """The authors at the beginning of a text, without the venue and what else follows."""
    found = ET_AL.search(text)
    text = text[: found.end()] if found else text
    venue = VENUE.search(text)
    return BRACKETS.sub("", text[: venue.start()] if venue else text).strip(' ,.;:|(-–—"“”*')


def has_plain_word(text: str) -> bool:
    """Whether a text has a word that stands in titles and in no name."""
    is_acronym = bool(re.search("[A-Z]{3}", text)) and not text.isupper()
    return is_acronym or any(len(word) > 1 and word in TITLE_WORDS for word in spaced(text).split())


def reference(text: str) -> tuple[str, str]:
    """Title and authors in one text: `Title. Authors.`, `Authors. Title.`, `Authors, Title, Venue, 2020`."""
    text = without_lead(text).strip(" ,;|") or text.strip()
    text = text.partition(" | ")[0] if text.count(" | ") > 1 else text
    if is_names(text):
        return "", text
    for shape in (DATED, MEDICAL):
        if (found := shape.match(text)) and is_names(found["authors"], alone=True):
            return titled(SENTENCE.split(found["title"], maxsplit=1)[0]), found["authors"]
    first, second, *_ = [*SENTENCE.split(text, maxsplit=2), "", ""]
    if second and is_names(first):
        return titled(second), first
    if second and is_names(names_in(second)):
        return titled(first), names_in(second)
    parts = text.split(", ")
    n = next((n for n in range(_inverted(parts), len(parts)) if not _is_author(parts[n])), len(parts))
    last = next((m for m in range(n + 1, len(parts)) if _is_place(*parts[m : m + 2])), len(parts))
    if 0 < n < last and (n > 1 or " and " in parts[0] or last < len(parts)):
        return titled(", ".join(parts[n:last])), ", ".join(parts[:n])
    told = second and (is_venue(second) or not spaced(second))
    return titled(first if told else text), ""


def _is_author(part: str) -> bool:
    return is_names(part.removeprefix("and "), alone=True) and " " in part.strip() and not is_venue(part)


def _inverted(parts: Sequence[str]) -> int:
    """How many parts a first author with the family name in front takes, before a second one: two or none."""
    is_one = len(parts) > 2 and all(NAME.fullmatch(part) and " " not in part for part in parts[:2])
    return 2 if is_one and _is_author(parts[2]) else 0


def _is_place(part: str, following: str = "") -> bool:
    """Whether a part of a reference is where the work appeared: a known venue, or capitals before a year."""
    return is_venue(part) or (part.isupper() and bool(re.match(YEAR, following)))


def titled(text: str) -> str:
    """A title without the venue, date and marks that stand behind it."""
    before = None
    while before != text:
        before = text
        text = re.sub(r"\s*[([【]\s*@[^()]*[)\]】]\s*$", "", text.strip())
        text = KEYS.sub("", TAIL.sub("", text))
        for least, end in enumerate(ENDS, 1):
            found = end.search(text)
            if found and is_venue(found[1]) and len(text[: found.start()].split()) >= least:
                text = text[: found.start()]
        quotes = sum(map(text.count, QUOTES))
        marks = QUOTES if quotes % 2 or (quotes == 2 and text[0] in QUOTES) else ""
        text = text.strip().strip("*_").strip(f"|,;:：，—–- {marks}")
        text = re.sub(r"(?<=[^.\s])\.$", "", text)
    return text

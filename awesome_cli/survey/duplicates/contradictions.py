"""Checks that two similar records are different works; each returns the contradiction, or an empty string."""

import re
from collections.abc import Iterator

from awesome_cli.survey.duplicates.works import BOOKS, CHAPTERS, PART_WORDS, Manifestation
from awesome_cli.survey.keys import STOP
from awesome_cli.text.folding import plain

ABOUT = "errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|retraction|withdrawal|expression of concern|rejoinder"
NOTICE = re.compile(
    rf"^(?:(?:authors?|publishers?)'?s? |a )?((?:{ABOUT}|book review)\b"
    r"|(?:corrections?|comments?|commentary|reply|replies|response)(?= to\b| on\b|:)|discussion(?= of\b))"
    rf"|[:(\[.-]\s*({ABOUT}|correction|comment|reply)\W*$"
)
"""Start or end of the title of a notice, such as an erratum. `Retracted:` marks the work itself and is not included."""
COLUMN = re.compile(
    r"(?:the |guest )*(?:editor'?s?'? |chair'?s? |treasurer'?s? )?"
    r"(?:editorials?|introduction|preface|foreword|message|notes?|obituary|letters? to the editors?|book reviews?"
    r"|reviews?|news|in this issue|(?:table of )?contents|index|abstracts)\W*"
)
"""Titles that recur from issue to issue."""
ORDINALS = "second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
EDITION = re.compile(rf"\b(\d+|{ORDINALS})(?:st|nd|rd|th)?\s*ed(?:ition|n)?\b")
SPELLING = 80
"""Lowest similarity (0 to 100) of two parts of a title that differ only in spelling."""
PAGES = re.compile(r"(\d+)(?:\s*\W+\s*(\d+))?")


def contradictions(a: Manifestation, b: Manifestation) -> Iterator[str]:
    """Yield the reasons why two manifestations with similar titles are different works."""
    for check in (identifiers, titles, words, editions, places, books, columns):
        if reason := check(a, b):
            yield reason


def identifiers(a: Manifestation, b: Manifestation) -> str:
    """Detect different identifiers of a scheme that gives each work only one."""
    mine, theirs = a.unique_ids, b.unique_ids
    different = (s for s in sorted(mine.keys() & theirs.keys()) if not mine[s] & theirs[s])
    return next((f"{s} {min(mine[s])} and {s} {min(theirs[s])} are two works" for s in different), "")


def titles(a: Manifestation, b: Manifestation) -> str:
    """Detect that one work is a notice about the other, or that the works are two parts or issues of a series."""
    mine, theirs = notice(a), notice(b)
    if mine != theirs:
        return f"one is about the other: {mine or theirs}"
    only_a, only_b = a.numbers - b.numbers, b.numbers - a.numbers
    if a.year is None and b.year is None and a.when and b.when and a.when != b.when:
        return f"numbers in the titles differ: {a.when}, {b.when}"
    if "".join(a.words) == "".join(b.words) or not (only_a or only_b):
        return ""
    if (only_a and only_b) or _is_part(a, only_a, b) or _is_part(b, only_b, a):
        return f"numbers in the titles differ: {_shown(only_a)}, {_shown(only_b)}"
    return ""


def _is_part(work: Manifestation, numbers: frozenset[str], other: Manifestation) -> bool:
    """True if the `numbers` that only this title has denote a part or version, not a year or pages."""
    alone = {word for word in work.words if word not in other.words} - numbers
    return any(len(number) < 4 for number in numbers) and (alone <= PART_WORDS or bool(numbers & work.parts))


def notice(work: Manifestation) -> str:
    """Return the kind of notice in a title, such as `erratum` or `reply`; empty for other titles."""
    match = NOTICE.search(plain(work.title))
    return (match[1] or match[2]) if match else ""


def words(a: Manifestation, b: Manifestation) -> str:
    """Detect titles that differ only in their subject, if authors, year, venue and type are equal.

    Two sources that spell the title of one work differently usually differ in authors or venue, too.
    """
    first, second = ((work.authors, work.year, work.venue, work.printed.type) for work in (a, b))
    if a.words == b.words or first != second or a.year is None or not a.authors:
        return ""
    mine, theirs = (" ".join(rest) for rest in between(a.words, b.words))
    return "" if is_spelling(mine, theirs) else f"titles of the same pattern, for {mine} and {theirs}"


def between(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return two titles without their common first and last words."""
    from rapidfuzz.distance import Postfix, Prefix

    start = Prefix.similarity(mine, theirs)
    mine, theirs = mine[start:], theirs[start:]
    end = Postfix.similarity(mine, theirs)
    return mine[: len(mine) - end], theirs[: len(theirs) - end]


def is_spelling(mine: str, theirs: str) -> bool:
    """True if two parts of a title differ only in spelling, or if one part has only words such as `the`."""
    from rapidfuzz.fuzz import ratio

    left, right = ("".join(word for word in piece.split() if word not in STOP) for piece in (mine, theirs))
    return not left or not right or left.startswith(right) or right.startswith(left) or ratio(left, right) >= SPELLING


def editions(a: Manifestation, b: Manifestation) -> str:
    """Compare the editions of a book."""
    mine, theirs = edition(a), edition(b)
    return f"editions differ: {mine}, {theirs}" if mine and theirs and mine != theirs else ""


def edition(work: Manifestation) -> str:
    """Return the number of the edition as written; empty if unknown."""
    match = re.search(r"\d+|\w+", work.printed.edition) or EDITION.search(plain(work.title))
    return match[0].split()[0] if match else ""


def places(a: Manifestation, b: Manifestation) -> str:
    """Compare volumes and pages in the same journal, book or collection."""
    left, right = a.printed, b.printed
    if left.container != right.container or left.type in BOOKS or right.type in BOOKS:
        return ""
    if left.volume and right.volume and left.volume != right.volume and (left.pages != right.pages or not left.pages):
        return f"volumes differ: {left.volume}, {right.volume}"
    mine, theirs = _span(left.pages), _span(right.pages)
    if mine and theirs and not mine[0] <= theirs[0] <= mine[1] and not theirs[0] <= mine[0] <= theirs[1]:
        return f"pages differ: {left.pages}, {right.pages}"
    return ""


def _span(pages: str) -> tuple[int, int] | None:
    """Return the first and the last page; None if the pages are not plain digits."""
    match = PAGES.fullmatch(pages)
    if not match:
        return None
    first, last = match[1], match[2] or match[1]
    # 123-8 means 123-128.
    return int(first), int(last if len(last) >= len(first) else first[: len(first) - len(last)] + last)


def books(a: Manifestation, b: Manifestation) -> str:
    """Detect a book and a chapter, or two books with the same title and different years."""
    if a.printed.type in BOOKS and b.printed.type in BOOKS and a.year and b.year and a.year != b.year:
        return f"books of {a.year} and {b.year}"
    if a.words != b.words and {a.printed.type in BOOKS, b.printed.type in BOOKS} == {True, False}:
        return "one is a book" if {a.printed.type, b.printed.type} & CHAPTERS else ""
    return ""


def columns(a: Manifestation, b: Manifestation) -> str:
    """Detect a recurring title, such as `Editorial`, in two issues."""
    if not COLUMN.fullmatch(plain(a.title)):
        return ""
    mine, theirs = ((work.year, work.printed.container, work.printed.volume, work.printed.number) for work in (a, b))
    differs = any(x and y and x != y for x, y in zip(mine, theirs, strict=True))
    return "a recurring title in two issues" if differs else ""


def _shown(numbers: frozenset[str]) -> str:
    return " ".join(sorted(numbers)) or "none"

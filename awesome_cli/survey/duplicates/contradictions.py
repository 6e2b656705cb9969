"""What says that two records that look alike are two works: each check names the contradiction, or nothing."""

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
"""What a title that is about another work starts or ends with. `Retracted:` stands before the retracted work itself."""
COLUMN = re.compile(
    r"(?:the |guest )*(?:editor'?s?'? |chair'?s? |treasurer'?s? )?"
    r"(?:editorials?|introduction|preface|foreword|message|notes?|obituary|letters? to the editors?|book reviews?"
    r"|reviews?|news|in this issue|(?:table of )?contents|index|abstracts)\W*"
)
"""Titles that recur from issue to issue."""
ORDINALS = "second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
EDITION = re.compile(rf"\b(\d+|{ORDINALS})(?:st|nd|rd|th)?\s*ed(?:ition|n)?\b")
SPELLING = 80
"""How alike two pieces of a title are at least, of 100, if they differ only in spelling."""
PAGES = re.compile(r"(\d+)(?:\s*\W+\s*(\d+))?")


def contradictions(a: Manifestation, b: Manifestation) -> Iterator[str]:
    """Everything that says that two manifestations with like titles are two works."""
    for check in (identifiers, titles, words, editions, places, books, columns):
        if found := check(a, b):
            yield found


def identifiers(a: Manifestation, b: Manifestation) -> str:
    """Two identifiers of a kind of which a work has one."""
    for scheme in sorted(a.named.keys() & b.named.keys()):
        if not a.named[scheme] & b.named[scheme]:
            return f"{scheme} {min(a.named[scheme])} and {scheme} {min(b.named[scheme])} are two works"
    return ""


def titles(a: Manifestation, b: Manifestation) -> str:
    """One is a notice about the other, or they are two parts or issues of a series."""
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
    """True if numbers that one title has alone name a part or version, and not the year or the pages of a source."""
    alone = {word for word in work.words if word not in other.words} - numbers
    return any(len(number) < 4 for number in numbers) and (alone <= PART_WORDS or bool(numbers & work.parts))


def notice(work: Manifestation) -> str:
    """`erratum`, `reply` and the like, if the title says so of itself."""
    found = NOTICE.search(plain(work.title))
    return (found[1] or found[2]) if found else ""


def words(a: Manifestation, b: Manifestation) -> str:
    """Titles of one pattern that name two subjects, in a list where everything else is equal.

    Where two sources list one work, one of them often has another word, but also writes the venue or the authors
    in another way.
    """
    listed, other = ((work.authors, work.year, work.venue, work.printed.type) for work in (a, b))
    if a.words == b.words or listed != other or a.year is None or not a.authors:
        return ""
    mine, theirs = (" ".join(rest) for rest in between(a.words, b.words))
    return "" if is_spelling(mine, theirs) else f"titles of one pattern, for {mine} and {theirs}"


def between(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left of two titles without the words in which they begin and end alike."""
    from rapidfuzz.distance import Postfix, Prefix

    start = Prefix.similarity(mine, theirs)
    mine, theirs = mine[start:], theirs[start:]
    end = Postfix.similarity(mine, theirs)
    return mine[: len(mine) - end], theirs[: len(theirs) - end]


def is_spelling(mine: str, theirs: str) -> bool:
    """True if two pieces of a title differ only in spelling, or one of them has nothing but words such as `the`."""
    from rapidfuzz.fuzz import ratio

    one, other = ("".join(word for word in piece.split() if word not in STOP) for piece in (mine, theirs))
    return not one or not other or one.startswith(other) or other.startswith(one) or ratio(one, other) >= SPELLING


def editions(a: Manifestation, b: Manifestation) -> str:
    """Two editions of a book."""
    mine, theirs = edition(a), edition(b)
    return f"editions differ: {mine}, {theirs}" if mine and theirs and mine != theirs else ""


def edition(work: Manifestation) -> str:
    """The number of the edition as the record has it; nothing if it names none."""
    found = re.search(r"\d+|\w+", work.printed.edition) or EDITION.search(plain(work.title))
    return found[0].split()[0] if found else ""


def places(a: Manifestation, b: Manifestation) -> str:
    """Two places in one journal, book or collection: volumes or pages that have nothing in common."""
    one, other = a.printed, b.printed
    if one.container != other.container or one.type in BOOKS or other.type in BOOKS:
        return ""
    if one.volume and other.volume and one.volume != other.volume and (one.pages != other.pages or not one.pages):
        return f"volumes differ: {one.volume}, {other.volume}"
    mine, theirs = _span(one.pages), _span(other.pages)
    if mine and theirs and not mine[0] <= theirs[0] <= mine[1] and not theirs[0] <= mine[0] <= theirs[1]:
        return f"pages differ: {one.pages}, {other.pages}"
    return ""


def _span(pages: str) -> tuple[int, int] | None:
    """First and last page; None for page numbers that are not plain digits."""
    found = PAGES.fullmatch(pages)
    if not found:
        return None
    first, last = found[1], found[2] or found[1]
    # 123-8 stands for 123-128.
    return int(first), int(last if len(last) >= len(first) else first[: len(first) - len(last)] + last)


def books(a: Manifestation, b: Manifestation) -> str:
    """Books of one title and two years, such as editions, or a book and a chapter."""
    if a.printed.type in BOOKS and b.printed.type in BOOKS and a.year and b.year and a.year != b.year:
        return f"books of {a.year} and {b.year}"
    if a.words != b.words and {a.printed.type in BOOKS, b.printed.type in BOOKS} == {True, False}:
        return "one is a book" if {a.printed.type, b.printed.type} & CHAPTERS else ""
    return ""


def columns(a: Manifestation, b: Manifestation) -> str:
    """A title that recurs from issue to issue, in two issues."""
    if not COLUMN.fullmatch(plain(a.title)):
        return ""
    mine, theirs = ((work.year, work.printed.container, work.printed.volume, work.printed.number) for work in (a, b))
    differs = any(x and y and x != y for x, y in zip(mine, theirs, strict=True))
    return "a title that recurs, in two issues" if differs else ""


def _shown(numbers: frozenset[str]) -> str:
    return " ".join(sorted(numbers)) or "none"

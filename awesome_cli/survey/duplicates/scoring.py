"""Score the similarity of two manifestations, with reasons; used by `dedupe`, `add`, `import` and the benchmark.

The score is between 0 and 1: the similarity of the titles, reduced by differences of authors and years. Equal
identifiers decide first, without a score.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from awesome_cli.survey.duplicates.contradictions import (
    between,
    contradictions,
    identifiers,
    is_spelling,
    notice,
    titles,
)
from awesome_cli.survey.duplicates.contradictions import words as pattern
from awesome_cli.survey.duplicates.works import BOOKS, LONGEST, Identity, Manifestation, Name, difference

FEWEST_LETTERS = 4
"""A family name of fewer letters must match exactly, and is not searched in other text."""
MOST = 500
"""Number of authors whose names are compared approximately; further authors match only if equal."""
LOST = re.compile(r"[\W_]+|[^\W\d_a-z]+")


def agreement(a: Manifestation, b: Manifestation) -> float | None:
    """Return the agreement of the authors, 0 to 1; None if a work has no authors and its title names none.

    The value is 3/4 of the matched share of the shorter list plus 1/4 of the matched share of the longer list. If a
    list is truncated, only the share of the shorter list counts.
    """
    short, long = sorted((a, b), key=lambda work: len(work.names))
    if not short.names:
        words = frozenset(short.words)
        matched = sum(name.family in words for name in long.names)
        return matched / len(long.names) if matched else None
    families = frozenset(long.surnames)
    matched = sum(name.family in families or (i < MOST and _is_named(name, long)) for i, name in enumerate(short.names))
    share = matched / len(short.names)
    return share if a.cut or b.cut else 0.75 * share + 0.25 * matched / len(long.names)


def _is_named(name: Name, work: Manifestation) -> bool:
    """True if a person is an author of the work, in any spelling, or is named in its title."""
    if any(is_spelled(name.family, other.family) or _is_swapped(name, other) for other in work.names[:MOST]):
        return True
    return len(name.family) >= FEWEST_LETTERS and (name.family in work.glued or name.family in work.words)


@lru_cache(maxsize=1 << 13)
def is_spelled(name: str, other: str) -> bool:
    """True if two family names are equal except for typos, lost letters (`b?hm`) or a missing start or end."""
    if name == other:
        return True
    short, long = (name, other) if len(name) <= len(other) else (other, name)
    if len(short) > FEWEST_LETTERS and (long.endswith(short) or long.startswith(short)):
        return True
    slips = 0 if len(short) < FEWEST_LETTERS else 1 if len(short) < 8 else 2
    if slips and len(long) - len(short) <= slips:
        from rapidfuzz.distance import Levenshtein

        if Levenshtein.distance(name, other, score_cutoff=slips) <= slips:
            return True
    both = name + other
    return not (both.isascii() and both.isalnum()) and (_is_broken(name, other) or _is_broken(other, name))


def _is_broken(broken: str, whole: str) -> bool:
    """True if the first name is the second name with characters such as `?` in place of letters."""
    lost = len(LOST.findall(broken))
    return (
        0 < lost <= 2 and len(whole) >= FEWEST_LETTERS and re.fullmatch(LOST.sub(".{0,3}", broken), whole) is not None
    )


def _is_swapped(name: Name, other: Name) -> bool:
    """True if family and given name are swapped: `Garofalakis, M.` and `Minos, G.`."""
    return name.family[0] != other.family[0] and _is_given(name, other.family) and _is_given(other, name.family)


def _is_given(name: Name, word: str) -> bool:
    """True if a word is a given name of the person, or begins with one of the person's initials."""
    return any(word == given or (len(given) <= 2 and word[0] in given) for given in name.given)


MatchKind = Literal["same", "version", "wrong_link", "near"]
LEAST = 0.82
"""Lowest score at which two manifestations count as the same work."""
SAME_WORDS = 0.98
"""Similarity of two titles with the same words in another order or spelling."""
ADDED = 0.7
"""Weight of all additional words in the longer title together, as a number of words."""
SUBTITLE = 0.93
"""Similarity of a title and the same title with a prefix or subtitle, separated by a colon or the like."""
SINGLE_TITLE_WORDS = 4
"""If one record has no authors, a title of fewer words does not identify a work."""


@dataclass(frozen=True, slots=True)
class Match:
    """A pair of similar records and their relation (`kind`), with reasons (`because`).

    `wrong_link` means that two works share an identifier, so that one of the records is wrong. `near` means two works
    that look alike; the last reason is the difference. A match is `certain` if the records share an identifier of the
    work, or if title, authors and year are present and equal and no other value differs.
    """

    a: str
    b: str
    kind: MatchKind
    score: float
    because: tuple[str, ...]
    certain: bool = False

    def to_json(self) -> dict[str, object]:
        return {
            "a": self.a,
            "b": self.b,
            "kind": self.kind,
            "score": round(self.score, 3),
            "because": list(self.because),
        }


def compare(a: Manifestation, b: Manifestation) -> Match | None:
    """Return the match of two manifestations; None if they are different works that do not look alike."""
    shared = sorted(a.identities & b.identities)
    spelled = spelling(a, b)
    title = likeness(a, b, spelled, least=0 if shared else LEAST)
    if shared and any(scheme != "isbn" for scheme, _ in shared):
        return _identified(a, b, shared, title)
    if shared and a.printed.type in BOOKS and b.printed.type in BOOKS and _are_strangers(a, b, title):
        return Match(a.key, b.key, "wrong_link", 1 - title, (_both(shared), "the titles differ"))
    value, because = score(a, b, title) if shared or title >= LEAST else (title, ())
    if value < LEAST:
        return _lookalike(a, b, shared, spelled)
    against = tuple(contradictions(a, b))
    if against:
        return Match(a.key, b.key, "near", value, (*because, *against))
    kind, why = _kind(a, b)
    doubt = _doubt(a, b) if kind == "same" and _is_equal(a, b) else None
    return Match(a.key, b.key, kind, value, tuple(filter(None, (*because, *why, doubt))), certain=doubt == "")


def _lookalike(a: Manifestation, b: Manifestation, shared: Sequence[Identity], spelled: float) -> Match | None:
    """Return a `near` match if two works have titles of one pattern, are in one book, or one is about the other."""
    if _is_about(a, b) or _is_about(b, a) or (spelled >= LEAST and pattern(a, b)):
        return Match(a.key, b.key, "near", spelled, tuple(contradictions(a, b)))
    if shared and min(len(a.identities), len(b.identities)) == 1:
        return Match(a.key, b.key, "near", 0.0, (_both(shared), "other titles: two works in one book"))
    return None


def _is_about(a: Manifestation, b: Manifestation) -> bool:
    return a.letters.endswith(b.letters) and bool(notice(a)) and not notice(b)


def _identified(a: Manifestation, b: Manifestation, shared: Sequence[Identity], title: float) -> Match:
    other_title = "the titles differ" if _are_strangers(a, b, title) else titles(a, b)
    if other_title:
        return Match(a.key, b.key, "wrong_link", 1 - title, (_both(shared), other_title))
    if other_id := identifiers(a, b):
        return Match(a.key, b.key, "version", 1.0, (_both(shared), other_id))
    return Match(a.key, b.key, "same", 1.0, (_both(shared),), certain=True)


def _both(shared: Sequence[Identity]) -> str:
    return f"both are {', '.join(f'{scheme} {text}' for scheme, text in shared)}"


def _is_equal(a: Manifestation, b: Manifestation) -> bool:
    mine, theirs = ((work.words, work.surnames, work.year) for work in (a, b))
    return mine == theirs and all(mine)


def _doubt(a: Manifestation, b: Manifestation) -> str:
    """Return a difference between publications with equal title, family names and year; empty if there is none."""
    for mine, theirs in zip(a.names, b.names, strict=True):
        if not mine.may_be(theirs):
            return f"given names differ: {' '.join(mine.given)}, {' '.join(theirs.given)}"
    return difference(a.document, b.document)


def likeness(a: Manifestation, b: Manifestation, spelled: float, *, least: float) -> float:
    """Return the similarity of two titles, 0 to 1, by the words of the shorter title that the longer title lacks.

    `spelled` is the result of `spelling`. Word order, typos and spaces are ignored, as are words of a title that are
    authors, venue or year of the other record. A value below `least` is not exact, which saves time.
    """
    if spelled == 1:
        return 1.0
    enough = min(len(a.content), len(b.content))
    most = (1 - least) * enough
    less, more = sorted((lost(a, b, most), lost(b, a, most)))
    apart = (less + ADDED * (more > less)) / enough
    if not less and (is_piece(a, b) or is_piece(b, a)):
        apart = min(apart, 1 - SUBTITLE)
    # In a short title another word means another subject, even if few letters differ.
    slips = 2 * (1 - spelled)
    if slips < apart and (enough > SINGLE_TITLE_WORDS or is_spelling(*map(" ".join, between(a.words, b.words)))):
        apart = slips
    return max(0.0, min(SAME_WORDS, 1 - apart))


def spelling(a: Manifestation, b: Manifestation) -> float:
    """Return the similarity of the titles by letters, 0 to 1, without spaces."""
    return _ratio()(a.letters, b.letters) / 100


@cache
def _ratio() -> Callable[[str, str], float]:
    """Return the function for the similarity of two texts, 0 to 100; cached, since importing in each call is slow."""
    from rapidfuzz.fuzz import ratio

    return ratio


def is_piece(a: Manifestation, b: Manifestation) -> bool:
    """True if the first title is a part of the second."""
    return a.letters in b.letters and a.words in b.pieces


def lost(a: Manifestation, b: Manifestation, most: float) -> int:
    """Count the words of title `a` that record `b` has nowhere, also not in authors or venue; stop after `most`."""
    missing = 0
    words, letters = b.spaced, b.letters
    for word in a.decisive[:LONGEST]:
        if (line := f"\n{word}\n") in words or (len(word) > 4 and word in letters) or line in b.elsewhere:
            continue
        missing += not _is_among(word, words)
        if missing > most:
            break
    return missing


def _is_among(word: str, lines: str) -> bool:
    """True if `lines`, with one word in each line, contain the word in any spelling.

    One typo leaves one half of a word unchanged, and two typos leave one third. Words that share no such part are not
    compared by letters, which saves most of the time in a long import.
    """
    if not (word.isascii() and lines.isascii()):
        return any(is_spelled(word, other) for other in lines[1:-1].split("\n"))
    size = len(word)
    part = min(size // (3 if size > 7 else 2), 5)  # five letters suffice if one word is the start of another
    start, middle, end = word[:part], word[part:-part] if size > 7 else "\n", word[-part:]
    if size < 4 or not (f"\n{start}" in lines or f"{end}\n" in lines or (size > 7 and middle in lines)):
        return False
    near = [o for o in lines[1:-1].split("\n") if o.startswith(start) or o.endswith(end) or middle in o]
    return any(is_spelled(word, other) for other in near)


def score(a: Manifestation, b: Manifestation, title: float) -> tuple[float, tuple[str, ...]]:
    """Return the score of two manifestations from the similarity of their titles, and the reasons."""
    because = ["the titles are equal" if title == 1 else f"the titles are {title:.0%} alike"]
    value = title
    enough = min(len(a.decisive), len(b.decisive))
    overlap = agreement(a, b)
    if overlap is None:
        if title < SAME_WORDS or enough < SINGLE_TITLE_WORDS:
            value -= 0.25
        because.append("no authors to compare")
    else:
        doubt = 0.3 * (1 - overlap)
        is_known = overlap > 0 or min(len(a.names), len(b.names)) == 1
        is_long = title >= SAME_WORDS and enough > SINGLE_TITLE_WORDS and is_known and not notice(a)
        value -= min(doubt, 0.15) if is_long else doubt
        because.append(f"{overlap:.0%} of the family names agree")
    if a.when is not None and b.when is not None and abs(a.when - b.when) > 3:
        value -= 0.1
        because.append(f"the years differ: {a.when}, {b.when}")
    return max(value, 0.0), tuple(because)


def _are_strangers(a: Manifestation, b: Manifestation, title: float) -> bool:
    """True if two works with the same identifier have different titles and mostly different authors.

    One common family name is weak evidence, because many teams share frequent names.
    """
    overlap, title = agreement(a, b), max(title, spelling(a, b))
    if overlap is None:
        return title < 0.5
    return title < (SUBTITLE if overlap == 0 else 0.7) and overlap < 0.4


def _kind(a: Manifestation, b: Manifestation) -> tuple[MatchKind, tuple[str, ...]]:
    """Return `same` or `version` for two manifestations of one work, and the reasons."""
    kinds = {a.kind, b.kind} - {""}
    if len(kinds) == 2 and ("preprint" in kinds or "publication" not in kinds):
        return "version", (f"one is a {a.kind}, the other {b.kind}",)
    if a.when is not None and b.when is not None and a.when != b.when:
        return "version", (f"published in {a.when} and {b.when}",)
    return "same", ()

"""How alike two manifestations are, and why: the scoring of `dedupe`, `add`, `import` and the benchmark.

The score lies between 0 and 1. It starts from the likeness of the titles and is lowered by
differences of authors and years. Equal identifiers are decided on first, without a score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from awesome_cli.survey.duplicates.contradictions import contradictions, identifiers, titles
from awesome_cli.survey.duplicates.identity import Identity
from awesome_cli.survey.duplicates.works import BOOKS, Manifestation

MatchKind = Literal["same", "version", "wrong_link", "near"]
LEAST = 0.82
"""The score from which two manifestations are taken for one work."""
SUBTITLE = 0.93
"""The likeness of a title and the same title with words added behind it."""
SINGLE_TITLE_WORDS = 4
"""Without authors on one side, a title of fewer words identifies nothing."""


@dataclass(frozen=True, slots=True)
class Match:
    """A pair of records that are the same work, or of which one has a wrong identifier; `because` gives the reasons.

    `near` are two works that look alike; the last reason says what tells them apart. A match is `certain` if an
    identifier that names the work is shared, or title, authors and year are all there and equal, and nothing
    contradicts.
    """

    a: str
    b: str
    kind: MatchKind
    score: float
    because: tuple[str, ...]
    certain: bool = False

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "a": self.a,
            "b": self.b,
            "kind": self.kind,
            "score": round(self.score, 3),
            "because": list(self.because),
        }


def compare(a: Manifestation, b: Manifestation) -> Match | None:
    """How two manifestations are related; None for two different works that do not even look alike."""
    title = likeness(a, b)
    shared = sorted(a.identities & b.identities)
    if any(scheme != "isbn" for scheme, _ in shared):
        return _identified(a, b, shared, title)
    if shared and a.printed.type in BOOKS and b.printed.type in BOOKS and _are_strangers(a, b, title):
        return Match(a.key, b.key, "wrong_link", 1 - title, (_both(shared), "the titles differ"))
    value, because = score(a, b, title)
    if value < LEAST:
        return None
    against = tuple(contradictions(a, b))
    if against:
        return Match(a.key, b.key, "near", value, (*because, *against))
    kind, why = _kind(a, b)
    certain = kind == "same" and _is_equal(a, b)
    return Match(a.key, b.key, kind, value, (*because, *why), certain)


def _identified(a: Manifestation, b: Manifestation, shared: Sequence[Identity], title: float) -> Match:
    """The match of two manifestations that share an identifier which names a work."""
    other_title = "the titles differ" if _are_strangers(a, b, title) else titles(a, b)
    if other_title:
        return Match(a.key, b.key, "wrong_link", 1 - title, (_both(shared), other_title))
    if other_id := identifiers(a, b):
        return Match(a.key, b.key, "version", 1.0, (_both(shared), other_id))
    return Match(a.key, b.key, "same", 1.0, (_both(shared),), certain=True)


def _both(shared: Sequence[Identity]) -> str:
    return f"both are {', '.join(f'{scheme} {text}' for scheme, text in shared)}"


def _is_equal(a: Manifestation, b: Manifestation) -> bool:
    """Whether title, authors and year are there and equal, and no two files of the work are named."""
    one, other = ((work.words, work.surnames, work.year) for work in (a, b))
    return one == other and all(one) and len({a.printed.file, b.printed.file} - {""}) < 2


def likeness(a: Manifestation, b: Manifestation) -> float:
    """How alike the titles are, 0 to 1; the order of words and words added at the end of one title count little."""
    from rapidfuzz.fuzz import ratio, token_sort_ratio

    if a.text == b.text:
        return 1.0
    joined = ratio(a.text.replace(" ", ""), b.text.replace(" ", ""))
    best = max(joined, token_sort_ratio(a.text, b.text)) / 100
    short, long = sorted((a.core, b.core), key=len)
    if short == long or (len(short) >= 3 and short in {long[: len(short)], long[-len(short) :]}):
        return max(best, SUBTITLE)
    return best


def score(a: Manifestation, b: Manifestation, title: float) -> tuple[float, tuple[str, ...]]:
    """The score of two manifestations with titles of that likeness, and the reasons."""
    because = ["the titles are equal" if title == 1 else f"the titles are {title:.0%} alike"]
    value = title
    overlap = authors(a, b)
    if overlap is None:
        if title < 0.95 or min(len(a.words), len(b.words)) < SINGLE_TITLE_WORDS:
            value -= 0.25
        because.append("no authors to compare")
    else:
        value -= 0.45 * (1 - overlap)
        because.append(f"{overlap:.0%} of the authors agree")
    if a.year is not None and b.year is not None and abs(a.year - b.year) > 3:
        value -= 0.15
        because.append(f"the years differ: {a.year}, {b.year}")
    return max(value, 0.0), tuple(because)


def authors(a: Manifestation, b: Manifestation) -> float | None:
    """How far the authors agree, 0 to 1; None if one of the two has no authors.

    The share of the shorter list that is in the other; if no list was cut, the mean of that share and of the
    longer list's.
    """
    if not a.surnames or not b.surnames:
        return None
    short, long = sorted((a.surnames, b.surnames), key=len)
    found = sum(_named(name, long) for name in short)
    share = found / len(short)
    return share if a.cut or b.cut else (share + found / len(long)) / 2


def _named(name: str, others: tuple[str, ...]) -> bool:
    """Whether a family name, or one with almost the same spelling, is among others."""
    from rapidfuzz.distance import Levenshtein

    if name in others:
        return True
    slips = 0 if len(name) < 4 else 1 if len(name) < 8 else 2
    return slips > 0 and any(Levenshtein.distance(name, other, score_cutoff=slips) <= slips for other in others)


def _are_strangers(a: Manifestation, b: Manifestation, title: float) -> bool:
    """Whether two works with the same identifier are different: other titles, and mostly other authors.

    One common family name says little, because many teams share frequent names.
    """
    overlap = authors(a, b)
    return title < 0.5 if overlap is None else title < 0.7 and overlap < 0.4


def _kind(a: Manifestation, b: Manifestation) -> tuple[MatchKind, tuple[str, ...]]:
    """Whether two manifestations of one work are the same publication or two versions."""
    if a.kind and b.kind and a.kind != b.kind:
        return "version", (f"one is a {a.kind}, the other {b.kind}",)
    if a.year is not None and b.year is not None and a.year != b.year:
        return "version", (f"published in {a.year} and {b.year}",)
    return "same", ()

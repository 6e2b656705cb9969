"""A passage looked up in a text, whatever line ends, hyphens, ligatures and quotation marks stand in either.

What is compared are the words and signs of both after Unicode's compatibility folding (NFKC), without blanks. A hyphen
between two letters counts as a blank, so that a word that is broken at a line's end equals the whole word. Case counts.

Besides, whether a source leads to a place inside a document, or to the document alone.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal

SIGNS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff")
)
"""Quotation marks and dashes in one form, no soft hyphens and invisible signs."""
HYPHEN = re.compile(r"(?<=[^\W\d_])\s*-+\s*(?=[^\W\d_])")
TOKEN = re.compile(r"\w+|[^\w\s]")
NEAR = 0.6
"""The share of a quote's words and signs, in order, from which a passage is near."""
RARE, PLACES, BEST = 6, 24, 4
"""How many rare words of a quote are looked up, at how many places each, and how many passages are compared in full."""


def tokens(text: str) -> list[str]:
    """The words and signs that are compared."""
    plain = unicodedata.normalize("NFKC", text.translate(SIGNS)).replace("''", '"')
    return TOKEN.findall(HYPHEN.sub(" ", plain))


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a quote stands: `heading` is that of its section, `share` of the text stands before it (0 to 1).

    The `difference` of a near passage shows words of the quote alone as `[-so-]`, of the text alone as `{+so+}`.
    """

    state: Literal["found", "near", "missing"]
    heading: str = ""
    share: float | None = None
    difference: str | None = None


@dataclass(frozen=True)
class Searchable:
    """A text in sections, `(heading, text)`, ready for quotes to be looked up."""

    sections: Sequence[tuple[str, str]]

    @cached_property
    def _sections(self) -> tuple[list[str], ...]:
        return tuple(tokens(text) for _, text in self.sections)

    @cached_property
    def words(self) -> list[str]:
        """The words and signs of all sections."""
        return [word for section in self._sections for word in section]

    @cached_property
    def _joined(self) -> str:
        return "".join(self.words)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each word begins in the joined text, and its end."""
        return list(accumulate(map(len, self.words), initial=0))

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            places.setdefault(word, []).append(place)
        return places

    def find(self, quote: str) -> Passage:
        """Look a quote up: the first place where it stands, else the nearest passage."""
        wanted = tokens(quote)
        if not wanted:
            return Passage("missing")
        place = self._exactly("".join(wanted))
        return self._nearest(wanted) if place is None else self._passage("found", place)

    def _passage(self, state: Literal["found", "near"], place: int, difference: str | None = None) -> Passage:
        ends = list(accumulate(map(len, self._sections)))
        heading = self.sections[bisect_right(ends, place)][0]
        return Passage(state, heading, place / len(self.words), difference)

    def _exactly(self, wanted: str) -> int | None:
        """The word at which a joined quote begins and, with whole words, ends."""
        at = self._joined.find(wanted)
        while at >= 0:
            first, end = bisect_right(self._starts, at) - 1, bisect_right(self._starts, at + len(wanted)) - 1
            if self._starts[first] == at and self._starts[end] == at + len(wanted):
                return first
            at = self._joined.find(wanted, at + 1)
        return None

    def _nearest(self, wanted: list[str]) -> Passage:
        best = max((self._compared(wanted, start) for start in self._candidates(wanted)), default=None)
        if best is None or best[0] < NEAR:
            return Passage("missing")
        return self._passage("near", -best[1], best[2])

    def _candidates(self, wanted: list[str]) -> list[int]:
        """Where passages begin that share rare words with a quote, the likeliest ones."""
        words = {word: place for place, word in reversed(list(enumerate(wanted))) if word in self._places}
        rare = sorted(words, key=lambda word: (not word[0].isalnum(), len(self._places[word]), words[word]))[:RARE]
        starts = {max(0, place - words[word]) for word in rare for place in self._places[word][:PLACES]}
        need = Counter(wanted)
        return sorted(starts, key=lambda at: (-(need & Counter(self._window(wanted, at)[1])).total(), at))[:BEST]

    def _window(self, wanted: list[str], start: int) -> tuple[int, list[str]]:
        slack = max(4, len(wanted) // 4)
        first = max(0, start - slack)
        return first, self.words[first : start + len(wanted) + slack]

    def _compared(self, wanted: list[str], start: int) -> tuple[float, int, str]:
        """The share of the quote that stands in the passage at a place, the passage's place negated, the difference."""
        from rapidfuzz.distance import LCSseq

        first, window = self._window(wanted, start)
        same = [code for code in LCSseq.opcodes(wanted, window) if code.tag == "equal"]
        if not same:
            return 0.0, -first, ""
        # Where the quote begins or ends otherwise than the text, as many words of the text are shown.
        begin, end = same[0].dest_start - same[0].src_start, same[-1].dest_end + len(wanted) - same[-1].src_end
        read, seen, alike, words = 0, max(0, begin), 0, []
        for src, src_end, dest, dest_end in [
            *((c.src_start, c.src_end, c.dest_start, c.dest_end) for c in same),
            (len(wanted), len(wanted), min(end, len(window)), end),
        ]:
            gap, other = wanted[read:src], window[seen:dest]
            # The same letters, cut into words otherwise, are no difference.
            alike += src_end - src + len(gap) * ("".join(gap) == "".join(other))
            words += [_shown(gap, other), *wanted[src:src_end]]
            read, seen = src_end, dest_end
        difference = re.sub(r" (?=[,.;:!?)\]])", "", " ".join(filter(None, words)))
        return alike / len(wanted), -(first + max(0, begin)), difference


def _shown(quote: list[str], text: list[str]) -> str:
    """What the quote and the text have at a place where they differ."""
    alone, other = " ".join(quote), " ".join(text)
    if "".join(quote) == "".join(text):
        return alone
    return (f"[-{alone}-]" if quote else "") + (f"{{+{other}+}}" if text else "")


NUMBERED = re.compile(
    r"(?:§+|\b(?i:sec(?:t|tion)?s?|eqn?s?|equations?|fig(?:ure)?s?|tab(?:le)?s?|alg(?:orithm)?s?|app(?:endix|endices)?"
    r"|pages?|pp?|lines?)\b\.?)\s*\(?(?:[A-Z]\.?)?(?:\d|[IVX]+\b|(?<=[A-Z])\b|(?<=[A-Z]\.)(?!\w))"
)
"""A section, equation, figure, table, algorithm, appendix, page or line, with its number or letter."""
NAMED = re.compile(r"\b[Aa]bstract\b|\bL\d")
"""The abstract, or a line of code as repositories write it: `L318-325`."""
PART = re.compile(r"^\s*(?:acl|arxiv|doi|isbn|openreview):\S+\s+(?!read\b|secondary\b|summary\b)[A-Za-z]")
"""A part of a work by its name, behind the work's identifier: `arxiv:1501.00001 results section`."""
REPOSITORY = re.compile(r"\bgithub(?:\.com/|:)[\w.-]+/[\w.-]+")
COMMIT = re.compile(r"@ ?[0-9a-f]{7,40}\b")
FILE = re.compile(r"\b[\w-][\w./-]*\.[A-Za-z]\w{0,5}\b")
ABSTRACT = re.compile(r"\babstract\b", re.IGNORECASE)
SECONDARY = re.compile(r"\b(?:secondary|digests?|overviews?|reviews?|third-party|reading notes)\b", re.IGNORECASE)
FULL = re.compile(r"\bfull text\b", re.IGNORECASE)
PINNED = re.compile(r"/(?:blob|raw|tree)/[0-9a-f]{7,40}/\S")
"""The address of a file in a repository at a commit."""
SECOND_READER = "second reader:"
"""What follows is what a second reader, who coded the same, read."""


def has_locator(source: str | None) -> bool:
    """Return True if a source says where to look: the abstract, a numbered or named part, a file at a commit.

    A whole document, a branch, a commit without a file or a summary by others does not. A place behind
    `second reader:` counts, too.
    """
    return any(map(_locates, (source or "").replace(SECOND_READER, ";").split(";")))


def what_was_read(source: str | None) -> tuple[str, ...]:
    """Return the parts of a work that a source says were read, in their order; none for a bare identifier.

    `full text`; `paper`, a numbered or named place in it; `code`, a file of a repository; `abstract`; `secondary`, what
    others wrote of it (digest, overview, review). What follows `second reader:` was not read for the coding itself.
    """
    first = (source or "").partition(SECOND_READER)[0]
    return tuple(dict.fromkeys(kind for part in first.split(";") for kind in _read(part)))


def _read(part: str) -> Iterator[str]:
    file = FILE.search(_path(part)) if REPOSITORY.search(part) or COMMIT.search(part) else None
    if file and not file[0].endswith(".pdf"):
        yield "code"
    elif SECONDARY.search(part):
        yield "secondary"
    elif FULL.search(part):
        yield "full text"
    else:
        abstract = ABSTRACT.search(part)
        yield from ("abstract",) if abstract else ()
        yield from ("paper",) if NUMBERED.search(part) or (PART.search(part) and not abstract) else ()


def _path(part: str) -> str:
    """A part of a source without repository and commit."""
    return COMMIT.sub(" ", REPOSITORY.sub(" ", part))


def _locates(part: str) -> bool:
    if any(place.search(part) for place in (NUMBERED, NAMED, PART, PINNED)):
        return True
    return COMMIT.search(part) is not None and FILE.search(_path(part)) is not None

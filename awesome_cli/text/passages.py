"""Find a quote in a text despite different line breaks, hyphens, ligatures and quotation marks; classify sources.

Both are normalized (NFKC) and compared as tokens, words and signs, without whitespace and case-sensitively. A hyphen
between letters is ignored, so that a hyphenated line break does not matter. `has_locator` and `what_was_read` parse
the source of a coding: `arxiv:2402.01680 §3.2` locates a section of the paper.
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

from awesome_cli.text.grouping import group_pairs

SIGNS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff")
)
"""Normalize quotation marks and dashes; delete soft hyphens and invisible characters."""
HYPHEN = re.compile(r"(?<=[^\W\d_])\s*-+\s*(?=[^\W\d_])")
TOKEN = re.compile(r"\w+|[^\w\s]")
NEAR = 0.6
"""Minimum share of a quote's tokens, in order, for a near match (0 to 1)."""
RARE, PLACES, BEST = 6, 24, 4
"""Numbers of rare tokens looked up, positions tried for each, and passages compared in full."""


def tokens(text: str) -> list[str]:
    """Return the normalized words and signs of a text."""
    plain = unicodedata.normalize("NFKC", text.translate(SIGNS)).replace("''", '"')
    return TOKEN.findall(HYPHEN.sub(" ", plain))


@dataclass(frozen=True, slots=True)
class Passage:
    """The result of a lookup: section `heading`, and `share`, the position in the text from 0 to 1.

    The `difference` of a near match marks words only in the quote as `[-so-]`, only in the text as `{+so+}`.
    """

    state: Literal["found", "near", "missing"]
    heading: str = ""
    share: float | None = None
    difference: str | None = None


@dataclass(frozen=True)
class Searchable:
    """An index of a text in sections, `(heading, text)`, for looking up quotes."""

    sections: Sequence[tuple[str, str]]

    @cached_property
    def _sections(self) -> tuple[list[str], ...]:
        return tuple(tokens(text) for _, text in self.sections)

    @cached_property
    def words(self) -> list[str]:
        """The tokens of all sections."""
        return [word for section in self._sections for word in section]

    @cached_property
    def _joined(self) -> str:
        return "".join(self.words)

    @cached_property
    def _starts(self) -> list[int]:
        """The offset of each token in the joined text, and the text's length."""
        return list(accumulate(map(len, self.words), initial=0))

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        return group_pairs((word, place) for place, word in enumerate(self.words))

    def find(self, quote: str) -> Passage:
        """Return the first exact match of a quote, else the nearest passage."""
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
        """Return the index of the token at which a joined quote begins; it must match whole tokens."""
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
        """Return the likeliest start tokens of passages that share rare tokens with a quote."""
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
        """Return the share of the quote in a passage, the passage's position negated, and the difference."""
        from rapidfuzz.distance import LCSseq

        first, window = self._window(wanted, start)
        same = [code for code in LCSseq.opcodes(wanted, window) if code.tag == "equal"]
        if not same:
            return 0.0, -first, ""
        # Where quote and text differ at either end, show as many tokens of the text as of the quote.
        begin, end = same[0].dest_start - same[0].src_start, same[-1].dest_end + len(wanted) - same[-1].src_end
        read, seen, alike, words = 0, max(0, begin), 0, []
        for src, src_end, dest, dest_end in [
            *((c.src_start, c.src_end, c.dest_start, c.dest_end) for c in same),
            (len(wanted), len(wanted), min(end, len(window)), end),
        ]:
            gap, other = wanted[read:src], window[seen:dest]
            # The same letters split into other words do not count as a difference.
            alike += src_end - src + len(gap) * ("".join(gap) == "".join(other))
            words += [_shown(gap, other), *wanted[src:src_end]]
            read, seen = src_end, dest_end
        difference = re.sub(r" (?=[,.;:!?)\]])", "", " ".join(filter(None, words)))
        return alike / len(wanted), -(first + max(0, begin)), difference


def _shown(quote: list[str], text: list[str]) -> str:
    """Format one difference between quote and text."""
    alone, other = " ".join(quote), " ".join(text)
    if "".join(quote) == "".join(text):
        return alone
    return (f"[-{alone}-]" if quote else "") + (f"{{+{other}+}}" if text else "")


NUMBERED = re.compile(
    r"(?:§+|\b(?i:sec(?:t|tion)?s?|eqn?s?|equations?|fig(?:ure)?s?|tab(?:le)?s?|alg(?:orithm)?s?|app(?:endix|endices)?"
    r"|pages?|pp?|lines?)\b\.?)\s*\(?(?:[A-Z]\.?)?(?:\d|[IVX]+\b|(?<=[A-Z])\b|(?<=[A-Z]\.)(?!\w))"
)
"""A numbered section, equation, figure, table, algorithm, appendix, page or line."""
NAMED = re.compile(r"\b[Aa]bstract\b|\bL\d")
"""The abstract, or lines of code: `L318-325`."""
PART = re.compile(r"^\s*(?:acl|arxiv|doi|isbn|openreview):\S+\s+(?!read\b|secondary\b|summary\b)[A-Za-z]")
"""A named part of a work after its identifier: `arxiv:1501.00001 results section`."""
REPOSITORY = re.compile(r"\bgithub(?:\.com/|:)[\w.-]+/[\w.-]+")
COMMIT = re.compile(r"@ ?[0-9a-f]{7,40}\b")
FILE = re.compile(r"\b[\w-][\w./-]*\.[A-Za-z]\w{0,5}\b")
ABSTRACT = re.compile(r"\babstract\b", re.IGNORECASE)
SECONDARY = re.compile(r"\b(?:secondary|digests?|overviews?|reviews?|third-party|reading notes)\b", re.IGNORECASE)
FULL = re.compile(r"\bfull text\b", re.IGNORECASE)
PINNED = re.compile(r"/(?:blob|raw|tree)/[0-9a-f]{7,40}/\S")
"""The path of a file at a commit, in a URL of a repository."""
SECOND_READER = "second reader:"
"""Start of the sources read by a second coder."""


def has_locator(source: str | None) -> bool:
    """Return True if a source names the abstract, a numbered or named part, or a file at a commit.

    A whole document, a branch, a commit without a file or a secondary summary does not count; a locator after
    `second reader:` does.
    """
    return bool(locators(source))


def locators(source: str | None) -> tuple[str, ...]:
    """Return the parts of a source with a locator: `arxiv:2402.01680; github:a/b@3c41d62 c.py` gives the second one."""
    parts = (source or "").replace(SECOND_READER, ";").split(";")
    return tuple(dict.fromkeys(part.strip() for part in parts if _locates(part)))


def what_was_read(source: str | None) -> tuple[str, ...]:
    """Return which parts of a work were read according to a source, in order; empty for a bare identifier.

    The parts are `full text`; `paper`, a numbered or named part; `code`, a file of a repository; `abstract`;
    `secondary`, a digest, overview or review by others. Sources after `second reader:` are ignored.
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
    return COMMIT.sub(" ", REPOSITORY.sub(" ", part))


def _locates(part: str) -> bool:
    places = (place.search(part) for place in (NUMBERED, NAMED, PART, PINNED))
    return any(places) or (COMMIT.search(part) is not None and FILE.search(_path(part)) is not None)

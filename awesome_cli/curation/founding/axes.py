"""Axes made of what a list says: under headings, as keywords, in columns of its own.

Each value is a term, and keeps its spelling as the label.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from awesome_cli.curation.intake.vocabulary import HeadingTerms, Path, heading_terms
from awesome_cli.errors import UsageError
from awesome_cli.formats import cells
from awesome_cli.formats.rows import FIELDS as COLUMNS
from awesome_cli.formats.rows import TEXTS, plain_name
from awesome_cli.model.drafts import Batch, Draft
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.taxonomy import Axis
from awesome_cli.query.parser import JUDGED
from awesome_cli.text.known import require_known

HEADINGS = "headings"
KEYWORDS = "keywords"
COLUMN = "column"
MOST = {KEYWORDS: 100, COLUMN: 30}
"""So many words are clearly terms, if each stands at `EACH` works or more on average."""
EACH = 2
SHORT = 60
"""A term has at most this many characters."""
SINGLE, LONG = NEVER = "fewer than two values", "long texts"
"""Reasons that speak against an axis so plainly that nobody needs to be told."""
NOT_APPLICABLE = frozenset(["na", "n/a", "-", "--", "\N{EN DASH}", "\N{EM DASH}"])
DATA = re.compile(r"[\W\d_]*|https?://\S+")
"""A number, a day, an address."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a source at each work, as paths of which most have one step; None where it says nothing."""

    name: str
    kind: str
    of_works: tuple[tuple[Path, ...] | None, ...]

    @property
    def label(self) -> str:
        """The name as people read it."""
        text = "Topic" if self.kind == HEADINGS else self.name.replace("_", " ").strip()
        return text[:1].upper() + text[1:]

    @property
    def counts(self) -> Counter[Path]:
        """At how many works each word stands: the most usual first, headings in the order of the page."""
        found = Counter(path for paths in self.of_works for path in paths or ())
        return found if self.kind == HEADINGS else Counter(dict(found.most_common()))

    @property
    def coded(self) -> int:
        """How many works have a word."""
        return sum(map(bool, self.of_works))

    @property
    def why_not(self) -> str:
        """Why it is not clear that the words are terms; empty if it is."""
        counts, works = self.counts, len(self.of_works)
        few, words = len(counts) < 2, [path[-1] for path in counts]
        if few or self.kind == HEADINGS:
            return SINGLE if few else ""
        if any(len(word) > SHORT for word in words):
            return LONG
        if all(DATA.fullmatch(word) for word in words):
            return "numbers, dates or addresses"
        if 2 * self.coded <= works:
            return f"{self.coded:,} of {works:,} works have a value"
        rare = len(counts) > MOST[self.kind] or counts.total() < EACH * len(counts)
        return f"{len(counts):,} different values at {self.coded:,} works" if rare else ""


@dataclass(frozen=True)
class Listed:
    """The works of a list, with what it says of them."""

    batch: Batch

    @cached_property
    def works(self) -> tuple[Draft, ...]:
        """Its papers and candidates."""
        return tuple(draft for draft in self.batch.drafts if draft.kind != "exclusion")

    @cached_property
    def keywords(self) -> str:
        """How the list calls its keywords."""
        names = (name for name in self.batch.columns if plain_name(name) in COLUMNS[KEYWORDS])
        return min(names, key=lambda name: COLUMNS[KEYWORDS].index(plain_name(name)), default=KEYWORDS)

    def names(self) -> list[str]:
        """Everything that may be an axis: headings, keywords, columns and fields without a place of their own."""
        extra = dict.fromkeys(str(name) for draft in self.works for name in draft.fields.get("extra") or ())
        extra.pop("abstract", None)
        return [*([HEADINGS] if self._has_headings() else []), *([self.keywords] if self._has_words() else []), *extra]

    def likely(self) -> Iterator[Words]:
        """The sources that may be axes without being named: fields of a bibliography are not, columns of tables are."""
        tabular = frozenset(self.batch.columns) | {HEADINGS, self.keywords}
        return (self.words(name) for name in self.names() if name in tabular)

    def words(self, name: str) -> Words:
        """What the list says under a name: that of a column, a field, `keywords` or `headings`."""
        if name == HEADINGS and self._has_headings():
            return Words(name, HEADINGS, tuple(draft.headings or None for draft in self.works))
        is_words = name in {KEYWORDS, self.keywords} and self._has_words()
        values = [draft.keywords if is_words else _value(draft, name) for draft in self.works]
        return Words(name, KEYWORDS if is_words else COLUMN, _alike(_divided(values)))

    def _has_headings(self) -> bool:
        return any(draft.headings for draft in self.works)

    def _has_words(self) -> bool:
        return any(draft.keywords for draft in self.works)


def _value(draft: Draft, name: str) -> Any:
    extra = draft.fields.get("extra") or {}
    return extra.get(name, draft.fields.get(name) if name in TEXTS else None)


def _divided(values: Sequence[Any]) -> list[list[str] | None]:
    """The words of cells: whole cells, or what stands between separators if that gives fewer different words."""
    lists = [list(value) if isinstance(value, tuple) else value for value in values]
    whole = [_line(value) for value in lists]
    parts = [cells.words(value) if value else None for value in lists]
    n_parts, n_whole = (len({word for words in found for word in words or ()}) for found in (parts, whole))
    return parts if n_parts < n_whole else whole


def _line(value: Any) -> list[str] | None:
    if value in (None, "", {}, []):
        return None
    return [cells.line(one) for one in value] if isinstance(value, list) else [cells.line(value)]


def _alike(rows: Sequence[Sequence[str] | None]) -> tuple[tuple[Path, ...] | None, ...]:
    """The words as paths of one step; words that differ in case alone are one, in the most usual spelling."""
    usual: dict[str, str] = {}
    for word, _ in Counter(word for words in rows for word in words or ()).most_common():
        usual.setdefault(word.casefold(), word)
    none = NOT_APPLICABLE | {""}

    def paths(words: Sequence[str]) -> tuple[Path, ...]:
        return tuple(dict.fromkeys((usual[word.casefold()],) for word in words if word.casefold() not in none))

    return tuple(paths(words) if words else None for words in rows)


NONE = "none"
"""In place of a name: nothing of the list becomes an axis."""


@dataclass(frozen=True, slots=True)
class Made:
    """An axis, what it was made of, and its terms by what the list says."""

    axis: Axis
    words: Words
    terms: HeadingTerms


def chosen(listed: Listed, names: Sequence[str]) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """What becomes an axis, and what might: the sources that are named, or those that clearly hold terms.

    Raises `UsageError` for a name that the list does not have, or under which it says nothing.
    """
    if names:
        return tuple(_named(listed, name) for name in names if name != NONE), ()
    likely = list(listed.likely())
    return tuple(w for w in likely if not w.why_not), tuple(w for w in likely if w.why_not not in {"", *NEVER})


def _named(listed: Listed, name: str) -> Words:
    words = listed.words(name)
    if not words.coded:
        known = listed.names()
        if not known:
            raise UsageError(f"the list has no {name!r}", hint="it has no headings, keywords or columns of its own")
        require_known(name, (*known, NONE), "column", owner="the list")
        raise UsageError(f"the list says nothing under {name!r}", hint=f"it has: {', '.join(known)}")
    return words


def made(sources: Iterable[Words]) -> tuple[Made, ...]:
    """The axes of some sources; the one that groups the papers best comes first.

    That is one of headings, then one that takes one term, then the one that most works have a term on.
    """
    reserved, taken = {*FIELDS, JUDGED}, set[str]()
    found = []
    for words in sources:
        label = f"paper {words.label}" if _id(words.label, ()) in reserved else words.label
        name = _id(label, taken)
        taken.add(name)
        found.append(_axis(name, words))
    return tuple(sorted(found, key=lambda m: (m.words.kind != HEADINGS, m.axis.kind != "one", -m.words.coded)))


def _id(label: str, taken: Collection[str]) -> str:
    return heading_terms([(label,)], taken).terms[0].id


def _axis(name: str, words: Words) -> Made:
    terms = heading_terms(words.counts)
    once = all(len(paths or ()) < 2 for paths in words.of_works)
    kind, question = "one" if once else "many", f"What does the list say under {words.name!r}?"
    if words.kind == HEADINGS:
        question = "Under which heading does the list name it?"
    elif words.kind == KEYWORDS:
        question = f"What are its {words.name} in the list?"
    return Made(Axis(id=name, label=words.label, question=question, kind=kind, terms=terms.terms), words, terms)

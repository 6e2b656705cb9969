"""Create axes from a list's headings, keywords and additional columns.

Each value becomes a term, with its spelling as label.
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
"""Up to this many values count as terms, if each has `EACH` works or more on average."""
EACH = 2
SHORT = 60
"""Maximum length of a term."""
SINGLE, LONG = NEVER = "fewer than two values", "long texts"
"""Obvious reasons against an axis, which are not reported."""
NOT_APPLICABLE = frozenset(["na", "n/a", "-", "--", "\N{EN DASH}", "\N{EM DASH}"])
DATA = re.compile(r"[\W\d_]*|https?://\S+")
"""A number, a date or a URL."""


@dataclass(frozen=True, slots=True)
class Words:
    """The values of a source for each work, as paths (usually of one step); None if a work has no value."""

    name: str
    kind: str
    of_works: tuple[tuple[Path, ...] | None, ...]

    @property
    def label(self) -> str:
        """The name for display."""
        text = "Topic" if self.kind == HEADINGS else self.name.replace("_", " ").strip()
        return text[:1].upper() + text[1:]

    @property
    def counts(self) -> Counter[Path]:
        """Number of works by value, the most frequent first; headings in the order of the page."""
        counts = Counter(path for paths in self.of_works for path in paths or ())
        return counts if self.kind == HEADINGS else Counter(dict(counts.most_common()))

    @property
    def coded(self) -> int:
        """Number of works that have a value."""
        return sum(map(bool, self.of_works))

    @property
    def why_not(self) -> str:
        """The reason why the values may not be terms; empty if they clearly are."""
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
    """The works of a list, with their headings, keywords and columns."""

    batch: Batch

    @cached_property
    def works(self) -> tuple[Draft, ...]:
        """The papers and candidates of the list."""
        return tuple(draft for draft in self.batch.drafts if draft.kind != "exclusion")

    @cached_property
    def keywords(self) -> str:
        """The list's name for keywords."""
        names = (name for name in self.batch.columns if plain_name(name) in COLUMNS[KEYWORDS])
        return min(names, key=lambda name: COLUMNS[KEYWORDS].index(plain_name(name)), default=KEYWORDS)

    def names(self) -> list[str]:
        """Return all possible sources of axes: headings, keywords, and columns that are not fields of records."""
        extra = dict.fromkeys(str(name) for draft in self.works for name in draft.fields.get("extra") or ())
        extra.pop("abstract", None)
        return [*([HEADINGS] if self._has_headings() else []), *([self.keywords] if self._has_words() else []), *extra]

    def likely(self) -> Iterator[Words]:
        """Yield the default sources of axes: columns of tables, but not fields of a bibliography."""
        tabular = frozenset(self.batch.columns) | {HEADINGS, self.keywords}
        return (self.words(name) for name in self.names() if name in tabular)

    def words(self, name: str) -> Words:
        """Return the values of a source: a column, a field, `keywords` or `headings`."""
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
    """Return the values of cells: their parts between separators, or whole cells if these are fewer."""
    lists = [list(value) if isinstance(value, tuple) else value for value in values]
    whole = [_line(value) for value in lists]
    parts = [cells.words(value) if value else None for value in lists]
    n_parts, n_whole = (len({word for words in rows for word in words or ()}) for rows in (parts, whole))
    is_divided = any(";" in word for rows in whole for word in rows or ())
    return parts if n_parts <= n_whole or is_divided else whole


def _line(value: Any) -> list[str] | None:
    if value in (None, "", {}, []):
        return None
    return [cells.line(entry) for entry in value] if isinstance(value, list) else [cells.line(value)]


def _alike(rows: Sequence[Sequence[str] | None]) -> tuple[tuple[Path, ...] | None, ...]:
    """Return values as paths of one step; values that differ only in case get the most frequent spelling."""
    usual: dict[str, str] = {}
    for word, _ in Counter(word for words in rows for word in words or ()).most_common():
        usual.setdefault(word.casefold(), word)
    none = NOT_APPLICABLE | {""}

    def paths(words: Sequence[str]) -> tuple[Path, ...]:
        return tuple(dict.fromkeys((usual[word.casefold()],) for word in words if word.casefold() not in none))

    return tuple(paths(words) if words else None for words in rows)


NONE = "none"
"""The name that means that no source becomes an axis."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new axis, its source, and its terms by value."""

    axis: Axis
    words: Words
    terms: HeadingTerms


def chosen(listed: Listed, names: Sequence[str]) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """Return the sources that become axes (`names`, else those that clearly contain terms), and possible other ones.

    Raises `UsageError` for a name that the list does not have, or that has no values.
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
            raise UsageError(f"the list has no {name!r}", hint="it has no headings, keywords or additional columns")
        require_known(name, (*known, NONE), "column", owner="the list")
        raise UsageError(f"the list has no values under {name!r}", hint=f"the list has: {', '.join(known)}")
    return words


def made(sources: Iterable[Words]) -> tuple[Made, ...]:
    """Return the axes of sources; the one that groups the papers best comes first.

    That is one from headings, else one of kind `one`, else the one with most coded works.
    """
    reserved, taken = {*FIELDS, JUDGED}, set[str]()
    new_axes = []
    for words in sources:
        label = f"paper {words.label}" if _id(words.label, ()) in reserved else words.label
        name = _id(label, taken)
        taken.add(name)
        new_axes.append(_axis(name, words))
    return tuple(sorted(new_axes, key=lambda m: (m.words.kind != HEADINGS, m.axis.kind != "one", -m.words.coded)))


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
    # Works without a value are listed in `not_coded`; a value such as "n/a" means "no term".
    axis = Axis(id=name, label=words.label, question=question, kind=kind, silence="none", terms=terms.terms)
    return Made(axis, words, terms)

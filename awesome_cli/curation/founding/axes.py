"""Axes made of what a list says: each value is a term, and keeps its spelling as the label."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from awesome_cli.curation.founding.sources import HEADINGS, KEYWORDS, NEVER, Listed, Words
from awesome_cli.curation.vocabulary.headings import HeadingTerms, heading_terms
from awesome_cli.errors import UsageError
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.taxonomy import Axis
from awesome_cli.query.parser import JUDGED
from awesome_cli.text.known import require_known

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

"""An author's name and the place of a publication, folded for comparison."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.survey.duplicates.patterns import AND, NAME, SPELLED_OUT
from awesome_cli.text.folding import fold, plain, spaced

TELLING = ("venue", "citation", "identifiers", "extra", "paper")
"""The fields of a record with what tells its work from others of one title, authors and year."""
REMARKS = re.compile(
    r"key|arxiv_version|abstract|keywords|.*(?:url|link|date|time|hash|note).*|ann?ot.*|bib\w*|owner|groups?|mendeley.*"
    r"|readstatus|rating|tags?|merged|candidate"
)
"""Names of values that say nothing of the work, or differ from library to library."""
ONE_NAME = {"part": "volume", "issue": "number"}


@dataclass(frozen=True, slots=True)
class Printed:
    """How a publication was printed, as far as a record says, folded; `type` is a type of BibTeX."""

    type: str = ""
    container: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""

    @classmethod
    def of(cls, citation: Mapping[str, Any], extra: Mapping[str, Any]) -> "Printed":
        """From the fields of a record's `citation`, and those that stand under `extra`."""
        given = {name: citation.get(name) or extra.get(name) or "" for name in cls.__slots__}
        return cls(**{name: fold(str(value)).strip() for name, value in given.items()})


@dataclass(frozen=True, slots=True)
class Name:
    """An author's family name as one folded word, with a sign where a letter was lost, and the words before it."""

    family: str
    given: tuple[str, ...]

    @classmethod
    def of(cls, author: str) -> "Name":
        """From `Last, First` or `First Last`."""
        folded = SPELLED_OUT.sub(lambda found: found[0].replace(" ", ""), plain(author))
        last, comma, first = folded.partition(",")
        words = NAME.findall(last)
        if not comma or not first.strip():
            given, words = words[:-1], words[-1:]
        else:
            given = NAME.findall(first)
        return cls("".join(words), tuple(given))

    def may_be(self, other: "Name") -> bool:
        """Whether the given names are those of one person: `Jane A.`, `J`, `J. A.` and `JA` are."""
        if all(x.startswith(y) or y.startswith(x) for x, y in zip(self.given, other.given, strict=False)):
            return True
        mine, theirs = ("".join(words) for words in (self.given, other.given))
        return "".join(x[0] for x in self.given) == theirs or mine == "".join(x[0] for x in other.given)


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The first value in two records' documents that both have, that tells of the work, and that differs."""
    mine, theirs = (dict(_telling({name: record.get(name) for name in TELLING})) for record in (one, other))
    names = (name for name, value in mine.items() if theirs.get(name, value) != value)
    return next((f"{name} differs: {mine[name]}, {theirs[name]}" for name in names), "")


def _telling(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each value by its name alone, folded, wherever a record has it."""
    for name, value in values.items():
        if REMARKS.fullmatch(name):
            continue
        if isinstance(value, Mapping):
            yield from _telling({n: v for n, v in value.items() if name != "paper" or n in TELLING})
        elif value and (text := spaced(str(value))):
            yield ONE_NAME.get(name, name), text


def listed(text: str) -> tuple[Name, ...]:
    """The names in an author's place, where several may stand: `Aha, D. W., Kibler, D., and Albert, M. K.`."""
    pieces = AND.split(text)
    if len(pieces) > 1 or text.count(",") > 1:
        pieces = [name for piece in pieces for name in (piece.split(",") if piece.count(",") > 1 else [piece])]
    names = map(Name.of, pieces)
    return tuple(name for name in names if len(name.family) > 2 or (len(name.family) == 2 and name.given))

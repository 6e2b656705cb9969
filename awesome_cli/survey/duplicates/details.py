"""An author's name and the place of a publication, folded for comparison."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.survey.duplicates.patterns import NAME, SPELLED_OUT
from awesome_cli.text.folding import fold, plain


@dataclass(frozen=True, slots=True)
class Printed:
    """How a publication was printed, as far as a record says, folded; `type` is a type of BibTeX."""

    type: str = ""
    container: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""
    file: str = ""

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

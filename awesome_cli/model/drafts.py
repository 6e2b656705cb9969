"""What an importer hands over: the fields of a new record, with warnings about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Fields = Mapping[str, Any]
STUB_NOTE = "Stub: added without the network and not verified; 'awesome refresh' fills it in."
"""The note of a record that has nothing but a reference; the title is the reference, too."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A record that is not in the survey yet.

    `fields` are those of a record's file, without its key; values without a field stand under `extra`.
    `key` is what the source calls it, `keywords` the source's own words for its subject, which are kept as they are,
    `place` where it stood (`refs.bib:12`, `arxiv:1501.00001`). `tags` are the words that were asked for as tags,
    perhaps `axis=term:strength:part`. `decision` is the word by which the source decided on the work, if it has one.
    """

    fields: Fields
    place: str
    key: str | None = None
    keywords: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    kind: Literal["paper", "candidate", "exclusion", "skip"] = "paper"
    tags: tuple[str, ...] = ()
    decision: str = ""
    headings: tuple[tuple[str, ...], ...] = ()

    @property
    def title(self) -> str:
        """The title, or nothing."""
        return str(self.fields.get("title") or "")


@dataclass(frozen=True, slots=True)
class Failure:
    """An entry that could not be read, where it stands (`refs.bib:12`), and why."""

    place: str
    message: str
    key: str | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Batch:
    """The entries of a file; `columns` are the names that its rows have, if it has rows.

    `decisions` counts, for each word that decided on an entry, what it made of how many: `{word: {kind, n}}`.
    `left_out` names what was read and taken for no work, such as a link to a tool; `others` counts the entries among it
    that could be asked for. `title` is that of a page.
    """

    drafts: tuple[Draft, ...] = ()
    failures: tuple[Failure, ...] = ()
    columns: tuple[str, ...] = ()
    decisions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    left_out: tuple[Failure, ...] = ()
    others: int = 0
    title: str = ""


def filled(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with a value; empty values in inner mappings are left out, too."""
    thin = {name: filled(value) if isinstance(value, Mapping) else value for name, value in fields.items()}
    return {name: value for name, value in thin.items() if value not in (None, "", [], (), {})}


def year_of(text: object) -> int | None:
    """The first four digits in a row that look like a year."""
    words = "".join(c if c.isdigit() else " " for c in str(text or "")).split()
    return next((int(word[:4]) for word in words if len(word) in {4, 8} and 1500 <= int(word[:4]) <= 2200), None)


def link(label: str, url: str) -> dict[str, str]:
    """A labelled address, as it stands in a record."""
    return {"label": label, "url": url}

"""Results of importers: drafts of new records, failures and warnings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Fields = Mapping[str, Any]
STUB_NOTE = "Stub: added without the network and not verified; 'awesome refresh' fills it in."
"""The note of a record with only an identifier, which is also its title."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A record that was read from a source and is not in the survey yet.

    `fields` are the fields of the record's future file, without the key; source values that match no field are in
    `fields["extra"]`. `key` and `keywords` are copied from the source. `place` is the position in the source
    (`refs.bib:12`, `arxiv:1501.00001`). `tags` are requested tags such as `axis=term:strength:part`. `decision` is the
    source's word for its screening decision on the work.
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
        """The title, empty if unknown."""
        return str(self.fields.get("title") or "")


@dataclass(frozen=True, slots=True)
class Failure:
    """An entry that could not be read: its position (`refs.bib:12`) and the reason."""

    place: str
    message: str
    key: str | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Batch:
    """The entries of a file; `columns` are the column names of a table.

    `decisions` maps each decision word to the kind of record and the number of entries: `{word: {kind, n}}`.
    `left_out` lists entries that are not works, such as a link to a tool; `others` is the number of left-out entries
    that each choice of `--entries` includes. `title` is the title of the imported page.
    """

    drafts: tuple[Draft, ...] = ()
    failures: tuple[Failure, ...] = ()
    columns: tuple[str, ...] = ()
    decisions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    left_out: tuple[Failure, ...] = ()
    others: Mapping[str, int] = field(default_factory=dict)
    title: str = ""


def filled(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields without empty values; nested mappings are filtered, too."""
    thin = {name: filled(value) if isinstance(value, Mapping) else value for name, value in fields.items()}
    return {name: value for name, value in thin.items() if value not in (None, "", [], (), {})}


def year_of(text: object) -> int | None:
    """Return the first year from 1500 to 2200 in a text or a date such as `20250131`, else an earlier one, or None.

    An earlier year (from 100) has four digits (`c. 1455`), or three if the text has nothing else (`868`).
    """
    words = "".join(c if c.isdigit() else " " for c in str(text or "")).split()
    years = [int(word[:4]) for word in words if len(word) in {4, 8} and 1500 <= int(word[:4]) <= 2200]
    early = (int(word) for word in words if len(word) == 4 or (len(word) == 3 and word == str(text)))
    return next(iter((*years, *(year for year in early if 100 <= year < 1500))), None)


def link(label: str, url: str) -> dict[str, str]:
    """Return an entry of a record's `links`."""
    return {"label": label, "url": url}

"""How files of entries are read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from awesome_cli.model.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How to read: `columns` maps names in the file to fields or axes; `form` is the format, if named.

    `decisions` says what words in a decision column mean (a kind of record, or `skip`), `tags_from` names the fields
    of the file whose words are to become tags.
    """

    taxonomy: Taxonomy
    columns: Mapping[str, str] = field(default_factory=dict)
    form: str | None = None
    encoding: str | None = None
    decisions: Mapping[str, str] = field(default_factory=dict)
    tags_from: tuple[str, ...] = ()

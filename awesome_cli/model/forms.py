"""GitHub issue forms, with which people contribute without this program, and the issue text of a filled-in form."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from awesome_cli.model.records import Citation, Identifiers
from awesome_cli.model.taxonomy import Taxonomy

OWN = "form-"
"""Prefix of the ids of form fields that are not axes."""
HEADINGS = {"paper": "Proposed paper", "coding": "Disputed coding", "correction": "Correction"}
"""Headings of the texts that contributors copy and fill in, by kind of form."""
WIDTH = 80
"""Maximum line length of comments in these texts."""
TITLE = "### "
"""Prefix of a line with a field's label, in the issue text that GitHub creates from a form."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A question of a form. The answer is free text or one of `options` (if `multiple`, several with commas)."""

    id: str
    label: str
    options: tuple[str, ...] = ()
    multiple: bool = False
    required: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The options without the prefix `axis=`, which is needed because GitHub rejects a plain option `none`."""
        return tuple(option.rpartition("=")[2] for option in self.options)

    @property
    def remark(self) -> str:
        """An HTML comment that lists the options, with terms and strengths apart; empty without options."""
        if not self.options:
            return ""
        pairs = (word.partition(":")[::2] for word in self.words)
        terms, strengths = (dict.fromkeys(part) for part in zip(*pairs, strict=True))
        lines = [", ".join(self.words)]
        if any(strengths) and self.words == tuple(f"{term}:{strength}" for term in terms for strength in strengths):
            lines = ["TERM:STRENGTH", f"TERM: {', '.join(terms)}", f"STRENGTH: {', '.join(strengths)}"]
        lines[0] = f"<!-- {'some' if self.multiple else 'one'} of: {lines[0]}"
        return "\n".join(fill(line, WIDTH, break_on_hyphens=False, break_long_words=False) for line in lines) + " -->"


@dataclass(frozen=True, slots=True)
class Form:
    """A form; `kind` is the name of its file. The first field's label identifies the form in a filled-in text."""

    kind: str
    title: str
    fields: tuple[FormField, ...]

    @classmethod
    def of(cls, kind: str, document: Mapping[str, Any]) -> "Form":
        """Parse a GitHub issue form."""
        return cls(kind, document["name"], tuple(map(_field, document["body"])))

    def text(self, values: Mapping[str, str], *, remarks: bool = True) -> str:
        """Return the issue text that GitHub creates from the form; `values` maps field ids to answers."""
        pairs = [(field, field.remark if remarks else "") for field in self.fields]
        parts = ((f"{TITLE}{field.label}", values.get(field.id) or remark) for field, remark in pairs)
        return "\n\n".join(part for pair in parts for part in pair if part)


def _field(entry: Mapping[str, Any]) -> FormField:
    about, must = entry["attributes"], entry.get("validations", {})
    options = tuple(about.get("options", ()))
    multiple = about.get("multiple") == "true"
    return FormField(entry["id"], about["label"], options, multiple, must.get("required") == "true")


def correctable(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the field names that the correction form accepts: facts about a paper that anyone can verify."""
    inner = {"identifiers": Identifiers.model_fields, "citation": Citation.model_fields}
    left = {"key", "note"}
    paths = (f"{name}.{key}" for name, keys in inner.items() for key in keys if key not in left)
    measures = (f"measures.{measure.id}" for measure in taxonomy.measures)
    return ("title", "authors", "year", "venue", "affiliation", *paths, *measures)

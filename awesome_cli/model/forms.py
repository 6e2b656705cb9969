"""The forms by which people without the tool contribute: their fields as GitHub shows them and writes them down."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from awesome_cli.model.records import Citation, Identifiers
from awesome_cli.model.taxonomy import Taxonomy

OWN = "form-"
"""How the id of a field begins that is no axis."""
HEADINGS = {"paper": "Proposed paper", "coding": "Disputed coding", "correction": "Correction"}
"""What stands above a text to copy, by the kind of its form."""
WIDTH = 80
"""The lines of a comment in a text to copy have at most so many characters."""
TITLE = "### "
"""How GitHub begins the line with the label of a field, in the text that it makes of a form."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A question of a form; with `options` the answer is one of them, or several separated by commas."""

    id: str
    label: str
    options: tuple[str, ...] = ()
    multiple: bool = False
    required: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The options without what keeps GitHub from refusing the word `none`."""
        return tuple(option.rpartition("=")[2] for option in self.options)

    @property
    def remark(self) -> str:
        """What stands in an empty text to copy: the options in a comment of short lines, terms and strengths apart."""
        if not self.options:
            return ""
        pairs = (word.partition(":")[::2] for word in self.words)
        terms, strengths = (dict.fromkeys(part) for part in zip(*pairs, strict=True))
        lines = [", ".join(self.words)]
        if any(strengths) and self.words == tuple(f"{term}:{one}" for term in terms for one in strengths):
            lines = ["TERM:STRENGTH", f"TERM: {', '.join(terms)}", f"STRENGTH: {', '.join(strengths)}"]
        lines[0] = f"<!-- {'some' if self.multiple else 'one'} of: {lines[0]}"
        return "\n".join(fill(line, WIDTH, break_on_hyphens=False, break_long_words=False) for line in lines) + " -->"


@dataclass(frozen=True, slots=True)
class Form:
    """A form: its `kind`, which is the name of its file, its title and its fields; by the first one it is known."""

    kind: str
    title: str
    fields: tuple[FormField, ...]

    @classmethod
    def of(cls, kind: str, document: Mapping[str, Any]) -> "Form":
        """The form of an issue form of GitHub."""
        return cls(kind, document["name"], tuple(map(_field, document["body"])))

    def text(self, values: Mapping[str, str], *, remarks: bool = True) -> str:
        """The text that GitHub makes of the form, with these values by field, the others to be filled in by hand."""
        asked = [(field, field.remark if remarks else "") for field in self.fields]
        parts = ((f"{TITLE}{field.label}", values.get(field.id) or remark) for field, remark in asked)
        return "\n\n".join(part for pair in parts for part in pair if part)


def _field(entry: Mapping[str, Any]) -> FormField:
    about, must = entry["attributes"], entry.get("validations", {})
    options = tuple(about.get("options", ()))
    multiple = about.get("multiple") == "true"
    return FormField(entry["id"], about["label"], options, multiple, must.get("required") == "true")


def correctable(taxonomy: Taxonomy) -> tuple[str, ...]:
    """The fields of a record that the form for corrections takes: facts that others can look up."""
    inner = {"identifiers": Identifiers.model_fields, "citation": Citation.model_fields}
    left = {"key", "note"}
    paths = (f"{name}.{key}" for name, keys in inner.items() for key in keys if key not in left)
    measures = (f"measures.{measure.id}" for measure in taxonomy.measures)
    return ("title", "authors", "year", "venue", "affiliation", *paths, *measures)

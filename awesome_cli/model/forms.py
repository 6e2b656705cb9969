"""Forms for contributions without the tool: GitHub issue forms and the text that GitHub makes of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from awesome_cli.model.records import Citation, Identifiers
from awesome_cli.model.taxonomy import Taxonomy

OWN = "form-"
"""Prefix of the ids of fields that are not axes."""
HEADINGS = {"paper": "Proposed paper", "coding": "Disputed coding", "correction": "Correction"}
"""Headings of texts to copy, by kind of form."""
WIDTH = 80
"""Maximum line length of comments in a text to copy."""
TITLE = "### "
"""GitHub's prefix of a line with the label of a field, in the text made of a form."""


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
        """The options without their prefix `axis=`; GitHub does not accept a plain option `none`."""
        return tuple(option.rpartition("=")[2] for option in self.options)

    @property
    def remark(self) -> str:
        """A comment that lists the options, terms and strengths separately; empty without options."""
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
    """A form: `kind` is the name of its file; its first field identifies the form in a filled-in text."""

    kind: str
    title: str
    fields: tuple[FormField, ...]

    @classmethod
    def of(cls, kind: str, document: Mapping[str, Any]) -> "Form":
        """Parse a GitHub issue form."""
        return cls(kind, document["name"], tuple(map(_field, document["body"])))

    def text(self, values: Mapping[str, str], *, remarks: bool = True) -> str:
        """Return the text that GitHub makes of the form, filled in with `values` by field id."""
        pairs = [(field, field.remark if remarks else "") for field in self.fields]
        parts = ((f"{TITLE}{field.label}", values.get(field.id) or remark) for field, remark in pairs)
        return "\n\n".join(part for pair in parts for part in pair if part)


def _field(entry: Mapping[str, Any]) -> FormField:
    about, must = entry["attributes"], entry.get("validations", {})
    options = tuple(about.get("options", ()))
    multiple = about.get("multiple") == "true"
    return FormField(entry["id"], about["label"], options, multiple, must.get("required") == "true")


def correctable(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the fields that the correction form accepts: facts that other people can verify."""
    inner = {"identifiers": Identifiers.model_fields, "citation": Citation.model_fields}
    left = {"key", "note"}
    paths = (f"{name}.{key}" for name, keys in inner.items() for key in keys if key not in left)
    measures = (f"measures.{measure.id}" for measure in taxonomy.measures)
    return ("title", "authors", "year", "venue", "affiliation", *paths, *measures)

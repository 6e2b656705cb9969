"""GitHub issue forms, with which people contribute without this program, and the issue text of a filled-in form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill, shorten
from typing import Any

from awesome_cli.model.records import Citation, Identifiers
from awesome_cli.model.taxonomy import Axis, Named, Taxonomy

OWN = "form-"
"""Prefix of the ids of form fields that are not axes."""
HEADINGS = {"paper": "Proposed paper", "coding": "Disputed coding", "correction": "Correction"}
"""Headings of the texts that contributors copy and fill in, by kind of form."""
WIDTH = 80
"""Maximum line length of comments in these texts."""
TITLE = "### "
"""Prefix of a line with a field's label, in the issue text that GitHub creates from a form."""
AXES, DEFINED = 3, 90
"""Maximum number of axes in the form for papers, and maximum length of a definition in an option."""
DASH = " \N{EN DASH} "
"""Separates label and definition of a term in an option."""


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
        """The ids of the options."""
        return tuple(slug(option_name(option)) for option in self.options)

    @property
    def remark(self) -> str:
        """An HTML comment that lists the options; empty without options."""
        if not self.options:
            return ""
        lines = [f"<!-- {'some of these, with commas' if self.multiple else 'one of these'}:", *self.options]
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


def proposed_axes(taxonomy: Taxonomy) -> tuple[Axis, ...]:
    """Return the axes of the form for papers: those of the maps, then those required for every paper, else all."""
    mapped = (name for pair in taxonomy.maps for name in (pair.rows, pair.columns) if name)
    required = (axis.id for axis in taxonomy.axes if axis.required_for == "*")
    names = dict.fromkeys((*mapped, *required)) or taxonomy.by_id
    axes = (taxonomy.by_id[name] for name in names if name in taxonomy.by_id)
    return tuple(axis for axis in axes if axis.current and not axis.bookkeeping)[:AXES]


def option(entry: Named, owner: str, *, several: bool = False) -> str:
    """Return a term, or another entry on `owner`, as an option: its label, a dash and the start of its definition.

    `[id]` follows a label that does not tell the id, so that the option is read back after a change of the label. If
    `several` can be chosen, semicolons replace commas, which separate answers. GitHub rejects a plain option `none`.
    """
    texts = (text.replace(DASH, " - ").replace("-->", "->") for text in (entry.label, entry.definition))
    label, definition = (" ".join(text.replace(",", ";" if several else ",").split()) for text in texts)
    name = label if slug(label) == entry.id else f"{label} [{entry.id}]"
    text = DASH.join(filter(None, (name, shorten(definition, DEFINED, placeholder="…"))))
    return f"{owner}={text}" if text.lower() == "none" else text


def option_name(text: str) -> str:
    """Return the id of an option if it contains one, else its label; other texts are returned unchanged."""
    name = text.partition(DASH)[0].strip()
    match = re.search(r"\[([a-z0-9][a-z0-9_-]*)\]$|=(none)$", name, re.IGNORECASE)
    return match[1] or match[2] if match else name


def slug(label: str) -> str:
    """Return a label in the spelling of an id: `Tool calls` becomes `tool_calls`."""
    return "_".join(label.casefold().split())


def correctable(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the field names that the correction form accepts: facts about a paper that anyone can verify."""
    inner = {"identifiers": Identifiers.model_fields, "citation": Citation.model_fields}
    left = {"key", "note"}
    paths = (f"{name}.{key}" for name, keys in inner.items() for key in keys if key not in left)
    measures = (f"measures.{measure.id}" for measure in taxonomy.measures)
    return ("title", "authors", "year", "venue", "affiliation", *paths, *measures)

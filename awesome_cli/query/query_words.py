"""Describe a query in words, with the labels of the taxonomy instead of ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from awesome_cli.model.codings import MAIN, PART, Tag
from awesome_cli.model.fields import FIELDS, RecordField
from awesome_cli.model.taxonomy import NA, Axis, Taxonomy
from awesome_cli.query.logic import Logic, Token
from awesome_cli.query.parser import TOKEN
from awesome_cli.text.numbers import either

ROLES = {MAIN: "as their main coding", PART: "as a part"}
NONE = {True: "no", False: "any"}
ORDER = {"=": "", "<": "under ", "<=": "at most ", ">": "over ", ">=": "at least "}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in words: a preposition, the words after it, and the conjunction of its parts.

    A condition without words matches every record.
    """

    lead: Literal["with", "without", ""]
    words: str
    joint: Literal["and", "or", ""] = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.lead, self.words)))

    def inside(self, joint: str) -> "Condition":
        """Add parentheses if the condition's conjunction differs from the outer one."""
        return self if self.joint in {"", joint} else Condition(self.lead, f"({self.words})")


EVERY = Condition("", "")


def described(text: str, taxonomy: Taxonomy, of: str = "papers") -> str:
    """Describe the records that match a query: `axis=term:main` gives `papers with axis “Term” as their main coding`.

    Unknown names are copied. Raise `UsageError` for a text that is not a query.
    """
    return f"{of} {_Words(text, taxonomy).whole()}".rstrip()


def quoted(label: str) -> str:
    """Put a label in quotation marks."""
    return f"“{label}”"


def lowered(label: str) -> str:
    """Lower the first letter of a label, unless it begins with an abbreviation."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def term_label(axis: Axis, word: str) -> str:
    """Return the label of a term in quotation marks, or `any` for `*`."""
    known = axis.by_id.get(word) or axis.find(word)
    return "any" if word == "*" else quoted(known.label if known else word)


class _Words(Logic[Condition]):
    """A parser whose methods return conditions in words."""

    def __init__(self, text: str, taxonomy: Taxonomy) -> None:
        super().__init__(text, TOKEN)
        self.taxonomy = taxonomy

    def any_of(self, parts: list[Condition]) -> Condition:
        return EVERY if EVERY in parts else _joined(parts, "or")

    def all_of(self, parts: list[Condition]) -> Condition:
        return _joined([part for part in parts if part != EVERY], "and")

    def none_of(self, part: Condition) -> Condition:
        if part.lead == "with" and part.joint != "and":
            return Condition("without", part.words, part.joint)
        return Condition("", f"not ({part if part != EVERY else 'any'})")

    def single(self, token: Token) -> Condition:
        following = self.peek()
        if token.kind == "text":
            return Condition("with", f"{quoted(token.text)} in their text")
        if token.text == "*":
            return EVERY
        if following is not None and following.kind == "op":
            self.next += 1
            return self.comparison(token.text, following.text, self.values())
        axes = self.taxonomy.axes_with(Tag.parse(token.text).term)
        value = token.text + self.exact()
        return _on_axis(self.taxonomy.by_id[axes[0]], "=", (value,)) if axes else Condition("with", quoted(value))

    def values(self) -> tuple[str, ...]:
        values = [self.take().text + self.exact()]
        while self.follows("comma", ","):
            values.append(self.take().text + self.exact())
        return tuple(values)

    def exact(self) -> str:
        return f":={self.take().text}" if self.follows("exact", ":=") else ""

    def comparison(self, name: str, op: str, values: tuple[str, ...]) -> Condition:
        if name in self.taxonomy.by_id:
            return _on_axis(self.taxonomy.by_id[name], op, values)
        if name == "judged":
            return Condition("", f"{'not ' * (op == '!=')}judged {either([quoted(value) for value in values])}")
        lead: Literal["with", "without"] = "without" if op == "!=" else "with"
        measure = next((measure for measure in self.taxonomy.measures if measure.id == name), None)
        label = lowered(measure.label) if measure else name.replace("_", " ")
        if values == (NA,):
            return Condition("with", f"{NONE[op == '=']} {label}")
        if name in FIELDS and not measure:
            return self.on_field(FIELDS[name], op, lead, values)
        text = either(values) if measure else either([quoted(value) for value in values])
        return Condition(lead, f"{label} {ORDER.get(op, '')}{text}{f' {measure.unit}' if measure else ''}")

    def on_field(
        self, field: RecordField, op: str, lead: Literal["with", "without"], values: Sequence[str]
    ) -> Condition:
        name = field.query_name.replace("_", " ")
        if values[0] in {"yes", "no"} and field.kind in {"flag", "grade"}:
            has = (values[0] == "yes") is (op == "=")
            return Condition("with" if has else "without", f"a {name}{' coding' * (field.kind == 'grade')}")
        texts = [quoted(self.label(field, value)) if field.kind in {"text", "word"} else value for value in values]
        if field.kind == "grade":
            return Condition(lead, f"a coding contested at {either([self.label(field, v) for v in values])} or above")
        if op == "~":
            return Condition(lead, f"{either(texts)} in their {name}")
        return Condition(lead, f"{name} {ORDER.get(op, '')}{either(texts)}")

    def label(self, field: RecordField, value: str) -> str:
        words = "grades" if field.kind == "grade" else field.words
        known = getattr(self.taxonomy, words) if words else ()
        return next((entry.label for entry in known if entry.id == value), value)


def _joined(parts: Sequence[Condition], joint: Literal["and", "or"]) -> Condition:
    """Join parts in order; neighbours with the same preposition share it."""
    inside = [part.inside(joint) for part in parts]
    runs = [
        Condition(lead, f" {joint} ".join(part.words for part in run), joint)
        for lead, run in groupby(inside, key=lambda part: part.lead)
    ]
    if len(runs) <= 1:
        return runs[0] if runs else EVERY
    return Condition("", f" {joint} ".join(map(str, runs)), joint)


def _on_axis(axis: Axis, op: str, values: Sequence[str]) -> Condition:
    label = lowered(axis.label)
    if NA in values:
        none, terms = Condition("with", f"{NONE[op == '=']} main {label}"), [value for value in values if value != NA]
        return _joined([none, _on_axis(axis, op, terms)], "or" if op == "=" else "and") if terms else none
    codings = [_coding(axis, value) for value in values]
    roles = {role for _, role in codings}
    text = either([words if len(roles) == 1 else words + role for words, role in codings])
    role = roles.pop() if len(roles) == 1 else ""
    if op == "!=":
        return Condition("with", f"another {label} than {text}{role}")
    named = f"any {label}{text.removeprefix('any')}" if text.startswith("any") else f"{label} {text}"
    return Condition("with", f"{named}{role}")


def _coding(axis: Axis, value: str) -> tuple[str, str]:
    """Return the words of a term with its strength, and those of its role (main coding or part)."""
    word, _, role = value.rpartition(":")
    plain = word if word and role in ROLES else value
    term, _, strength = plain.partition(":")
    level = f", {_strength(axis, strength)}" if strength else ""
    return term_label(axis, term) + level, ("" if plain == value else f"{',' if level else ''} {ROLES[role]}")


def _strength(axis: Axis, strength: str) -> str:
    """Describe a strength: `explicit`, `joint or stronger`, `exactly joint`. A retired one means its successor."""
    labels = {entry.id: entry.label for entry in axis.strengths}
    if strength.startswith("="):
        return f"exactly {labels.get(strength[1:]) or axis.display(strength[1:])}"
    use = next((entry.use for entry in axis.retired if entry.id == strength), strength)
    strongest = bool(axis.strengths) and axis.strengths[-1].id == use
    return labels.get(use, use) + ("" if strongest else " or stronger")

"""Parse the text that GitHub makes of a filled-in form, which may contain anything.

`### Paper` followed by `drip2021` becomes the value `drip2021` of the field with the label `Paper`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from awesome_cli.errors import NetError, NotKnownError, RefusedError, SurveyError, UsageError
from awesome_cli.model.forms import TITLE, Form, FormField
from awesome_cli.model.identifiers import OTHER_URL
from awesome_cli.reports.report import Bullets, Report, Section, Table, Text
from awesome_cli.text.inert import UNSEEN, named
from awesome_cli.text.known import excerpt, listed, require_known

T = TypeVar("T")
LARGEST = 300_000
"""Maximum size of a form in bytes; GitHub accepts 65,536 characters."""
NO_ANSWER, NOT_CHOSEN = "_No response_", "None"
"""GitHub's placeholders for an empty field, and for options of which none was chosen."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error in the field with a label (empty: in the whole form), with a hint."""

    label: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        message = f"{self.label}: {self.message}" if self.label else self.message
        return f"{message} ({self.hint})" if self.hint else message


class MalformedError(RefusedError):
    """A form has errors, listed in `wrong`."""

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        super().__init__("; ".join(map(str, wrong)), hint="correct the form")
        self.wrong = tuple(wrong)

    def to_report(self) -> Report:
        """Report the errors to the sender."""
        rows = [(error.label, error.message, error.hint) for error in self.wrong]
        text = Text("Nothing was recorded. Edit the text above: keep its headings and correct the text below them.")
        table = Table.of(("field", "message", "hint"), rows)
        data = {"wrong": table.records()}
        bullets = Bullets(tuple(map(str, self.wrong)))
        return Report("awesome/issue/1", data, (Section(None, (text, bullets)),), rows=table)


def unanswered(error: NetError) -> Report:
    """Report to the sender that a service did not respond; the form may be correct."""
    text = Text("Nothing was recorded, because a service did not respond. The text above need not be changed.")
    table = Table.of(("field", "message", "hint"), [("", error.message, "try again later")])
    sections = (Section(None, (text, Bullets((error.message,)))),)
    return Report("awesome/issue/1", {"wrong": table.records()}, sections, rows=table)


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a form: the day, the person and the place (`issue 7`)."""

    day: date
    by: str | None = None
    place: str | None = None

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.place, self.by)))

    def signed(self, text: str) -> str:
        """Append the sender to a text: `It drips. (issue 7, ada)`."""
        return f"{text} ({self})" if str(self) else text


@dataclass(frozen=True, slots=True)
class FilledForm:
    """A filled-in form: its values on one line each, by field id, and the errors found so far (`wrong`)."""

    form: Form
    values: dict[str, str]
    wrong: list[Wrong] = field(default_factory=list)

    def value(self, name: str) -> str:
        """Return the value of a field; empty if it is missing or invalid."""
        return self.values.get(name, "")

    def tried(self, name: str, use: Callable[[str], T]) -> T | None:
        """Return `use(value)` for the value of a field; None if it is empty, or if `use` raises, which is recorded."""
        try:
            return use(self.values[name]) if self.values.get(name) else None
        except (NotKnownError, RefusedError, SurveyError, UsageError) as error:
            label = next(f.label for f in self.form.fields if f.id == name)
            self.wrong.append(Wrong(label, error.message, error.hint))
            return None

    def require_given(self, *names: str) -> None:
        """Record an error for each of these fields that is empty, since another field requires them."""
        for entry in self.form.fields:
            if entry.id in names and self.values.get(entry.id) == "":  # an invalid field has no value
                self.wrong.append(Wrong(entry.label, "is missing but required to exclude a work", listed(entry.words)))

    def require_right(self) -> None:
        """Raise `MalformedError` if there are errors."""
        if self.wrong:
            raise MalformedError(self.wrong)


def form_text(data: bytes) -> str:
    """Decode a file; raises `MalformedError` if it is too large for a form or not UTF-8."""
    if len(data) > LARGEST:
        raise MalformedError([Wrong("", f"the form is larger than {LARGEST:,} bytes", "shorten it")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MalformedError([Wrong("", f"line {line} is not UTF-8", "save the text as UTF-8")]) from None


def read_form(text: str, forms: Iterable[Form]) -> FilledForm:
    """Parse a filled-in form; the first label in the text identifies the form.

    Raises `MalformedError` for a text without such a label; errors in fields are recorded.
    """
    lines = re.sub("\r\n?", "\n", text).split("\n")
    known = {f"{TITLE}{form.fields[0].label}": form for form in forms}
    form = next((known[line.rstrip()] for line in lines if line.rstrip() in known), None)
    if form is None:
        titles = ", ".join(f"'{known_form.title}'" for known_form in known.values())
        raise MalformedError([Wrong("", "this is not a filled-in form", f"open one of the forms: {titles}")])
    parts = _parts(lines, {f"{TITLE}{entry.label}": entry for entry in form.fields})
    result = FilledForm(form, {})
    for entry in form.fields:
        texts = [" ".join(value.split()) for part, value in parts if part is entry]
        if len(texts) > 1:
            result.wrong.append(Wrong(entry.label, "is given twice", "remove one of them"))
            continue
        try:
            result.values[entry.id] = _checked(entry, "".join(texts))
        except UsageError as error:
            result.wrong.append(Wrong(entry.label, error.message, error.hint))
    return result


def _parts(lines: Iterable[str], fields: dict[str, FormField]) -> list[tuple[FormField, str]]:
    """Return each field with the text below its label; other headings are part of that text."""
    parts: list[tuple[FormField, list[str]]] = []
    for line in lines:
        if line.rstrip() in fields:
            parts.append((fields[line.rstrip()], []))
        elif parts:
            parts[-1][1].append(line)
    return [(field, _without_comments("\n".join(below))) for field, below in parts]


def _without_comments(text: str) -> str:
    *parts, last = text.split("-->")
    return "".join(part.partition("<!--")[0] if "<!--" in part else f"{part}-->" for part in parts) + last


def _checked(entry: FormField, text: str) -> str:
    """Validate the value of a field: required, without invisible characters, one of the options."""
    value = "" if text == NO_ANSWER or (entry.options and text == NOT_CHOSEN) else text
    allowed = listed(entry.words) if entry.options else None
    if not value and entry.required:
        raise UsageError("is missing", hint=allowed)
    if unseen := UNSEEN.search(value):
        raise UsageError(f"contains an invisible character, {named(unseen[0])}", hint="type it again")
    if entry.id == "form-source" and OTHER_URL.match(value):
        raise UsageError(f"{excerpt(value)!r} is not a valid URL", hint="write https://… or an identifier")
    if not entry.options:
        return value
    # Options have a prefix `axis=`, since GitHub does not accept a plain option `none`.
    words = [word.strip().rpartition("=")[2] for word in value.split(",") if word.strip()]
    for word in words:
        require_known(excerpt(word), entry.words, "option")
    if len(words) > 1 and not entry.multiple:
        raise UsageError("takes one option", hint=allowed)
    return ", ".join(words)

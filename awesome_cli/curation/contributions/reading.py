"""The text that GitHub makes of a form, read: who wrote it may have written anything."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from awesome_cli.errors import NetError, NotKnownError, RefusedError, SurveyError, UsageError
from awesome_cli.model.forms import TITLE, Form, FormField
from awesome_cli.reports.report import Bullets, Report, Section, Table, Text
from awesome_cli.text.inert import UNSEEN, named
from awesome_cli.text.known import excerpt, listed, require_known

T = TypeVar("T")
LARGEST = 300_000
"""How many bytes a form may have; GitHub takes 65,536 characters."""
NO_ANSWER, NOT_CHOSEN = "_No response_", "None"
"""What GitHub writes for a field that was left empty, and for options of which none was chosen."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is missing or wrong in the field with a label, empty for the whole form, and what would be right."""

    label: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        said = f"{self.label}: {self.message}" if self.label else self.message
        return f"{said} ({self.hint})" if self.hint else said


class MalformedError(RefusedError):
    """A form cannot be taken in; `wrong` says of every field why not."""

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        super().__init__("; ".join(map(str, wrong)), hint="correct the form")
        self.wrong = tuple(wrong)

    def to_report(self) -> Report:
        """What its sender reads."""
        rows = [(one.label, one.message, one.hint) for one in self.wrong]
        said = Text("Nothing was taken in. Edit the text above: keep its headings, and correct what is below them.")
        table = Table.of(("field", "message", "hint"), rows)
        data = {"wrong": table.records()}
        bullets = Bullets(tuple(map(str, self.wrong)))
        return Report("awesome/issue/1", data, (Section(None, (said, bullets)),), rows=table)


def unanswered(error: NetError) -> Report:
    """What the sender of a form reads that may be right, when a service gives no usable answer."""
    said = Text("Nothing was taken in: the text above can stay as it is, but a service gave no usable answer.")
    table = Table.of(("field", "message", "hint"), [("", error.message, "try again later")])
    sections = (Section(None, (said, Bullets((error.message,)))),)
    return Report("awesome/issue/1", {"wrong": table.records()}, sections, rows=table)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent a form, when, and where it stands (`issue 7`)."""

    day: date
    by: str | None = None
    place: str | None = None

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.place, self.by)))

    def signed(self, text: str) -> str:
        """A text of the sender with its origin behind it: `It drips. (issue 7, ada)`."""
        return f"{text} ({self})" if str(self) else text


@dataclass(frozen=True, slots=True)
class FilledForm:
    """A form that was filled in: a text on one line for each field, by its id, and what is wrong, which grows."""

    form: Form
    values: dict[str, str]
    wrong: list[Wrong] = field(default_factory=list)

    def value(self, name: str) -> str:
        """The value of a field, empty without one that can be used."""
        return self.values.get(name, "")

    def tried(self, name: str, use: Callable[[str], T]) -> T | None:
        """What is made of a value; None without one, and where it is wrong, which is noted."""
        try:
            return use(self.values[name]) if self.values.get(name) else None
        except (NotKnownError, RefusedError, SurveyError, UsageError) as error:
            label = next(one.label for one in self.form.fields if one.id == name)
            self.wrong.append(Wrong(label, error.message, error.hint))
            return None

    def require_given(self, *names: str) -> None:
        """Note those of some fields that the form has and that are empty, since another field asks for them."""
        for one in self.form.fields:
            if one.id in names and self.values.get(one.id) == "":  # one that is wrong has no value
                self.wrong.append(Wrong(one.label, "is missing, and to exclude a work needs it", listed(one.words)))

    def require_right(self) -> None:
        """Raise `MalformedError` if anything is wrong."""
        if self.wrong:
            raise MalformedError(self.wrong)


def form_text(data: bytes) -> str:
    """The text of a file; raises `MalformedError` for one that is larger than any form or not UTF-8."""
    if len(data) > LARGEST:
        raise MalformedError([Wrong("", f"this is larger than {LARGEST:,} bytes, and no form is", "shorten it")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MalformedError([Wrong("", f"line {line} is not UTF-8", "save the text as UTF-8")]) from None


def read_form(text: str, forms: Iterable[Form]) -> FilledForm:
    """The form that was filled in; it is the one whose first label comes first.

    Raises `MalformedError` for a text that is none of them; what is wrong with a field is noted.
    """
    lines = re.sub("\r\n?", "\n", text).split("\n")
    known = {f"{TITLE}{form.fields[0].label}": form for form in forms}
    form = next((known[line.rstrip()] for line in lines if line.rstrip() in known), None)
    if form is None:
        titles = ", ".join(f"'{one.title}'" for one in known.values())
        raise MalformedError([Wrong("", "this is no text of a form", f"open one of the forms: {titles}")])
    parts = _parts(lines, {f"{TITLE}{one.label}": one for one in form.fields})
    found = FilledForm(form, {})
    for one in form.fields:
        texts = [" ".join(value.split()) for asked, value in parts if asked is one]
        if len(texts) > 1:
            found.wrong.append(Wrong(one.label, "stands twice", "leave one of them"))
            continue
        try:
            found.values[one.id] = _checked(one, "".join(texts))
        except UsageError as error:
            found.wrong.append(Wrong(one.label, error.message, error.hint))
    return found


def _parts(lines: Iterable[str], fields: dict[str, FormField]) -> list[tuple[FormField, str]]:
    """Each label with the text below it; another heading is a part of that text."""
    found: list[tuple[FormField, list[str]]] = []
    for line in lines:
        if line.rstrip() in fields:
            found.append((fields[line.rstrip()], []))
        elif found:
            found[-1][1].append(line)
    return [(field, _without_comments("\n".join(below))) for field, below in found]


def _without_comments(text: str) -> str:
    *parts, last = text.split("-->")
    return "".join(part.partition("<!--")[0] if "<!--" in part else f"{part}-->" for part in parts) + last


def _checked(asked: FormField, text: str) -> str:
    """The value of a field; raises `UsageError` where it is missing, hides something, or is none of the options."""
    value = "" if text == NO_ANSWER or (asked.options and text == NOT_CHOSEN) else text
    allowed = listed(asked.words) if asked.options else None
    if not value and asked.required:
        raise UsageError("is missing", hint=allowed)
    if unseen := UNSEEN.search(value):
        raise UsageError(f"holds {named(unseen[0])}, which nobody sees", hint="type it anew")
    if not asked.options:
        return value
    # What stands before '=' keeps GitHub from refusing an option that is the word none.
    words = [word.strip().rpartition("=")[2] for word in value.split(",") if word.strip()]
    for word in words:
        require_known(excerpt(word), asked.words, "option")
    if len(words) > 1 and not asked.multiple:
        raise UsageError("takes one option", hint=allowed)
    return ", ".join(words)

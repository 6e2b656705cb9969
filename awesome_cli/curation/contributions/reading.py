"""Parse the text that GitHub makes of a filled-in form, which may contain anything.

`### Paper` followed by `drip2021` becomes the value `drip2021` of the field with the label `Paper`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from awesome_cli.errors import NetError, NotKnownError, RefusedError, SurveyError, UnresolvedError, UsageError
from awesome_cli.model.forms import OWN, TITLE, Form, FormField, option_name, slug
from awesome_cli.model.identifiers import OTHER_URL
from awesome_cli.model.records import Paper
from awesome_cli.reports.report import Bullets, Linked, Report, Section, Table, Text
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.text.inert import UNSEEN, named
from awesome_cli.text.known import excerpt, listed, unknown

T = TypeVar("T")
LARGEST = 300_000
"""Maximum size of a form in bytes; GitHub accepts 65,536 characters."""
NO_ANSWER, NOT_CHOSEN = "_No response_", "None"
"""GitHub's placeholders for an empty field, and for options of which none was chosen."""
UNSURE = frozenset({"not sure", "unsure", "don't know"})
"""Answers that leave an optional field empty."""
ITEM = re.compile(r"^\s*[-*+] +", re.MULTILINE)
ALONE = "keep one here, and send each other one in a form of its own"
"""The hint for a form with several papers."""
PAGES = {TAXONOMY: "Axes and terms", Paper.FOLDER: "Papers"}
"""Names of pages, by path in the survey; the page of a record has its path as name."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error in the field with a label (empty: in the whole form); `path` is the file that shows the right values."""

    label: str
    message: str
    hint: str | None = None
    path: str | None = None

    def __str__(self) -> str:
        message = f"{self.label}: {self.message}" if self.label else self.message
        return f"{message} ({self.hint})" if self.hint else message


class MalformedError(RefusedError):
    """A form has errors, listed in `wrong`."""

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        super().__init__("; ".join(map(str, wrong)), hint="correct the form")
        self.wrong = tuple(wrong)

    def to_report(self, address: Callable[[str], str | None]) -> Report:
        """Report the errors to the sender; `address` returns the URL of a path in the survey."""
        text = Text("Nothing was recorded. Edit the text above: keep its headings and correct the text below them.")
        pages = {error.path: url for error in self.wrong if error.path and (url := address(error.path))}
        rows = [(error.label, error.message, error.hint, pages.get(error.path or "")) for error in self.wrong]
        table = Table.of(("field", "message", "hint", "page"), rows)
        links = (Text("See:"), Bullets(tuple(Linked(PAGES.get(path, path), url=url) for path, url in pages.items())))
        blocks = (text, Bullets(tuple(map(str, self.wrong))), *(links if pages else ()))
        return Report("awesome/issue/1", {"wrong": table.records()}, (Section(None, blocks),), rows=table)


def unanswered(error: NetError) -> Report:
    """Report to the sender that a service did not respond; the form may be correct."""
    unless = ", unless it has a wrong URL" if isinstance(error, UnresolvedError) and error.address else ""
    text = f"Nothing was recorded, because a service did not respond. The text above need not be changed{unless}."
    table = Table.of(("field", "message", "hint"), [("", error.message, "try again later")])
    sections = (Section(None, (Text(text), Bullets((error.message,)))),)
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

    def tried(self, name: str, use: Callable[[str], T], path: str | None = None, part: str = "") -> T | None:
        """Return `use(value)` for a field's value or a `part`; None if it is empty or invalid, which is recorded."""
        try:
            return use(value) if (value := part or self.value(name)) else None
        except (NotKnownError, RefusedError, SurveyError, UsageError) as error:
            self.reject(name, error.message, error.hint, path)
            return None

    def reject(self, name: str, message: str, hint: str | None = None, path: str | None = None) -> None:
        """Record an error in a field; parts of the hint with a command are left out, since senders lack the program."""
        label = next(f.label for f in self.form.fields if f.id == name)
        parts = (part for part in (hint or "").split("; ") if "awesome " not in part)
        self.wrong.append(Wrong(label, message, "; ".join(parts) or None, path))

    def require_right(self) -> None:
        """Raise `MalformedError` if there are errors, in the order of the fields."""
        if self.wrong:
            labels = [entry.label for entry in self.form.fields]
            raise MalformedError(sorted(self.wrong, key=lambda error: labels.index(error.label)))


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

    Raises `MalformedError` for a text without such a label, and for several forms; errors in fields are recorded.
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
        texts = [_on_one_line(entry, value) for part, value in parts if part is entry]
        if len(texts) > 1 and entry is form.fields[0]:
            raise MalformedError([Wrong(entry.label, f"is given {len(texts)} times; one paper a form", ALONE)])
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


def _on_one_line(entry: FormField, text: str) -> str:
    """Join the lines of an answer; the items of a list of terms are separated by commas."""
    words = text if entry.id.startswith(OWN) else ITEM.sub(", ", text).strip().removeprefix(", ")
    return " ".join(words.split())


def _without_comments(text: str) -> str:
    *parts, last = text.split("-->")
    return "".join(part.partition("<!--")[0] if "<!--" in part else f"{part}-->" for part in parts) + last


def _checked(entry: FormField, text: str) -> str:
    """Validate the value of a field: required, without invisible characters, one of the options."""
    unsure = not entry.required and text.casefold().rstrip(".") in UNSURE and slug(text) not in entry.words
    value = "" if unsure or text == NO_ANSWER or (entry.options and text == NOT_CHOSEN) else text
    allowed = listed(entry.words) if entry.options else None
    if not value and entry.required:
        raise UsageError("is missing", hint=allowed)
    if unseen := UNSEEN.search(value):
        raise UsageError(f"contains an invisible character, {named(unseen[0])}", hint="type it again")
    if entry.id == "form-source" and OTHER_URL.match(value):
        raise UsageError(f"{excerpt(value)!r} is not a valid URL", hint="write https://… or an identifier")
    if TITLE in value and (entry.id == "form-reference" or not entry.id.startswith(OWN)):
        message = "is followed by a heading that the form does not have"
        raise UsageError(message, hint="copy the answers into a new form")
    if not entry.options or not entry.id.startswith(OWN):
        return value
    word = slug(option_name(value))
    if value and word not in entry.words:
        raise UsageError(unknown(excerpt(value), entry.words, "option"), hint=allowed)
    return word

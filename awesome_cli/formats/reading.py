"""Files of entries: each entry is read by itself, and what cannot be read is a failure with its place."""

import codecs
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from awesome_cli.errors import AwesomeError
from awesome_cli.formats import IMPORTED, ReadingOptions, detect, import_formats, options, refused
from awesome_cli.formats.entries import LARGEST, joined
from awesome_cli.model.drafts import Batch, Failure
from awesome_cli.model.misfits import unread
from awesome_cli.text.bounds import allowed, too_large

__all__ = ["InputFile", "ReadingOptions", "read"]

UNKNOWN = (
    f"its format was not recognised; name one with --from ({', '.join(IMPORTED)}). A list of references in plain text"
    " is not read: add the works by DOI, or export them from a reference manager"
)

CONTROLS = re.compile("[\x80-\x9f]")
"""Control characters that no text has; bytes of Windows become them if they are read as latin-1."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to import: its name, which places begin with, and its bytes."""

    name: str
    data: bytes


def read(files: Sequence[InputFile], how: ReadingOptions) -> Batch:
    """All entries of some files. The artifact's tables and bibliography are read together.

    A file that cannot be read at all is a failure too. Raises `UsageError` for options that do not fit.
    """
    from awesome_cli.formats import artifact

    how = options.checked(how)
    csv.field_size_limit(allowed(LARGEST))  # a cell may be as large as its file
    texts: list[tuple[str, str]] = []
    failures: list[Failure] = []
    for file in files:
        try:
            texts.append((file.name, _decode(file.data, how.encoding)))
        except ValueError as error:
            failures.append(Failure(file.name, str(error)))
    tables = artifact.read(texts, how.taxonomy.artifact)
    batches = [tables.get(n) or _read_one(name, text, how) for n, (name, text) in enumerate(texts)]
    return options.applied(joined([Batch((), tuple(failures)), *batches]), how)


def _read_one(name: str, text: str, how: ReadingOptions) -> Batch:
    form = how.form or detect(name, text)
    why = refused.by_text(name, text, how.form)
    if form is None or (why and form != "markdown"):
        return Batch((), (Failure(name, why or UNKNOWN),))
    try:
        batch = import_formats()[form].read(text, name, how)
    except (AwesomeError, ValueError, TypeError, LookupError, csv.Error, RecursionError) as error:
        return Batch((), (Failure(name, f"not {form}: {unread(error)}"),))
    nothing = Failure(name, why or f"holds no entries (read as {form})")
    return batch if batch.drafts or batch.failures else replace(batch, failures=(nothing,))


def _decode(data: bytes, encoding: str | None) -> str:
    """The text of a file; raises `ValueError` for one that is refused, too large, binary or in another encoding."""
    if why := refused.by_bytes(data):
        raise ValueError(why)
    if len(data) > allowed(LARGEST):
        raise ValueError(too_large("the file", LARGEST))
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    # UTF-16 without a mark has a zero beside each of the first letters.
    marks |= {data[:1] + b"\0" + data[2:3] + b"\0": "utf-16-le", b"\0" + data[1:2] + b"\0": "utf-16-be"}
    known = encoding or next((name for mark, name in marks.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(known)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(f"line {line} is not {known}{_others(data, known)}") from None
    is_latin = codecs.lookup(known).name.startswith("iso8859")
    if is_latin and (found := CONTROLS.search(text)) and _others(data, known):
        line = text[: found.start()].count("\n") + 1
        raise ValueError(f"line {line} holds control characters if it is {known}{_others(data, known)}")
    if "\x00" in text:
        raise ValueError("a binary file, not a text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _others(data: bytes, known: str) -> str:
    """The usual encodings in which a file is a text, for the end of a message; nothing without one."""

    def is_text(name: str) -> bool:
        try:
            return not CONTROLS.search(data.decode(name))
        except UnicodeDecodeError:
            return False

    named = [f"{name} ({place})" for name, place in options.ENCODINGS.items() if name != known and is_text(name)]
    return f"; name the encoding with --encoding: {', '.join(named)}" if named else ""

"""Files of entries: each entry is read by itself, and what cannot be read is a failure with its place."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files import yaml_reading
from awesome_cli.formats import IMPORTED, detect, import_formats, rows
from awesome_cli.formats.entries import LARGEST, ReadingOptions, joined
from awesome_cli.model.drafts import Batch, Failure
from awesome_cli.model.misfits import unread
from awesome_cli.text.known import require_known

__all__ = ["InputFile", "ReadingOptions", "column_mapping", "read"]


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to import: its name, which places begin with, and its bytes."""

    name: str
    data: bytes


def column_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """The field that each column holds, from `NAME=FIELD` texts and a YAML file of `NAME: FIELD`; texts win.

    Raises `UsageError` for a text or a file of another form.
    """
    found: dict[str, str] = {}
    if path is not None:
        value, findings = yaml_reading.read(path.read_bytes())
        if findings or not isinstance(value, dict) or not all(isinstance(field, str) for field in value.values()):
            why = findings[0].message if findings else "it holds no 'NAME: FIELD'"
            raise UsageError(f"{path} is no column mapping: {why}", hint="one line a column: Paper Title: title")
        found |= value
    for text in texts:
        name, equals, field = text.rpartition("=")
        if not equals or not name:
            raise UsageError(f"{text!r} is not NAME=FIELD", hint="for example: --column 'Paper Title=title'")
        found[name] = field
    return found


def read(files: Sequence[InputFile], options: ReadingOptions) -> Batch:
    """All entries of some files. The artifact's tables and bibliography are read together.

    A file that cannot be read at all is a failure too. Raises `UsageError` for options that do not fit.
    """
    from awesome_cli.formats import artifact

    _check(options)
    texts: list[tuple[str, str]] = []
    failures: list[Failure] = []
    for file in files:
        try:
            texts.append((file.name, _decode(file.data, options.encoding)))
        except ValueError as error:
            failures.append(Failure(file.name, str(error)))
    tables = artifact.read(texts, options.taxonomy.artifact)
    batches = [tables.get(n) or _read_one(name, text, options) for n, (name, text) in enumerate(texts)]
    return joined([Batch((), tuple(failures)), *batches])


def _check(options: ReadingOptions) -> None:
    known = (*rows.ALIASES, *options.taxonomy.by_id)
    for target in options.columns.values():
        require_known(target, known, "field")
    if options.form:
        require_known(options.form, IMPORTED, "import format")


def _read_one(name: str, text: str, options: ReadingOptions) -> Batch:
    form = options.form or detect(name, text)
    if form is None:
        return Batch((), (Failure(name, "its format was not recognised; name one with --from"),))
    try:
        batch = import_formats()[form].read(text, name, options)
    except (AwesomeError, ValueError, TypeError, LookupError, csv.Error, RecursionError) as error:
        return Batch((), (Failure(name, f"not {form}: {unread(error)}"),))
    if not batch.drafts and not batch.failures:
        return Batch((), (Failure(name, f"holds no entries (read as {form})"),))
    return batch


def _decode(data: bytes, encoding: str | None) -> str:
    """The text of a file; raises `ValueError` for a file that is too large, binary or in another encoding."""
    if len(data) > LARGEST:
        raise ValueError(f"larger than {LARGEST:,} bytes")
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    known = encoding or next((name for mark, name in marks.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(known)
    except (UnicodeDecodeError, LookupError) as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        raise ValueError(f"line {line} is not {known}; name the encoding with --encoding (gb18030, latin-1)") from None
    if "\x00" in text:
        raise ValueError("a binary file, not a text")
    return text.replace("\r\n", "\n").replace("\r", "\n")

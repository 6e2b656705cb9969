"""Files of entries: each entry is read by itself, and what cannot be read is a failure with its place."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files import yaml_reading
from awesome_cli.formats import IMPORTED, chosen, columns, decisions, detect, import_formats, refused
from awesome_cli.formats.entries import LARGEST, joined
from awesome_cli.formats.options import ReadingOptions
from awesome_cli.model.drafts import Batch, Failure
from awesome_cli.model.misfits import unread
from awesome_cli.text.known import require_known

__all__ = ["InputFile", "ReadingOptions", "column_mapping", "decision_mapping", "read"]

UNKNOWN = (
    f"its format was not recognised; name one with --from ({', '.join(IMPORTED)}). A list of references in plain text"
    " is not read: add the works by DOI, or export them from a reference manager"
)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to import: its name, which places begin with, and its bytes."""

    name: str
    data: bytes


def column_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """The field that each column holds, from `NAME=FIELD` texts and a YAML file of `NAME: FIELD`; texts win.

    Raises `UsageError` for a text or a file of another form.
    """
    found = {name: field for name, field in _mapping(path).items() if isinstance(field, str)}
    return found | dict(_pair(text, "NAME=FIELD", "--column 'Paper Title=title'") for text in texts)


def decision_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """The kind that each decision makes, from `WORD=KIND` texts and what the file has under `decision:`; texts win.

    Raises `UsageError` for an unknown kind, and as `column_mapping` does.
    """
    found = _mapping(path).get("decision")
    words = dict(found) if isinstance(found, dict) else {}
    words |= dict(_pair(text, "WORD=KIND", "--decision 'out of scope=exclusion'") for text in texts)
    for kind in words.values():
        require_known(kind, decisions.TARGETS, "kind")
    return words


def _pair(text: str, form: str, example: str) -> tuple[str, str]:
    name, equals, field = text.rpartition("=")
    if not equals or not name:
        raise UsageError(f"{text!r} is not {form}", hint=f"for example: {example}")
    return name, field


def _mapping(path: Path | None) -> Mapping[str, Any]:
    """What a mapping file holds: texts by name, and words under `decision`."""
    if path is None:
        return {}
    try:
        value, findings = yaml_reading.read(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    words = value.get("decision") if isinstance(value, dict) else None
    fields = [*value.values(), *(words.values() if isinstance(words, dict) else ())] if isinstance(value, dict) else []
    if findings or not isinstance(value, dict) or not all(isinstance(f, str) or f is words for f in fields):
        why = findings[0].message if findings else "it holds no 'NAME: FIELD'"
        hint = "one line a column (Paper Title: title); under 'decision:' one line a word (out of scope: exclusion)"
        raise UsageError(f"{path} is no column mapping: {why}", hint=hint)
    return value


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
            if why := refused.by_bytes(file.data):
                raise ValueError(why)
            texts.append((file.name, _decode(file.data, options.encoding)))
        except ValueError as error:
            failures.append(Failure(file.name, str(error)))
    tables = artifact.read(texts, options.taxonomy.artifact)
    batches = [tables.get(n) or _read_one(name, text, options) for n, (name, text) in enumerate(texts)]
    return chosen.as_asked(joined([Batch((), tuple(failures)), *batches]), options)


def _check(options: ReadingOptions) -> None:
    known = (*columns.ALIASES, *options.taxonomy.by_id, *(measure.id for measure in options.taxonomy.measures))
    for target in options.columns.values():
        if not target.startswith("extra."):
            require_known(target, known, "field")
    if options.form:
        require_known(options.form, IMPORTED, "import format")


def _read_one(name: str, text: str, options: ReadingOptions) -> Batch:
    if why := refused.by_text(name, text, options.form):
        return Batch((), (Failure(name, why),))
    form = options.form or detect(name, text)
    if form is None:
        return Batch((), (Failure(name, UNKNOWN),))
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
    # UTF-16 without a mark has a zero beside each of the first letters.
    marks |= {data[:1] + b"\0" + data[2:3] + b"\0": "utf-16-le", b"\0" + data[1:2] + b"\0": "utf-16-be"}
    known = encoding or next((name for mark, name in marks.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(known)
    except (UnicodeDecodeError, LookupError) as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        raise ValueError(f"line {line} is not {known}; name the encoding with --encoding (gb18030, latin-1)") from None
    if "\x00" in text:
        raise ValueError("a binary file, not a text")
    return text.replace("\r\n", "\n").replace("\r", "\n")

"""Files of entries: their format is found out, each entry is read by itself, and none is dropped in silence."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files import yaml_reading
from awesome_cli.formats import artifact, bibtex, listing, ris, rows
from awesome_cli.formats.listing import LARGEST, Options, short
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.text.known import require_known

__all__ = ["ENDINGS", "READERS", "Options", "Source", "column_mapping", "read"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to import: what it is called in places, and its bytes."""

    name: str
    data: bytes


def column_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """Columns and what they hold, from `NAME=FIELD` texts and a YAML file of `NAME: FIELD`; texts win.

    Raises `UsageError` for a text or a file that is neither.
    """
    found: dict[str, str] = {}
    if path is not None:
        value, faults = yaml_reading.read(path.read_bytes())
        if faults or not isinstance(value, dict) or not all(isinstance(field, str) for field in value.values()):
            why = faults[0].message if faults else "it holds no 'NAME: FIELD'"
            raise UsageError(f"{path} is no column mapping: {why}", hint="one line a column: Paper Title: title")
        found |= value
    for text in texts:
        name, equals, field = text.rpartition("=")
        if not equals or not name:
            raise UsageError(f"{text!r} is not NAME=FIELD", hint="for example: --column 'Paper Title=title'")
        found[name] = field
    return found


Reader = Callable[[str, str, Options], Batch]


def read(sources: Sequence[Source], options: Options) -> Batch:
    """All entries of some files. The artifact's tables and bibliography are read together.

    A file that cannot be read at all is a failure too. Raises `UsageError` for an unknown format.
    """
    known = (*rows.ALIASES, *options.taxonomy.by_id)
    for target in options.columns.values():
        require_known(target, known, "field")
    texts: dict[str, str] = {}
    batches: list[Batch] = []
    for source in sources:
        try:
            texts[source.name] = _text(source.data, options.encoding)
        except ValueError as error:
            batches.append(Batch((), (Failure(source.name, str(error)),)))
    layout = options.taxonomy.artifact
    tables = {name: table for name, text in texts.items() if (table := artifact.recognise(text, layout))}
    bibliography: list[Draft] = []
    if "papers" in tables.values():
        for name in [name for name in texts if _detect(name, texts[name]) == "bibtex"]:
            batch = artifact.read_bibliography(texts.pop(name), name)
            bibliography += batch.drafts
            batches.append(Batch((), batch.failures))
    for name, text in texts.items():
        if layout is not None and tables.get(name) == "papers":
            batches.append(artifact.read_papers(text, name, layout, bibliography))
        elif layout is not None and tables.get(name) == "exclusions":
            batches.append(artifact.read_exclusions(text, name, layout))
        else:
            batches.append(_read_one(name, text, options))
    return _joined(batches)


def _joined(batches: Iterable[Batch]) -> Batch:
    parts = list(batches)
    drafts = tuple(draft for batch in parts for draft in batch.drafts)
    return Batch(drafts, tuple(failure for batch in parts for failure in batch.failures))


def _read_one(name: str, text: str, options: Options) -> Batch:
    form = options.form or _detect(name, text)
    if options.form:
        require_known(options.form, READERS, "import format")
    if form is None or form not in READERS:
        return Batch((), (Failure(name, "its format was not recognised; name one with --from"),))
    try:
        batch = READERS[form](text, name, options)
    except (AwesomeError, ValueError, TypeError, LookupError, csv.Error, RecursionError) as error:
        return Batch((), (Failure(name, f"not {form}: {short(error)}"),))
    if not batch.drafts and not batch.failures:
        return Batch((), (Failure(name, f"holds no entries (read as {form})"),))
    return batch


def _text(data: bytes, encoding: str | None) -> str:
    """The text of a file; raises `ValueError` where it is none."""
    if len(data) > LARGEST:
        raise ValueError(f"larger than {LARGEST:,} bytes")
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    guess = next((name for mark, name in marks.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding or guess)
    except (UnicodeDecodeError, LookupError) as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        known = encoding or guess
        raise ValueError(f"line {line} is not {known}; name the encoding with --encoding (gb18030, latin-1)") from None
    if "\x00" in text:
        raise ValueError("a binary file, not a text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _detect(name: str, text: str) -> str | None:
    """The format of a text: by the ending of its name, else by how it begins."""
    ending = name.rpartition(".")[2].casefold()
    if ending in ENDINGS:
        return ENDINGS[ending]
    head = text.lstrip("\ufeff \n\t")
    if re.match(r"[A-Z][A-Z0-9] {1,2}- ", head):
        return "ris"
    if head.startswith(("{", "[")):
        return "json"
    if re.search(r"^\s*@\w+\s*[{(]", text, re.MULTILINE):
        return "bibtex"
    if re.match(r"(- |\w+:\s)", head):
        return "yaml"
    return "csv" if "," in head.partition("\n")[0] else None


def _read_bibtex(text: str, name: str, _options: Options) -> Batch:
    return bibtex.read(text, name)


def _read_ris(text: str, name: str, _options: Options) -> Batch:
    return ris.read(text, name)


READERS: Mapping[str, Reader] = {
    "bibtex": _read_bibtex,
    "ris": _read_ris,
    "csv": listing.read_csv,
    "json": listing.read_json,
    "yaml": listing.read_yaml,
}
"""How a text in each format becomes entries; `json` is CSL-JSON, our own export, or a list."""

ENDINGS = {"bib": "bibtex", "bibtex": "bibtex", "ris": "ris", "csv": "csv", "tsv": "csv", "json": "json"}
ENDINGS |= {"yaml": "yaml", "yml": "yaml"}

"""Read files to import with the user's options: fields of columns, kinds for decisions, columns of tags.

An entry that cannot be read is a failure with its position; other entries are not affected. The error for an
unsupported format names the format and a workaround.
"""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files import yaml_reading
from awesome_cli.formats import ENTRIES, IMPORTED, ReadingOptions, cells, detect, import_formats, workbooks
from awesome_cli.formats.csv import rows_of
from awesome_cli.formats.decisions import COLREV, TARGETS, decided, kind_of, labelled, screened, with_codes
from awesome_cli.formats.rows import FIELDS, LARGEST, coded, joined
from awesome_cli.model.appearance import About
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.model.misfits import unread
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.inert import from_cell
from awesome_cli.text.known import require_known

UNKNOWN = (
    f"unknown format; specify it with --from ({', '.join(IMPORTED)}). References in plain text are not supported: add"
    " the works by DOI, or export them from a reference manager"
)

CONTROLS = re.compile("[\x80-\x9f]")
"""Control characters that do not occur in text; Windows text decoded as Latin-1 contains them."""


SheetRow = tuple[int, list[str]]
"""The number of a row as a spreadsheet shows it, and the cells."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to import: its bytes, and its name as shown in positions such as `refs.bib:12`."""

    name: str
    data: bytes


def read(files: Sequence[InputFile], options: ReadingOptions) -> Batch:
    """Read the entries of all files; an unreadable file is a failure. Raises `UsageError` for invalid options."""
    from awesome_cli.formats import artifact

    options = checked(options)
    csv.field_size_limit(allowed(LARGEST))  # a cell may be as large as its file
    texts: list[tuple[str, str]] = []
    failures: list[Failure] = []
    for file in files:
        try:
            texts.append((file.name, decode(file.data, options.encoding)))
        except ValueError as error:
            failures.append(Failure(file.name, str(error)))
    tables = artifact.read(texts, options.taxonomy.artifact)
    batches = [tables.get(n) or _read_one(name, text, options) for n, (name, text) in enumerate(texts)]
    return applied(joined([Batch((), tuple(failures)), *batches]), options)


def single(source: InputFile, options: ReadingOptions) -> Draft:
    """Return the only entry of a file; raises `UsageError` for several entries, no entry, or an unreadable file."""
    batch = read([source], options)
    if batch.failures:
        raise UsageError(str(batch.failures[0]))
    if len(batch.drafts) != 1:
        hint = f"import all entries with 'awesome import {source.name}'"
        raise UsageError(f"{source.name} contains {len(batch.drafts)} entries, expected 1", hint=hint)
    return batch.drafts[0]


def read_sheet(source: InputFile, *, raw: bool = False) -> tuple[list[SheetRow], tuple[str, ...]]:
    """Return the rows of a table (CSV, TSV or XLSX) that are not empty, and warnings.

    Text that is not UTF-8 is read as Windows-1252, which Excel writes. Unless `raw`, the escape of formulas is removed.
    Raises `UsageError` if the table cannot be read.
    """
    csv.field_size_limit(allowed(LARGEST))
    warnings: tuple[str, ...] = ()
    rows: list[list[str]] = []
    try:
        if workbooks.WORKBOOK.match(source.data):
            rows = list(workbooks.read(source.data))
        else:
            try:
                text = decode(source.data, None)
            except ValueError:
                text = decode(source.data, "cp1252")
                warnings = (f"warning: {source.name} is not UTF-8 and was read as Windows-1252",)
            for _, row in rows_of(text):
                if isinstance(row, ValueError):
                    raise row
                rows.append(row)
    except ValueError as error:
        hint = "save the table as CSV (UTF-8) or .xlsx"
        raise UsageError(f"{source.name} cannot be read: {error}", hint=hint) from None
    undo = str if raw else from_cell
    return [(n, [undo(cell) for cell in row]) for n, row in enumerate(rows, 1) if any(row)], warnings


def _read_one(name: str, text: str, options: ReadingOptions) -> Batch:
    form = options.form or detect(name, text)
    why = by_text(name, text)
    if form is None or (why and form != "markdown"):
        return Batch((), (Failure(name, why or UNKNOWN),))
    try:
        batch = import_formats()[form].read(text, name, options)
    except (AwesomeError, ValueError, TypeError, LookupError, csv.Error, RecursionError) as error:
        return Batch((), (Failure(name, f"not {form}: {unread(error)}"),))
    nothing = Failure(name, why or f"contains no entries (read as {form})")
    return batch if batch.drafts or batch.failures else replace(batch, failures=(nothing,))


def decode(data: bytes, encoding: str | None) -> str:
    """Decode a file; raises `ValueError` if its format is unsupported, or it is too large, binary or not `encoding`."""
    refused = (row for row in REFUSED if row.magic and re.match(row.magic, data[:4000], re.DOTALL))
    if row := next(refused, None):
        raise ValueError(str(row))
    if len(data) > allowed(LARGEST):
        raise ValueError(too_large("the file", LARGEST))
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    # UTF-16 without a byte order mark has a zero byte in each of the first characters.
    marks |= {data[:1] + b"\0" + data[2:3] + b"\0": "utf-16-le", b"\0" + data[1:2] + b"\0": "utf-16-be"}
    known = encoding or next((name for mark, name in marks.items() if data.startswith(mark)), "") or _declared(data)
    try:
        text = data.decode(known)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(f"line {line} is not {known}{_encoding_hint(data, known)}") from None
    is_latin = codecs.lookup(known).name.startswith("iso8859")
    if is_latin and (control := CONTROLS.search(text)) and (hint := _encoding_hint(data, known)):
        line = text[: control.start()].count("\n") + 1
        raise ValueError(f"line {line} contains control characters if decoded as {known}{hint}")
    if "\x00" in text:
        raise ValueError("binary file, not text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _declared(data: bytes) -> str:
    """Return the encoding that the first lines of a file declare if it can decode the file, else UTF-8.

    A file that is valid UTF-8 and not ASCII is UTF-8, whatever it declares.
    """
    if not (found := DECLARED.search(data[:1000].partition(b"@")[0])):
        return "utf-8"
    declared = str(found[1], "ascii")
    for name in (declared,) if data.isascii() else ("utf-8", declared):
        with suppress(LookupError, UnicodeError):
            if data.decode(name) and found[0].decode(name).isascii():
                return name
    return "utf-8"


def _encoding_hint(data: bytes, known: str) -> str:
    """Return a hint with the usual encodings that can decode a file, '' if none can."""

    def is_text(name: str) -> bool:
        try:
            return not CONTROLS.search(data.decode(name))
        except UnicodeDecodeError:
            return False

    possible = [f"{name} ({place})" for name, place in ENCODINGS.items() if name != known and is_text(name)]
    return f"; specify the encoding with --encoding: {', '.join(possible)}" if possible else ""


DECLARED = re.compile(rb"^(?:<\?xml[^>]*\sencoding\s*=\s*[\"']|[%\t ]*Encoding:[ \t]*)([\w.:-]+)", re.MULTILINE)
"""The declaration of an encoding: `% Encoding: Cp1252` of JabRef, or that of XML."""
ENCODINGS = {"cp1252": "Windows", "gb18030": "Chinese", "latin-1": "older Unix"}
"""Common encodings besides UTF-8 and UTF-16, most likely first, with their origin."""


def column_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """Return the field by column, from a YAML file and `NAME=FIELD` texts, which override it; raises `UsageError`."""
    fields = {name: field for name, field in _mapping(path).items() if isinstance(field, str)}
    return fields | dict(_pair(text, "NAME=FIELD", "--column 'Paper Title=title'") for text in texts)


def decision_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """Return the kind by decision, from a YAML file's `decision:` and from `WORD=KIND` texts, which override it."""
    section = _mapping(path).get("decision")
    kinds = dict(section) if isinstance(section, dict) else {}
    kinds |= dict(_pair(text, "WORD=KIND", "--decision 'out of scope=exclusion'") for text in texts)
    for kind in kinds.values():
        require_known(kind, TARGETS, "kind")
    return kinds


def without_axes(columns: Sequence[str], decisions: Sequence[str] = (), **options: Any) -> ReadingOptions:
    """Return options to read a file outside of a survey, without axes; raises `UsageError` for invalid mappings."""
    bare = Taxonomy.model_construct(survey=About(title="none"), axes=())
    return ReadingOptions(bare, column_mapping(columns, None), decisions=decision_mapping(decisions, None), **options)


def _pair(text: str, form: str, example: str) -> tuple[str, str]:
    name, equals, field = text.rpartition("=")
    if not equals or not name:
        raise UsageError(f"expected {form}, got {text!r}", hint=f"for example: {example}")
    return name, field


def _mapping(path: Path | None) -> Mapping[str, Any]:
    """Read a mapping file: fields by column name, and under `decision` kinds of records by word."""
    if path is None:
        return {}
    try:
        value, findings = yaml_reading.read(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    section = fields.get("decision")
    texts = [*fields.values(), *(section.values() if isinstance(section, dict) else ())]
    if findings or not isinstance(value, dict) or not all(isinstance(text, str) or text is section for text in texts):
        why = findings[0].message if findings else "expected lines 'NAME: FIELD'"
        hint = "write one line per column (Paper Title: title), or one per word under 'decision:' (unfit: exclusion)"
        raise UsageError(f"{path} is not a column mapping: {why}", hint=hint)
    return fields


def checked(options: ReadingOptions) -> ReadingOptions:
    """Return valid options; `form` may be a file extension. Raises `UsageError` for an unknown format or encoding."""
    for target in options.columns.values():
        if not target.startswith("extra."):
            require_known(target, (*FIELDS, *coded(options.taxonomy)), "field")
    require_known(options.entries, ENTRIES, "choice", owner="--entries")
    with suppress(UnicodeError):
        try:
            b" ".decode(options.encoding or "utf-8")
        except LookupError:
            hint = f"common encodings: {', '.join(ENCODINGS)}"
            raise UsageError(f"unknown encoding {options.encoding!r}", hint=hint) from None
    by_ending = {ending: name for name, form in import_formats().items() for ending in form.endings}
    form = by_ending.get((options.form or "").removeprefix(".").casefold(), options.form)
    return replace(options, form=form and require_known(form, IMPORTED, "import format"))


def applied(batch: Batch, options: ReadingOptions) -> Batch:
    """Apply the options for tags and decisions to a batch; raises `UsageError` for a column that no file has."""
    _require(options.columns, batch.columns)
    if options.tags_from:
        fields = (name for draft in batch.drafts for name in draft.fields.get("extra", ()))
        _require(options.tags_from, dict.fromkeys(("keywords", *batch.columns, *fields)))
    decided_on = with_codes((_decided(draft, options) for draft in batch.drafts), options.decisions)
    drafts = [_tagged(draft, options) for draft in decided_on]
    imported = tuple(draft for draft in drafts if draft.kind != "skip")
    return replace(batch, drafts=imported, decisions=decided_words(drafts))


def decided_words(drafts: Iterable[Draft]) -> Mapping[str, Mapping[str, Any]]:
    """Count the drafts by decision: `{word: {"kind": kind, "n": count}}`."""
    counts = Counter((draft.decision, draft.kind) for draft in drafts if draft.decision)
    return {word: {"kind": kind, "n": n} for (word, kind), n in sorted(counts.items())}


def _require(names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if not known:
            raise UsageError(f"no file has a column {name!r}", hint="only tables and lists have columns")
        require_known(name, known, "column")


def _decided(draft: Draft, options: ReadingOptions) -> Draft:
    """Return the draft with the decision of CoLRev, ASReview or Rayyan, if its fields contain a decision."""
    extra = dict(draft.fields.get("extra", {}))
    word = cells.line(extra.pop(COLREV, None))
    if not word or draft.decision or kind_of(word, options.decisions) is None:
        return screened(labelled(draft, options.decisions), options.decisions)
    return decided(replace(draft, fields={**draft.fields, "extra": extra}), word, "", "", options.decisions)


def _tagged(draft: Draft, options: ReadingOptions) -> Draft:
    """Return the draft with the values of the columns in `tags_from` as tags instead of keywords."""
    if not options.tags_from:
        return draft
    extra = dict(draft.fields.get("extra", {}))
    words: list[Any] = [word for name in options.tags_from for word in cells.words(extra.pop(name, None))]
    keywords = draft.keywords
    if "keywords" in options.tags_from:
        words, keywords = [*keywords, *words], ()
    tags = tuple(dict.fromkeys((*draft.tags, *map(_unrated, words))))
    return replace(draft, fields={**draft.fields, "extra": extra}, keywords=keywords, tags=tags)


def _unrated(word: str) -> str:
    """Return a word as a tag without strength, since a keyword of a file does not prove the strength."""
    axis, rest = split_axis(word)
    return word if rest is None else on_axis(axis, Tag.parse(rest).model_copy(update={"strength": None}))


SAVE = "save the sheet as CSV (UTF-8) and import the CSV file"
EXPORT = "export the library as RIS, BibTeX or CSV and import the exported file"
UNPACK = "unpack it and import the files in it"
LIST = "import its source data (CSV, YAML, BibTeX), or add its works one by one: awesome add https://…"
LOOK_UP = "add the work by its DOI or arXiv id: awesome add DOI"
PROLOGUE = re.compile(r"\A\ufeff?(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->)*+", re.DOTALL)
"""Whitespace, declarations and comments before the first element of a page."""
ENTRY = r"^[ \t]*@\w+[ \t]*[{(]"
"""The start of a BibTeX entry. If the first entry is in a code block, the file is Markdown, whatever its extension."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An unsupported format with a workaround. The first bytes, the start of the text or the extension identify it."""

    name: str
    way: str
    magic: bytes = b""
    start: str = ""
    endings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} is not supported; {self.way}"


REFUSED = (
    Refusal("an Excel sheet", SAVE, workbooks.WORKBOOK.pattern, endings=("xlsx",)),
    Refusal("an OpenDocument sheet", SAVE, b"PK\3\4.*opendocument.spreadsheet", endings=("ods",)),
    Refusal("a Word document", LIST, b"PK\3\4.*word/", endings=("docx",)),
    Refusal("a zip archive", UNPACK, b"PK\3\4", endings=("zip",)),
    Refusal("an old Excel or Word file", SAVE, b"\xd0\xcf\x11\xe0", endings=("xls", "doc")),
    Refusal("a gzip archive", UNPACK, b"\x1f\x8b", endings=("gz", "tgz")),
    Refusal("a PDF", LOOK_UP, b"%PDF", endings=("pdf",)),
    Refusal("RTF", EXPORT, rb"\{\\rtf", endings=("rtf",)),
    Refusal("an SQLite database", EXPORT, b"SQLite format 3", endings=("sqlite", "db")),
    Refusal("RDF", EXPORT, start=r"<(?:rdf:)?RDF\b", endings=("rdf",)),
    Refusal("HTML", LIST, start=r"(?i)<(?:!DOCTYPE html|html|head|body)\b", endings=("html", "htm")),
    Refusal(
        "Web of Science's tagged text", EXPORT, start=r"FN (?:Cla|Tho|ISI)|PT [A-Z]\n(?:AU|TI|SO) ", endings=("ciw",)
    ),
    Refusal("BibTeX within Markdown", LIST, start=rf"(?ms)(?![\[{{@])(?:(?!{ENTRY}).)*^(?:```|~~~)[\w ]*\n{ENTRY}"),
)
"""The first match counts. Formats with the extension of a supported format are recognised only by their bytes."""


def by_text(name: str, text: str) -> str | None:
    """Return why a file is unsupported, by its first characters or extension; None if it may be supported."""
    ending, start = name.rpartition(".")[2].casefold(), PROLOGUE.sub("", text[:100_000])
    read = {ending for form in import_formats().values() for ending in form.endings}
    rows = [row for row in REFUSED if not read.intersection(row.endings)]
    by_start = (row for row in rows if row.start and re.match(row.start, start, re.DOTALL))
    return next(map(str, [*by_start, *(row for row in rows if ending in row.endings)]), None)

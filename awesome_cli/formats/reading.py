"""Files of entries, and what a user asks for besides the format: columns, the meaning of decisions, words as tags.

Each entry is read by itself, and what cannot be read is a failure with its place. A format that is not read is refused
by its name, with the way round.
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
from awesome_cli.formats import ENTRIES, IMPORTED, ReadingOptions, cells, detect, import_formats
from awesome_cli.formats.decisions import COLREV, TARGETS, decided, kind_of, labelled, screened, with_codes
from awesome_cli.formats.rows import FIELDS, LARGEST, coded, joined
from awesome_cli.model.appearance import About
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.model.misfits import unread
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.known import require_known

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
    """Return all entries of some files, unreadable files as failures; raises `UsageError` for unfit options."""
    from awesome_cli.formats import artifact

    how = checked(how)
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
    return applied(joined([Batch((), tuple(failures)), *batches]), how)


def single(source: InputFile, how: ReadingOptions) -> Draft:
    """The one entry of a file; raises `UsageError` for none, for several, and for one that cannot be read."""
    batch = read([source], how)
    if batch.failures:
        raise UsageError(str(batch.failures[0]))
    if len(batch.drafts) != 1:
        hint = f"take them all in with 'awesome import {source.name}'"
        raise UsageError(f"{source.name} holds {len(batch.drafts)} entries, not one", hint=hint)
    return batch.drafts[0]


def _read_one(name: str, text: str, how: ReadingOptions) -> Batch:
    form = how.form or detect(name, text)
    why = by_text(name, text)
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
    if why := by_bytes(data):
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

    named = [f"{name} ({place})" for name, place in ENCODINGS.items() if name != known and is_text(name)]
    return f"; name the encoding with --encoding: {', '.join(named)}" if named else ""


ENCODINGS = {"cp1252": "Windows", "gb18030": "Chinese", "latin-1": "older Unix"}
"""Usual encodings besides UTF-8 and UTF-16, the likeliest first, with where they come from."""


def column_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """Return the field of each column, from `NAME=FIELD` texts, else a YAML file, or raise `UsageError`."""
    found = {name: field for name, field in _mapping(path).items() if isinstance(field, str)}
    return found | dict(_pair(text, "NAME=FIELD", "--column 'Paper Title=title'") for text in texts)


def decision_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """Return the kind that each decision makes, from `WORD=KIND` texts, else `decision:` of the file, likewise."""
    found = _mapping(path).get("decision")
    decided_words = dict(found) if isinstance(found, dict) else {}
    decided_words |= dict(_pair(text, "WORD=KIND", "--decision 'out of scope=exclusion'") for text in texts)
    for kind in decided_words.values():
        require_known(kind, TARGETS, "kind")
    return decided_words


def without_axes(columns: Sequence[str], decisions: Sequence[str] = (), **how: Any) -> ReadingOptions:
    """How to read a file without a survey, whose columns mean no axes; raises as the mappings do."""
    bare = Taxonomy.model_construct(survey=About(title="none"), axes=())
    return ReadingOptions(bare, column_mapping(columns, None), decisions=decision_mapping(decisions, None), **how)


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
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    decided_words = fields.get("decision")
    texts = [*fields.values(), *(decided_words.values() if isinstance(decided_words, dict) else ())]
    if (
        findings
        or not isinstance(value, dict)
        or not all(isinstance(text, str) or text is decided_words for text in texts)
    ):
        why = findings[0].message if findings else "it holds no 'NAME: FIELD'"
        hint = "one line a column (Paper Title: title); under 'decision:' one line a word (out of scope: exclusion)"
        raise UsageError(f"{path} is not a column mapping: {why}", hint=hint)
    return fields


def checked(options: ReadingOptions) -> ReadingOptions:
    """Return the options, with a format for an ending (`bib`), or raise `UsageError` for a name that is unknown."""
    for target in options.columns.values():
        if not target.startswith("extra."):
            require_known(target, (*FIELDS, *coded(options.taxonomy)), "field")
    require_known(options.entries, ENTRIES, "choice", owner="--entries")
    if options.encoding:
        with suppress(UnicodeError):
            _require_encoding(options.encoding)
    by_ending = {ending: name for name, form in import_formats().items() for ending in form.endings}
    form = by_ending.get((options.form or "").removeprefix(".").casefold(), options.form)
    return replace(options, form=form and require_known(form, IMPORTED, "import format"))


def _require_encoding(name: str) -> None:
    try:
        b" ".decode(name)
    except LookupError:
        raise UsageError(f"there is no encoding {name!r}", hint=f"usual ones: {', '.join(ENCODINGS)}") from None


def applied(batch: Batch, options: ReadingOptions) -> Batch:
    """The entries with the tags and kinds that were asked for; raises `UsageError` for a name that no file has."""
    _require_names(batch, options)
    decided_on = with_codes((_decided(draft, options) for draft in batch.drafts), options.decisions)
    drafts = [_tagged(draft, options) for draft in decided_on]
    kept = tuple(draft for draft in drafts if draft.kind != "skip")
    return replace(batch, drafts=kept, decisions=decided_words(drafts))


def decided_words(drafts: Iterable[Draft]) -> Mapping[str, Mapping[str, Any]]:
    """For each word that decided, what it made of how many: `{word: {kind, n}}`."""
    counts = Counter((draft.decision, draft.kind) for draft in drafts if draft.decision)
    return {word: {"kind": kind, "n": n} for (word, kind), n in sorted(counts.items())}


def _require_names(batch: Batch, options: ReadingOptions) -> None:
    _require(options.columns, batch.columns)
    if options.tags_from:
        fields = (name for draft in batch.drafts for name in draft.fields.get("extra", ()))
        _require(options.tags_from, dict.fromkeys(("keywords", *batch.columns, *fields)))


def _require(names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if not known:
            hint = "columns are of tables and lists; these files are neither"
            raise UsageError(f"no file has a column {name!r}", hint=hint)
        require_known(name, known, "column")


def _decided(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with what CoLRev or Rayyan says in a field of a bibliography as the decision."""
    extra = dict(draft.fields.get("extra", {}))
    word = cells.line(extra.pop(COLREV, None))
    if not word or draft.decision or kind_of(word, options.decisions) is None:
        return screened(labelled(draft, options.decisions), options.decisions)
    return decided(replace(draft, fields={**draft.fields, "extra": extra}), word, "", "", options.decisions)


def _tagged(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with the words of the fields that were asked for as tags, which are then no keywords."""
    if not options.tags_from:
        return draft
    extra = dict(draft.fields.get("extra", {}))
    asked: list[Any] = [word for name in options.tags_from for word in cells.words(extra.pop(name, None))]
    keywords = draft.keywords
    if "keywords" in options.tags_from:
        asked, keywords = [*keywords, *asked], ()
    tags = tuple(dict.fromkeys((*draft.tags, *map(_unrated, asked))))
    return replace(draft, fields={**draft.fields, "extra": extra}, keywords=keywords, tags=tags)


def _unrated(word: str) -> str:
    """A word without strength: what a source calls its subject says nothing of the evidence."""
    axis, rest = split_axis(word)
    return word if rest is None else on_axis(axis, Tag.parse(rest).model_copy(update={"strength": None}))


SAVE = "save the sheet as CSV (UTF-8) and import that"
EXPORT = "export the library as RIS, BibTeX or CSV and import that"
UNPACK = "unpack it and import the files in it"
LIST = "import the data behind it (CSV, YAML, BibTeX), or add its works one by one: awesome add https://…"
LOOK_UP = "add the work by its DOI or arXiv id: awesome add DOI"
PROLOGUE = re.compile(r"\A\ufeff?(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->)*+", re.DOTALL)
"""What may stand before the first element of a page."""
ENTRY = r"^[ \t]*@\w+[ \t]*[{(]"
"""How an entry of BibTeX begins; where the first one stands in a block of code, the file is Markdown by any name."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A format that is not read and the way round: how its bytes begin, how its text does, its files' endings."""

    name: str
    way: str
    magic: bytes = b""
    start: str = ""
    endings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} is not read; {self.way}"


REFUSED = (
    Refusal("an Excel sheet", SAVE, b"PK\3\4.*xl/", endings=("xlsx",)),
    Refusal("an OpenDocument sheet", SAVE, b"PK\3\4.*opendocument.spreadsheet", endings=("ods",)),
    Refusal("a Word document", LIST, b"PK\3\4.*word/", endings=("docx",)),
    Refusal("a zip archive", UNPACK, b"PK\3\4", endings=("zip",)),
    Refusal("an old Excel or Word file", SAVE, b"\xd0\xcf\x11\xe0", endings=("xls", "doc")),
    Refusal("a gzip archive", UNPACK, b"\x1f\x8b", endings=("gz", "tgz")),
    Refusal("a PDF", LOOK_UP, b"%PDF", endings=("pdf",)),
    Refusal("RTF", EXPORT, rb"\{\\rtf", endings=("rtf",)),
    Refusal("an SQLite database", EXPORT, b"SQLite format 3", endings=("sqlite", "db")),
    Refusal("EndNote XML", EXPORT, start=r"<xml>\s*<records"),
    Refusal("RDF", EXPORT, start=r"<(?:rdf:)?RDF\b", endings=("rdf",)),
    Refusal(
        "PubMed XML",
        "save it in the format 'PubMed' (.nbib) and import that",
        start=r"(?:<!DOCTYPE[^>]*>\s*)?<Pubmed",
    ),
    Refusal("HTML", LIST, start=r"(?i)<(?:!DOCTYPE html|html|head|body)\b", endings=("html", "htm")),
    Refusal("XML", EXPORT, start=r"<[a-zA-Z!][^\n]*>", endings=("xml",)),
    Refusal("EndNote's tagged text (.enw)", EXPORT, start=r"%0 \S[^\n]*\n(?:%\S [^\n]*\n?)+", endings=("enw",)),
    Refusal("Web of Science's tagged text", EXPORT, start=r"FN (?:Clarivate|Thomson|ISI)|PT [A-Z]\n(?:AU|TI|SO) "),
    Refusal("BibTeX within Markdown", LIST, start=rf"(?ms)(?![\[{{@])(?:(?!{ENTRY}).)*^(?:```|~~~)[\w ]*\n{ENTRY}"),
)
"""The first that fits names a file. One with an ending that a format of `IMPORTED` reads does not count."""


def by_bytes(data: bytes) -> str | None:
    """Why a file is not read, by how its bytes begin; None for one that may be a text."""
    rows = (row for row in REFUSED if row.magic and re.match(row.magic, data[:4000], re.DOTALL))
    return next(map(str, rows), None)


def by_text(name: str, text: str) -> str | None:
    """Why a text is not read: by how it begins, otherwise by its name's ending; None for one that may be read."""
    ending, start = name.rpartition(".")[2].casefold(), PROLOGUE.sub("", text[:100_000])
    read = {ending for form in import_formats().values() for ending in form.endings}
    rows = [row for row in REFUSED if not read.intersection(row.endings)]
    by_start = (row for row in rows if row.start and re.match(row.start, start, re.DOTALL))
    return next(map(str, [*by_start, *(row for row in rows if ending in row.endings)]), None)

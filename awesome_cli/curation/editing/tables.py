"""`tag --table`: bring codings back from a spreadsheet. `formats.codings` describes and writes the table.

The cells `press`, `taste`, `sour` and `measured` under `key,axis,term,strength` code `press` as `taste=sour:measured`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import get_args

from awesome_cli.curation.editing import find_work
from awesome_cli.curation.editing.recoding import Revising, remembered
from awesome_cli.curation.editing.tagging import Grounds, TagRequest, check_grounds, require_strength, tag_each, untag
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.formats import cells
from awesome_cli.formats.codings import (
    BESIDE,
    FIELDS,
    LONG,
    TEXTS,
    axis_digest,
    digest,
    field_cell,
    read_cell,
    term_cell,
    terms_cell,
    value,
)  # fmt: skip
from awesome_cli.formats.reading import InputFile, read_sheet
from awesome_cli.formats.spreadsheets import changed_cell
from awesome_cli.model.codings import MAIN, PART, Direction, Tag, on_axis
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import NA, Axis, Named, Taxonomy
from awesome_cli.query.parser import not_coded
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Changes, Plan, edit
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.known import excerpt, nearest, require_known, shown, unknown
from awesome_cli.text.numbers import counted

DEFAULTS = {"part": MAIN, "direction": "for"}
BEYOND = ""
"""The name of cells beyond the header."""
GUESSED = 20
"""Number of unknown keys for which the nearest key is named; to find it is slow."""
MOST_UNKNOWN = 500
"""Maximum number of unknown keys; a table with more is of another survey."""


@dataclass(frozen=True, slots=True)
class CodingRow:
    """A coding in a table: the number of its row, and its cells by field.

    In a wide table, `prefix` is the axis with a dot, as in the names of the columns.
    """

    number: int
    cells: Mapping[str, str]
    prefix: str = ""

    def error(self, name: str, message: str) -> UsageError:
        """Return an error that names row and column."""
        column = f"{self.prefix}{name}" if name in FIELDS else (self.prefix[:-1] or name) if name == "term" else name
        return UsageError(f"row {self.number}, column {column}: {message}")

    @contextmanager
    def at(self, name: str, words: Iterable[str | None] = ()) -> Iterator[None]:
        """Name row and column in errors; if a spreadsheet changed the cell, name the likely one of `words`."""
        try:
            yield
        except AwesomeError as error:
            hint = f" ({error.hint})" if error.hint else ""
            raise self.error(name, changed_cell(self.cells[name], words) or f"{error.message}{hint}") from None


@dataclass(frozen=True, slots=True)
class TableCoding:
    """A coding to set: its term, the existing coding, and the values that differ; the term `NA` removes the coding."""

    row: CodingRow
    term: str
    old: Tag | None = None
    values: Mapping[str, str] | None = None

    @property
    def is_change(self) -> bool:
        """True if the record does not have the coding as it is in the table."""
        return self.old is None or self.old.term != self.term or bool(self.values)

    @property
    def replaces(self) -> bool:
        """True if a value of the record would be replaced or removed, or a coding would be added to others."""
        old = self.old
        fills = old and old.term == self.term and not any(value(old, name) for name in self.values or ())
        return self.is_change and not fills

    def request(self, axis: Axis) -> tuple[TagRequest, Grounds]:
        """Return the coding as a request of `tag`; evidence that does not change keeps its quote and direction."""
        values = dict(self.values or {})
        old = self.old if self.old and self.old.term == self.term else None
        part, strength = values.pop("part", PART if old and old.part else MAIN), values.pop("strength", None)
        kept = {"quote": old.quote, "direction": old.direction} if old and values else {}
        return TagRequest(axis, self.term, strength, part == PART), Grounds(**{**kept, **values})  # type: ignore[arg-type]


def recode(tree: FileTree, corpus: Corpus, source: InputFile, *, revising: Revising | None, raw: bool = False) -> Plan:
    """Return one plan for all rows of a table; a row that cannot be applied leaves its record unchanged and is named.

    Raises `UsageError` if the file is not a table of codings.
    """
    rows, warnings = _rows(source, corpus.taxonomy, raw=raw)
    errors: list[str] = []
    by_key = _by_key(rows, corpus, source.name, errors)
    changes: Changes = ()
    unchanged = 0
    for key, together in by_key.items():
        work, number = find_work(corpus, key), len(errors)
        after = _recoded(work, together, corpus.taxonomy, errors)
        try:
            if after != work and len(errors) == number:
                changes += edit(tree, work, remembered(work, after, revising), tuple(corpus.taxonomy.by_id))
        except AwesomeError as error:
            errors.append(together[0].error("key", error.message).message)
        unchanged += len(errors) > number
    failed = [f"{source.name}: {message}" for message in dict.fromkeys(errors)]
    if failed:
        failed.append(f"{counted(len(changes), 'record')} to change; left unchanged because of errors: {unchanged}")
    return Plan(changes, warnings, tuple(failed))


def _by_key(
    rows: Sequence[CodingRow], corpus: Corpus, name: str, errors: list[str]
) -> Mapping[str, Sequence[CodingRow]]:
    """Group rows by the key of their record; messages about unknown records are added to `errors`."""
    by_key: dict[str, list[CodingRow]] = {}
    for row in rows:
        key, guesses = row.cells["key"], corpus.by_key if len(errors) < GUESSED else {}
        try:
            with row.at("key", guesses):
                if not guesses and key not in corpus.by_key and not corpus.named(key):
                    raise UsageError(f"unknown record {shown(key)}")
                by_key.setdefault(find_work(corpus, key).key, []).append(row)
        except UsageError as error:
            errors.append(error.message)
        if len(errors) == MOST_UNKNOWN:
            message = f"{MOST_UNKNOWN} rows of {name} name no record of this survey"
            raise UsageError(message, hint="check the column 'key', and the survey")
    return by_key


def _rows(source: InputFile, taxonomy: Taxonomy, *, raw: bool) -> tuple[list[CodingRow], tuple[str, ...]]:
    rows, warnings = read_sheet(source, raw=raw)
    columns = (f"{axis}.{field}" for axis in taxonomy.by_id for field in FIELDS)
    known = {name.casefold(): name for name in (*LONG, *BESIDE, *taxonomy.by_id, *columns)}
    header = [known.get(name.strip().casefold(), name.strip()) for name in (rows[0][1] if rows else [])]
    strange = [name for name in header if name and name not in known.values()]
    for name in header:
        if near := name in strange and nearest(name, known):
            raise UsageError(unknown(name, known, "column"), hint=f"name the column {near}, or remove it")
        if name and header.count(name) > 1:
            raise UsageError(f"{source.name} has two columns {name!r}", hint="rename or remove one of them")
    if "key" not in header or not ({"axis", "term"} <= {*header} or taxonomy.by_id.keys() & {*header}):
        message = f"{source.name} is not a table of codings: its first row needs 'key', and 'axis' and 'term' or axes"
        raise UsageError(message, hint="write a table with 'awesome export codings --out codings.csv'")
    if "digest" not in header:
        warnings = (
            *warnings,
            "warning: the table has no column 'digest': codings that changed since the export are overwritten",
        )
    if strange:
        warnings = (*warnings, f"columns that are neither fields nor axes are ignored: {excerpt(', '.join(strange))}")
    empty = dict.fromkeys(LONG if "term" in header else ("key", "digest", *header), "")
    width = len(header)
    body = [(n, zip(header, (cell.strip(" ") for cell in row), strict=False), row[width:]) for n, row in rows[1:]]
    return [CodingRow(n, {**empty, **dict(row), BEYOND: "".join(rest)}) for n, row, rest in body], warnings


def _recoded(work: AnyWork, rows: Sequence[CodingRow], taxonomy: Taxonomy, errors: list[str]) -> AnyWork:
    """Return a work with the codings of its rows; messages about cells that cannot be applied are added to `errors`."""
    by_axis: dict[str, list[TableCoding]] = {}
    for row, name in [(part, axis) for part in rows for axis in _axes(part, taxonomy)]:
        try:
            with row.at("axis", taxonomy.by_id):
                axis = taxonomy.axis(name)
            if row.cells[BEYOND]:
                raise row.error("key", "the row is longer than the header")
            if "term" not in row.cells and row is not rows[0]:
                raise row.error("key", f"row {rows[0].number} has the same work")
            parts = [row] if "term" in row.cells else _split(work, axis, row)
            codings = [coding for part in parts for coding in _codings(work, axis, part, taxonomy)]
            by_axis.setdefault(name, []).extend(codings)
        except UsageError as error:
            errors.append(error.message)
    for name, codings in by_axis.items():
        try:
            work = _applied(work, taxonomy.by_id[name], codings, taxonomy)
        except UsageError as error:
            errors.append(error.message)
    return work


def _axes(row: CodingRow, taxonomy: Taxonomy) -> list[str]:
    """Return the names of the axes on which a row has a coding."""
    if "term" in row.cells:
        return [row.cells["axis"]] if any(map(row.cells.__getitem__, ("term", *FIELDS))) else []
    filled = {name.partition(".")[0] for name, cell in row.cells.items() if cell}
    return [name for name in taxonomy.by_id if name in filled]


def _split(work: AnyWork, axis: Axis, row: CodingRow) -> list[CodingRow]:
    """Return the codings of a work on an axis in a wide row as rows of a long table, also those to remove."""
    tags, cell, empty = work.tags.get(axis.id, ()), row.cells.get(axis.id, ""), dict.fromkeys(LONG, "")
    exported = dict(pair.split("=", 1) for pair in row.cells["digest"].split() if "=" in pair).get(axis.id, "")
    empty |= {"key": row.cells["key"], "digest": exported if exported != axis_digest(work, axis) else ""}
    is_same = cell in {"", *(terms_cell(axis, tags, labels=labels) for labels in (False, True))}
    typed = [word.strip() for word in cell.split(";") if word.strip()]
    words = ([tag.term for tag in tags] or [""]) if is_same else typed
    if cell.upper() == NA:
        words = [] if tags else [NA]
    olds = list(tags) if is_same and tags else [_existing(axis, tags, word) for word in words]
    known = [old for old in olds if old is not None]
    parts = [{"term": word, "was": str(old or "")} for word, old in zip(words, olds, strict=True)]
    for part, old in zip(parts, olds, strict=True) if not is_same else ():
        part["part"] = MAIN if old is not None and old.part and not part["term"].endswith(f":{PART}") else ""
    for field in FIELDS if words != [NA] and words else ():
        text = row.cells.get(f"{axis.id}.{field}", "")
        # A cell is unchanged if it has the values of all former codings, or of those before the first new term.
        same = text in {"", field_cell(tags, field), *(field_cell(known[:n], field) for n in range(1, len(known) + 1))}
        values = [] if same else [text] if len(parts) == 1 else [*map(cells.cell, read_cell(text, field, len(parts)))]
        if len(values) not in {0, len(parts)}:
            mark = "line breaks" if field in TEXTS else "';'"
            message = f"expected {len(parts)} values, one per term, separated by {mark}; got {len(values)}"
            raise CodingRow(row.number, {}, f"{axis.id}.").error(field, message)
        for part, text in zip(parts, values, strict=False):
            part[field] = text
    parts += [{"term": NA, "was": str(tag)} for tag in tags if tag not in known]
    return [CodingRow(row.number, {**empty, **part}, f"{axis.id}.") for part in parts]


def _existing(axis: Axis, tags: Sequence[Tag], word: str) -> Tag | None:
    """Return the coding with a term, which the taxonomy may not know, by id, code or label of the term."""
    words = {word, Tag.parse(word).term}
    terms = {term.id for name in words if (term := axis.find(name))}
    return next((t for t in tags if t.term in words | terms or term_cell(axis, t, labels=True) in words), None)


def _codings(work: AnyWork, axis: Axis, row: CodingRow, taxonomy: Taxonomy) -> list[TableCoding]:
    """Return the coding of a row; raises `UsageError` if it changes a record that has changed since the export."""
    tags, was, word = work.tags.get(axis.id, ()), row.cells["was"], row.cells["term"]
    same = [tag for tag in tags if str(tag) == was] or [tag for tag in tags if tag.term == Tag.parse(was).term]
    old = next((tag for tag in same if digest((tag,)) == row.cells["digest"]), same[0] if same else None)
    if word.upper() == NA:
        removed = ([old] if old else []) if was else list[Tag | None](tags) or [None] * (axis.id in work.not_coded)
        if not removed and not was and not_coded(axis, taxonomy)(work):
            message = f"a record cannot state {NA} on {axis.id}: without a term it is not coded; leave the cell empty"
            raise row.error("term", message)
        codings = [TableCoding(row, NA, tag) for tag in removed]
    else:
        codings = [_coding(axis, row, old, tags, taxonomy)]
    current = digest((old,)) if old else "" if was else axis_digest(work, axis)
    if row.cells["digest"] not in {"", current} and any(coding.replaces for coding in codings):
        again = f"awesome export codings{' --wide' * bool(row.prefix)} --where 'key={work.key}'"
        way = f"export it again ({again}), or empty this cell to apply the row as it is"
        raise row.error("digest", f"the coding of {work.key} on {axis.id} has changed since the export; {way}")
    return codings


def _coding(axis: Axis, row: CodingRow, old: Tag | None, tags: Sequence[Tag], taxonomy: Taxonomy) -> TableCoding:
    word = row.cells["term"] or (old.term if old else "")
    if not word:
        raise row.error("term", "the row has values but no term")
    have = _existing(axis, tags, word)
    parsed = Tag.parse("" if have and word == have.term else word)
    if have is None:
        with row.at("term", [name for term in axis.terms for name in (term.id, term.code, term.label)]):
            parsed = parsed.model_copy(update={"term": axis.term(parsed.term, to_give=True).id})
    base, term = old or have, have.term if have else parsed.term
    known = {"strength": axis.strengths, "confidence": taxonomy.confidences}
    values = {
        name: _id_of(read_cell(row.cells[name], name)[0], known.get(name, ())) for name in FIELDS if row.cells[name]
    }
    values |= {name: text for name in ("strength", "part") if (text := value(parsed, name))}
    olds = {name: (value(base, name) if base else "") or DEFAULTS.get(name, "") for name in values}
    changed = {name: text for name, text in values.items() if text != olds[name]}
    for name, text in changed.items():
        _check(axis, row, name, text, olds[name], taxonomy)
    return TableCoding(row, term, base, changed if base and base.term == term else values)


def _id_of(word: str, entries: Sequence[Named]) -> str:
    """Return the id of an entry for its id or label, ignoring case; other words are unchanged."""
    return next((e.id for e in entries if word.casefold() in {e.id, e.label.casefold()}), word)


def _check(axis: Axis, row: CodingRow, name: str, text: str, old: str, taxonomy: Taxonomy) -> None:
    words = {"strength": axis.strength_ids, "part": (PART, MAIN), "direction": get_args(Direction)}
    if text == row.cells[name] and name in TEXTS and (message := changed_cell(text, [old])):
        raise row.error(name, message)
    if without_unseen(text) != text:
        raise row.error(name, "contains an invisible character; remove it")
    with row.at(name, (*words.get(name, taxonomy.confidence_rank), old)):
        if name == "strength":
            require_strength(axis, text)
        elif name in words:
            require_known(text, words[name], name)
        else:
            check_grounds(Grounds(**{name: text}), taxonomy)  # type: ignore[arg-type]


def _applied(work: AnyWork, axis: Axis, codings: Sequence[TableCoding], taxonomy: Taxonomy) -> AnyWork:
    changed = next((coding for coding in codings if coding.is_change), None)
    if changed is None:
        return work
    codings = list({(c.term, *sorted(c.row.cells.items())): c for c in codings}.values())  # equal rows are one
    terms = [coding.term for coding in codings if coding.term != NA]
    removals = [(axis.id, c.old.term) for c in codings if c.old is not None and c.old.term != c.term]
    with changed.row.at("term"):
        if twice := next((term for term in terms if terms.count(term) > 1), None):
            numbers = " and ".join(str(c.row.number) for c in codings if c.term == twice)
            raise UsageError(f"{on_axis(axis.id, twice)} is listed twice (rows {numbers})")
        work = untag(work, removals) if removals else work
        work = tag_each(work, [coding.request(axis) for coding in codings if coding.term != NA], taxonomy)
    waiting = tuple(name for name in work.not_coded if name != axis.id or changed.old is not None)
    return work.model_copy(update={"not_coded": waiting})

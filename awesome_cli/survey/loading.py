"""Load a corpus from files. A file that cannot be read becomes a finding; the other files are loaded."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from awesome_cli.errors import SurveyError
from awesome_cli.files import yaml_reading
from awesome_cli.files.comments import carried
from awesome_cli.files.paths import UnusableError
from awesome_cli.files.tree import FileTree, is_named_like_a_record
from awesome_cli.files.writing import MARK
from awesome_cli.model.misfits import FIELDS_SHOWN, misfit
from awesome_cli.model.records import KINDS, AnyRecord, Candidate, to_text
from awesome_cli.model.taxonomy import Taxonomy, require_known_format
from awesome_cli.reports.findings import RawFinding
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.text.known import unknown

if TYPE_CHECKING:
    from awesome_cli.model.audits import Audit
    from awesome_cli.model.screenings import Screenings
    from awesome_cli.model.searches import SearchRun

TAXONOMY = MARK
FOLDERS: Mapping[str, type[AnyRecord]] = {model.FOLDER: model for model in KINDS.values()}
TEXT_CODES = {
    "encoding": "Y001",
    "syntax": "Y002",
    "conflict": "Y003",
    "duplicate": "Y004",
    "alias": "Y005",
    "depth": "Y006",
    "size": "Y007",
    "documents": "Y008",
    "tag": "Y009",
}
SHAPE_CODES = {"extra_forbidden": "S001", "missing": "S002"}
KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
M = TypeVar("M", bound=BaseModel)
R = TypeVar("R", bound="AnyRecord | Audit | SearchRun | Screenings")


RecordCache = dict[tuple[str, bytes], Any]
"""Cache of loaded records, by path and bytes of their files."""


@dataclass(frozen=True)
class Values:
    """The parsed values of records, with the digests of their files, by path.

    `kept` are those of records without findings from an earlier run; `new` are the paths of the others that were read.
    """

    kept: Mapping[str, tuple[str, Any]]
    read: dict[str, tuple[str, Any]] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)

    def get(self, path: str, data: bytes) -> Any:
        """Return the kept value of a file with these bytes; None if there is none."""
        entry = self.kept.get(path)
        if entry is None or entry[0] != sha256(data).hexdigest():
            return None
        self.read[path] = entry
        return entry[1]

    def put(self, path: str, data: bytes, value: Any) -> None:
        """Add a new value of a file."""
        self.read[path] = (sha256(data).hexdigest(), value)
        self.new.add(path)


def load_corpus(
    tree: FileTree,
    *,
    candidates: bool = False,
    evidence: bool = False,
    known: RecordCache | None = None,
    unchanged: Mapping[str, Any] | None = None,
) -> Corpus:
    """Load the corpus of a tree. A file that cannot be read becomes a finding.

    Candidates and evidence (claims, audits, protocol, searches and screenings) are loaded only on request. `known` is a
    cache; equal files of several trees share a record. `unchanged` has records by path whose files are not read again.
    Raises `SurveyError` if the taxonomy cannot be read.
    """
    taxonomy, findings = _taxonomy(tree, known)
    if taxonomy is None:
        first = findings[0]
        raise SurveyError(f"{TAXONOMY} cannot be used: {first.message}", hint="see 'awesome validate'")
    kinds = [kind for kind in GROUPS if candidates or kind != Candidate.KIND]
    records, record_findings = load_records(tree, kinds, known=known, unchanged=unchanged)
    beside, beside_findings = load_beside(tree, known=known) if evidence else ({}, ())
    return Corpus(taxonomy, findings=(*findings, *record_findings, *beside_findings), **records, **beside)


def load_records(
    tree: FileTree, kinds: Iterable[str] = GROUPS, **how: Any
) -> tuple[dict[str, Any], tuple[RawFinding, ...]]:
    """Return the records of these kinds by field of `Corpus`, and the findings. For `how` see `load_folder`."""
    return _by_name({GROUPS[kind]: load_folder(tree, KINDS[kind], **how) for kind in kinds})


def load_beside(tree: FileTree, *, known: RecordCache | None = None) -> tuple[dict[str, Any], tuple[RawFinding, ...]]:
    """Return claims, audits, protocol, searches, screenings and manuscript by field of `Corpus`, and the findings."""
    from awesome_cli.model import audits, claims, protocol, screenings, searches

    paper: dict[str, Any] = {}
    if any(_bytes(tree, f"paper.{ending}") != (None, ()) for ending in ("yaml", "yml")):
        from awesome_cli.model import manuscript  # Imported here, since most surveys have none.

        paper["manuscript"] = read_file(tree, manuscript.Manuscript, manuscript.PATH)
    fields, findings = _by_name(
        {
            "claims_file": read_file(tree, claims.Claims, claims.PATH),
            "audits": load_folder(tree, audits.Audit, known=known),
            "protocol": read_file(tree, protocol.Protocol, protocol.PATH),
            "searches": read_file(tree, searches.Searches, searches.PATH),
            "runs": load_folder(tree, searches.SearchRun, known=known),
            "screenings": load_folder(tree, screenings.Screenings, known=known),
            **paper,
        }
    )
    saved = fields["searches"]
    return {**fields, "searches": saved.searches if saved else ()}, findings


def _by_name(
    results: Mapping[str, tuple[Any, tuple[RawFinding, ...]]],
) -> tuple[dict[str, Any], tuple[RawFinding, ...]]:
    return {name: value for name, (value, _) in results.items()}, tuple(f for _, some in results.values() for f in some)


def _taxonomy(tree: FileTree, known: RecordCache | None) -> tuple[Taxonomy | None, tuple[RawFinding, ...]]:
    if known is None:
        return read_taxonomy(tree)
    place = (TAXONOMY, tree.read(TAXONOMY) or b"")
    if place not in known:
        known[place] = read_taxonomy(tree)
    taxonomy, findings = known[place]
    return taxonomy, findings


def read_taxonomy(tree: FileTree) -> tuple[Taxonomy | None, tuple[RawFinding, ...]]:
    """Return the taxonomy (None if it is missing or invalid) and the findings."""
    taxonomy, findings = read_file(tree, Taxonomy, TAXONOMY)
    if taxonomy is None and not findings:
        fix = "start a survey with 'awesome init DIR'"
        return None, (RawFinding("S002", TAXONOMY, (), f"{TAXONOMY} is missing", fix),)
    return taxonomy, findings


def read_file(tree: FileTree, model: type[M], path: str) -> tuple[M | None, tuple[RawFinding, ...]]:
    """Return the model of a file (None if the file is missing or invalid) and the findings."""
    data, findings = _bytes(tree, path)
    wrong = path.removesuffix("yaml") + "yml"
    misplaced = (misnamed(tree, wrong),) if _bytes(tree, wrong)[0] is not None else ()
    result = None
    if data is not None:
        value, findings = _text(data, path, None)
        require_known_format(value, path)
        result, findings = (None, findings) if findings else validated(model, value, path, None)
    return result, (*findings, *misplaced)


def _bytes(tree: FileTree, path: str, key: str | None = None) -> tuple[bytes | None, tuple[RawFinding, ...]]:
    """Return the bytes of a file (None if it is missing or unreadable) and the findings."""
    try:
        return tree.read(path), ()
    except UnusableError as error:
        return None, (unusable(error, key),)


def unusable(error: UnusableError, key: str | None = None) -> RawFinding:
    """Return the finding for an unreadable file or folder."""
    return RawFinding("S007", error.path, (), error.message, error.hint, key, place=(1, 1))


def load_folder(
    tree: FileTree,
    model: type[R],
    *,
    axes: Iterable[str] | None = None,
    known: RecordCache | None = None,
    unchanged: Mapping[str, R] | None = None,
    values: Values | None = None,
) -> tuple[tuple[R, ...], tuple[RawFinding, ...]]:
    """Return the records in the folder of a model, and the findings.

    With `axes` (in taxonomy order), a record that is not in canonical form is a finding, too. `values` has the parsed
    values of records without findings. For `known` and `unchanged` see `load_corpus`.
    """
    records: list[R] = []
    findings: list[RawFinding] = []
    order = None if axes is None else tuple(axes)
    try:
        paths, strays = tree.list(model.FOLDER), tree.strays(model.FOLDER)
    except UnusableError as error:
        return (), (unusable(error),)
    for path in watched(paths, f"reading {model.FOLDER}"):
        if unchanged and path in unchanged:
            records.append(unchanged[path])
            continue
        name = path.rpartition("/")[2]
        key, dot, ending = name.rpartition(".")
        if ending != "yaml" or not dot:
            findings.extend(_stray(tree, path))
            continue
        data, unread = _bytes(tree, path, key)
        place = (path, data or b"")
        if known is not None and place in known:
            records.append(known[place])
            continue
        record, problems = (None, unread) if unread else load_record(model, key, *place, order, values)
        findings += problems
        if record is not None:
            records.append(record)
            if known is not None:
                known[place] = record
    return tuple(records), (*findings, *(_misplaced(path, model.FOLDER) for path in strays))


def load_record(
    model: type[R],
    key: str,
    path: str,
    data: bytes,
    order: tuple[str, ...] | None = None,
    values: Values | None = None,
) -> tuple[R | None, tuple[RawFinding, ...]]:
    """Return the record in the bytes of a file (None if they are invalid) and the findings."""
    if values is not None and (value := values.get(path, data)) is not None:
        return validated(model, value, path, key)
    value, text_findings = _text(data, path, key)
    if values is not None:
        values.put(path, data, value)
    if value is None and text_findings:
        return None, text_findings
    record, shape_findings = validated(model, value, path, key)
    if text_findings or shape_findings:
        return None, text_findings + shape_findings
    if record is None or order is None:
        return record, ()
    form = to_text(record, order)
    if data != form.encode() and data != carried(data, form).encode():
        fix = f"awesome fmt {key}"
        return record, (RawFinding("C001", path, (), "the file is not in canonical form", fix, key, place=(1, 1)),)
    return record, ()


def _misplaced(path: str, folder: str) -> RawFinding:
    key = PurePath(path).stem
    fix = f"move the record to {folder}/{key}.yaml as a file, or remove {path}"
    return RawFinding("S006", path, (), "this is not a record; it is ignored", fix, key, place=(1, 1))


def _stray(tree: FileTree, path: str) -> Iterator[RawFinding]:
    key, _, ending = path.rpartition("/")[2].rpartition(".")
    if is_named_like_a_record(path):
        yield misnamed(tree, path, key)
    elif ending in {"orig", "rej", "bak"} or not key:
        yield RawFinding("S005", path, (), "this is not a record", f"remove {path}", key or None)


def misnamed(tree: FileTree, path: str, key: str | None = None) -> RawFinding:
    """Return the finding for a file that ends in `.yml`, which no command reads."""
    right = str(PurePath(path).with_suffix(".yaml"))
    fix = f"mv {path} {right}" if _bytes(tree, right)[0] is None else f"merge {path} into {right}, and remove it"
    return RawFinding("S006", path, (), "the file name must end in .yaml", fix, key, place=(1, 1))


def _text(data: bytes, path: str, key: str | None) -> tuple[Any, tuple[RawFinding, ...]]:
    value, findings = yaml_reading.read(data)
    coded = ((TEXT_CODES[finding.kind], finding) for finding in findings)
    return value, tuple(
        RawFinding(code, path, (), f.message, f.fix or f"awesome explain {code}", key, place=(f.line, f.column))
        for code, f in coded
    )


def validated(model: type[M], value: Any, path: str, key: str | None) -> tuple[M | None, tuple[RawFinding, ...]]:
    """Validate a value with a model. Return the instance (None if invalid) and a finding for each error."""
    if value is None and not any(named.is_required() for named in model.model_fields.values()):
        value = {}
    if not isinstance(value, dict):
        message = "the file is empty" if value is None else "the file has no fields (`name: value`)"
        return None, (RawFinding("S003", path, (), message, "awesome explain S003", key, place=(1, 1)),)
    if key is not None and "key" in value:
        message = "'key' is not a field of records: the key is the file name"
        return None, (RawFinding("S001", path, ("key",), message, "remove the field 'key'", key, at_key=True),)
    try:
        return model.model_validate(value if key is None else {"key": key, **value}), ()
    except ValidationError as error:
        errors = error.errors(include_url=False)
        outer = {e["loc"][:end] for e in errors for end in range(len(e["loc"]))}
        # Pydantic also reports a list as too short if its only entry is invalid.
        errors = [e for e in errors if e["type"] != "too_short" or e["loc"] not in outer]
        return None, tuple(_finding(model, path, key, details) for details in errors)


def _finding(model: type[BaseModel], path: str, key: str | None, error: Any) -> RawFinding:
    route = tuple(error["loc"])
    if route == ("key",):
        message = f"{key!r} is not a valid key: use lower-case letters, digits, '.', '_' and '-'"
        return RawFinding("S004", path, (), message, f"mv {path} {path.rpartition('/')[0]}/KEY.yaml", key, place=(1, 1))
    code = SHAPE_CODES.get(error["type"], "S003")
    name = ".".join(str(step) for step in route)
    if code == "S001":
        fields = _fields_at(model, route[:-1])
        message = unknown(str(route[-1]), fields, "field", owner=name.rpartition(".")[0] or None)
        few = f"; fields: {', '.join(fields)}" if 0 < len(fields) <= FIELDS_SHOWN else ""
        return RawFinding(code, path, route, message, f"remove or rename {name!r}{few}", key, at_key=True)
    if code == "S002":
        return RawFinding(code, path, route, f"field {name!r} is missing", f"add '{route[-1]}: …'", key)
    fix = f"awesome edit {key}" if model in FOLDERS.values() else f"correct {path}; see 'awesome explain {code}'"
    return RawFinding(code, path, route, misfit(error), fix, key)


def _fields_at(model: type[BaseModel], route: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the field names of the model at a route, for suggestions; empty without a model."""
    current: Any = model
    for step in route:
        current = _inside(current, step)
    names = current.model_fields if _is_model(current) else ()
    return tuple(name for name in names if name != "key" or current is not model)


def _inside(annotation: Any, step: str | int) -> Any:
    """Return the type annotation of the field or item `step` of a type annotation."""
    if _is_model(annotation):
        field = annotation.model_fields.get(step)
        return field.annotation if field is not None else None
    parts = get_args(annotation)
    if get_origin(annotation) is dict:
        return parts[1]
    if get_origin(annotation) is tuple and isinstance(step, int):
        return get_args(parts[0])[0] if get_origin(parts[0]) is Annotated else parts[0]
    # An optional or annotated model: descend to the model.
    inner = next((part for part in parts if _is_model(part) or get_args(part)), None)
    return _inside(inner, step) if inner is not None else None


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def locate(read: Callable[[str], bytes | None], finding: RawFinding) -> tuple[int, int]:
    """Return the line and column of a finding, counted from 1. `read` returns the bytes of a file by path."""
    return next(iter(located(read, [finding])))[1]


def located(
    read: Callable[[str], bytes | None], findings: Iterable[RawFinding]
) -> Iterator[tuple[RawFinding, tuple[int, int]]]:
    """Yield findings by path, with line and column from 1; each file is parsed once."""
    for path, some in groupby(sorted(findings, key=attrgetter("path")), attrgetter("path")):
        locator = None
        for finding in some:
            if finding.place is not None:
                yield finding, finding.place
                continue
            locator = locator or yaml_reading.Locator(read(path) or b"")
            span = locator.span(finding.route, at_key=finding.at_key)
            yield finding, (span.line, span.column)

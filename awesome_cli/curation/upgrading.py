"""`upgrade`: a survey of an earlier form in that of today; what only a person can say is named."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.claims import PATH as CLAIMS
from awesome_cli.model.formats import CURRENT, FIRST, require_known
from awesome_cli.survey.changes import Change, Plan
from awesome_cli.survey.loading import FOLDERS, TAXONOMY, load_record
from awesome_cli.survey.saving import revised

Documents = Mapping[str, Any]
"""The values of the survey's files by their paths."""


@dataclass(frozen=True)
class Upgraded:
    """The files that a step changes, each as a whole, and what it leaves to a person."""

    documents: Documents
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class UpgradeStep:
    """What turns the form `before` into the next one."""

    before: int
    what: str
    change: Callable[[Documents], Upgraded]


def upgraded(tree: FileTree) -> Plan:
    """The plan that brings a survey to the present form, its warnings what was done and what is left.

    A survey that says no number and has nothing of an earlier form is of the present one.
    Raises `SurveyError` for a file that cannot be read and for a survey of a later form.
    """
    documents = dict(_documents(tree))
    taxonomy = documents.get(TAXONOMY)
    if taxonomy is None:
        raise SurveyError(f"there is no {TAXONOMY}", hint="start a survey with 'awesome init DIR'")
    require_known(taxonomy, TAXONOMY)
    number = _number(taxonomy)
    if number == CURRENT:
        return Plan(())
    changed: dict[str, Any] = {}
    told: list[str] = []
    is_new = "format" not in taxonomy
    for step in STEPS:
        if step.before >= number:
            outcome = step.change(documents | changed)
            changed |= outcome.documents
            is_new = is_new and not (outcome.documents or outcome.left)
            told += [f"format {step.before} to {step.before + 1}: {step.what}", *outcome.left]
    if is_new:
        return Plan(())
    # A new field at the top of the file, or the old one where it stands.
    changed[TAXONOMY] = {"format": FIRST, **changed.get(TAXONOMY, taxonomy)} | {"format": CURRENT}
    axes = [axis["id"] for axis in _mappings(taxonomy, "axes") if "id" in axis]
    return Plan(tuple(_change(tree, path, value, axes) for path, value in changed.items()), tuple(told))


def _number(taxonomy: Any) -> int:
    number = str(taxonomy.get("format", FIRST))
    if not number.isdecimal() or int(number) < FIRST:
        raise SurveyError(f"{TAXONOMY}: format is not a number from {FIRST} on", hint=f"remove 'format' for {FIRST}")
    return int(number)


def _documents(tree: FileTree) -> Iterator[tuple[str, Any]]:
    records = (path for folder in FOLDERS for path in tree.list(folder) if path.endswith(".yaml"))
    for path in (TAXONOMY, CLAIMS, *records):
        data = tree.read(path)
        if data is None:
            continue
        value, findings = yaml_reading.read(data)
        if findings or not isinstance(value, dict):
            raise SurveyError(f"{path} cannot be read, and nothing was written", hint=f"see 'awesome validate {path}'")
        yield path, value


def _change(tree: FileTree, path: str, value: Any, axes: Sequence[str]) -> Change:
    """The change of one file; a record in canonical form stays so."""
    data = tree.read(path) or b""
    result = yaml_editing.rewrite(data, value)
    folder, _, name = path.rpartition("/")
    if model := FOLDERS.get(folder):
        key = name.removesuffix(".yaml")
        before, after = (load_record(model, key, path, text)[0] for text in (data, result))
        result = result if before is None or after is None else revised(data, before, after, axes)
    return Change(path, data, result)


def _from_first(documents: Documents) -> Upgraded:
    """`sparse_at_most` becomes `sparse`, `strict_from` of the claims `contested_from`, `under: contested` generous.

    A contest said that its coding covers the term: `as` says so by the strength that covers. Its day nobody knows.
    """
    taxonomy = documents[TAXONOMY]
    found: dict[str, Any] = {TAXONOMY: {**taxonomy, "axes": [_sparse(axis) for axis in _mappings(taxonomy, "axes")]}}
    claims = documents.get(CLAIMS)
    if claims is not None:
        grade = claims.get("strict_from")
        if grade is not None:
            found[TAXONOMY].setdefault("contested_from", grade)
        found[CLAIMS] = _read_generously({name: value for name, value in claims.items() if name != "strict_from"})
    covering = {axis.get("id"): axis.get("gap_strength") for axis in _mappings(taxonomy, "axes")}
    left: list[str] = []
    for path, record in documents.items():
        if path not in {TAXONOMY, CLAIMS} and isinstance(record.get("tags"), dict):
            tags = {axis: _contested(value, covering.get(axis)) for axis, value in record["tags"].items()}
            if tags != record["tags"]:
                found[path] = {**record, "tags": tags}
            if any(
                "contested" in tag and "on" not in tag["contested"] for value in tags.values() for tag in _list(value)
            ):
                left.append(f"{path}: a contest has no day ('on'); without one the pool of every day has it")
    return Upgraded({path: value for path, value in found.items() if value != documents[path]}, tuple(left))


def _mappings(value: Any, name: str) -> list[Any]:
    """The entries of a list in a document that are mappings."""
    return [entry for entry in value.get(name) or () if isinstance(entry, dict)]


def _list(value: Any) -> list[Any]:
    """The tags of an axis that have fields."""
    return [tag for tag in (value if isinstance(value, list) else [value]) if isinstance(tag, dict)]


def _sparse(axis: Any) -> Any:
    old, most = "sparse_at_most", axis.get("sparse_at_most")
    new = {"at_most": int(most) if str(most).isdecimal() else most}
    return {"sparse" if name == old else name: new if name == old else value for name, value in axis.items()}


def _read_generously(value: Any) -> Any:
    """Claims in which the readings that strengthen contested codings have their present name."""
    if isinstance(value, list):
        return [_read_generously(inner) for inner in value]
    if isinstance(value, dict):
        old = value.get("under") == "contested"
        return {k: "generous" if old and k == "under" else _read_generously(v) for k, v in value.items()}
    return value


def _contested(value: Any, covering: str | None) -> Any:
    """The tags of an axis, of which each contest without day and reading reads as the strength that covers a term."""
    if isinstance(value, list):
        return [_contested(tag, covering) for tag in value]
    contest = value.get("contested") if isinstance(value, dict) else None
    if not isinstance(contest, dict) or "on" in contest or "as" in contest:
        return value
    if covering is None or value.get("strength") in {None, covering}:
        return value
    grade = {name: contest[name] for name in ("grade",) if name in contest}
    return {**value, "contested": {**grade, "as": {"strength": covering}, **contest}}


STEPS = (
    UpgradeStep(
        1, "what is sparse, where readings start and what a contest would code have fields of their own", _from_first
    ),
)
"""From the oldest form on, one step for each; the last one ends at `CURRENT`."""

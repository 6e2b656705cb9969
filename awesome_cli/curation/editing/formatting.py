"""`fmt`: write records in their canonical form; the only verb that reorders a file."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from awesome_cli.files.comments import carried
from awesome_cli.files.paths import UnusableError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.records import to_text
from awesome_cli.reports.progress import watched
from awesome_cli.survey.loading import FOLDERS, load_record
from awesome_cli.survey.saving import Change, Plan
from awesome_cli.text.known import require_known


def formatted(tree: FileTree, names: Sequence[str], axes: Sequence[str]) -> Plan:
    """The change of each record's file that is not canonical; without names, of all records.

    A name is a key, a path or a folder. Comments move with their values. A file that
    cannot be read is not changed, and the plan names it. Raises `UsageError` for a name without a file.
    """
    changes: list[Change] = []
    failed: list[str] = []
    for path in watched(tuple(_paths(tree, names)), "formatting records"):
        data = _bytes(tree, path)
        model = FOLDERS.get(path.rpartition("/")[0])  # none for a file in a folder of a folder
        record = load_record(model, _key(path), path, data)[0] if model and data is not None else None
        if data is None or record is None:
            failed.append(f"{path} cannot be read and stays as it is: see 'awesome validate {path}'")
            continue
        after = carried(data, to_text(record, axes)).encode()
        if after == data:
            continue
        changes.append(Change(path, data, after))
    return Plan(tuple(changes), failed=tuple(failed))


def _paths(tree: FileTree, names: Sequence[str]) -> Iterator[str]:
    every = [path for folder in FOLDERS for path in tree.list(folder) if path.endswith(".yaml")]
    strays = [path for folder in FOLDERS for path in tree.strays(folder)]
    if not names:
        yield from (*every, *strays)
    for name in names:
        found = [path for path in (*every, *strays) if name.rstrip("/") in {path, path.rpartition("/")[0]}]
        found += [path for path in every if _key(path) == name]
        if not found:
            require_known(name, [_key(path) for path in every], "record", hint="name a key, a path or a folder")
        yield from found


def _bytes(tree: FileTree, path: str) -> bytes | None:
    with suppress(UnusableError):
        return tree.read(path)
    return None


def _key(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".yaml")

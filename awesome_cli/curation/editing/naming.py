"""`rename`: change a record's key; the old key becomes an alias, and references are updated."""

from collections.abc import Callable
from typing import Any

from awesome_cli.curation.editing import check_key, find
from awesome_cli.errors import UsageError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.claims import PATH as CLAIMS
from awesome_cli.model.codings import Tag
from awesome_cli.model.screenings import Screenings
from awesome_cli.query.logic import Token, tokens
from awesome_cli.query.parser import TOKEN
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Change, Changes, Plan, delete, edit, revised

Names = Callable[[str, str], tuple[str, str]]
"""A function from a name and a value to the new name and value; the value is empty for the name alone."""


def rewritten(query: str, names: Names, *, bare: Callable[[str], str] | None = None) -> str:
    """Rewrite a query: pass each `name=value` through `names`, and each bare term through `bare`.

    A text that is not a query is returned unchanged. Strengths (`value:strength`) stay.
    """
    try:
        pieces = tokens(query, TOKEN)
    except UsageError:
        return query
    changes: list[tuple[Token, str]] = []
    for i, piece in enumerate(pieces):
        if piece.kind != "word":
            continue
        following = pieces[i + 1] if i + 1 < len(pieces) else None
        if following is not None and following.kind == "op":
            values = _values(pieces, i + 2)
            changes.append((piece, names(piece.text, "")[0]))
            changes += [(value, _renamed(value.text, piece.text, names)) for value in values]
        elif bare is not None and not (i and pieces[i - 1].kind in {"op", "comma", "exact"}):
            changes.append((piece, _renamed(piece.text, "", lambda name, term: (name, bare(term)))))
    for piece, text in reversed(changes):
        at = piece.at - 1
        query = query[:at] + text + query[at + len(piece.text) :]
    return query


def _values(pieces: tuple[Token, ...], start: int) -> list[Token]:
    """Return the values after an operator: words separated by commas, each perhaps with an exact strength."""
    values: list[Token] = []
    i = start
    while i < len(pieces) and pieces[i].kind in {"word", "text"}:
        values.append(pieces[i])
        i += 1
        if i < len(pieces) and pieces[i].kind == "exact":
            i += 2
        if i >= len(pieces) or pieces[i].kind != "comma":
            break
        i += 1
    return values


def _renamed(text: str, name: str, names: Names) -> str:
    term = Tag.parse(text).term
    return names(name, term)[1] + text[len(term) :]


Rewrite = Callable[[str], str]


def rename(tree: FileTree, corpus: Corpus, old: str, new: str) -> Plan:
    """Rename a record; raises `RefusedError` if the key is taken, `UsageError` if it is not valid."""
    record = find(corpus, old)
    check_key(corpus, new, holder=record)
    if new == record.key:
        return Plan(())
    axes = tuple(corpus.taxonomy.by_id)
    aliases = (*(alias for alias in record.aliases if alias != new), record.key)
    data = tree.read(record.path) or b""
    moved = record.model_copy(update={"key": new, "aliases": aliases})
    made = Change(moved.path, tree.read(moved.path), revised(data, record, moved, axes))
    others = references(tree, corpus, record.key, new)
    beside = (*claims(tree, record.key, new), *screened(tree, record.key, new))
    return Plan((made, *others, *beside, delete(tree, record)))


def references(tree: FileTree, corpus: Corpus, old: str, new: str) -> Changes:
    """The changes to records that name `old`."""
    axes = tuple(corpus.taxonomy.by_id)
    changes: list[Change] = []
    for record in corpus.records:
        update: dict[str, Any] = {}
        if old in record.distinct_from:
            names = (new if name == old else name for name in record.distinct_from)
            update["distinct_from"] = tuple(dict.fromkeys(names))
        if getattr(record, "version_of", None) == old:
            update["version_of"] = new
        if update and record.key != old:
            changes += edit(tree, record, record.model_copy(update=update), axes)
    return tuple(changes)


def claims(tree: FileTree, old: str, new: str) -> Changes:
    """The change to the claims that name a record: in lists of keys, and as `key=…` in queries."""

    def text(value: str) -> str:
        if value == old:
            return new
        return rewritten(value, lambda name, v: (name, new if name == "key" and v == old else v))

    return reworded(tree, lambda value: each(value, text))


def screened(tree: FileTree, old: str, new: str) -> Changes:
    """The changes to screening decisions that name a record, as the candidate or as the record of a duplicate."""

    def decision(entry: dict[str, Any]) -> dict[str, Any]:
        return {name: new if name in {"key", "of"} and value == old else value for name, value in entry.items()}

    return decided(tree, decision)


def decided(tree: FileTree, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Changes:
    """The changes to the files of screening decisions where each decision is changed."""

    def changed(value: dict[str, Any]) -> dict[str, Any]:
        found = value.get("decisions")
        if not isinstance(found, list):
            return value
        return {**value, "decisions": [change(one) if isinstance(one, dict) else one for one in found]}

    paths = [path for path in tree.list(Screenings.FOLDER) if path.endswith(".yaml")]
    return tuple(one for path in paths for one in reworded(tree, changed, path))


def reworded(tree: FileTree, change: Callable[[Any], Any], path: str = CLAIMS) -> Changes:
    """The changed file, of claims or at `path`; none if the file is missing or unreadable, or stays the same."""
    data = tree.read(path)
    if data is None:
        return ()
    value, findings = yaml_reading.read(data)
    if findings or not isinstance(value, dict):
        return ()
    result = yaml_editing.rewrite(data, change(value))
    return () if result == data else (Change(path, data, result),)


PROSE = frozenset(["id", "statement", "boundary", "stated", "because", "note", "label", "survive", "succeeds", "by"])
"""Fields of claims with prose or ids of claims; names of records in them stay."""


def each(value: Any, text: Rewrite) -> Any:
    """Return a value after applying the function `text` to each of its strings, except in fields of prose."""
    if isinstance(value, dict):
        return {name: child if name in PROSE else each(child, text) for name, child in value.items()}
    if isinstance(value, list):
        return [each(child, text) for child in value]
    return text(value) if isinstance(value, str) and value.strip() else value

"""The fixes of `awesome validate --fix`: those that need no decision."""

from collections.abc import Iterator

from awesome_cli.curation.editing.files import formatted
from awesome_cli.files import yaml_reading
from awesome_cli.files.comments import carried
from awesome_cli.files.tree import PARTS, FileTree
from awesome_cli.model.identifiers import Reference, behind_doi
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers, to_text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import FOLDERS
from awesome_cli.survey.saving import Change, Plan


def fixed(tree: FileTree, corpus: Corpus) -> Plan:
    """Return the plan that applies certain fixes.

    Records get their canonical form, arXiv ids in place of DOIs that contain them, and near-misses without repetition;
    in other files, the field name `on` gets quotes.
    """
    axes = tuple(corpus.taxonomy.by_id)
    changes = {change.path: change for change in formatted(tree, (), axes).changes}
    for record in corpus.records:
        new, data = corrected(record), tree.read(record.path)
        if new != record and data is not None:
            changes[record.path] = Change(record.path, data, carried(data, to_text(new, axes)).encode())
    changes |= {change.path: change for change in _quoted(tree)}
    return Plan(tuple(change for _, change in sorted(changes.items())))


def corrected(record: AnyRecord) -> AnyRecord:
    """Return a record with arXiv ids in place of their DOIs, and each near-miss once."""
    changes: dict[str, object] = {}
    if (identifiers := _with_arxiv(record.identifiers)) != record.identifiers:
        changes["identifiers"] = identifiers
    if isinstance(record, Exclusion):
        once = tuple(dict.fromkeys(record.near_miss))
        changes |= {"near_miss": once} if once != record.near_miss else {}
    return record.model_copy(update=changes) if changes else record


def _with_arxiv(identifiers: Identifiers) -> Identifiers:
    inner = behind_doi(Reference("doi", identifiers.doi or ""))
    if inner is None or inner.scheme != "arxiv" or identifiers.arxiv is not None:
        return identifiers
    return identifiers.model_copy(update={"arxiv": inner.id, "doi": None})


def _quoted(tree: FileTree) -> Iterator[Change]:
    beside = [part for part in PARTS if part not in FOLDERS]
    for path in (path for part in beside for path in ((part,) if part.endswith(".yaml") else tree.list(part))):
        data = tree.read(path)
        if data is not None and yaml_reading.BARE.search(data):
            yield Change(path, data, yaml_reading.BARE.sub(b'"on"', data))

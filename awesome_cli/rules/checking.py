"""All rules, and the one function that runs them over a tree of files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from awesome_cli import rules
from awesome_cli.files import paths
from awesome_cli.files.paths import UnusableError
from awesome_cli.files.tree import AROUND, BESIDE, FileTree, WorkingTree
from awesome_cli.reports.findings import Finding, RawFinding, in_order
from awesome_cli.rules.preconditions import taxonomy_errors
from awesome_cli.rules.reading import NotingTree
from awesome_cli.rules.registry import REGISTRY, Rule, run
from awesome_cli.survey import journal, kept, loading
from awesome_cli.survey.corpus import GROUPS, Corpus

for _module in iter_modules(rules.__path__, f"{rules.__name__}."):
    import_module(_module.name)
RULES: Mapping[str, Rule] = dict(sorted(REGISTRY.items()))
"""Every rule by its code."""
WITHOUT_TAXONOMY = frozenset({"identifiers", "duplicates", "records"})
"""The topics whose rules do not use the taxonomy, and so run even if it has errors."""
BY_RECORD = frozenset({"codings", "identifiers", "F002", "K002"})
"""The topics, and rules of other topics, whose findings on a record follow from it, the taxonomy and the day alone."""


def check(
    tree: FileTree,
    *,
    also: Callable[[Corpus], Iterator[RawFinding]] | None = None,
    known: loading.RecordCache | None = None,
) -> tuple[Finding, ...]:
    """Return all findings of a survey, sorted by file and line. File contents never raise.

    With an unusable taxonomy, the records are still read, and rules that need it are skipped. `also` adds checks of
    higher layers, such as the names of plots; `known` is an empty cache, which gets the records.
    """
    beside = list(_beside(tree))
    root, tree = tree.root if isinstance(tree, WorkingTree) else None, NotingTree(tree)
    taxonomy, taxonomy_findings = loading.read_taxonomy(tree)
    order = [axis.id for axis in taxonomy.axes] if taxonomy is not None else None
    made_of = kept.inputs(tree.read(loading.TAXONOMY)) if root and taxonomy is not None else None
    values = loading.Values((root and kept.read(root, "records", made_of)) or {})
    records, unread = loading.load_records(tree, axes=order, values=values, known=known)
    parts, part_findings = loading.load_beside(tree, known=known)
    findings = [*taxonomy_findings, *unread, *part_findings]
    findings += [*beside, *tree.findings(), *journal.findings(tree)]
    if taxonomy is not None:
        corpus = Corpus(taxonomy, findings=(*unread, *part_findings), **records, **parts)
        broken = list(taxonomy_errors(corpus))
        usable = {r: {r.topic, r.code} & BY_RECORD for r in RULES.values() if not broken or r.topic in WITHOUT_TAXONOMY}
        by_record = list(run(_changed(corpus, values), (r for r, local in usable.items() if local)))
        faulty = {finding.path for finding in (*unread, *by_record)}
        clean = {path: entry for path, entry in values.read.items() if path not in faulty}
        if root and not broken and clean != values.kept:
            kept.keep(root, "records", made_of, clean)
        more = also(corpus) if also is not None else ()
        others = run(corpus, (r for r, local in usable.items() if not local))
        findings = list(dict.fromkeys([*findings, *broken, *by_record, *others, *more]))
    return in_order(to_finding(finding, *place) for finding, place in loading.located(tree.read, findings))


def _changed(corpus: Corpus, values: loading.Values) -> Corpus:
    """Return the corpus with only the records whose values were not kept from an earlier run."""
    groups: Any = {name: tuple(r for r in getattr(corpus, name) if r.path in values.new) for name in GROUPS.values()}
    return replace(corpus, **groups)


def _beside(tree: FileTree) -> Iterator[RawFinding]:
    """Report unreadable files that only other commands read, and only in a working tree."""
    if not isinstance(tree, WorkingTree):
        return
    for path in BESIDE:
        try:
            tree.read(path)
        except UnusableError as error:
            yield loading.unusable(error)
    for path in AROUND:
        yield from (loading.unusable(fault) for fault in paths.faults(tree.root, path))


def files(tree: FileTree) -> int:
    """Count the files in the folders of records; an unreadable folder (a finding) counts as empty."""
    n = 0
    for folder in loading.FOLDERS:
        with suppress(UnusableError):
            n += len(tree.list(folder))
    return n


def to_finding(finding: RawFinding, line: int, column: int) -> Finding:
    """Add line, column and level to a raw finding."""
    field = ".".join(str(step) for step in finding.route) or None
    level = RULES[finding.code].level
    return Finding(finding.code, level, finding.message, finding.path, line, column, finding.key, field, finding.fix)

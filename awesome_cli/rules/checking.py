"""All rules, and the one function that runs them over a tree of files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

from awesome_cli import rules
from awesome_cli.files import paths
from awesome_cli.files.paths import UnusableError
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.reports.findings import Finding, RawFinding, in_order
from awesome_cli.rules.preconditions import taxonomy_errors
from awesome_cli.rules.reading import NotingTree
from awesome_cli.rules.registry import REGISTRY, Rule, run
from awesome_cli.survey import journal, loading
from awesome_cli.survey.corpus import Corpus

for _module in iter_modules(rules.__path__, f"{rules.__name__}."):
    import_module(_module.name)
RULES: Mapping[str, Rule] = dict(sorted(REGISTRY.items()))
"""Every rule by its code."""
WITHOUT_TAXONOMY = frozenset({"identifiers", "duplicates", "records"})
"""The topics whose rules do not use the taxonomy, and so run even if it has errors."""


def check(tree: FileTree, *, also: Callable[[Corpus], Iterator[RawFinding]] | None = None) -> tuple[Finding, ...]:
    """Return all findings of a survey, sorted by file and line. File contents never raise.

    With an unusable taxonomy, the records are still read, and rules that need it are skipped. `also` adds checks of
    higher layers, such as the names of plots.
    """
    beside = list(_beside(tree))
    tree = NotingTree(tree)
    taxonomy, taxonomy_findings = loading.read_taxonomy(tree)
    order = [axis.id for axis in taxonomy.axes] if taxonomy is not None else None
    records, unread = loading.load_records(tree, axes=order)
    parts, part_findings = loading.load_beside(tree)
    findings = [*taxonomy_findings, *unread, *part_findings]
    findings += [*beside, *tree.findings(), *journal.findings(tree)]
    if taxonomy is not None:
        corpus = Corpus(taxonomy, findings=(*unread, *part_findings), **records, **parts)
        broken = list(taxonomy_errors(corpus))
        usable = (r for r in RULES.values() if not broken or r.topic in WITHOUT_TAXONOMY)
        more = also(corpus) if also is not None else ()
        findings = list(dict.fromkeys([*findings, *broken, *run(corpus, usable), *more]))
    return in_order(to_finding(finding, *place) for finding, place in loading.located(tree.read, findings))


def _beside(tree: FileTree) -> Iterator[RawFinding]:
    """Report unreadable files that only other commands read, and only in a working tree."""
    if not isinstance(tree, WorkingTree):
        return
    for path in loading.BESIDE:
        try:
            tree.read(path)
        except UnusableError as error:
            yield loading.unusable(error)
    for path in loading.AROUND:
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
